//! The held money of a company, for its users.

use axum::extract::State;
use axum::response::Response;
use gateway_identity::audience::Audience;
use gateway_platform::holds::{HoldFilter, HoldState};
use ledger_domain::HoldId;
use ledger_domain::hold::HoldKind;
use projections::SortOrder;

use super::bodies::{HOLDS, HoldDetail, HoldPage, HoldReader};
use super::hold_detail;
use crate::AppState;
use crate::edge::{CurrentBusiness, Id, Json, query};
use crate::problem::Result;
use crate::shared::list::Listing;

/// The filter of a company's own list.
pub struct OwnHoldFilter(HoldFilter);

query! {
    impl FromQuery for OwnHoldFilter {
        /// analysis, reserve, judicial, contract or company. All if left out.
        kind: Option<HoldKind>,
        /// open or ended. All if left out.
        #[example = "open"]
        state: Option<HoldState>,
        /// Order by the time of placing. The default is desc: the latest first.
        order: SortOrder = SortOrder::Desc,
    } => Self(HoldFilter { kind, state, order, ..HoldFilter::default() })
}

/// List own held money
///
/// Why money is held, since when, and what to do, the latest first. The amounts that are held now add up to
/// `held_by_staff` of the balance. A spreadsheet has all holds that match the filter.
#[utoipa::path(
    get, path = "/balance/holds", tag = "balance",
    responses((status = 200, body = HoldPage))
)]
pub(crate) async fn list_holds(business: CurrentBusiness, list: Listing<OwnHoldFilter>) -> Result<Response> {
    let own = list.by(|OwnHoldFilter(filter)| HoldFilter {
        business_id: Some(business.id),
        ..filter
    });
    own.respond_to(HoldReader(Audience::Seller), &HOLDS).await
}

/// Get an own hold
///
/// With its history, oldest first.
#[utoipa::path(
    get, path = "/balance/holds/{hold_id}", tag = "balance",
    responses((status = 200, body = HoldDetail))
)]
pub(crate) async fn get_hold(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Id(hold_id): Id<HoldId>,
) -> Result<Json<HoldDetail>> {
    hold_detail(&state, Audience::Seller, business.id, hold_id)
        .await
        .map(Json)
}
