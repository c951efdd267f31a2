//! Actions of staff on a withdrawal: approve, process, refuse, fail, reopen. This module maps an action to a command;
//! the ledger decides whether the withdrawal's state allows it.

use axum::extract::State;
use axum::http::HeaderMap;
use gateway_identity::audience::Audience;
use gateway_identity::audit::{Actor, Change};
use gateway_identity::users::StaffCaller;
use ledger_domain::business::{
    Approvals, ApproveTransfer, BusinessCommand, BusinessEvent, FailTransfer, ProcessTransfer, Refusal,
    RefuseTransfer, ReopenTransfer, Transfer as TransferState, TransferRefusal,
};
use ledger_domain::calendar::Instant;
use ledger_domain::ids::UserId;
use ledger_domain::transfer::TransferStatus;
use ledger_domain::{BusinessId, PayoutId, TransferId};
use ledger_store::log;
use projections::{ReadModelGroup, transfer_from_log, withdrawals};
use serde_json::json;

use super::approvals::{approvals_needed, first_of_two};
use super::bodies::requests::{TransferAction, TransferReopening};
use super::bodies::transfer::Transfer;
use super::related_rows::one_transfer;
use crate::AppState;
use crate::edge::{Id, IdempotencyKey, Ids, Json, OptionalJson, PathParam};
use crate::problem::{Problem, Result};
use crate::shared::command::{CommandContext, CommandFailure, CommandReceipt, CommandRequest};

enum Action {
    Approve,
    Process,
    Refuse(String),
    Fail(String),
    Reopen,
}

/// The last segment of the path of an action.
pub enum ActionName {
    Approve,
    Process,
    Refuse,
    Fail,
}

impl PathParam for ActionName {
    const NOUN: &'static str = "action";
    const EXAMPLE: &'static str = "approve";
    const DESCRIPTION: Option<&'static str> = Some("approve, process, refuse or fail");

    fn parse(text: &str) -> Option<Self> {
        match text {
            "approve" => Some(Self::Approve),
            "process" => Some(Self::Process),
            "refuse" => Some(Self::Refuse),
            "fail" => Some(Self::Fail),
            _ => None,
        }
    }
}

/// A transfer and its state in the ledger.
pub struct FoundTransfer {
    pub id: TransferId,
    pub business_id: BusinessId,
    pub ledger_state: TransferState,
}

/// Approve, process, refuse or fail a withdrawal
///
/// `approve` sends a payout if a payout provider is configured and the net amount is above zero; the withdrawal is then
/// processing until the bank reports the result. Otherwise, or if staff are already paying it manually, `approve` marks
/// it as paid. `process` marks it as being paid manually. If two approvals are needed, the first `approve` or `process`
/// leaves it pending. `refuse` and `fail` need a reason, which the seller can read.
#[utoipa::path(
    post, path = "/admin/balance/transfers/{id}/{type}", tag = "balance",
    responses(
        (status = 200, body = Transfer),
        (status = 409, description = "The withdrawal's state, named in the message, does not allow it, a payout is in flight, or it is not certain that the two approvals are by two people"),
        (status = 422, description = "The reason is missing or invalid"),
    )
)]
pub(crate) async fn act_on_transfer(
    State(state): State<AppState>,
    caller: StaffCaller,
    key: IdempotencyKey,
    Ids(id, name): Ids<TransferId, ActionName>,
    // `approve` and `process` need no body.
    OptionalJson(body): OptionalJson<TransferAction>,
) -> Result<(HeaderMap, Json<Transfer>)> {
    let action = Action::read(name, body)?;
    let found = find_transfer(&state, id).await?;
    perform(&state, caller, &key, found, action).await
}

/// Reopen a withdrawal
///
/// Sets a withdrawal back to pending, from manual processing or from failed. The amount of a failed one is taken from
/// the available balance again.
#[utoipa::path(
    post, path = "/admin/balance/transfers/{id}/pending", tag = "balance",
    responses(
        (status = 200, body = Transfer),
        (status = 404, description = "The company does not have this withdrawal"),
        (status = 409, description = "The withdrawal's state, named in the message, does not allow it, or the available balance is too low"),
        (status = 422, description = "`business_id` is missing"),
    )
)]
pub(crate) async fn reopen_transfer(
    State(state): State<AppState>,
    caller: StaffCaller,
    key: IdempotencyKey,
    Id(id): Id<TransferId>,
    Json(body): Json<TransferReopening>,
) -> Result<(HeaderMap, Json<Transfer>)> {
    let business_id = body
        .business_id
        .ok_or_else(|| Problem::field("business_id", "Informe a empresa."))?;
    let found = find_transfer(&state, id).await?;
    if found.business_id != business_id {
        return Err(Problem::not_found());
    }
    perform(&state, caller, &key, found, Action::Reopen).await
}

pub(crate) async fn find_transfer(state: &AppState, id: TransferId) -> Result<FoundTransfer> {
    let db = state.db().await?;
    let found = log::transfer_states(&*db, &[id]).await?.pop();
    let (_, found) = found.ok_or_else(Problem::not_found)?;
    Ok(FoundTransfer {
        id,
        business_id: found.business_id,
        ledger_state: found.state,
    })
}

async fn perform(
    state: &AppState,
    caller: StaffCaller,
    key: &IdempotencyKey,
    found: FoundTransfer,
    action: Action,
) -> Result<(HeaderMap, Json<Transfer>)> {
    let (approvals, now) = approvals_needed(state, caller, found.ledger_state.amount).await?;
    // Reads the transfer again, because `approvals_needed` may have waited long.
    let found = find_transfer(state, found.id).await?;
    let staff = caller.id;
    let command_context = CommandContext {
        state,
        actor: Actor::Admin(staff),
        key,
    };
    let request = action.request(found.id);
    let needs_two =
        approvals == Approvals::Two && action.pays() && found.ledger_state.status == TransferStatus::Pending;
    let given = if needs_two {
        first_of_two(&command_context, &found, &request, (staff, now)).await
    } else {
        Ok(None)
    };
    let receipt = match given {
        Ok(Some(first)) => Ok(first),
        Ok(None) => {
            let command = action.command(state, &found, staff, (approvals, now));
            command_context.submit(found.business_id, &request, command).await
        }
        Err(failure) => Err(failure),
    };
    let receipt = match receipt {
        // The request has no field for the amount, so a balance that is too low is a 409 and not a 422.
        Err(CommandFailure::Refused(Refusal::Transfer(refusal @ TransferRefusal::AboveAvailable))) => {
            return Err(Problem::conflict(refusal.message()));
        }
        decided => decided,
    }?;
    let recorded: Vec<_> = receipt.events.iter().map(BusinessEvent::type_name).collect();
    let change = Change {
        action: action.name(),
        subject: "transfer",
        subject_id: &found.id.to_string(),
        before: Some(json!({ "status": found.ledger_state.status.slug() })),
        after: Some(json!({ "recorded": recorded, "reason": action.reason() })),
    };
    command_context.write_audit_log(&receipt, change).await;
    action_response(state, &found, &receipt).await
}

pub(crate) async fn action_response(
    state: &AppState,
    found: &FoundTransfer,
    receipt: &CommandReceipt,
) -> Result<(HeaderMap, Json<Transfer>)> {
    let headers = receipt
        .headers_when_visible(state, &[ReadModelGroup::Transfers])
        .await?;
    let db = state.db().await?;
    let row = match withdrawals::find(&*db, Some(found.business_id), found.id).await? {
        Some(row) => row,
        // The action is recorded, but the read model does not have the transfer yet.
        None => transfer_from_log(&*db, found.business_id, found.id)
            .await?
            .ok_or_else(Problem::unavailable)?,
    };
    let transfer = one_transfer(state, &db, Audience::Admin, row).await?;
    Ok((headers, Json(transfer)))
}

impl Action {
    fn read(name: ActionName, body: TransferAction) -> Result<Self> {
        match name {
            ActionName::Approve => Ok(Self::Approve),
            ActionName::Process => Ok(Self::Process),
            ActionName::Refuse => body.reason().map(Self::Refuse),
            ActionName::Fail => body.reason().map(Self::Fail),
        }
    }

    /// Whether the action says that the money may leave, or has left.
    const fn pays(&self) -> bool {
        matches!(self, Self::Approve | Self::Process)
    }

    const fn name(&self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Process => "process",
            Self::Refuse(_) => "refuse",
            Self::Fail(_) => "fail",
            Self::Reopen => "reopen",
        }
    }

    fn reason(&self) -> Option<&str> {
        match self {
            Self::Refuse(reason) | Self::Fail(reason) => Some(reason),
            Self::Approve | Self::Process | Self::Reopen => None,
        }
    }

    fn request(&self, id: TransferId) -> CommandRequest {
        CommandRequest {
            operation: format!("{}-transfer/{id}", self.name()),
            body: json!({ "reason": self.reason() }),
        }
    }

    fn command(
        &self,
        state: &AppState,
        found: &FoundTransfer,
        by: UserId,
        (approvals, occurred_at): (Approvals, Instant),
    ) -> BusinessCommand {
        let transfer_id = found.id;
        let process = |payout_id| {
            BusinessCommand::ProcessTransfer(ProcessTransfer {
                transfer_id,
                payout_id,
                by,
                approvals,
                occurred_at,
            })
        };
        match self {
            Self::Approve if sends_payout(state, &found.ledger_state) => {
                process(Some(PayoutId::from_uuid(state.ids.new_uuid())))
            }
            Self::Approve => BusinessCommand::ApproveTransfer(ApproveTransfer {
                transfer_id,
                by,
                approvals,
                occurred_at,
            }),
            Self::Process => process(None),
            Self::Refuse(reason) => BusinessCommand::RefuseTransfer(RefuseTransfer {
                transfer_id,
                reason: reason.clone(),
                occurred_at,
            }),
            Self::Fail(reason) => BusinessCommand::FailTransfer(FailTransfer {
                transfer_id,
                reason: reason.clone(),
                occurred_at,
            }),
            Self::Reopen => BusinessCommand::ReopenTransfer(ReopenTransfer {
                transfer_id,
                occurred_at,
            }),
        }
    }
}

/// Whether an approval sends a payout. If staff are already paying manually, the approval says that they have paid. If
/// the fee is the whole amount, there is nothing to send.
fn sends_payout(state: &AppState, transfer: &TransferState) -> bool {
    state.config.withdrawals.payouts.is_some()
        && transfer.status != TransferStatus::Processing
        && transfer.amount > transfer.fee
}
