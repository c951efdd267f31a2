//! A seller's withdrawals: the quote, the request, and the list of transfers.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use gateway_identity::account::reauthentication;
use gateway_identity::audience::Audience;
use gateway_identity::audit::Actor;
use gateway_platform::companies::{WithdrawalReferenceData, withdrawal_reference_data};
use ledger_domain::TransferId;
use ledger_domain::business::{BusinessCommand, BusinessEvent, RequestTransfer, TransferRefusal};
use ledger_domain::transfer::DestinationKind;
use projections::balance::balance_fetch;
use projections::withdrawals::Transfer as Row;
use serde_json::json;

use super::bodies::quote::{QuoteDestination, TransferQuote};
use super::bodies::requests::{TransferRequest, ValidTransferRequest};
use super::bodies::transfer::{Transfer, TransferPage};
use super::list::transfer_answer;
use super::query::TransferQuery;
use super::related_rows::{Viewer, one_transfer};
use crate::AppState;
use crate::edge::{CurrentBusiness, CurrentSeller, Db, IdempotencyKey, Json, ListQuery};
use crate::problem::{Problem, Result};
use crate::shared::cents;
use crate::shared::command::{CommandContext, CommandRequest};
use crate::spreadsheet::ResponseFormat;

/// Quote a withdrawal
///
/// Returns the available balance, the fee and the minimum amount (all in cents), and the possible destinations.
#[utoipa::path(
    get, path = "/balance/transfers/quote", tag = "balance",
    responses((status = 200, body = TransferQuote))
)]
pub(crate) async fn quote_transfer(business: CurrentBusiness, db: Db) -> Result<Json<TransferQuote>> {
    let balance = balance_fetch(&*db, business.id).await?;
    let reference_data = withdrawal_reference_data(&*db, business.id)
        .await?
        .ok_or_else(Problem::not_found)?;
    let destinations = DestinationKind::ALL
        .iter()
        .map(|kind| destination(&reference_data, *kind));
    Ok(Json(TransferQuote {
        available: cents(balance.available),
        withdrawal_fee: cents(reference_data.fee),
        minimum: cents(reference_data.minimum()),
        destinations: destinations.collect(),
    }))
}

fn destination(reference_data: &WithdrawalReferenceData, kind: DestinationKind) -> QuoteDestination {
    let details = reference_data.destination(kind);
    QuoteDestination {
        destination: kind,
        available: details.is_some(),
        reason: details
            .is_none()
            .then(|| TransferRefusal::NoDestination(kind).message()),
        details: details.as_ref().map(Into::into),
    }
}

/// Request a withdrawal
///
/// Takes the amount (in cents, including the fee) from the available balance; it stays in transfer until staff and the
/// bank have decided. Needs the user's password. The same amount and destination with the same Idempotency-Key get the
/// first response again.
#[utoipa::path(
    post, path = "/balance/transfers", tag = "balance",
    responses(
        (status = 201, body = Transfer),
        (status = 409, description = "The company is not active, or the same amount to the same destination was requested within 15 minutes and `confirm_duplicate` is not true (type /problems/duplicate-transfer)"),
        (status = 422, description = "Invalid values, by field: amount, destination, password, business_id"),
        (status = 429, description = "Too many wrong passwords in this session; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn request_transfer(
    State(state): State<AppState>,
    business: CurrentBusiness,
    CurrentSeller(seller): CurrentSeller,
    key: IdempotencyKey,
    Json(body): Json<TransferRequest>,
) -> Result<impl IntoResponse> {
    let withdrawal = body.read(business.id)?;
    reauthentication::check(&state.accounts, seller.into(), &withdrawal.password).await?;
    business.caller().check_still_allowed(&*state.db().await?).await?;
    let command_context = CommandContext {
        state: &state,
        actor: Actor::Seller(business.seller),
        key: &key,
    };
    let request = request(&withdrawal);
    let command = command(&state, business, withdrawal).await?;
    let receipt = command_context.submit(business.id, &request, command).await?;
    let requested = receipt.events.iter().find_map(|event| match event {
        BusinessEvent::TransferRequested(requested) => Some(requested),
        _ => None,
    });
    let requested = requested.ok_or_else(|| Problem::internal("a withdrawal has no event"))?;
    let db = state.db().await?;
    // Returns the withdrawal as it was requested. Later changes and the lag of the read models have no influence.
    let row = Row::withdrawal_requested(business.id, requested, Some(business.seller.to_string()));
    let transfer = one_transfer(&state, &db, Audience::Seller, row).await?;
    Ok((StatusCode::CREATED, receipt.headers(), Json(transfer)))
}

/// `confirm_duplicate` is not part of the request, so that the client can add it and send the same key again.
fn request(withdrawal: &ValidTransferRequest) -> CommandRequest {
    CommandRequest {
        operation: "request-transfer".to_owned(),
        body: json!({ "amount": withdrawal.amount, "destination": withdrawal.destination }),
    }
}

/// Reads the current fee and destination into the command.
async fn command(
    state: &AppState,
    business: CurrentBusiness,
    withdrawal: ValidTransferRequest,
) -> Result<BusinessCommand> {
    let db = state.db().await?;
    let reference_data = withdrawal_reference_data(&*db, business.id)
        .await?
        .ok_or_else(Problem::not_found)?;
    Ok(BusinessCommand::RequestTransfer(RequestTransfer {
        transfer_id: TransferId::from_uuid(state.ids.new_uuid()),
        amount: withdrawal.amount,
        destination: withdrawal.destination,
        confirm_duplicate: withdrawal.confirm_duplicate,
        occurred_at: state.clock.now(),
        context: reference_data.context(withdrawal.destination),
    }))
}

/// List the company's transfers
///
/// Withdrawals, manual transfers and terminal rentals, newest first unless `order=asc`. A spreadsheet has all transfers
/// that match the filter.
#[utoipa::path(
    get, path = "/balance/transfers", tag = "balance",
    responses((status = 200, body = TransferPage))
)]
pub(crate) async fn list_transfers(
    State(state): State<AppState>,
    business: CurrentBusiness,
    format: ResponseFormat,
    mut list: ListQuery<TransferQuery>,
) -> Result<Response> {
    list.query.filter.business_id = Some(business.id);
    transfer_answer(state, Viewer::SELLER, list, format).await
}
