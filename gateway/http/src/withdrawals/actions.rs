//! Actions of staff on a withdrawal: approve, process, refuse, fail, reopen. The rules are in
//! `gateway_platform::withdrawals`.

use axum::extract::State;
use axum::http::HeaderMap;
use gateway_identity::audience::Audience;
use gateway_identity::audit::Actor;
use gateway_identity::users::StaffCaller;
use gateway_platform::withdrawals::{
    Action, Begun, FoundTransfer, StaffAction, approval_rule, transfer_find,
};
use ledger_domain::business::{Refusal, TransferRefusal};
use ledger_domain::ids::UserId;
use ledger_domain::{BusinessId, TransferId};
use projections::{ReadModelGroup, transfer_from_log, withdrawals};

use super::bodies::requests::{TransferAction, TransferReopening};
use super::bodies::transfer::Transfer;
use super::related_rows::one_transfer;
use crate::AppState;
use crate::edge::{Id, IdempotencyKey, Ids, Json, PathParam};
use crate::problem::{Problem, Result};
use crate::shared::command::{CommandFailure, CommandReceipt, ReceiptHeaders};
use crate::shared::form::{Form, OptionalForm};
use crate::shared::two_people::check_first_person;

const APPROVER_ACCESS_ENDED: &str = "Quem deu a primeira aprovação não pode mais aprovar saques. Recuse o saque, para que seja pedido de novo.";

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
    OptionalForm(form): OptionalForm<TransferAction>,
) -> Result<(HeaderMap, Json<Transfer>)> {
    let reason = || {
        form.reason
            .ok_or_else(|| Problem::field("reason", "Informe o motivo."))
    };
    let action = match name {
        ActionName::Approve => Action::Approve,
        ActionName::Process => Action::Process,
        ActionName::Refuse => Action::Refuse(reason()?),
        ActionName::Fail => Action::Fail(reason()?),
    };
    let found = find_transfer(&state, None, id).await?;
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
    Form(form): Form<TransferReopening>,
) -> Result<(HeaderMap, Json<Transfer>)> {
    let found = find_transfer(&state, Some(form.business_id), id).await?;
    perform(&state, caller, &key, found, Action::Reopen).await
}

/// If a company is given, a transfer of another company is not found.
pub(crate) async fn find_transfer(
    state: &AppState,
    company: Option<BusinessId>,
    id: TransferId,
) -> Result<FoundTransfer> {
    let found = transfer_find(&*state.db().await?, id).await?;
    found
        .filter(|found| company.is_none_or(|company| company == found.business_id))
        .ok_or_else(Problem::not_found)
}

async fn perform(
    state: &AppState,
    caller: StaffCaller,
    key: &IdempotencyKey,
    found: FoundTransfer,
    action: Action,
) -> Result<(HeaderMap, Json<Transfer>)> {
    let tx = state.begin().await?;
    caller.lock_and_check_allowed(&*tx).await?;
    let amount = found.ledger_state.amount;
    let rule = approval_rule(&*tx, state.default_settings(), state.clock, amount).await?;
    tx.commit().await?;
    // Reads the transfer again, because the rule may have been waited for.
    let found = find_transfer(state, None, found.id).await?;
    let action = StaffAction {
        commands: state.commands(Actor::Admin(caller.id), key),
        by: caller.id,
        action,
        rule,
        has_payouts: state.config.withdrawals.payouts.is_some(),
    };
    let receipt = match action.begin(&found).await.map_err(without_amount)? {
        Begun::First(receipt) => receipt,
        Begun::Second { first } => {
            check_first_approver(state, StaffCaller { id: first, ..caller }, caller.id).await?;
            action.submit(&found).await.map_err(without_amount)?
        }
        Begun::Submit => action.submit(&found).await.map_err(without_amount)?,
    };
    action_response(state, Audience::Admin, &found, &receipt).await
}

/// The request has no field for the amount, so a balance that is too low is a 409 and not a 422.
fn without_amount(failure: CommandFailure) -> Problem {
    match failure {
        CommandFailure::Refused(Refusal::Transfer(refusal @ TransferRefusal::AboveAvailable)) => {
            Problem::conflict(refusal.message())
        }
        failure => failure.into(),
    }
}

pub(crate) async fn action_response(
    state: &AppState,
    audience: Audience,
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
    let transfer = one_transfer(state, &db, audience, row).await?;
    Ok((headers, Json(transfer)))
}

async fn check_first_approver(state: &AppState, first: StaffCaller, second: UserId) -> Result<()> {
    let tx = state.begin().await?;
    check_first_person(&*tx, first, second, APPROVER_ACCESS_ENDED).await?;
    tx.commit().await?;
    Ok(())
}
