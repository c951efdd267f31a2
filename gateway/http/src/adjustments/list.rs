//! The list of the adjustments that needed a second person.

use axum::response::Response;
use gateway_platform::adjustments::requests::{AdjustmentRequestFilter, AdjustmentRequestStatus};
use projections::SortOrder;

use super::bodies::{ADJUSTMENT_REQUESTS, AdjustmentRequest, AdjustmentRequestPage};
use crate::edge::query;
use crate::problem::Result;
use crate::shared::list::Listing;

query! {
    impl FromQuery for AdjustmentRequestFilter {
        /// pending, approved, recorded, refused, rejected, withdrawn or expired. All if left out.
        #[example = "pending"]
        status: Option<AdjustmentRequestStatus>,
        /// Order by the time of the request. The default is desc.
        order: SortOrder = SortOrder::Desc,
    } => Self { status, order }
}

/// List the requested adjustments
///
/// Credits, removals and releases above what one person may make alone. By default, the latest request is the first. A
/// spreadsheet has all requests that match the filter.
#[utoipa::path(
    get, path = "/admin/balance/adjustments", tag = "balance",
    responses((status = 200, body = AdjustmentRequestPage))
)]
pub(crate) async fn list_adjustment_requests(list: Listing<AdjustmentRequestFilter>) -> Result<Response> {
    list.respond::<AdjustmentRequest>(&ADJUSTMENT_REQUESTS).await
}
