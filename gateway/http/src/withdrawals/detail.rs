//! One transfer, for both panels.

use axum::extract::State;
use ledger_domain::{BusinessId, TransferId};
use projections::withdrawals::find;

use super::bodies::transfer::Transfer;
use super::related_rows::{Viewer, with_related_rows};
use crate::AppState;
use crate::edge::{CurrentAdmin, CurrentBusiness, Id, Json};
use crate::problem::{Problem, Result};

/// Get a transfer of the company
#[utoipa::path(
    get, path = "/balance/transfers/{transfer_id}", tag = "balance",
    responses((status = 200, body = Transfer))
)]
pub(crate) async fn get_transfer(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Id(id): Id<TransferId>,
) -> Result<Json<Transfer>> {
    transfer(&state, Viewer::SELLER, Some(business.id), id).await
}

/// Get a transfer of any company
#[utoipa::path(
    get, path = "/admin/balance/transfers/{transfer_id}", tag = "balance",
    responses((status = 200, body = Transfer))
)]
pub(crate) async fn get_any_transfer(
    State(state): State<AppState>,
    staff: CurrentAdmin,
    Id(id): Id<TransferId>,
) -> Result<Json<Transfer>> {
    transfer(&state, Viewer::staff(&staff), None, id).await
}

async fn transfer(
    state: &AppState,
    viewer: Viewer,
    company: Option<BusinessId>,
    id: TransferId,
) -> Result<Json<Transfer>> {
    let db = state.db().await?;
    let row = find(&*db, company, id).await?.ok_or_else(Problem::not_found)?;
    let rows = with_related_rows(state, &db, viewer, vec![row]).await?;
    rows.into_iter().next().map(Json).ok_or_else(Problem::not_found)
}
