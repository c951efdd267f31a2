//! The cancel of a terminal rental by staff. A job charges the rentals.

use axum::extract::State;
use axum::http::HeaderMap;
use gateway_identity::audience::Audience;
use gateway_identity::audit::Actor;
use gateway_identity::users::StaffCaller;
use gateway_platform::withdrawals::rental_cancel;
use ledger_domain::TransferId;

use super::actions::{action_response, find_transfer};
use super::bodies::requests::RentalCancel;
use super::bodies::transfer::Transfer;
use crate::AppState;
use crate::edge::{Id, IdempotencyKey, Json};
use crate::problem::Result;
use crate::shared::form::Form;

/// Cancel a terminal rental
///
/// Returns the rental's amount to the available balance. The rental's status becomes refused. Returns the transfer
/// after the cancel.
#[utoipa::path(
    post, path = "/admin/balance/transfers/{transfer_id}/terminal-rental/cancel", tag = "balance",
    responses(
        (status = 200, body = Transfer),
        (status = 404, description = "The company does not have this transfer"),
        (status = 409, description = "The transfer is not a rental, or its status, in `state`, does not allow the cancel"),
    )
)]
pub(crate) async fn cancel_terminal_rental(
    State(state): State<AppState>,
    caller: StaffCaller,
    key: IdempotencyKey,
    Id(id): Id<TransferId>,
    Form(form): Form<RentalCancel>,
) -> Result<(HeaderMap, Json<Transfer>)> {
    let found = find_transfer(&state, Some(form.business_id), id).await?;
    caller.check_still_allowed(&*state.db().await?).await?;
    let commands = state.commands(Actor::Admin(caller.id), &key);
    let receipt = rental_cancel(commands, &found, form.reason, state.clock.now()).await?;
    action_response(&state, Audience::Admin, &found, &receipt).await
}
