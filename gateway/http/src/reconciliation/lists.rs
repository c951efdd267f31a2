//! The days of settlements and the receivables that acquirers report, for staff.

use axum::response::Response;
use gateway_platform::list::list_page;
use gateway_platform::reconciliation::ReceivableFilter;

use super::bodies::{AcquirerReceivablePage, AcquirerReceivableRow, SettlementDayPage, SettlementDayRow};
use super::query::DaysQuery;
use super::spreadsheets::RECEIVABLES;
use crate::edge::{Db, Json, Query};
use crate::problem::Result;
use crate::shared::list::Listing;

/// List the days of settlements
///
/// By acquirer and day: the amounts expected, reported and paid, the acquirer's cost, and the difference. The latest
/// first.
#[utoipa::path(
    get, path = "/admin/settlements/days", tag = "settlements",
    responses((status = 200, body = SettlementDayPage))
)]
pub(crate) async fn list_settlement_days(
    Query(DaysQuery { days, paging }): Query<DaysQuery>,
    db: Db,
) -> Result<Json<SettlementDayPage>> {
    let page = list_page(&*db, &days, paging.into()).await?;
    Ok(Json(SettlementDayPage::new(page, paging, SettlementDayRow::from)))
}

/// List the receivables that acquirers report
///
/// A day's reported, paid and cost amounts are sums of these rows, each counted `times` times. Canceled rows are in no
/// sum. The rows of the latest day are first.
#[utoipa::path(
    get, path = "/admin/settlements/receivables", tag = "settlements",
    responses((status = 200, body = AcquirerReceivablePage))
)]
pub(crate) async fn list_acquirer_receivables(list: Listing<ReceivableFilter>) -> Result<Response> {
    list.respond::<AcquirerReceivableRow>(&RECEIVABLES).await
}
