//! The plans and terminals of a company, for its page.

use std::collections::HashMap;

use ledger_domain::{BusinessId, TerminalId};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

/// A company's page shows this many. The list of terminals has the others.
const TERMINALS_MAX: i64 = 50;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanyPlan {
    /// The number of the solution.
    pub solution: i16,
    pub plan_id: Uuid,
    pub description: String,
    /// The solution's default plan, because the company has no individual plan.
    pub is_default: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanyTerminal {
    pub id: TerminalId,
    pub serial_number: String,
    pub name: Option<String>,
}

/// The descriptions of sales plans and receiving plans, as they are today.
pub async fn plan_descriptions(
    client: &impl GenericClient,
    plans: &[Uuid],
) -> Result<HashMap<Uuid, String>, Error> {
    if plans.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = client
        .query_typed(
            "SELECT id, description FROM plan WHERE id = ANY ($1)
             UNION ALL
             SELECT id, description FROM receiving_plan WHERE id = ANY ($1)",
            &[(&plans, Type::UUID_ARRAY)],
        )
        .await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// The plan of each solution (numbers 1 to 4) that has one: the company's own, else the default.
pub async fn plans_in_force(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Vec<CompanyPlan>, Error> {
    let rows = client
        .query_typed(
            "SELECT s.solution::smallint, plan.id, plan.description, own.plan_id IS NULL
               FROM generate_series(1, 4) AS s (solution)
               LEFT JOIN LATERAL (SELECT plan_id FROM plan_assignment
                                   WHERE business_id = $1 AND solution = s.solution
                                   ORDER BY valid_from DESC LIMIT 1) AS own ON true
               LEFT JOIN LATERAL (SELECT plan_id FROM plan_default WHERE solution = s.solution
                                   ORDER BY valid_from DESC LIMIT 1) AS usual ON true
               JOIN plan ON plan.id = coalesce(own.plan_id, usual.plan_id)
              ORDER BY s.solution",
            &[(&company.uuid(), Type::UUID)],
        )
        .await?;
    let plan = |row: &tokio_postgres::Row| CompanyPlan {
        solution: row.get(0),
        plan_id: row.get(1),
        description: row.get(2),
        is_default: row.get(3),
    };
    Ok(rows.iter().map(plan).collect())
}

/// The terminals that the company has now, by serial number: `TERMINALS_MAX` at most.
pub async fn terminals_owned(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Vec<CompanyTerminal>, Error> {
    let rows = client
        .query_typed(
            "SELECT terminal.id, terminal.serial_number, terminal.name
               FROM (SELECT DISTINCT terminal_id FROM terminal_owner WHERE business_id = $1) AS ever
               JOIN terminal ON terminal.id = ever.terminal_id
              WHERE $1 = (SELECT latest.business_id FROM terminal_owner latest
                           WHERE latest.terminal_id = ever.terminal_id ORDER BY latest.valid_from DESC LIMIT 1)
              ORDER BY terminal.serial_number LIMIT $2",
            &[(&company.uuid(), Type::UUID), (&TERMINALS_MAX, Type::INT8)],
        )
        .await?;
    let terminal = |row: &tokio_postgres::Row| CompanyTerminal {
        id: TerminalId::from_uuid(row.get(0)),
        serial_number: row.get(1),
        name: row.get(2),
    };
    Ok(rows.iter().map(terminal).collect())
}
