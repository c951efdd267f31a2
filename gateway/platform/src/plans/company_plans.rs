//! The plan of a company for each solution: its own, else the solution's default.

use ledger_domain::calendar::Instant;
use ledger_domain::sale::Solution;
use ledger_domain::{BusinessId, PlanId};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use crate::columns;

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
    let rows = client
        .query_typed(
            "SELECT s.solution::smallint, p.id, p.description, own.plan_id IS NOT NULL, own.valid_from
               FROM generate_series(1, 4) AS s (solution)
               LEFT JOIN LATERAL (SELECT plan_id, valid_from FROM plan_assignment
                                   WHERE business_id = $1 AND solution = s.solution
                                   ORDER BY valid_from DESC LIMIT 1) AS own ON true
               LEFT JOIN LATERAL (SELECT plan_id FROM plan_default WHERE solution = s.solution
                                   ORDER BY valid_from DESC LIMIT 1) AS usual ON true
               LEFT JOIN plan AS p ON p.id = coalesce(own.plan_id, usual.plan_id)
              ORDER BY s.solution",
            &[(&company.uuid(), Type::UUID)],
        )
        .await?;
    rows.iter().map(company_plan).collect()
}

fn company_plan(row: &Row) -> Result<CompanyPlan, Error> {
    let id: Option<Uuid> = row.try_get(1)?;
    let description: Option<String> = row.try_get(2)?;
    Ok(CompanyPlan {
        solution: columns::read(row, 0)?,
        plan: id.map(PlanId::from_uuid).zip(description),
        own: row.try_get(3)?,
        since: row.try_get(4)?,
    })
}
