//! Plans: their versions, which companies have them, and which plan is the default.
//!
//! The tables have the guards (migration 0003). Each function is one statement in its caller's transaction. The caller
//! also writes the audit log if a user acts.

use ledger_domain::fees::{PlanRef, PlanTerms};
use ledger_domain::sale::Solution;
use ledger_domain::{BusinessId, PlanId};
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient};

use crate::validity::Since;

#[derive(Debug, Clone)]
pub struct NewPlan {
    pub id: PlanId,
    pub description: String,
    pub solution: Solution,
}

/// The plan version that a sale refers to.
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
            "INSERT INTO plan (id, description, solution) VALUES ($1, $2, $3)",
            &[
                &plan.id.uuid(),
                &plan.description,
                &i16::from(plan.solution.number()),
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

pub async fn assignment_add(
    client: &impl GenericClient,
    business_id: BusinessId,
    solution: Solution,
    plan_id: PlanId,
    since: Since,
) -> Result<(), Error> {
    client
        .execute(
            "INSERT INTO plan_assignment (business_id, solution, plan_id, valid_from)
             VALUES ($1, $2, $3, coalesce($4, transaction_timestamp()))",
            &[
                &business_id.uuid(),
                &i16::from(solution.number()),
                &plan_id.uuid(),
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
