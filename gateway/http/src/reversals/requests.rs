//! Cancel and dispute of a sale, and the preview of each, in both panels.

use axum::extract::State;
use axum::http::HeaderMap;
use ledger_domain::SaleId;

use super::bodies::{ReversalPreview, SaleReversal};
use super::reversal::{self, ReversalKind, find_sale};
use crate::AppState;
use crate::buyers::erase::check_names_no_buyer;
use crate::edge::{Id, IdempotencyKey, Json};
use crate::problem::Result;
use crate::sales::bodies::detail::{AdminSaleDetail, SaleDetail};
use crate::sales::detail::SaleAnswer;
use crate::sales::scope::SaleScope;
use crate::shared::form::Form;

/// Cancel a sale
///
/// Cancels the whole sale: the buyer gets the amount back, and the net leaves the seller's available balance.
/// Installments that are still scheduled are paid at once. Returns the canceled sale; the refund is requested from the
/// acquirer afterwards.
#[utoipa::path(
    post, path = "/transactions/{id}/chargeback", tag = "sales",
    responses(
        (status = 200, body = SaleDetail),
        (status = 406, description = "The available balance and the held part of the sale are less than the net (type /problems/balance-too-short); for roles that may see balances, `balance` has the amounts and, if it is known, the date on which it will suffice"),
        (status = 409, description = "The sale's status, in `state`, does not allow it"),
    )
)]
pub(crate) async fn cancel_sale(
    State(state): State<AppState>,
    scope: SaleScope,
    key: IdempotencyKey,
    Id(id): Id<SaleId>,
    Form(form): Form<SaleReversal>,
) -> Result<(HeaderMap, Json<SaleDetail>)> {
    request(&state, scope, &key, id, ReversalKind::Cancel, form).await
}

/// Cancel a sale of any company
///
/// Cancels the whole sale: the buyer gets the amount back, and the net leaves the seller's available balance.
/// Installments that are still scheduled are paid at once. Returns the canceled sale; the refund is requested from the
/// acquirer afterwards.
#[utoipa::path(
    post, path = "/admin/transactions/{id}/chargeback", tag = "sales",
    responses(
        (status = 200, body = AdminSaleDetail),
        (status = 406, description = "The available balance and the held part of the sale are less than the net (type /problems/balance-too-short); for roles that may see balances, `balance` has the amounts and, if it is known, the date on which it will suffice"),
        (status = 409, description = "The sale's status, in `state`, does not allow it"),
    )
)]
pub(crate) async fn cancel_any_sale(
    State(state): State<AppState>,
    scope: SaleScope,
    key: IdempotencyKey,
    Id(id): Id<SaleId>,
    Form(form): Form<SaleReversal>,
) -> Result<(HeaderMap, Json<AdminSaleDetail>)> {
    request(&state, scope, &key, id, ReversalKind::Cancel, form).await
}

/// Dispute a sale
///
/// Opens a dispute for the whole sale. The gross is blocked until the dispute ends, and the platform keeps its fees.
/// Installments that are still scheduled are paid at once. Returns the disputed sale.
#[utoipa::path(
    post, path = "/transactions/{id}/dispute", tag = "sales",
    responses(
        (status = 200, body = SaleDetail),
        (status = 406, description = "The available balance and the held part of the sale are less than the gross (type /problems/balance-too-short); for roles that may see balances, `balance` has the amounts and, if it is known, the date on which it will suffice"),
        (status = 409, description = "The sale's status, in `state`, does not allow it"),
    )
)]
pub(crate) async fn dispute_sale(
    State(state): State<AppState>,
    scope: SaleScope,
    key: IdempotencyKey,
    Id(id): Id<SaleId>,
    Form(form): Form<SaleReversal>,
) -> Result<(HeaderMap, Json<SaleDetail>)> {
    request(&state, scope, &key, id, ReversalKind::Dispute, form).await
}

/// Dispute a sale of any company
///
/// Opens a dispute for the whole sale. The gross is blocked until the dispute ends, and the platform keeps its fees.
/// Installments that are still scheduled are paid at once. Returns the disputed sale.
#[utoipa::path(
    post, path = "/admin/transactions/{id}/dispute", tag = "sales",
    responses(
        (status = 200, body = AdminSaleDetail),
        (status = 406, description = "The available balance and the held part of the sale are less than the gross (type /problems/balance-too-short); for roles that may see balances, `balance` has the amounts and, if it is known, the date on which it will suffice"),
        (status = 409, description = "The sale's status, in `state`, does not allow it"),
    )
)]
pub(crate) async fn dispute_any_sale(
    State(state): State<AppState>,
    scope: SaleScope,
    key: IdempotencyKey,
    Id(id): Id<SaleId>,
    Form(form): Form<SaleReversal>,
) -> Result<(HeaderMap, Json<AdminSaleDetail>)> {
    request(&state, scope, &key, id, ReversalKind::Dispute, form).await
}

/// Preview the cancel of a sale
///
/// Returns the balances before and after, and the installments that would be paid at once. Nothing is recorded. For
/// roles that may not see the balance, `balance` is null and `covered` says whether the balance suffices.
#[utoipa::path(
    get, path = "/transactions/{id}/chargeback/preview", tag = "sales",
    responses(
        (status = 200, body = ReversalPreview),
        (status = 409, description = "The sale's status, in `state`, does not allow it"),
    )
)]
pub(crate) async fn preview_cancel(
    State(state): State<AppState>,
    scope: SaleScope,
    Id(id): Id<SaleId>,
) -> Result<Json<ReversalPreview>> {
    let sale = find_sale(&state, scope.company, id).await?;
    let preview = reversal::preview(&state, sale, ReversalKind::Cancel, scope.sees_balance);
    preview.await.map(Json)
}

/// Preview the dispute of a sale
///
/// Returns the balances before and after, and the installments that would be paid at once. Nothing is recorded. For
/// roles that may not see the balance, `balance` is null and `covered` says whether the balance suffices.
#[utoipa::path(
    get, path = "/transactions/{id}/dispute/preview", tag = "sales",
    responses(
        (status = 200, body = ReversalPreview),
        (status = 409, description = "The sale's status, in `state`, does not allow it"),
    )
)]
pub(crate) async fn preview_dispute(
    State(state): State<AppState>,
    scope: SaleScope,
    Id(id): Id<SaleId>,
) -> Result<Json<ReversalPreview>> {
    let sale = find_sale(&state, scope.company, id).await?;
    let preview = reversal::preview(&state, sale, ReversalKind::Dispute, scope.sees_balance);
    preview.await.map(Json)
}

async fn request<Answer: SaleAnswer>(
    state: &AppState,
    scope: SaleScope,
    key: &IdempotencyKey,
    id: SaleId,
    kind: ReversalKind,
    form: SaleReversal,
) -> Result<(HeaderMap, Json<Answer>)> {
    let sale = find_sale(state, scope.company, id).await?;
    if let Some(reason) = &form.reason {
        check_names_no_buyer(&*state.db().await?, sale.sale_id, reason).await?;
    }
    scope.check_still_allowed(state).await?;
    let commands = state.commands(scope.actor, key);
    let (headers, detail) =
        reversal::reverse(state, commands, sale, kind, form.reason, scope.sees_balance).await?;
    let answer = Answer::read(&state.db().await?, sale.business_id, detail).await?;
    Ok((headers, Json(answer)))
}
