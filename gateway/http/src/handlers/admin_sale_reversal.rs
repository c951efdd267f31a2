//! Cancelling and disputing a sale, as staff ask for it for any company, and what either would do.

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use gateway_identity::audit::Actor;
use ledger_domain::BusinessId;

use super::admin_sale::with_company;
use super::command::CommandContext;
use super::reversal::{self, ReversalKind, find};
use super::sale_query::{CompanyNamed, SaleCompanyParam};
use crate::AppState;
use crate::edge::{CurrentAdmin, IdempotencyKey, Json, Query};
use crate::problem::{ProblemBody, Result};
use crate::wire::reversal::{ReversalBody as Body, ReversalPreview};
use crate::wire::sale_detail::AdminSaleDetail;

/// Cancel a sale of any company
///
/// The whole of it: what the buyer paid goes back, and the seller bears the net. What is still scheduled is paid at
/// once. The answer is the sale as it is then; the acquirer is asked for the refund afterwards.
#[utoipa::path(
    post, path = "/admin/transactions/{id}/chargeback", tag = "sales", request_body = Body,
    params(
        ("id" = String, Path, example = "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04"), SaleCompanyParam,
        ("Idempotency-Key" = Option<String>, Header, description = "Of the caller's choice, new for each cancel", example = "b7e0c1f2d3a44e55"),
    ),
    responses(
        (status = 200, body = AdminSaleDetail, headers(("Ledger-Position" = String, description = "Reads that send it wait for this write"))),
        (status = 404, description = "No such sale, or not of the company that is named", body = ProblemBody, content_type = "application/problem+json"),
        (status = 406, description = "The available balance is short of the net (type /problems/balance-too-short); balance, for roles that may see it, says by how much and until when", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "Its status, in state, does not allow it; or the key was used for another request", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "A value that cannot be taken, by field", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn cancel_any_sale(
    State(state): State<AppState>,
    staff: CurrentAdmin,
    Query(CompanyNamed(company)): Query<CompanyNamed>,
    key: IdempotencyKey,
    Path(id): Path<String>,
    Json(body): Json<Body>,
) -> Result<(HeaderMap, Json<AdminSaleDetail>)> {
    ask(&state, &staff, &key, (company, &id), ReversalKind::Cancel, body).await
}

/// Dispute a sale of any company
///
/// The gross is blocked until the dispute ends, and the platform keeps its fees. What is still scheduled is paid at
/// once. The answer is the sale as it is then.
#[utoipa::path(
    post, path = "/admin/transactions/{id}/dispute", tag = "sales", request_body = Body,
    params(
        ("id" = String, Path, example = "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04"), SaleCompanyParam,
        ("Idempotency-Key" = Option<String>, Header, description = "Of the caller's choice, new for each dispute", example = "b7e0c1f2d3a44e55"),
    ),
    responses(
        (status = 200, body = AdminSaleDetail, headers(("Ledger-Position" = String, description = "Reads that send it wait for this write"))),
        (status = 404, description = "No such sale, or not of the company that is named", body = ProblemBody, content_type = "application/problem+json"),
        (status = 406, description = "The available balance is short of the gross (type /problems/balance-too-short); balance, for roles that may see it, says by how much and until when", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "Its status, in state, does not allow it; or the key was used for another request", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "A value that cannot be taken, by field", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn dispute_any_sale(
    State(state): State<AppState>,
    staff: CurrentAdmin,
    Query(CompanyNamed(company)): Query<CompanyNamed>,
    key: IdempotencyKey,
    Path(id): Path<String>,
    Json(body): Json<Body>,
) -> Result<(HeaderMap, Json<AdminSaleDetail>)> {
    ask(&state, &staff, &key, (company, &id), ReversalKind::Dispute, body).await
}

/// What cancelling a sale of any company would do
///
/// To the balances, to the cent, and which installments would be paid at once. Nothing is recorded. A role that may not
/// see balances gets null for it: covered alone says whether it suffices.
#[utoipa::path(
    get, path = "/admin/transactions/{id}/chargeback/preview", tag = "sales",
    params(("id" = String, Path, example = "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04"), SaleCompanyParam),
    responses(
        (status = 200, body = ReversalPreview),
        (status = 404, description = "No such sale, or not of the company that is named", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "Its status, in state, does not allow it", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "A value that cannot be taken, by field", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn preview_any_cancel(
    State(state): State<AppState>,
    staff: CurrentAdmin,
    Query(CompanyNamed(company)): Query<CompanyNamed>,
    Path(id): Path<String>,
) -> Result<Json<ReversalPreview>> {
    let sale = find(&state, company, &id).await?;
    let sees_balance = staff.sees_balance();
    Ok(Json(
        reversal::preview(&state, sale, ReversalKind::Cancel, sees_balance).await?,
    ))
}

/// What disputing a sale of any company would do
///
/// To the balances, to the cent, and which installments would be paid at once. Nothing is recorded. A role that may not
/// see balances gets null for it: covered alone says whether it suffices.
#[utoipa::path(
    get, path = "/admin/transactions/{id}/dispute/preview", tag = "sales",
    params(("id" = String, Path, example = "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04"), SaleCompanyParam),
    responses(
        (status = 200, body = ReversalPreview),
        (status = 404, description = "No such sale, or not of the company that is named", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "Its status, in state, does not allow it", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "A value that cannot be taken, by field", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn preview_any_dispute(
    State(state): State<AppState>,
    staff: CurrentAdmin,
    Query(CompanyNamed(company)): Query<CompanyNamed>,
    Path(id): Path<String>,
) -> Result<Json<ReversalPreview>> {
    let sale = find(&state, company, &id).await?;
    let sees_balance = staff.sees_balance();
    Ok(Json(
        reversal::preview(&state, sale, ReversalKind::Dispute, sees_balance).await?,
    ))
}

async fn ask(
    state: &AppState,
    staff: &CurrentAdmin,
    key: &IdempotencyKey,
    (company, id): (Option<BusinessId>, &str),
    kind: ReversalKind,
    body: Body,
) -> Result<(HeaderMap, Json<AdminSaleDetail>)> {
    let sale = find(state, company, id).await?;
    let command_context = CommandContext {
        state,
        actor: Actor::Admin(staff.0.id),
        key,
    };
    let (headers, detail) =
        reversal::reverse(command_context, sale, kind, body.read()?, staff.sees_balance()).await?;
    let client = state.pool.get().await?;
    let detail = with_company(&client, sale.business_id, detail).await?;
    Ok((headers, Json(detail)))
}
