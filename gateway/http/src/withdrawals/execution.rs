//! The steps of a transfer's execution, for both panels: why it was paid once, or why it was not.

use std::collections::BTreeSet;

use gateway_identity::audience::Audience;
use gateway_identity::users::user_names;
use gateway_platform::withdrawals::{ExecutionStep as Step, execution_steps};
use ledger_domain::{BusinessId, TransferId};
use projections::withdrawals::find;

use super::bodies::execution::{ExecutionStep, TransferExecution};
use crate::edge::{CurrentBusiness, Db, Id, Json};
use crate::problem::{Problem, Result};
use crate::shared::author::Authors;

/// List the steps of a transfer's execution
///
/// What happened to the transfer, in the order of recording: the request, the decisions, each call to the bank with its
/// answer, and the bank's notices. Each call of a payout has the same key, under which the bank pays once. Names of staff,
/// first approvals and internal faults are only for staff.
#[utoipa::path(
    get, path = "/balance/transfers/{transfer_id}/execution", tag = "balance",
    responses((status = 200, body = TransferExecution))
)]
pub(crate) async fn list_transfer_steps(
    business: CurrentBusiness,
    Id(id): Id<TransferId>,
    db: Db,
) -> Result<Json<TransferExecution>> {
    execution(&db, Audience::Seller, Some(business.id), id).await
}

/// List the steps of the execution of a transfer of any company
///
/// What happened to the transfer, in the order of recording: the request, the decisions, each call to the bank with its
/// answer, and the bank's notices. Each call of a payout has the same key, under which the bank pays once. A call without
/// an answer was cut off, or is waiting for its answer.
#[utoipa::path(
    get, path = "/admin/balance/transfers/{transfer_id}/execution", tag = "balance",
    responses((status = 200, body = TransferExecution))
)]
pub(crate) async fn list_any_transfer_steps(
    Id(id): Id<TransferId>,
    db: Db,
) -> Result<Json<TransferExecution>> {
    execution(&db, Audience::Admin, None, id).await
}

async fn execution(
    db: &Db,
    audience: Audience,
    company: Option<BusinessId>,
    id: TransferId,
) -> Result<Json<TransferExecution>> {
    let transfer = find(&**db, company, id).await?.ok_or_else(Problem::not_found)?;
    let steps = execution_steps(&**db, &transfer).await?;
    let users: BTreeSet<_> = steps
        .iter()
        .filter_map(|step| match step {
            Step::Event(event) => event.actor.user_id(),
            Step::Call { .. } => None,
        })
        .collect();
    let users: Vec<_> = users.into_iter().collect();
    let authors = Authors::new(audience, user_names(&**db, audience, &users).await?);
    let steps = steps
        .into_iter()
        .filter_map(|step| ExecutionStep::of(step, &authors));
    Ok(Json(TransferExecution {
        data: steps.collect(),
    }))
}
