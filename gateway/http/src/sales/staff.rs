//! The sales of all companies for staff: the list, its totals, one sale.

use std::collections::BTreeSet;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use deadpool_postgres::Client;
use futures::Stream;
use gateway_identity::audience::Audience;
use gateway_platform::companies::companies_named;
use ledger_domain::{BusinessId, SaleId};
use projections::sale::{
    self, SaleFilter, SaleRow as Row, sale_fetch, sale_list, sale_list_after, sale_totals,
};

use super::bodies::detail::{AdminSaleDetail, SaleDetail};
use super::bodies::list::{AdminSalePage, AdminSaleRow, SaleBusiness, SaleTotals};
use super::detail::sale_detail;
use super::query::{
    CardsParam, ReceivablesParam, SaleFilterParams, SaleListParams, SaleListQuery, TotalsQuery,
    WithReceivables,
};
use super::spreadsheets::{STAFF_SALES, SaleLine, SheetOnlyFields};
use crate::AppState;
use crate::edge::{Json, ListQuery, Query};
use crate::problem::{Problem, ProblemBody, Result};
use crate::shared::page::PageMeta;
use crate::spreadsheet::{FileParams, PAGE_ROWS, ResponseFormat, Workbook, pages};

/// List sales of all companies
///
/// Newest first unless `order=asc`; only one company's sales if `business_id` is given. `meta.total` counts up to
/// 10,000 rows. `next` continues in constant time. A spreadsheet has all sales that match the filter.
#[utoipa::path(
    get, path = "/admin/transactions", tag = "sales", params(SaleFilterParams, SaleListParams, FileParams),
    responses(
        (status = 200, content(
            (AdminSalePage = "application/json"),
            (Workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        )),
        (status = 422, description = "Invalid values, by field", body = ProblemBody, content_type = "application/problem+json"),
    )
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
    let client = state.pool.get().await?;
    let page = match after {
        Some(cursor) => sale_list_after(&**client, &filter, cursor, paging.per_page).await?,
        None => sale_list(&**client, &filter, paging.into()).await?,
    };
    let meta = PageMeta::of(&page, paging).in_zone(zone);
    let data = with_companies(&client, page.rows).await?;
    Ok(Json(AdminSalePage { data, meta }).into_response())
}

/// Get sale totals of all companies
///
/// Without `status`, sums the captured sales. With `status`, sums exactly the sales that the list returns for it.
/// Amounts are in cents.
#[utoipa::path(
    get, path = "/admin/transactions/totals", tag = "sales", params(SaleFilterParams, CardsParam),
    responses(
        (status = 200, body = SaleTotals),
        (status = 422, description = "Invalid values, by field", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn get_all_sale_totals(
    State(state): State<AppState>,
    ListQuery {
        query: TotalsQuery(filter),
        ..
    }: ListQuery<TotalsQuery>,
) -> Result<Json<SaleTotals>> {
    let client = state.pool.get().await?;
    Ok(Json(sale_totals(&**client, &filter).await?.into()))
}

/// Get a sale of any company
///
/// With `receivables=1`, includes the schedule of installments.
#[utoipa::path(
    get, path = "/admin/transactions/{id}", tag = "sales",
    params(("id" = String, Path, example = "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04"), ReceivablesParam),
    responses(
        (status = 200, body = AdminSaleDetail),
        (status = 404, description = "The sale does not exist", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "Invalid values, by field", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn get_any_sale(
    State(state): State<AppState>,
    Path(id): Path<String>,
    Query(WithReceivables(with_receivables)): Query<WithReceivables>,
) -> Result<Json<AdminSaleDetail>> {
    let id: SaleId = id.parse().map_err(|_| Problem::not_found())?;
    let client = state.pool.get().await?;
    let sale = sale_fetch(&**client, None, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    let business_id = sale.row.business_id;
    let sale = sale_detail(&client, Audience::Admin, sale, with_receivables).await?;
    Ok(Json(with_company(&client, business_id, sale).await?))
}

pub async fn with_company(
    client: &Client,
    business_id: BusinessId,
    sale: SaleDetail,
) -> Result<AdminSaleDetail> {
    let named = companies_named(&***client, &[business_id]).await?;
    let business = SaleBusiness::of(business_id, named.get(&business_id));
    Ok(AdminSaleDetail { sale, business })
}

async fn with_companies(client: &Client, rows: Vec<Row>) -> Result<Vec<AdminSaleRow>> {
    let companies: BTreeSet<_> = rows.iter().map(|row| row.business_id).collect();
    let companies: Vec<_> = companies.into_iter().collect();
    let named = companies_named(&***client, &companies).await?;
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
            let client = state.pool.get().await?;
            let batch = sale::export_page(&**client, &filter, after, PAGE_ROWS).await?;
            let sheet_only: Vec<_> = batch.rows.iter().map(SheetOnlyFields::of).collect();
            let rows = with_companies(&client, batch.rows).await?;
            let lines = sheet_only
                .into_iter()
                .zip(rows)
                .map(|(sheet_only, row)| sheet_only.with_row(row));
            Ok((lines.collect(), batch.next))
        }
    })
}
