//! The plans and terminals of a company, for its page.

use std::collections::HashMap;

use ledger_domain::sale::Solution;
use ledger_domain::{BusinessId, PlanId, TerminalId};
use ledger_rows::{FromRow, fetch, params, row};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

/// A company's page shows this many. The list of terminals has the others.
const TERMINALS_MAX: i64 = 50;

row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CompanyPlan {
        pub solution: Solution = "s.solution::smallint",
        pub plan_id: PlanId = "plan.id",
        pub description: String = "plan.description",
        /// The solution's default plan, because the company has no individual plan.
        pub is_default: bool = "own.plan_id IS NULL",
    }
}

row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CompanyTerminal {
        pub id: TerminalId = "terminal.id",
        pub serial_number: String = "terminal.serial_number",
        pub name: Option<String> = "terminal.name",
    }
}

row! {
    struct PlanDescription {
        id: Uuid,
        description: String,
    }
}

/// The descriptions of sales plans and receiving plans, as they are today.
pub async fn plan_descriptions(
    client: &impl GenericClient,
    plans: &[Uuid],
) -> Result<HashMap<Uuid, String>, Error> {
    if plans.is_empty() {
        return Ok(HashMap::new());
    }
    let columns = PlanDescription::COLUMNS;
    let sql = format!(
        "SELECT {columns} FROM plan WHERE id = ANY ($1)
         UNION ALL
         SELECT {columns} FROM receiving_plan WHERE id = ANY ($1)"
    );
    let named: Vec<PlanDescription> = fetch(client, &sql, params![plans]).await?;
    Ok(named
        .into_iter()
        .map(|plan| (plan.id, plan.description))
        .collect())
}

/// The plan of each solution (numbers 1 to 4) that has one: the company's own, else the default.
pub async fn plans_in_force(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Vec<CompanyPlan>, Error> {
    let sql = format!(
        "SELECT {}
           FROM generate_series(1, 4) AS s (solution)
           LEFT JOIN LATERAL (SELECT plan_id FROM plan_assignment
                               WHERE business_id = $1 AND solution = s.solution
                               ORDER BY valid_from DESC LIMIT 1) AS own ON true
           LEFT JOIN LATERAL (SELECT plan_id FROM plan_default WHERE solution = s.solution
                               ORDER BY valid_from DESC LIMIT 1) AS usual ON true
           JOIN plan ON plan.id = coalesce(own.plan_id, usual.plan_id)
          ORDER BY s.solution",
        CompanyPlan::COLUMNS
    );
    fetch(client, &sql, params![company]).await
}

/// The terminals that the company has now, by serial number: `TERMINALS_MAX` at most.
pub async fn terminals_owned(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Vec<CompanyTerminal>, Error> {
    let sql = format!(
        "SELECT {}
           FROM (SELECT DISTINCT terminal_id FROM terminal_owner WHERE business_id = $1) AS ever
           JOIN terminal ON terminal.id = ever.terminal_id
          WHERE $1 = (SELECT latest.business_id FROM terminal_owner latest
                       WHERE latest.terminal_id = ever.terminal_id ORDER BY latest.valid_from DESC LIMIT 1)
          ORDER BY terminal.serial_number LIMIT $2",
        CompanyTerminal::COLUMNS
    );
    fetch(client, &sql, params![company, TERMINALS_MAX]).await
}
