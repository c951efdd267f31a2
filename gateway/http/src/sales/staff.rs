//! The sales of all companies for staff: the list, its totals, one sale.

use std::collections::BTreeSet;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use gateway_identity::audience::Audience;
use gateway_platform::companies::companies_named;
use ledger_domain::SaleId;
use projections::sale::{
    self, SaleFilter, SaleRow as Row, sale_fetch, sale_list, sale_list_after, sale_totals,
};

use super::bodies::detail::AdminSaleDetail;
use super::bodies::list::{AdminSalePage, AdminSaleRow, SaleBusiness, SaleTotals};
use super::detail::{SaleAnswer, sale_detail};
use super::query::{SaleListQuery, TotalsQuery, WithReceivables};
use super::spreadsheets::{STAFF_SALES, SaleLine, SheetOnlyFields};
use crate::AppState;
use crate::edge::{Db, Id, Json, ListQuery, Query};
use crate::problem::{Problem, Result};
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};

/// List sales of all companies
///
/// Newest first unless `order=asc`; only one company's sales if `business_id` is given. `meta.total` counts up to
/// 10,000 rows. `next` continues in constant time. A spreadsheet has all sales that match the filter.
#[utoipa::path(
    get, path = "/admin/transactions", tag = "sales",
    responses((status = 200, body = AdminSalePage))
)]
pub async fn list_all_sales(
    State(state): State<AppState>,
    format: ResponseFormat,
    ListQuery { query, zone }: ListQuery<SaleListQuery>,
) -> Result<Response> {
    let SaleListQuery {
        filter,
        paging,
        after,
    } = query;
    if let ResponseFormat::Spreadsheet(file) = format {
        return file.respond(&STAFF_SALES, all_sales(state, filter)).await;
    }
    let db = state.db().await?;
    let page = match after {
        Some(cursor) => sale_list_after(&*db, &filter, cursor, paging.per_page).await?,
        None => sale_list(&*db, &filter, paging.into()).await?,
    };
    let meta = PageMeta::of(&page, paging).in_zone(zone);
    let data = with_companies(&db, page.rows).await?;
    Ok(Json(AdminSalePage { data, meta }).into_response())
}

/// Get sale totals of all companies
///
/// Without `status`, sums the captured sales. With `status`, sums exactly the sales that the list returns for it.
/// Amounts are in cents.
#[utoipa::path(
    get, path = "/admin/transactions/totals", tag = "sales",
    responses((status = 200, body = SaleTotals))
)]
pub async fn get_all_sale_totals(
    ListQuery {
        query: TotalsQuery(filter),
        ..
    }: ListQuery<TotalsQuery>,
    db: Db,
) -> Result<Json<SaleTotals>> {
    Ok(Json(sale_totals(&*db, &filter).await?.into()))
}

/// Get a sale of any company
///
/// With `receivables=1`, includes the schedule of installments.
#[utoipa::path(
    get, path = "/admin/transactions/{id}", tag = "sales",
    responses((status = 200, body = AdminSaleDetail))
)]
pub async fn get_any_sale(
    Id(id): Id<SaleId>,
    Query(WithReceivables(with_receivables)): Query<WithReceivables>,
    db: Db,
) -> Result<Json<AdminSaleDetail>> {
    let sale = sale_fetch(&*db, None, id).await?.ok_or_else(Problem::not_found)?;
    let business_id = sale.row.business_id;
    let sale = sale_detail(&db, Audience::Admin, sale, with_receivables).await?;
    AdminSaleDetail::read(&db, business_id, sale).await.map(Json)
}

async fn with_companies(db: &Db, rows: Vec<Row>) -> Result<Vec<AdminSaleRow>> {
    let companies: BTreeSet<_> = rows.iter().map(|row| row.business_id).collect();
    let companies: Vec<_> = companies.into_iter().collect();
    let named = companies_named(&**db, &companies).await?;
    let row = |row: Row| AdminSaleRow {
        business: SaleBusiness::of(row.business_id, named.get(&row.business_id)),
        sale: row.into(),
    };
    Ok(rows.into_iter().map(row).collect())
}

fn all_sales(state: AppState, filter: SaleFilter) -> impl Stream<Item = Result<Vec<SaleLine<AdminSaleRow>>>> {
    pages(move |after| {
        let (state, filter) = (state.clone(), filter.clone());
        async move {
            let db = state.db().await?;
            let batch = sale::export_page(&*db, &filter, after, PAGE_ROWS).await?;
            let sheet_only: Vec<_> = batch.rows.iter().map(SheetOnlyFields::of).collect();
            let rows = with_companies(&db, batch.rows).await?;
            let lines = sheet_only
                .into_iter()
                .zip(rows)
                .map(|(sheet_only, row)| sheet_only.with_row(row));
            Ok((lines.collect(), batch.next))
        }
    })
}
