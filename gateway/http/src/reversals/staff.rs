//! Cancel and dispute of any company's sale by staff, and the preview of each.

use axum::extract::State;
use axum::http::HeaderMap;
use gateway_identity::audit::Actor;
use ledger_domain::{BusinessId, SaleId};

use super::bodies::{ReversalBody as Body, ReversalPreview};
use super::reversal;
use super::reversal::{ReversalKind, find_sale};
use crate::AppState;
use crate::edge::{CurrentAdmin, Id, IdempotencyKey, Json, Query};
use crate::problem::Result;
use crate::sales::bodies::detail::AdminSaleDetail;
use crate::sales::query::CompanyInQuery;
use crate::sales::staff::with_company;
use crate::shared::command::CommandContext;

/// Cancel a sale of any company
///
/// Cancels the whole sale: the buyer gets the amount back, and the net leaves the seller's available balance.
/// Installments that are still scheduled are paid at once. Returns the canceled sale; the refund is requested from the
/// acquirer afterwards.
#[utoipa::path(
    post, path = "/admin/transactions/{id}/chargeback", tag = "sales",
    responses(
        (status = 200, body = AdminSaleDetail),
        (status = 404, description = "The sale does not exist, or it belongs to another company than the named one"),
        (status = 406, description = "The available balance is lower than the net (type /problems/balance-too-short); for roles that may see balances, `balance` has the amounts and the date on which it will suffice"),
        (status = 409, description = "The sale's status, in `state`, does not allow it"),
    )
)]
pub async fn cancel_any_sale(
    State(state): State<AppState>,
    staff: CurrentAdmin,
    Query(CompanyInQuery(company)): Query<CompanyInQuery>,
    key: IdempotencyKey,
    Id(id): Id<SaleId>,
    Json(body): Json<Body>,
) -> Result<(HeaderMap, Json<AdminSaleDetail>)> {
    request_reversal(&state, &staff, &key, (company, id), ReversalKind::Cancel, body).await
}

/// Dispute a sale of any company
///
/// Opens a dispute for the whole sale. The gross is blocked until the dispute ends, and the platform keeps its fees.
/// Installments that are still scheduled are paid at once. Returns the disputed sale.
#[utoipa::path(
    post, path = "/admin/transactions/{id}/dispute", tag = "sales",
    responses(
        (status = 200, body = AdminSaleDetail),
        (status = 404, description = "The sale does not exist, or it belongs to another company than the named one"),
        (status = 406, description = "The available balance is lower than the gross (type /problems/balance-too-short); for roles that may see balances, `balance` has the amounts and the date on which it will suffice"),
        (status = 409, description = "The sale's status, in `state`, does not allow it"),
    )
)]
pub async fn dispute_any_sale(
    State(state): State<AppState>,
    staff: CurrentAdmin,
    Query(CompanyInQuery(company)): Query<CompanyInQuery>,
    key: IdempotencyKey,
    Id(id): Id<SaleId>,
    Json(body): Json<Body>,
) -> Result<(HeaderMap, Json<AdminSaleDetail>)> {
    request_reversal(&state, &staff, &key, (company, id), ReversalKind::Dispute, body).await
}

/// Preview the cancel of a sale of any company
///
/// Returns the balances before and after, and the installments that would be paid early. Nothing is recorded. For roles
/// that may not see balances, `balance` is null and `covered` says whether the balance suffices.
#[utoipa::path(
    get, path = "/admin/transactions/{id}/chargeback/preview", tag = "sales",
    responses(
        (status = 200, body = ReversalPreview),
        (status = 404, description = "The sale does not exist, or it belongs to another company than the named one"),
        (status = 409, description = "The sale's status, in `state`, does not allow it"),
    )
)]
pub async fn preview_any_cancel(
    State(state): State<AppState>,
    staff: CurrentAdmin,
    Query(CompanyInQuery(company)): Query<CompanyInQuery>,
    Id(id): Id<SaleId>,
) -> Result<Json<ReversalPreview>> {
    let sale = find_sale(&state, company, id).await?;
    let sees_balance = staff.sees_balance();
    Ok(Json(
        reversal::preview(&state, sale, ReversalKind::Cancel, sees_balance).await?,
    ))
}

/// Preview the dispute of a sale of any company
///
/// Returns the balances before and after, and the installments that would be paid early. Nothing is recorded. For roles
/// that may not see balances, `balance` is null and `covered` says whether the balance suffices.
#[utoipa::path(
    get, path = "/admin/transactions/{id}/dispute/preview", tag = "sales",
    responses(
        (status = 200, body = ReversalPreview),
        (status = 404, description = "The sale does not exist, or it belongs to another company than the named one"),
        (status = 409, description = "The sale's status, in `state`, does not allow it"),
    )
)]
pub async fn preview_any_dispute(
    State(state): State<AppState>,
    staff: CurrentAdmin,
    Query(CompanyInQuery(company)): Query<CompanyInQuery>,
    Id(id): Id<SaleId>,
) -> Result<Json<ReversalPreview>> {
    let sale = find_sale(&state, company, id).await?;
    let sees_balance = staff.sees_balance();
    Ok(Json(
        reversal::preview(&state, sale, ReversalKind::Dispute, sees_balance).await?,
    ))
}

async fn request_reversal(
    state: &AppState,
    staff: &CurrentAdmin,
    key: &IdempotencyKey,
    (company, id): (Option<BusinessId>, SaleId),
    kind: ReversalKind,
    body: Body,
) -> Result<(HeaderMap, Json<AdminSaleDetail>)> {
    let sale = find_sale(state, company, id).await?;
    let command_context = CommandContext {
        state,
        actor: Actor::Admin(staff.0.id),
        key,
    };
    let (headers, detail) =
        reversal::reverse(command_context, sale, kind, body.read()?, staff.sees_balance()).await?;
    let db = state.db().await?;
    let detail = with_company(&db, sale.business_id, detail).await?;
    Ok((headers, Json(detail)))
}
