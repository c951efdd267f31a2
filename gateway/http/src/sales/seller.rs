//! The sales of a company for its users: the list, its totals, one sale.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use futures::Stream;
use gateway_identity::audience::Audience;
use ledger_domain::SaleId;
use projections::sale::{self, SaleFilter, sale_fetch, sale_list, sale_list_after, sale_totals};

use super::bodies::detail::SaleDetail;
use super::bodies::list::{SalePage, SaleRow, SaleTotals};
use super::detail::sale_detail;
use super::query::{
    CardsParam, ReceivablesParam, SaleCompanyParam, SaleFilterParams, SaleListParams, SaleListQuery,
    TotalsQuery, WithReceivables,
};
use super::spreadsheets::{SALES, SaleLine, SheetOnlyFields};
use crate::AppState;
use crate::edge::{CurrentBusiness, Json, ListQuery, Query};
use crate::problem::{Problem, Result};
use crate::shared::page::PageMeta;
use crate::spreadsheet::{FileParams, PAGE_ROWS, ResponseFormat, Workbook, pages};

/// List sales
///
/// Newest first unless `order=asc`. `meta.total` counts up to 10,000 rows. `next` continues in constant time. A
/// spreadsheet has all sales that match the filter.
#[utoipa::path(
    get, path = "/transactions", tag = "sales", params(SaleFilterParams, SaleListParams, FileParams),
    responses((status = 200, content(
        (SalePage = "application/json"),
        (Workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    )))
)]
pub async fn list_sales(
    State(state): State<AppState>,
    business: CurrentBusiness,
    format: ResponseFormat,
    ListQuery { query, zone }: ListQuery<SaleListQuery>,
) -> Result<Response> {
    let SaleListQuery {
        filter,
        paging,
        after,
    } = query;
    let filter = SaleFilter {
        business_id: Some(business.id),
        ..filter
    };
    if let ResponseFormat::Spreadsheet(file) = format {
        return file.respond(&SALES, all_sales(state, filter)).await;
    }
    let client = state.pool.get().await?;
    let page = match after {
        Some(cursor) => sale_list_after(&**client, &filter, cursor, paging.per_page).await?,
        None => sale_list(&**client, &filter, paging.into()).await?,
    };
    let meta = PageMeta::of(&page, paging).in_zone(zone);
    let data = page.rows.into_iter().map(SaleRow::from).collect();
    Ok(Json(SalePage { data, meta }).into_response())
}

fn all_sales(state: AppState, filter: SaleFilter) -> impl Stream<Item = Result<Vec<SaleLine<SaleRow>>>> {
    pages(move |after| {
        let (state, filter) = (state.clone(), filter.clone());
        async move {
            let client = state.pool.get().await?;
            let batch = sale::export_page(&**client, &filter, after, PAGE_ROWS).await?;
            let lines = batch.rows.into_iter().map(|sale| {
                let sheet_only = SheetOnlyFields::of(&sale);
                sheet_only.with_row(SaleRow::from(sale))
            });
            Ok((lines.collect(), batch.next))
        }
    })
}

/// Get sale totals
///
/// Without `status`, sums the captured sales. With `status`, sums exactly the sales that the list returns for it.
/// Amounts are in cents.
#[utoipa::path(get, path = "/transactions/totals", tag = "sales", params(SaleFilterParams, CardsParam), responses((status = 200, body = SaleTotals)))]
pub async fn get_sale_totals(
    State(state): State<AppState>,
    business: CurrentBusiness,
    ListQuery {
        query: TotalsQuery(filter),
        ..
    }: ListQuery<TotalsQuery>,
) -> Result<Json<SaleTotals>> {
    let filter = SaleFilter {
        business_id: Some(business.id),
        ..filter
    };
    let client = state.pool.get().await?;
    Ok(Json(sale_totals(&**client, &filter).await?.into()))
}

/// Get a sale
///
/// With `receivables=1`, includes the schedule of installments.
#[utoipa::path(
    get, path = "/transactions/{id}", tag = "sales",
    params(("id" = String, Path, example = "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04"), SaleCompanyParam, ReceivablesParam),
    responses((status = 200, body = SaleDetail))
)]
pub async fn get_sale(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Path(id): Path<String>,
    Query(WithReceivables(with_receivables)): Query<WithReceivables>,
) -> Result<Json<SaleDetail>> {
    // An invalid id is a 404, like an unknown one.
    let id: SaleId = id.parse().map_err(|_| Problem::not_found())?;
    let client = state.pool.get().await?;
    let sale = sale_fetch(&**client, Some(business.id), id)
        .await?
        .ok_or_else(Problem::not_found)?;
    sale_detail(&client, Audience::Seller, sale, with_receivables)
        .await
        .map(Json)
}
