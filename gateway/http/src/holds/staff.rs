//! Held money of all companies, for staff.

use axum::extract::State;
use axum::response::Response;
use chrono::NaiveDate;
use gateway_identity::audience::Audience;
use gateway_platform::holds::{HoldFilter, HoldState};
use ledger_domain::hold::HoldKind;
use ledger_domain::{BusinessId, HoldId};
use projections::SortOrder;
use utoipa::openapi::{RefOr, Schema};

use super::bodies::{HOLDS, HoldDetail, HoldPage, HoldReader};
use super::hold_detail;
use crate::AppState;
use crate::edge::{Ids, Json, QueryValue, query};
use crate::problem::Result;
use crate::shared::list::Listing;
use crate::shared::whole_name::WholeName;

query! {
    impl FromQuery for HoldFilter {
        /// Only the holds of this company.
        business_id: Option<BusinessId>,
        /// analysis, reserve, judicial, contract or company. All if left out.
        kind: Option<HoldKind>,
        /// open or ended. All if left out.
        #[example = "open"]
        state: Option<HoldState>,
        /// Only the open ones that staff want to look at again on this business date or before.
        due_by: Option<NaiveDate>,
        /// Only the holds of this court case. The whole number, with or without its punctuation.
        #[example = "0009999-99.2026.8.26.0114"]
        case_number: Option<CaseNumber>,
        /// Order by the time of placing. The default is asc: the oldest first.
        order: SortOrder = SortOrder::Asc,
    } => Self {
        business_id, kind, state, due_by, order,
        case_digits: case_number.map(|CaseNumber(digits)| digits),
    }
}

/// The digits of a court case's number.
struct CaseNumber(String);

impl QueryValue for CaseNumber {
    const INVALID: &'static str = WholeName::INVALID;

    fn schema() -> RefOr<Schema> {
        WholeName::schema()
    }

    fn parse(text: &str) -> Option<Self> {
        let WholeName(number) = WholeName::parse(text)?;
        Some(Self(number.chars().filter(char::is_ascii_digit).collect()))
    }
}

/// List held money
///
/// The holds of all companies, the oldest first. A spreadsheet has all holds that match the filter.
#[utoipa::path(
    get, path = "/admin/balance/holds", tag = "balance",
    responses((status = 200, body = HoldPage))
)]
pub(crate) async fn list_all_holds(list: Listing<HoldFilter>) -> Result<Response> {
    list.respond_to(HoldReader(Audience::Admin), &HOLDS).await
}

/// Get a hold of a company
///
/// With its history, oldest first.
#[utoipa::path(
    get, path = "/admin/balance/holds/{business_id}/{hold_id}", tag = "balance",
    responses((status = 200, body = HoldDetail))
)]
pub(crate) async fn get_any_hold(
    State(state): State<AppState>,
    Ids(business_id, hold_id): Ids<BusinessId, HoldId>,
) -> Result<Json<HoldDetail>> {
    hold_detail(&state, Audience::Admin, business_id, hold_id)
        .await
        .map(Json)
}
