//! The reports of the seller panel, of one company.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::try_join;
use projections::daily_sales::FigureFilter;
use projections::{Page, SortOrder, TOTAL_MAX};

use super::bodies::{FinancialReport, ReportPeriod, SalesReport, TerminalReport};
use super::period::Period;
use super::query::{FinancialQuery, Group, ReportQuery, TerminalsQuery};
use super::read::{read_breakdown, read_report};
use super::spreadsheets::{Line, REPORT, of_breakdown, of_periods, respond};
use super::terminals::terminal_answer;
use crate::AppState;
use crate::edge::{CurrentBusiness, Db, Json, Paging, Query};
use crate::problem::Result;
use crate::shared::page::PageMeta;
use crate::spreadsheet::ResponseFormat;

/// Get the sales report
///
/// The figures of the company by period (`group`, the default is day), solution, payment type, brand and number of
/// installments. The totals and each period are next to those of the previous period.
/// Without `start` the report has 24 hours, 30 days, 12 weeks or 12 months up to `end`. Without `end` it ends today, or
/// on a later `start`; by hour it ends with the current hour.
#[utoipa::path(
    get, path = "/transactions/report", tag = "reports",
    responses((status = 200, body = SalesReport))
)]
pub(crate) async fn get_sales_report(
    State(state): State<AppState>,
    business: CurrentBusiness,
    format: ResponseFormat,
    Query(query): Query<ReportQuery>,
    db: Db,
) -> Result<Response> {
    let period = Period::of(query.period, Group::Day, state.clock.now())?;
    let filter = of_company(query, business);
    let (report, breakdown) = try_join!(
        read_report(&*db, &filter, &period),
        read_breakdown(&*db, &filter, &period),
    )?;
    drop(db);
    if let ResponseFormat::Spreadsheet(file) = format {
        let totals = Line::of_totals(&report);
        let mut lines = of_periods(*report.group, report.periods);
        lines.extend(of_breakdown(breakdown));
        lines.push(totals);
        return respond(file, &REPORT, lines).await;
    }
    Ok(Json(SalesReport { report, breakdown }).into_response())
}

/// Get the financial report
///
/// The figures of the company by period (`group`, the default is day). `data` is a page of the periods, the newest
/// first unless `order=asc`; `periods` has all of them. A spreadsheet has all periods and the totals.
#[utoipa::path(
    get, path = "/transactions/financial", tag = "reports",
    responses((status = 200, body = FinancialReport))
)]
pub(crate) async fn get_financial_report(
    State(state): State<AppState>,
    business: CurrentBusiness,
    format: ResponseFormat,
    Query(query): Query<FinancialQuery>,
    db: Db,
) -> Result<Response> {
    let FinancialQuery {
        report,
        order,
        paging,
    } = query;
    let period = Period::of(report.period, Group::Day, state.clock.now())?;
    let report = read_report(&*db, &of_company(report, business), &period).await?;
    let mut periods = report.periods.clone();
    if order == SortOrder::Desc {
        periods.reverse();
    }
    drop(db);
    if let ResponseFormat::Spreadsheet(file) = format {
        let mut lines = of_periods(*report.group, periods);
        lines.push(Line::of_totals(&report));
        return respond(file, &REPORT, lines).await;
    }
    let page = page_of(periods, paging);
    let meta = PageMeta::numbered(&page, paging);
    let data: Vec<ReportPeriod> = page.rows;
    Ok(Json(FinancialReport { report, data, meta }).into_response())
}

/// Get the sales of the company's terminals
///
/// The terminals that the company has, idle ones included, and former ones with figures in the period. `terminal`
/// selects one of them. The totals are those of all pages.
#[utoipa::path(
    get, path = "/business/{businessId}/terminals/sales", tag = "reports",
    responses((status = 200, body = TerminalReport))
)]
pub(crate) async fn get_terminal_sales(
    State(state): State<AppState>,
    business: CurrentBusiness,
    format: ResponseFormat,
    Query(query): Query<TerminalsQuery>,
    db: Db,
) -> Result<Response> {
    terminal_answer(&state, db, business.id, query, format).await
}

fn of_company(query: ReportQuery, business: CurrentBusiness) -> FigureFilter {
    FigureFilter {
        businesses: Some(vec![business.id]),
        ..query.sales.0
    }
}

/// A page of rows that are all in memory.
pub fn page_of<Row>(rows: Vec<Row>, paging: Paging) -> Page<Row> {
    let total = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    let paging = projections::Paging::from(paging);
    let skipped = usize::try_from(paging.offset()).unwrap_or(usize::MAX);
    let taken = usize::try_from(paging.per_page).unwrap_or(usize::MAX);
    Page {
        rows: rows.into_iter().skip(skipped).take(taken).collect(),
        total: total.min(TOTAL_MAX),
        total_capped: total > TOTAL_MAX,
        next: None,
    }
}
