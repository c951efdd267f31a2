//! The lists of sales and their totals, in both panels. Sellers list the sales of one company. Staff list the sales of
//! all companies and see the company of each sale.

use std::collections::BTreeSet;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::{Stream, TryStreamExt};
use gateway_platform::companies::companies_by_id;
use projections::daily_sales::sale_totals;
use projections::sales::{
    self, DateBasis, ListedSale, SaleFilter, sale_list_after_cursor, sale_list_with_counted,
};

use super::bodies::list::{AdminSalePage, AdminSaleRow, SaleBusiness, SalePage, SaleRow, SaleTotals};
use super::query::{SaleListQuery, TotalsQuery};
use super::spreadsheets::{
    COUNTED_SALES, SALES, STAFF_COUNTED_SALES, STAFF_SALES, SaleLine, SheetOnlyFields,
};
use crate::AppState;
use crate::edge::{CurrentBusiness, Db, Json, ListQuery};
use crate::problem::Result;
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};

/// Pages of an export whose companies are looked up at the same time.
const PAGES_TOGETHER: usize = 2;

/// List sales
///
/// Newest first unless `order=asc`. A spreadsheet has all rows that match the filter.
#[utoipa::path(get, path = "/transactions", tag = "sales", responses((status = 200, body = SalePage)))]
pub(crate) async fn list_sales(
    State(state): State<AppState>,
    business: CurrentBusiness,
    format: ResponseFormat,
    mut list: ListQuery<SaleListQuery>,
) -> Result<Response> {
    list.query.filter.business_id = Some(business.id);
    if let ResponseFormat::Spreadsheet(file) = format {
        let filter = list.query.filter;
        let table = if has_counted_parts(&filter) {
            &COUNTED_SALES
        } else {
            &SALES
        };
        return file.respond(table, all_sales(state, filter)).await;
    }
    let (data, meta) = read_page(&state.db().await?, list).await?;
    Ok(Json(SalePage { data, meta }).into_response())
}

/// List sales of all companies
///
/// Newest first unless `order=asc`; only one company's sales if `business_id` is given. A spreadsheet has all rows that
/// match the filter.
#[utoipa::path(
    get, path = "/admin/transactions", tag = "sales",
    responses((status = 200, body = AdminSalePage))
)]
pub(crate) async fn list_all_sales(
    State(state): State<AppState>,
    format: ResponseFormat,
    list: ListQuery<SaleListQuery>,
) -> Result<Response> {
    if let ResponseFormat::Spreadsheet(file) = format {
        let filter = list.query.filter;
        let table = if has_counted_parts(&filter) {
            &STAFF_COUNTED_SALES
        } else {
            &STAFF_SALES
        };
        return file.respond(table, all_sales(state, filter)).await;
    }
    let (data, meta) = read_page(&state.db().await?, list).await?;
    Ok(Json(AdminSalePage { data, meta }).into_response())
}

/// Get sale totals
///
/// Without `status`, sums the captured sales. With `status`, sums exactly the sales that the list returns for it. With
/// `by=reversed` or `by=settled`, sums the reversals or the settled installments that the list returns. Amounts are in
/// cents.
#[utoipa::path(
    get, path = "/transactions/totals", tag = "sales",
    responses((status = 200, body = SaleTotals))
)]
pub(crate) async fn get_sale_totals(
    business: CurrentBusiness,
    ListQuery {
        query: TotalsQuery(mut filter),
        ..
    }: ListQuery<TotalsQuery>,
    db: Db,
) -> Result<Json<SaleTotals>> {
    filter.business_id = Some(business.id);
    Ok(Json(sale_totals(&*db, &filter).await?.into()))
}

/// Get sale totals of all companies
///
/// Without `status`, sums the captured sales. With `status`, sums exactly the sales that the list returns for it. With
/// `by=reversed` or `by=settled`, sums the reversals or the settled installments that the list returns. Amounts are in
/// cents.
#[utoipa::path(
    get, path = "/admin/transactions/totals", tag = "sales",
    responses((status = 200, body = SaleTotals))
)]
pub(crate) async fn get_all_sale_totals(
    ListQuery {
        query: TotalsQuery(filter),
        ..
    }: ListQuery<TotalsQuery>,
    db: Db,
) -> Result<Json<SaleTotals>> {
    Ok(Json(sale_totals(&*db, &filter).await?.into()))
}

/// Whether each row also shows the part of its sale that a report's figure counts.
fn has_counted_parts(filter: &SaleFilter) -> bool {
    matches!(filter.date_basis, DateBasis::Reversed | DateBasis::Settled)
}

/// A sale as one of the panels lists it.
trait PanelRow: Sized + Send {
    fn read_all(db: &Db, sales: Vec<ListedSale>) -> impl Future<Output = Result<Vec<Self>>> + Send;
}

impl PanelRow for SaleRow {
    async fn read_all(_: &Db, sales: Vec<ListedSale>) -> Result<Vec<Self>> {
        Ok(sales.into_iter().map(Self::from).collect())
    }
}

impl PanelRow for AdminSaleRow {
    async fn read_all(db: &Db, sales: Vec<ListedSale>) -> Result<Vec<Self>> {
        let companies: BTreeSet<_> = sales.iter().map(|listed| listed.sale.business_id).collect();
        let companies: Vec<_> = companies.into_iter().collect();
        let companies = companies_by_id(&**db, &companies).await?;
        let with_company = |sale: ListedSale| Self {
            business: SaleBusiness::of(sale.sale.business_id, companies.get(&sale.sale.business_id)),
            sale: sale.into(),
        };
        Ok(sales.into_iter().map(with_company).collect())
    }
}

async fn read_page<Row: PanelRow>(
    db: &Db,
    ListQuery { query, zone }: ListQuery<SaleListQuery>,
) -> Result<(Vec<Row>, PageMeta)> {
    let SaleListQuery {
        filter,
        paging,
        after,
    } = query;
    let page = match after {
        Some(cursor) => sale_list_after_cursor(&**db, &filter, cursor, paging.per_page).await?,
        None => sale_list_with_counted(&**db, &filter, paging.into()).await?,
    };
    let meta = PageMeta::of(&page, paging).in_zone(zone);
    Ok((Row::read_all(db, page.rows).await?, meta))
}

/// The rows of a spreadsheet. The companies of a page are looked up while the next page is read.
fn all_sales<Row: PanelRow>(
    state: AppState,
    filter: SaleFilter,
) -> impl Stream<Item = Result<Vec<SaleLine<Row>>>> {
    let database = state.clone();
    let sales = pages(move |after| {
        let (state, filter) = (state.clone(), filter.clone());
        async move {
            let batch = sales::export_page(&*state.db().await?, &filter, after, PAGE_ROWS).await?;
            Ok((batch.rows, batch.next))
        }
    });
    sales
        .map_ok(move |page| lines(database.clone(), page))
        .try_buffered(PAGES_TOGETHER)
}

async fn lines<Row: PanelRow>(state: AppState, page: Vec<ListedSale>) -> Result<Vec<SaleLine<Row>>> {
    let sheet_only: Vec<_> = page
        .iter()
        .map(|listed| SheetOnlyFields::of(&listed.sale))
        .collect();
    let rows = Row::read_all(&state.db().await?, page).await?;
    let with_row = |(sheet_only, row): (SheetOnlyFields, Row)| sheet_only.with_row(row);
    Ok(sheet_only.into_iter().zip(rows).map(with_row).collect())
}
