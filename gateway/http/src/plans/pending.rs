//! The pending changes of plans, with the names of their users.

use std::collections::HashMap;

use gateway_identity::audience::Audience;
use gateway_identity::users::user_names;
use gateway_platform::plans::changes::{
    ChangedPlan, PlanChangeRecord, change_pending, receiving_plan_changes_pending,
};
use ledger_domain::ids::UserId;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::bodies::changes::PlanChange;
use crate::problem::Result;

pub(crate) async fn pending_of(client: &impl GenericClient, plan: ChangedPlan) -> Result<Option<PlanChange>> {
    let pending = change_pending(client, plan).await?;
    let names = names_of(client, pending.as_slice()).await?;
    Ok(pending.map(|pending| PlanChange::of(pending, &names)))
}

/// The pending changes of receiving plans, by plan.
pub(crate) async fn pending_of_receiving(
    client: &impl GenericClient,
    plans: &[Uuid],
) -> Result<HashMap<Uuid, PlanChange>> {
    let pending = receiving_plan_changes_pending(client, plans).await?;
    let names = names_of(client, &pending).await?;
    let by_plan = pending.into_iter().filter_map(|pending| match pending.plan {
        ChangedPlan::Receiving(plan) => Some((plan, PlanChange::of(pending, &names))),
        ChangedPlan::Sales(_) => None,
    });
    Ok(by_plan.collect())
}

pub(crate) async fn names_of(
    client: &impl GenericClient,
    changes: &[PlanChangeRecord],
) -> Result<HashMap<UserId, String>> {
    let users: Vec<UserId> = changes
        .iter()
        .flat_map(|change| [Some(change.requested_by), change.decided_by])
        .flatten()
        .collect();
    Ok(user_names(client, Audience::Admin, &users).await?)
}
