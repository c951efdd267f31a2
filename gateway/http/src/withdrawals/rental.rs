//! The cancel of a terminal rental by staff. A job charges the rentals.

use axum::extract::State;
use axum::http::HeaderMap;
use gateway_identity::audit::{Actor, Change};
use gateway_identity::users::StaffCaller;
use ledger_domain::TransferId;
use ledger_domain::business::{BusinessCommand, BusinessEvent, CancelTerminalRental};
use serde_json::json;

use super::actions::{action_response, find_transfer};
use super::bodies::requests::RentalCancel;
use super::bodies::transfer::Transfer;
use crate::AppState;
use crate::edge::{Id, IdempotencyKey, Json};
use crate::problem::{Problem, Result};
use crate::shared::command::{CommandContext, CommandRequest};

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
    Json(body): Json<RentalCancel>,
) -> Result<(HeaderMap, Json<Transfer>)> {
    let (business_id, reason) = body.read()?;
    let found = find_transfer(&state, id).await?;
    if found.business_id != business_id {
        return Err(Problem::not_found());
    }
    caller.check_still_allowed(&*state.db().await?).await?;
    let command_context = CommandContext {
        state: &state,
        actor: Actor::Admin(caller.id),
        key: &key,
    };
    let request = CommandRequest {
        operation: format!("cancel-terminal-rental/{}", found.id),
        body: json!({ "reason": reason }),
    };
    let command = BusinessCommand::CancelTerminalRental(CancelTerminalRental {
        transfer_id: found.id,
        reason,
        occurred_at: state.clock.now(),
    });
    let receipt = command_context.submit(business_id, &request, command).await?;
    let recorded: Vec<_> = receipt.events.iter().map(BusinessEvent::type_name).collect();
    let change = Change {
        action: "cancel-terminal-rental",
        subject: "transfer",
        subject_id: &found.id.to_string(),
        before: Some(json!({ "status": found.ledger_state.status.slug() })),
        after: Some(json!({ "recorded": recorded, "asked": request.body })),
    };
    command_context.write_audit_log(&receipt, change).await;
    action_response(&state, &found, &receipt).await
}
