//! The reports of the staff panel, over all companies or some of them.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::try_join;
use gateway_identity::users::companies_of_seller;
use gateway_platform::companies::companies_by_id;
use ledger_domain::BusinessId;
use projections::daily_sales::FigureFilter;

use super::bodies::{CompanyPlatformFeeReport, CompanyReport, PlatformFeeReport, TerminalReport};
use super::companies::{company_answer, company_billing_answer};
use super::period::Period;
use super::query::{CompaniesQuery, Group, StaffReportQuery, TerminalsQuery, TotalSalesQuery};
use super::read::{PeriodFees, read_breakdown, read_report};
use super::spreadsheets::{BILLING, Line, of_breakdown, of_periods, respond};
use super::terminals::terminal_answer;
use crate::AppState;
use crate::edge::{Db, Id, Json, Query};
use crate::problem::{Problem, Result};
use crate::spreadsheet::ResponseFormat;

/// Get the financial report of all companies
///
/// The figures by company (`data`) and by period (`group`, the default is day).
#[utoipa::path(
    get, path = "/admin/transactions/financial/all", tag = "reports",
    responses((status = 200, body = CompanyReport))
)]
pub(crate) async fn get_financial_report_of_all(
    State(state): State<AppState>,
    format: ResponseFormat,
    Query(query): Query<CompaniesQuery>,
    db: Db,
) -> Result<Response> {
    let period = Period::of(query.report.report.period, Group::Day, state.clock.now())?;
    company_answer(&state, db, &period, query, None, format).await
}

/// Get the platform fees
///
/// The fees of sales and of withdrawals and the rentals of card machines, next to the sales, by period (`group`, the
/// default is day). With a filter of sales, or by hour, only the fees of sales count.
#[utoipa::path(
    get, path = "/admin/transactions/billing", tag = "reports",
    responses((status = 200, body = PlatformFeeReport))
)]
pub(crate) async fn get_billing_report(
    State(state): State<AppState>,
    format: ResponseFormat,
    Query(query): Query<StaffReportQuery>,
    db: Db,
) -> Result<Response> {
    let period = Period::of(query.report.period, Group::Day, state.clock.now())?;
    let filter = company_filter(query, None);
    let (mut report, breakdown, period_fees) = try_join!(
        read_report(&*db, &filter, &period),
        read_breakdown(&*db, &filter, &period),
        PeriodFees::read(&*db, &filter, &period),
    )?;
    period_fees.add_to_periods(&mut report, &period);
    let platform_fees = period_fees.of(period.span, &report.totals);
    let previous_platform_fees = period_fees.of(period.previous, &report.previous_totals);
    drop(db);
    if let ResponseFormat::Spreadsheet(file) = format {
        let totals = Line::of_totals(&report).with_fees(platform_fees, previous_platform_fees);
        let mut lines = of_periods(*report.group, report.periods);
        lines.extend(of_breakdown(breakdown));
        lines.push(totals);
        return respond(file, &BILLING, lines).await;
    }
    let billing = PlatformFeeReport {
        platform_fees,
        previous_platform_fees,
        report,
        breakdown,
    };
    Ok(Json(billing).into_response())
}

/// Get the platform fees by company
///
/// The platform fees by company (`data`) and by period (`group`, the default is month). A company that only paid fees
/// of withdrawals or rentals has a row with zero figures, so that the rows of all pages add up to the totals. With a
/// filter of sales, or by hour, only the fees of sales count, and such a company has no row.
#[utoipa::path(
    get, path = "/admin/transactions/billing/businesses", tag = "reports",
    responses((status = 200, body = CompanyPlatformFeeReport))
)]
pub(crate) async fn get_billing_by_company(
    State(state): State<AppState>,
    format: ResponseFormat,
    Query(query): Query<CompaniesQuery>,
    db: Db,
) -> Result<Response> {
    let period = Period::of(query.report.report.period, Group::Month, state.clock.now())?;
    company_billing_answer(&state, db, &period, query, format).await
}

/// Get the sales totals by company
///
/// The figures of each company (`data`) and of all of them by period (`group`, the default is month). `user_id` counts
/// only the companies that a seller's user may access.
#[utoipa::path(
    get, path = "/admin/transactions/total/sales", tag = "reports",
    responses((status = 200, body = CompanyReport))
)]
pub(crate) async fn get_total_sales(
    State(state): State<AppState>,
    format: ResponseFormat,
    Query(query): Query<TotalSalesQuery>,
    db: Db,
) -> Result<Response> {
    let TotalSalesQuery { companies, user_id } = query;
    let period = Period::of(companies.report.report.period, Group::Month, state.clock.now())?;
    let accessible = match user_id {
        Some(user) => Some(companies_of_seller(&*db, user).await?),
        None => None,
    };
    company_answer(&state, db, &period, companies, accessible, format).await
}

/// Get the sales of a company's terminals
///
/// The terminals that the company has, idle ones included, and former ones with figures in the period. `terminal`
/// selects one of them. The totals are those of all pages.
#[utoipa::path(
    get, path = "/admin/businesses/{business_id}/terminals/sales", tag = "reports",
    responses((status = 200, body = TerminalReport))
)]
pub(crate) async fn get_company_terminal_sales(
    State(state): State<AppState>,
    Id(company): Id<BusinessId>,
    format: ResponseFormat,
    Query(query): Query<TerminalsQuery>,
    db: Db,
) -> Result<Response> {
    let named = companies_by_id(&*db, &[company]).await?;
    named.get(&company).ok_or_else(Problem::not_found)?;
    terminal_answer(&state, db, company, query, format).await
}

/// The sales that the query selects. `accessible` restricts them to these companies; `None` is no restriction.
pub fn company_filter(query: StaffReportQuery, accessible: Option<Vec<BusinessId>>) -> FigureFilter {
    let businesses = match (query.business_id, accessible) {
        (Some(business), Some(accessible)) => {
            Some(accessible.into_iter().filter(|id| *id == business).collect())
        }
        (Some(business), None) => Some(vec![business]),
        (None, accessible) => accessible,
    };
    FigureFilter {
        businesses,
        ..query.report.sales.0
    }
}
