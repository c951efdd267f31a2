//! Cancel and dispute of a sale by its seller, and the preview of each.

use axum::extract::State;
use axum::http::HeaderMap;
use gateway_identity::audit::Actor;
use ledger_domain::SaleId;

use super::bodies::{ReversalBody as Body, ReversalPreview};
use super::reversal;
use super::reversal::{ReversalKind, find_sale};
use crate::AppState;
use crate::edge::{CurrentBusiness, Id, IdempotencyKey, Json};
use crate::problem::Result;
use crate::sales::bodies::detail::SaleDetail;
use crate::shared::command::CommandContext;

/// Cancel a sale
///
/// Cancels the whole sale: the buyer gets the amount back, and the net leaves the seller's available balance.
/// Installments that are still scheduled are paid at once. Returns the canceled sale; the refund is requested from the
/// acquirer afterwards.
#[utoipa::path(
    post, path = "/transactions/{id}/chargeback", tag = "sales",
    responses(
        (status = 200, body = SaleDetail),
        (status = 406, description = "The available balance is lower than the net (type /problems/balance-too-short); for roles that may see balances, `balance` has the amounts and the date on which it will suffice"),
        (status = 409, description = "The sale's status, in `state`, does not allow it"),
    )
)]
pub async fn cancel_sale(
    State(state): State<AppState>,
    business: CurrentBusiness,
    key: IdempotencyKey,
    Id(id): Id<SaleId>,
    Json(body): Json<Body>,
) -> Result<(HeaderMap, Json<SaleDetail>)> {
    request_reversal(&state, business, &key, id, ReversalKind::Cancel, body).await
}

/// Dispute a sale
///
/// Opens a dispute for the whole sale. The gross is blocked until the dispute ends, and the platform keeps its fees.
/// Installments that are still scheduled are paid at once. Returns the disputed sale.
#[utoipa::path(
    post, path = "/transactions/{id}/dispute", tag = "sales",
    responses(
        (status = 200, body = SaleDetail),
        (status = 406, description = "The available balance is lower than the gross (type /problems/balance-too-short); for roles that may see balances, `balance` has the amounts and the date on which it will suffice"),
        (status = 409, description = "The sale's status, in `state`, does not allow it"),
    )
)]
pub async fn dispute_sale(
    State(state): State<AppState>,
    business: CurrentBusiness,
    key: IdempotencyKey,
    Id(id): Id<SaleId>,
    Json(body): Json<Body>,
) -> Result<(HeaderMap, Json<SaleDetail>)> {
    request_reversal(&state, business, &key, id, ReversalKind::Dispute, body).await
}

/// Preview the cancel of a sale
///
/// Returns the balances before and after, and the installments that would be paid early. Nothing is recorded. For roles
/// that may not see the balance, `balance` is null and `covered` says whether the balance suffices.
#[utoipa::path(
    get, path = "/transactions/{id}/chargeback/preview", tag = "sales",
    responses(
        (status = 200, body = ReversalPreview),
        (status = 409, description = "The sale's status, in `state`, does not allow it"),
    )
)]
pub async fn preview_cancel(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Id(id): Id<SaleId>,
) -> Result<Json<ReversalPreview>> {
    let sale = find_sale(&state, Some(business.id), id).await?;
    let sees_balance = business.sees_balance();
    Ok(Json(
        reversal::preview(&state, sale, ReversalKind::Cancel, sees_balance).await?,
    ))
}

/// Preview the dispute of a sale
///
/// Returns the balances before and after, and the installments that would be paid early. Nothing is recorded. For roles
/// that may not see the balance, `balance` is null and `covered` says whether the balance suffices.
#[utoipa::path(
    get, path = "/transactions/{id}/dispute/preview", tag = "sales",
    responses(
        (status = 200, body = ReversalPreview),
        (status = 409, description = "The sale's status, in `state`, does not allow it"),
    )
)]
pub async fn preview_dispute(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Id(id): Id<SaleId>,
) -> Result<Json<ReversalPreview>> {
    let sale = find_sale(&state, Some(business.id), id).await?;
    let sees_balance = business.sees_balance();
    Ok(Json(
        reversal::preview(&state, sale, ReversalKind::Dispute, sees_balance).await?,
    ))
}

async fn request_reversal(
    state: &AppState,
    business: CurrentBusiness,
    key: &IdempotencyKey,
    id: SaleId,
    kind: ReversalKind,
    body: Body,
) -> Result<(HeaderMap, Json<SaleDetail>)> {
    let (sale, reason) = (find_sale(state, Some(business.id), id).await?, body.read()?);
    let db = state.db().await?;
    business.caller().lock_and_check_allowed(&*db).await?;
    drop(db);
    let command_context = CommandContext {
        state,
        actor: Actor::Seller(business.seller),
        key,
    };
    let (headers, sale) =
        reversal::reverse(command_context, sale, kind, reason, business.sees_balance()).await?;
    Ok((headers, Json(sale)))
}
