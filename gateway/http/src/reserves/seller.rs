//! The reserve of a company, for its users.

use axum::extract::State;
use axum::response::Response;
use chrono::NaiveDate;
use gateway_platform::reserves::pieces::{ReservePieceState, ReservedFilter};
use projections::SortOrder;

use super::bodies::{RESERVED, Reserve, ReservedInstallmentPage, ReservedInstallmentRow};
use super::reserve_of;
use crate::AppState;
use crate::edge::{CurrentBusiness, Json, query};
use crate::problem::Result;
use crate::shared::list::Listing;

/// The filter of a company's list, without the company.
pub struct ReservedQuery(pub ReservedFilter);

query! {
    impl FromQuery for ReservedQuery {
        /// Only what is held until this day, a business date in Brasília. All days if left out.
        #[example = "2027-01-22"]
        release_on: Option<NaiveDate>,
        /// held, released or used. All if left out.
        #[example = "held"]
        state: Option<ReservePieceState>,
        /// Order by the day of the release. The default is asc: the next first.
        order: SortOrder = SortOrder::Asc,
    } => Self(ReservedFilter { business_id: None, release_on, state, order })
}

/// Get the own reserve
///
/// Which share of each settlement is held, for how long, and the calendar of releases: what is held until each day, the
/// next day first, and what was released in the last 30 days.
#[utoipa::path(get, path = "/balance/reserve", tag = "balance", responses((status = 200, body = Reserve)))]
pub(crate) async fn get_reserve(
    State(state): State<AppState>,
    business: CurrentBusiness,
) -> Result<Json<Reserve>> {
    let db = state.db().await?;
    reserve_of(&state, &db, business.id).await.map(Json)
}

/// List own reserved installments
///
/// What the reserve holds or held of each installment, by the day of its release. A spreadsheet has all that match the
/// filter.
#[utoipa::path(
    get, path = "/balance/reserve/installments", tag = "balance",
    responses((status = 200, body = ReservedInstallmentPage))
)]
pub(crate) async fn list_reserved_installments(
    business: CurrentBusiness,
    list: Listing<ReservedQuery>,
) -> Result<Response> {
    let own = list.by(|ReservedQuery(filter)| ReservedFilter {
        business_id: Some(business.id),
        ..filter
    });
    own.respond::<ReservedInstallmentRow>(&RESERVED).await
}
