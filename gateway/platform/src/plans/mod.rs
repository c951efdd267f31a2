//! Plans: their versions, which companies have them, and which plan is the default.
//!
//! Constraints and triggers of the tables refuse invalid rows. `edit`, `receiving::edit`, `company_change` and `requests`
//! are the changes of staff, with their rules and their entries in the audit log. Other callers write it themselves.

use ledger_domain::calendar::Instant;
use ledger_domain::fees::{PlanRef, PlanTerms};
use ledger_domain::sale::Solution;
use ledger_domain::{BusinessId, PlanId};
use ledger_rows::get;
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient};

use crate::validity::Since;

pub mod changes;
pub mod company_change;
mod company_plans;
pub mod edit;
pub mod form;
pub mod impact;
mod list;
pub mod log;
pub mod preview;
pub mod receiving;
pub mod refusal;
pub mod requests;
pub mod terms;

pub use company_plans::{CompanyPlan, company_plans};
pub use list::{
    COMPANIES_COUNTED_MAX, PlanFilter, PlanRecord, PlanSearch, PlanSort, PlanVersion,
    count_assigned_companies, plan_fetch, plan_versions, plans_in_force,
};

#[derive(Debug, Clone)]
pub struct NewPlan {
    pub id: PlanId,
    pub description: String,
    pub solution: Solution,
    pub active: bool,
}

/// The terms of the plan version that a sale refers to.
pub async fn plan_terms(client: &impl GenericClient, plan: &PlanRef) -> Result<Option<PlanTerms>, Error> {
    let Ok(version) = i32::try_from(plan.version) else {
        return Ok(None);
    };
    let row = client
        .query_typed_opt(
            "SELECT terms FROM plan_version WHERE plan_id = $1 AND version = $2",
            &[(&plan.id.uuid(), Type::UUID), (&version, Type::INT4)],
        )
        .await?;
    row.map(|row| row.try_get::<_, Json<PlanTerms>>(0).map(|Json(terms)| terms))
        .transpose()
}

pub async fn plan_create(client: &impl GenericClient, plan: &NewPlan) -> Result<(), Error> {
    client
        .execute(
            "INSERT INTO plan (id, description, solution, active) VALUES ($1, $2, $3, $4)",
            &[
                &plan.id.uuid(),
                &plan.description,
                &i16::from(plan.solution.number()),
                &plan.active,
            ],
        )
        .await
        .map(drop)
}

/// Adds a plan version. The terms contain the plan's id and the version.
pub async fn plan_version_add(
    client: &impl GenericClient,
    terms: &PlanTerms,
    since: Since,
) -> Result<(), Error> {
    let version = i32::try_from(terms.version).unwrap_or(i32::MAX);
    client
        .execute(
            "INSERT INTO plan_version (plan_id, version, terms, valid_from)
             VALUES ($1, $2, $3, coalesce($4, transaction_timestamp()))",
            &[&terms.plan_id.uuid(), &version, &Json(terms), &since.instant()],
        )
        .await
        .map(drop)
}

/// Locks all plans of a solution until the end of the transaction. So two changes of the default or of a version happen
/// one after another.
pub async fn solution_plans_lock(client: &impl GenericClient, solution: Solution) -> Result<(), Error> {
    client
        .query_typed(
            "SELECT FROM plan WHERE solution = $1 ORDER BY id FOR NO KEY UPDATE",
            &[(&i16::from(solution.number()), Type::INT2)],
        )
        .await
        .map(drop)
}

pub async fn plan_solution(client: &impl GenericClient, plan: PlanId) -> Result<Option<Solution>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT solution FROM plan WHERE id = $1",
            &[(&plan.uuid(), Type::UUID)],
        )
        .await?;
    row.map(|row| get(&row, 0)).transpose()
}

/// Sets the fields of a plan that are not in its versions, and counts the change.
pub async fn plan_update(
    client: &impl GenericClient,
    plan: PlanId,
    description: &str,
    active: bool,
    offered: bool,
) -> Result<(), Error> {
    client
        .query_typed(
            "UPDATE plan SET description = $2, active = $3, offered = $4, revision = revision + 1 WHERE id = $1",
            &[
                (&plan.uuid(), Type::UUID),
                (&description, Type::TEXT),
                (&active, Type::BOOL),
                (&offered, Type::BOOL),
            ],
        )
        .await
        .map(drop)
}

/// Counts a change of the plan that is not in its row.
pub async fn plan_touch(client: &impl GenericClient, plan: PlanId) -> Result<(), Error> {
    client
        .query_typed(
            "UPDATE plan SET revision = revision + 1 WHERE id = $1",
            &[(&plan.uuid(), Type::UUID)],
        )
        .await
        .map(drop)
}

/// Sets whether sellers may compare a new plan with theirs.
pub async fn plan_offer_set(client: &impl GenericClient, plan: PlanId, offered: bool) -> Result<(), Error> {
    client
        .query_typed(
            "UPDATE plan SET offered = $2 WHERE id = $1",
            &[(&plan.uuid(), Type::UUID), (&offered, Type::BOOL)],
        )
        .await
        .map(drop)
}

/// Withdraws a version that is not in force yet. The table refuses any other.
pub async fn plan_version_withdraw(
    client: &impl GenericClient,
    plan: &PlanRef,
    at: Instant,
) -> Result<(), Error> {
    let version = i32::try_from(plan.version).unwrap_or(i32::MAX);
    client
        .query_typed(
            "UPDATE plan_version SET withdrawn_at = $3 WHERE plan_id = $1 AND version = $2",
            &[
                (&plan.id.uuid(), Type::UUID),
                (&version, Type::INT4),
                (&at, Type::TIMESTAMPTZ),
            ],
        )
        .await
        .map(drop)
}

/// The default plan of a solution, and since when it is the default.
pub async fn default_plan_of(
    client: &impl GenericClient,
    solution: Solution,
) -> Result<Option<(PlanId, Instant)>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT plan_id, valid_from FROM plan_default WHERE solution = $1 ORDER BY valid_from DESC LIMIT 1",
            &[(&i16::from(solution.number()), Type::INT2)],
        )
        .await?;
    row.map(|row| Ok((PlanId::from_uuid(row.try_get(0)?), row.try_get(1)?)))
        .transpose()
}

/// `None` gives the company the solution's default plan.
pub async fn assignment_add(
    client: &impl GenericClient,
    business_id: BusinessId,
    solution: Solution,
    plan_id: Option<PlanId>,
    since: Since,
) -> Result<(), Error> {
    client
        .execute(
            "INSERT INTO plan_assignment (business_id, solution, plan_id, valid_from)
             VALUES ($1, $2, $3, coalesce($4, transaction_timestamp()))",
            &[
                &business_id.uuid(),
                &i16::from(solution.number()),
                &plan_id.map(PlanId::uuid),
                &since.instant(),
            ],
        )
        .await
        .map(drop)
}

pub async fn default_plan_set(
    client: &impl GenericClient,
    solution: Solution,
    plan_id: PlanId,
    since: Since,
) -> Result<(), Error> {
    client
        .execute(
            "INSERT INTO plan_default (solution, plan_id, valid_from)
             VALUES ($1, $2, coalesce($3, transaction_timestamp()))",
            &[&i16::from(solution.number()), &plan_id.uuid(), &since.instant()],
        )
        .await
        .map(drop)
}
