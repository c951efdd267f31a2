//! A seller's withdrawals: the quote, the request, the cancel, and the list of transfers.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use gateway_identity::account::reauthentication;
use gateway_identity::audience::Audience;
use gateway_identity::audit::Actor;
use gateway_platform::companies::WithdrawalReferenceData;
use gateway_platform::withdrawals::{
    WithdrawalQuote, WithdrawalRequest, withdrawal_cancel, withdrawal_quote,
};
use ledger_domain::business::TransferRefusal;
use ledger_domain::transfer::DestinationKind;
use ledger_domain::{BusinessId, TransferId};

use super::actions::{action_response, find_transfer};
use super::bodies::quote::{QuoteDestination, TransferQuote};
use super::bodies::requests::TransferRequest;
use super::bodies::transfer::{Transfer, TransferPage};
use super::list::transfer_answer;
use super::query::TransferQuery;
use super::related_rows::{Viewer, one_transfer};
use crate::AppState;
use crate::edge::{CurrentBusiness, CurrentSeller, Db, Id, IdempotencyKey, Json, ListQuery};
use crate::problem::{OTHER_COMPANY, Problem, Result};
use crate::shared::cents;
use crate::shared::command::ReceiptHeaders;
use crate::shared::form::Form;
use crate::spreadsheet::ResponseFormat;

/// Quote a withdrawal
///
/// Returns the available balance, the fee and the minimum amount (all in cents), and the possible destinations.
#[utoipa::path(
    get, path = "/balance/transfers/quote", tag = "balance",
    responses((status = 200, body = TransferQuote))
)]
pub(crate) async fn quote_transfer(business: CurrentBusiness, db: Db) -> Result<Json<TransferQuote>> {
    let quote = withdrawal_quote(&*db, business.id).await?;
    let WithdrawalQuote {
        available,
        reference_data,
    } = quote.ok_or_else(Problem::not_found)?;
    let destinations = DestinationKind::ALL
        .iter()
        .map(|kind| destination(&reference_data, *kind));
    Ok(Json(TransferQuote {
        available: cents(available),
        withdrawal_fee: cents(reference_data.fee),
        minimum: cents(reference_data.minimum()),
        destinations: destinations.collect(),
    }))
}

fn destination(reference_data: &WithdrawalReferenceData, kind: DestinationKind) -> QuoteDestination {
    let details = reference_data.destination(kind);
    QuoteDestination {
        destination: kind.into(),
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
        (status = 409, description = "The company is not active, or the same amount to the same destination was requested within 15 minutes and `confirm_duplicate` is not true (type /problems/duplicate-transfer), or a bank returned the last withdrawal from the destination and `confirm_destination` is not true (type /problems/returned-destination)"),
        (status = 422, description = "Invalid values, by field: amount, destination, password, business_id"),
        (status = 429, description = "Too many wrong passwords in this session; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn request_transfer(
    State(state): State<AppState>,
    business: CurrentBusiness,
    CurrentSeller(seller): CurrentSeller,
    key: IdempotencyKey,
    Form(form): Form<TransferRequest>,
) -> Result<impl IntoResponse> {
    check_same_company(form.business_id, business.id)?;
    reauthentication::check(&state.accounts, seller.into(), &form.password).await?;
    business.caller().check_still_allowed(&*state.db().await?).await?;
    let request = WithdrawalRequest {
        amount: form.amount,
        destination: form.destination,
        confirm_duplicate: form.confirm_duplicate,
        confirm_destination: form.confirm_destination,
    };
    let commands = state.commands(Actor::Seller(business.seller), &key);
    let (receipt, row) = request.submit(commands, business.id, state.clock).await?;
    let transfer = one_transfer(&state, &state.db().await?, Audience::Seller, row).await?;
    Ok((StatusCode::CREATED, receipt.headers(), Json(transfer)))
}

/// Cancel a withdrawal
///
/// As long as nobody has begun to pay it. The withdrawal is then refused with a fixed reason, and its amount is available
/// again. If staff decide at the same time, the first of the two counts.
#[utoipa::path(
    post, path = "/balance/transfers/{transfer_id}/cancel", tag = "balance",
    responses(
        (status = 200, body = Transfer),
        (status = 409, description = "The withdrawal's state, named in the message, does not allow it, or the bank has it"),
    )
)]
pub(crate) async fn cancel_transfer(
    State(state): State<AppState>,
    business: CurrentBusiness,
    key: IdempotencyKey,
    Id(id): Id<TransferId>,
) -> Result<(HeaderMap, Json<Transfer>)> {
    let found = find_transfer(&state, Some(business.id), id).await?;
    business.caller().check_still_allowed(&*state.db().await?).await?;
    let commands = state.commands(Actor::Seller(business.seller), &key);
    let receipt = withdrawal_cancel(commands, &found, state.clock.now()).await?;
    action_response(&state, Audience::Seller, &found, &receipt).await
}

/// The body may name the company that the guard has selected, and no other one.
fn check_same_company(in_body: Option<BusinessId>, selected: BusinessId) -> Result<()> {
    if in_body.is_some_and(|company| company != selected) {
        return Err(Problem::field("business_id", OTHER_COMPANY));
    }
    Ok(())
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
