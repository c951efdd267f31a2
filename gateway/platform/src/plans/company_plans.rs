//! The plan of a company for each solution: its own, else the solution's default.

use ledger_domain::calendar::Instant;
use ledger_domain::sale::Solution;
use ledger_domain::{BusinessId, PlanId};
use ledger_rows::{FromRow, fetch, params, row};
use tokio_postgres::{Error, GenericClient};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanyPlan {
    pub solution: Solution,
    /// `None` if the company has none and the solution no default.
    pub plan: Option<(PlanId, String)>,
    /// Whether the plan is the company's own.
    pub own: bool,
    /// Since when the company has its own plan, or went back to the default.
    pub since: Option<Instant>,
}

/// All four solutions, in their order.
pub async fn company_plans(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Vec<CompanyPlan>, Error> {
    let columns = CompanyPlan::COLUMNS;
    let sql = format!(
        "SELECT {columns}
           FROM generate_series(1, 4) AS s (solution)
           LEFT JOIN LATERAL (SELECT plan_id, valid_from FROM plan_assignment
                               WHERE business_id = $1 AND solution = s.solution
                               ORDER BY valid_from DESC LIMIT 1) AS own ON true
           LEFT JOIN LATERAL (SELECT plan_id FROM plan_default WHERE solution = s.solution
                               ORDER BY valid_from DESC LIMIT 1) AS usual ON true
           LEFT JOIN plan AS p ON p.id = coalesce(own.plan_id, usual.plan_id)
          ORDER BY s.solution"
    );
    fetch(client, &sql, params![company]).await
}

row! {
    impl FromRow for CompanyPlan {
        solution: Solution = "s.solution::smallint",
        plan: Option<PlanId> = "p.id",
        description: Option<String> = "p.description",
        own: bool = "own.plan_id IS NOT NULL",
        since: Option<Instant> = "own.valid_from",
    } => Self { solution, plan: plan.zip(description), own, since }
}
