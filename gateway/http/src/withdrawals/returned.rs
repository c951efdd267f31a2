//! A withdrawal that the bank gave back, recorded by staff. A bank's notice records the same.

use axum::extract::State;
use axum::http::HeaderMap;
use gateway_identity::account::reauthentication;
use gateway_identity::audience::Audience;
use gateway_identity::audit::Actor;
use gateway_identity::sessions::open_sessions::SessionOwner;
use gateway_identity::users::StaffCaller;
use gateway_platform::settings::returned_withdrawal_fee_at;
use gateway_platform::withdrawals::transfer_return;
use ledger_domain::TransferId;
use ledger_domain::business::ReturnTransfer;

use super::actions::{action_response, find_transfer};
use super::bodies::requests::TransferReturn;
use super::bodies::transfer::Transfer;
use crate::AppState;
use crate::edge::{CurrentAdmin, Id, IdempotencyKey, Json};
use crate::problem::Result;
use crate::shared::form::Form;

/// Record that a bank returned a withdrawal
///
/// What the bank had paid is available again, and the withdrawal is failed for good. Whether its fee goes back too is
/// the setting `returned_withdrawal_fee`. The reason is required; the company's users read it and get it by e-mail.
/// Needs the signed-in user's password. A return that the bank reports by a notice needs no call.
#[utoipa::path(
    post, path = "/admin/balance/transfers/{transfer_id}/returned", tag = "balance",
    responses(
        (status = 200, body = Transfer),
        (status = 404, description = "The company does not have this withdrawal"),
        (status = 409, description = "The withdrawal is not paid, its state is in the message, or it is returned already"),
        (status = 422, description = "Invalid values, by field: business_id, reason, password"),
        (status = 429, description = "Too many wrong passwords in this session; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn return_transfer(
    State(state): State<AppState>,
    CurrentAdmin(staff): CurrentAdmin,
    caller: StaffCaller,
    key: IdempotencyKey,
    Id(id): Id<TransferId>,
    Form(form): Form<TransferReturn>,
) -> Result<(HeaderMap, Json<Transfer>)> {
    let owner = SessionOwner::from(staff);
    reauthentication::check(&state.accounts, owner, &form.password).await?;
    caller.check_still_allowed(&*state.db().await?).await?;
    let found = find_transfer(&state, Some(form.business_id), id).await?;
    let now = state.clock.now();
    let fee = returned_withdrawal_fee_at(&*state.db().await?, now).await?;
    let command = ReturnTransfer {
        transfer_id: found.id,
        reason: form.reason,
        occurred_at: now,
        fee,
    };
    let commands = state.commands(Actor::Admin(caller.id), &key);
    let receipt = transfer_return(commands, &found, command).await?;
    action_response(&state, Audience::Admin, &found, &receipt).await
}
