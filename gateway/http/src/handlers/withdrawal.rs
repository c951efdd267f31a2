//! A seller's withdrawals: what one would cost, asking for one, and those asked for.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use gateway_identity::audience::Audience;
use gateway_identity::audit::Actor;
use gateway_identity::own_account::password_again;
use gateway_platform::back_office::{Withdrawing, withdrawing_fetch};
use ledger_domain::TransferId;
use ledger_domain::business::{BusinessCommand, BusinessEvent, RequestTransfer, TransferRefusal};
use ledger_domain::transfer::DestinationKind;
use projections::balance::balance_fetch;
use projections::transfer::Transfer as Row;
use serde_json::json;
use utoipa::IntoParams;

use crate::AppState;
use crate::edge::{CurrentBusiness, CurrentSeller, IdempotencyKey, Json, ListQuery};
use crate::handlers::command::{CommandContext, CommandRequest};
use crate::handlers::transfer_list::{
    Reader, TransferListParams, TransferQuery, one_transfer, transfer_answer,
};
use crate::problem::{Problem, ProblemBody, Result};
use crate::spreadsheet::{FileParams, Wanted, Workbook};
use crate::wire::cents;
use crate::wire::transfer::{QuoteDestination, Transfer, TransferPage, TransferQuote};
use crate::wire::transfer_request::{TransferRequest, Withdrawal};

/// What a withdrawal would cost
///
/// The available balance, the fee and the least amount, and which destinations there are.
#[utoipa::path(get, path = "/balance/transfers/quote", tag = "balance", params(QuoteParams), responses((status = 200, body = TransferQuote)))]
pub async fn quote_transfer(
    State(state): State<AppState>,
    business: CurrentBusiness,
) -> Result<Json<TransferQuote>> {
    let client = state.pool.get().await?;
    let balance = balance_fetch(&**client, business.id).await?;
    let withdrawing = withdrawing_fetch(&**client, business.id)
        .await?
        .ok_or_else(Problem::not_found)?;
    let destinations = DestinationKind::ALL
        .iter()
        .map(|kind| destination(&withdrawing, *kind));
    Ok(Json(TransferQuote {
        available: cents(balance.available),
        withdrawal_fee: cents(withdrawing.fee),
        minimum: cents(withdrawing.minimum()),
        destinations: destinations.collect(),
    }))
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the guard reads")]
pub struct QuoteParams {
    business_id: Option<String>,
}

fn destination(withdrawing: &Withdrawing, kind: DestinationKind) -> QuoteDestination {
    let known = withdrawing.destination(kind);
    QuoteDestination {
        destination: kind,
        available: known.is_some(),
        reason: known
            .is_none()
            .then(|| TransferRefusal::NoDestination(kind).message()),
        details: known.as_ref().map(Into::into),
    }
}

/// Ask for a withdrawal
///
/// The amount is set aside until staff and bank have answered. Under the same Idempotency-Key the same amount and
/// destination get the first answer again.
#[utoipa::path(
    post, path = "/balance/transfers", tag = "balance", request_body = TransferRequest,
    params(("Idempotency-Key" = Option<String>, Header, description = "Of the caller's choice, new for each withdrawal", example = "b7e0c1f2d3a44e55")),
    responses(
        (status = 201, body = Transfer, headers(("Ledger-Position" = String, description = "Reads that send it wait for this write"))),
        (status = 409, description = "The same amount to the same destination was asked for within 15 minutes and confirm_duplicate is not true (type /problems/duplicate-transfer); or the key was used for another request", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "By field: amount, destination, password, business_id", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many wrong passwords in this session; Retry-After says when", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn request_transfer(
    State(state): State<AppState>,
    business: CurrentBusiness,
    CurrentSeller(seller): CurrentSeller,
    key: IdempotencyKey,
    Json(body): Json<TransferRequest>,
) -> Result<impl IntoResponse> {
    let withdrawal = body.read(business.id)?;
    password_again::check(&state.sessions, seller.into(), &withdrawal.password).await?;
    business.caller().still_may(&**state.pool.get().await?).await?;
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
    let requested = requested.ok_or_else(|| Problem::internal("a request led to no transfer"))?;
    let client = state.pool.get().await?;
    // As it was when it was asked for, whatever the read models have seen of it and whatever became of it since.
    let row = Row::requested(business.id, requested, Some(business.seller.to_string()));
    let transfer = one_transfer(&state, &client, Audience::Seller, row).await?;
    Ok((StatusCode::CREATED, receipt.headers(), Json(transfer)))
}

/// Confirming a duplicate asks for nothing else than before.
fn request(withdrawal: &Withdrawal) -> CommandRequest {
    CommandRequest {
        operation: "request-transfer".to_owned(),
        body: json!({ "amount": withdrawal.amount, "destination": withdrawal.destination }),
    }
}

/// Fee and destination are facts of this moment.
async fn command(
    state: &AppState,
    business: CurrentBusiness,
    withdrawal: Withdrawal,
) -> Result<BusinessCommand> {
    let client = state.pool.get().await?;
    let withdrawing = withdrawing_fetch(&**client, business.id)
        .await?
        .ok_or_else(Problem::not_found)?;
    Ok(BusinessCommand::RequestTransfer(RequestTransfer {
        transfer_id: TransferId::from_uuid(state.ids.new_uuid()),
        amount: withdrawal.amount,
        destination: withdrawal.destination,
        confirm_duplicate: withdrawal.confirm_duplicate,
        occurred_at: state.clock.now(),
        context: withdrawing.context(withdrawal.destination),
    }))
}

/// The company's transfers
///
/// Withdrawals and what staff moved by hand, newest first unless `order=asc`. A spreadsheet has all of the filter's.
#[utoipa::path(
    get, path = "/balance/transfers", tag = "balance", params(TransferListParams, FileParams),
    responses((status = 200, content(
        (TransferPage = "application/json"),
        (Workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    )))
)]
pub async fn list_transfers(
    State(state): State<AppState>,
    business: CurrentBusiness,
    wanted: Wanted,
    mut list: ListQuery<TransferQuery>,
) -> Result<Response> {
    list.query.filter.business_id = Some(business.id);
    transfer_answer(state, Reader::SELLER, list, wanted).await
}
