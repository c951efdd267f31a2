//! The days of settlements and the receivables that acquirers report, for staff.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use gateway_platform::reconciliation::{ReceivableFilter, days_list, receivables_batch, receivables_list};

use super::bodies::{AcquirerReceivablePage, AcquirerReceivableRow, SettlementDayPage, SettlementDayRow};
use super::query::DaysQuery;
use super::spreadsheets::RECEIVABLES;
use crate::AppState;
use crate::edge::{Db, Json, Query};
use crate::problem::Result;
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};

/// List the days of settlements
///
/// By acquirer and day: the amounts expected, reported and paid, the acquirer's cost, and the difference. The latest
/// first.
#[utoipa::path(
    get, path = "/admin/settlements/days", tag = "settlements",
    responses((status = 200, body = SettlementDayPage))
)]
pub(crate) async fn list_settlement_days(
    Query(DaysQuery { filter, paging }): Query<DaysQuery>,
    db: Db,
) -> Result<Json<SettlementDayPage>> {
    let period = (filter.start, filter.end);
    let page = days_list(&*db, filter.provider, period, paging.into()).await?;
    let page = page.map(SettlementDayRow::from);
    Ok(Json(SettlementDayPage {
        meta: PageMeta::numbered(&page, paging),
        data: page.rows,
    }))
}

/// List the receivables that acquirers report
///
/// A day's reported, paid and cost amounts are sums of these rows, each counted `times` times. Canceled rows are in no
/// sum. The rows of the latest day are first.
#[utoipa::path(
    get, path = "/admin/settlements/receivables", tag = "settlements",
    responses((status = 200, body = AcquirerReceivablePage))
)]
pub(crate) async fn list_acquirer_receivables(
    State(state): State<AppState>,
    format: ResponseFormat,
    Query(DaysQuery { filter, paging }): Query<DaysQuery>,
) -> Result<Response> {
    match format {
        ResponseFormat::Json => {
            let page = receivables_list(&*state.db().await?, &filter, paging.into()).await?;
            let page = page.map(AcquirerReceivableRow::from);
            let meta = PageMeta::numbered(&page, paging);
            Ok(Json(AcquirerReceivablePage {
                data: page.rows,
                meta,
            })
            .into_response())
        }
        ResponseFormat::Spreadsheet(file) => file.respond(&RECEIVABLES, all_receivables(state, filter)).await,
    }
}

fn all_receivables(
    state: AppState,
    filter: ReceivableFilter,
) -> impl Stream<Item = Result<Vec<AcquirerReceivableRow>>> {
    pages(move |after| {
        let state = state.clone();
        async move {
            let batch = receivables_batch(&*state.db().await?, &filter, after, PAGE_ROWS).await?;
            let rows = batch.rows.into_iter().map(AcquirerReceivableRow::from).collect();
            Ok((rows, batch.next))
        }
    })
}
