//! The sales of a company for its users: the list, its totals, one sale.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use gateway_identity::audience::Audience;
use ledger_domain::SaleId;
use projections::sale::{self, SaleFilter, sale_fetch, sale_list, sale_list_after, sale_totals};

use super::bodies::detail::SaleDetail;
use super::bodies::list::{SalePage, SaleRow, SaleTotals};
use super::detail::sale_detail;
use super::query::{SaleListQuery, TotalsQuery, WithReceivables};
use super::spreadsheets::{SALES, SaleLine, SheetOnlyFields};
use crate::AppState;
use crate::edge::{CurrentBusiness, Db, Id, Json, ListQuery, Query};
use crate::problem::{Problem, Result};
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};

/// List sales
///
/// Newest first unless `order=asc`. `meta.total` counts up to 10,000 rows. `next` continues in constant time. A
/// spreadsheet has all sales that match the filter.
#[utoipa::path(get, path = "/transactions", tag = "sales", responses((status = 200, body = SalePage)))]
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
    let db = state.db().await?;
    let page = match after {
        Some(cursor) => sale_list_after(&*db, &filter, cursor, paging.per_page).await?,
        None => sale_list(&*db, &filter, paging.into()).await?,
    };
    let meta = PageMeta::of(&page, paging).in_zone(zone);
    let data = page.rows.into_iter().map(SaleRow::from).collect();
    Ok(Json(SalePage { data, meta }).into_response())
}

fn all_sales(state: AppState, filter: SaleFilter) -> impl Stream<Item = Result<Vec<SaleLine<SaleRow>>>> {
    pages(move |after| {
        let (state, filter) = (state.clone(), filter.clone());
        async move {
            let db = state.db().await?;
            let batch = sale::export_page(&*db, &filter, after, PAGE_ROWS).await?;
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
#[utoipa::path(
    get, path = "/transactions/totals", tag = "sales",
    responses((status = 200, body = SaleTotals))
)]
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
    let db = state.db().await?;
    Ok(Json(sale_totals(&*db, &filter).await?.into()))
}

/// Get a sale
///
/// With `receivables=1`, includes the schedule of installments.
#[utoipa::path(get, path = "/transactions/{id}", tag = "sales", responses((status = 200, body = SaleDetail)))]
pub async fn get_sale(
    business: CurrentBusiness,
    Id(id): Id<SaleId>,
    Query(WithReceivables(with_receivables)): Query<WithReceivables>,
    db: Db,
) -> Result<Json<SaleDetail>> {
    let sale = sale_fetch(&*db, Some(business.id), id)
        .await?
        .ok_or_else(Problem::not_found)?;
    sale_detail(&db, Audience::Seller, sale, with_receivables)
        .await
        .map(Json)
}
