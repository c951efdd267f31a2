//! Cancel and dispute of a sale, and the preview of each, in both panels.

use axum::extract::State;
use axum::http::HeaderMap;
use ledger_domain::SaleId;

use super::bodies::{ReversalPreview, SaleCancel, SaleReversal};
use super::reversal::{self, ReversalKind, find_sale};
use crate::AppState;
use crate::buyers::erase::check_names_no_buyer;
use crate::edge::{Id, IdempotencyKey, Json, Query, query};
use crate::plans::simulation::AmountInCents;
use crate::problem::Result;
use crate::sales::bodies::detail::{AdminSaleDetail, SaleDetail};
use crate::sales::detail::SaleAnswer;
use crate::sales::scope::SaleScope;
use crate::shared::form::Form;

/// Cancel a sale
///
/// The buyer gets back all that is left of the sale, and its net leaves the seller's available balance. Installments
/// that are still scheduled are paid at once.
///
/// With an `amount` below what is left, only that part goes back and the sale stays approved. The installments that are
/// due last pay the part's share of the net, and the available balance pays the rest of it. The platform gives back the
/// share of its fees.
///
/// Returns the sale; the refund is requested from the acquirer afterwards.
#[utoipa::path(
    post, path = "/transactions/{id}/chargeback", tag = "sales",
    responses(
        (status = 200, body = SaleDetail),
        (status = 406, description = "The available balance and the held part of the sale are less than the net of what goes back (type /problems/balance-too-short); for roles that may see balances, `balance` has the amounts and, if it is known, the date on which it will suffice"),
        (status = 409, description = "The sale's status, in `state`, does not allow it"),
        (status = 422, description = "The amount is more than what is left of the sale, or its acquirer refunds no part of it"),
    )
)]
pub(crate) async fn cancel_sale(
    State(state): State<AppState>,
    scope: SaleScope,
    key: IdempotencyKey,
    Id(id): Id<SaleId>,
    Form(SaleCancel { amount, reversal }): Form<SaleCancel>,
) -> Result<(HeaderMap, Json<SaleDetail>)> {
    request(&state, scope, &key, id, ReversalKind::Cancel(amount), reversal).await
}

/// Cancel a sale of any company
///
/// The buyer gets back all that is left of the sale, and its net leaves the seller's available balance. Installments
/// that are still scheduled are paid at once.
///
/// With an `amount` below what is left, only that part goes back and the sale stays approved. The installments that are
/// due last pay the part's share of the net, and the available balance pays the rest of it. The platform gives back the
/// share of its fees.
///
/// Returns the sale; the refund is requested from the acquirer afterwards.
#[utoipa::path(
    post, path = "/admin/transactions/{id}/chargeback", tag = "sales",
    responses(
        (status = 200, body = AdminSaleDetail),
        (status = 406, description = "The available balance and the held part of the sale are less than the net of what goes back (type /problems/balance-too-short); for roles that may see balances, `balance` has the amounts and, if it is known, the date on which it will suffice"),
        (status = 409, description = "The sale's status, in `state`, does not allow it"),
        (status = 422, description = "The amount is more than what is left of the sale, or its acquirer refunds no part of it"),
    )
)]
pub(crate) async fn cancel_any_sale(
    State(state): State<AppState>,
    scope: SaleScope,
    key: IdempotencyKey,
    Id(id): Id<SaleId>,
    Form(SaleCancel { amount, reversal }): Form<SaleCancel>,
) -> Result<(HeaderMap, Json<AdminSaleDetail>)> {
    request(&state, scope, &key, id, ReversalKind::Cancel(amount), reversal).await
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

query! {
    pub struct AmountInQuery {
        /// What the buyer would get back, in cents. Without it, all that is left of the sale.
        #[example = 5_000]
        amount: Option<AmountInCents>,
    }
}

/// Preview the cancel of a sale
///
/// Returns the balances before and after, what goes back from installments and from the balance, the fees that are given
/// back, and the installments that would be paid at once. Nothing is recorded. For roles that may not see the balance,
/// `balance` is null and `covered` says whether the balance suffices.
#[utoipa::path(
    get, path = "/transactions/{id}/chargeback/preview", tag = "sales",
    responses(
        (status = 200, body = ReversalPreview),
        (status = 409, description = "The sale's status, in `state`, does not allow it"),
        (status = 422, description = "The amount is more than what is left of the sale, or its acquirer refunds no part of it"),
    )
)]
pub(crate) async fn preview_cancel(
    State(state): State<AppState>,
    scope: SaleScope,
    Id(id): Id<SaleId>,
    Query(AmountInQuery { amount }): Query<AmountInQuery>,
) -> Result<Json<ReversalPreview>> {
    let sale = find_sale(&state, scope.company, id).await?;
    let kind = ReversalKind::Cancel(amount.map(|AmountInCents(amount)| amount));
    let preview = reversal::preview(&state, sale, kind, scope.sees_balance);
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
