//! The reserve of a company, for staff.

use axum::extract::State;
use axum::response::Response;
use gateway_platform::companies::company_fetch;
use gateway_platform::reserves::pieces::ReservedFilter;
use ledger_domain::BusinessId;

use super::bodies::{RESERVED, Reserve, ReservedInstallmentPage, ReservedInstallmentRow};
use super::reserve_of;
use super::seller::ReservedQuery;
use crate::AppState;
use crate::edge::{Id, Json};
use crate::problem::{Problem, Result};
use crate::shared::list::Listing;

/// Get the reserve of a company
///
/// Which share of each settlement is held, for how long, and the calendar of releases: what is held until each day, the
/// next day first, and what was released in the last 30 days.
#[utoipa::path(
    get, path = "/admin/balance/reserve/{business_id}", tag = "balance",
    responses((status = 200, body = Reserve))
)]
pub(crate) async fn get_reserve_of_company(
    State(state): State<AppState>,
    Id(business): Id<BusinessId>,
) -> Result<Json<Reserve>> {
    let db = state.db().await?;
    company_fetch(&*db, business)
        .await?
        .ok_or_else(Problem::not_found)?;
    reserve_of(&state, &db, business).await.map(Json)
}

/// List the reserved installments of a company
///
/// What the reserve holds or held of each installment, by the day of its release. A spreadsheet has all that match the
/// filter.
#[utoipa::path(
    get, path = "/admin/balance/reserve/{business_id}/installments", tag = "balance",
    responses((status = 200, body = ReservedInstallmentPage))
)]
pub(crate) async fn list_reserved_installments_of_company(
    State(state): State<AppState>,
    Id(business): Id<BusinessId>,
    list: Listing<ReservedQuery>,
) -> Result<Response> {
    company_fetch(&*state.db().await?, business)
        .await?
        .ok_or_else(Problem::not_found)?;
    let of_company = list.by(|ReservedQuery(filter)| ReservedFilter {
        business_id: Some(business),
        ..filter
    });
    of_company.respond::<ReservedInstallmentRow>(&RESERVED).await
}
