//! Cancelling and disputing a sale, as its seller asks for it, and what either would do.

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use gateway_identity::audit::Actor;

use super::command::CommandContext;
use super::reversal::{self, ReversalKind, find};
use super::sale_query::SaleCompanyParam;
use crate::AppState;
use crate::edge::{CurrentBusiness, IdempotencyKey, Json};
use crate::problem::{ProblemBody, Result};
use crate::wire::reversal::{ReversalBody as Body, ReversalPreview};
use crate::wire::sale_detail::SaleDetail;

/// Cancel a sale
///
/// The whole of it: what the buyer paid goes back, and the seller bears the net. What is still scheduled is paid at
/// once. The answer is the sale as it is then; the acquirer is asked for the refund afterwards.
#[utoipa::path(
    post, path = "/transactions/{id}/chargeback", tag = "sales", request_body = Body,
    params(
        ("id" = String, Path, example = "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04"), SaleCompanyParam,
        ("Idempotency-Key" = Option<String>, Header, description = "Of the caller's choice, new for each cancel", example = "b7e0c1f2d3a44e55"),
    ),
    responses(
        (status = 200, body = SaleDetail, headers(("Ledger-Position" = String, description = "Reads that send it wait for this write"))),
        (status = 406, description = "The available balance is short of the net (type /problems/balance-too-short); balance, for roles that may see it, says by how much and until when", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "Its status, in state, does not allow it; or the key was used for another request", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn cancel_sale(
    State(state): State<AppState>,
    business: CurrentBusiness,
    key: IdempotencyKey,
    Path(id): Path<String>,
    Json(body): Json<Body>,
) -> Result<(HeaderMap, Json<SaleDetail>)> {
    ask(&state, business, &key, &id, ReversalKind::Cancel, body).await
}

/// Dispute a sale
///
/// The gross is blocked until the dispute ends, and the platform keeps its fees. What is still scheduled is paid at
/// once. The answer is the sale as it is then.
#[utoipa::path(
    post, path = "/transactions/{id}/dispute", tag = "sales", request_body = Body,
    params(
        ("id" = String, Path, example = "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04"), SaleCompanyParam,
        ("Idempotency-Key" = Option<String>, Header, description = "Of the caller's choice, new for each dispute", example = "b7e0c1f2d3a44e55"),
    ),
    responses(
        (status = 200, body = SaleDetail, headers(("Ledger-Position" = String, description = "Reads that send it wait for this write"))),
        (status = 406, description = "The available balance is short of the gross (type /problems/balance-too-short); balance, for roles that may see it, says by how much and until when", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "Its status, in state, does not allow it; or the key was used for another request", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn dispute_sale(
    State(state): State<AppState>,
    business: CurrentBusiness,
    key: IdempotencyKey,
    Path(id): Path<String>,
    Json(body): Json<Body>,
) -> Result<(HeaderMap, Json<SaleDetail>)> {
    ask(&state, business, &key, &id, ReversalKind::Dispute, body).await
}

/// What cancelling the sale would do
///
/// To the balances, to the cent, and which installments would be paid at once. Nothing is recorded. A role that may not
/// see the balance gets null for it: covered alone says whether it suffices.
#[utoipa::path(
    get, path = "/transactions/{id}/chargeback/preview", tag = "sales",
    params(("id" = String, Path, example = "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04"), SaleCompanyParam),
    responses(
        (status = 200, body = ReversalPreview),
        (status = 409, description = "Its status, in state, does not allow it", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn preview_cancel(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Path(id): Path<String>,
) -> Result<Json<ReversalPreview>> {
    let sale = find(&state, Some(business.id), &id).await?;
    let sees_balance = business.sees_balance();
    Ok(Json(
        reversal::preview(&state, sale, ReversalKind::Cancel, sees_balance).await?,
    ))
}

/// What disputing the sale would do
///
/// To the balances, to the cent, and which installments would be paid at once. Nothing is recorded. A role that may not
/// see the balance gets null for it: covered alone says whether it suffices.
#[utoipa::path(
    get, path = "/transactions/{id}/dispute/preview", tag = "sales",
    params(("id" = String, Path, example = "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04"), SaleCompanyParam),
    responses(
        (status = 200, body = ReversalPreview),
        (status = 409, description = "Its status, in state, does not allow it", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn preview_dispute(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Path(id): Path<String>,
) -> Result<Json<ReversalPreview>> {
    let sale = find(&state, Some(business.id), &id).await?;
    let sees_balance = business.sees_balance();
    Ok(Json(
        reversal::preview(&state, sale, ReversalKind::Dispute, sees_balance).await?,
    ))
}

async fn ask(
    state: &AppState,
    business: CurrentBusiness,
    key: &IdempotencyKey,
    id: &str,
    kind: ReversalKind,
    body: Body,
) -> Result<(HeaderMap, Json<SaleDetail>)> {
    let sale = find(state, Some(business.id), id).await?;
    let command_context = CommandContext {
        state,
        actor: Actor::Seller(business.seller),
        key,
    };
    let (headers, sale) =
        reversal::reverse(command_context, sale, kind, body.read()?, business.sees_balance()).await?;
    Ok((headers, Json(sale)))
}
