//! Reports by company, for staff.

use std::collections::HashMap;

use axum::response::{IntoResponse, Response};
use futures::try_join;
use gateway_platform::companies::companies_by_id;
use ledger_domain::BusinessId;
use projections::SortOrder;
use projections::balance::PlatformFeeSum;
use projections::daily_sales::{
    FigureFilter, FigureSort, Figures, ListedCompanies, Rankings, Within, figures_by_company,
};

use super::bodies::{
    self, CompanyFigures, CompanyPlatformFeeReport, CompanyPlatformFees, CompanyReport, PlatformFees, Report,
    ReportCompany,
};
use super::period::Period;
use super::query::CompaniesQuery;
use super::read::{PeriodFees, of_sales_only, read_platform_fees_of, read_report};
use super::spreadsheets::{BILLING, Line, REPORT, respond};
use super::staff::company_filter;
use crate::AppState;
use crate::edge::{Db, Json};
use crate::problem::Result;
use crate::shared::page::PageMeta;
use crate::spreadsheet::ResponseFormat;

/// The page size of a file, which has all companies on one page.
const ALL_COMPANIES: u32 = u32::MAX;

/// The report by company, in the requested format. A file has all companies. `accessible` restricts the report to these
/// companies; `None` is no restriction.
pub(crate) async fn company_answer(
    state: &AppState,
    db: Db,
    period: &Period,
    query: CompaniesQuery,
    accessible: Option<Vec<BusinessId>>,
    format: ResponseFormat,
) -> Result<Response> {
    let ResponseFormat::Spreadsheet(file) = format else {
        let report = read_companies((&db, &state.rankings), period, query, accessible).await?;
        return Ok(Json(report).into_response());
    };
    let report = read_companies((&db, &state.rankings), period, on_one_page(query), accessible).await?;
    drop(db);
    let totals = Line::of_totals(&report.report);
    let companies = report.data.into_iter();
    let mut lines: Vec<_> = companies
        .map(|row| Line::of_company(row.business, row.figures, row.previous))
        .collect();
    lines.push(totals);
    respond(file, &REPORT, lines).await
}

/// The report of platform fees by company, in the requested format. A file has all companies.
pub(crate) async fn company_billing_answer(
    state: &AppState,
    db: Db,
    period: &Period,
    query: CompaniesQuery,
    format: ResponseFormat,
) -> Result<Response> {
    let ResponseFormat::Spreadsheet(file) = format else {
        let report = read_company_billing((&db, &state.rankings), period, query).await?;
        return Ok(Json(report).into_response());
    };
    let report = read_company_billing((&db, &state.rankings), period, on_one_page(query)).await?;
    drop(db);
    let totals =
        Line::of_totals(&report.report).with_fees(report.platform_fees, report.previous_platform_fees);
    let companies = report.data.into_iter();
    let mut lines: Vec<_> = companies
        .map(|row| {
            let CompanyFigures {
                business,
                figures,
                previous,
            } = row.company;
            Line::of_company(business, figures, previous)
                .with_fees(row.platform_fees, row.previous_platform_fees)
        })
        .collect();
    lines.push(totals);
    respond(file, &BILLING, lines).await
}

/// The query without its paging: all companies on one page, for a file.
fn on_one_page(query: CompaniesQuery) -> CompaniesQuery {
    let paging = crate::edge::Paging {
        page: 1,
        per_page: ALL_COMPANIES,
    };
    CompaniesQuery { paging, ..query }
}

async fn read_companies(
    (db, rankings): (&Db, &Rankings),
    period: &Period,
    query: CompaniesQuery,
    accessible: Option<Vec<BusinessId>>,
) -> Result<CompanyReport> {
    let filter = company_filter(query.report.clone(), accessible);
    let (report, (companies, meta)) = try_join!(
        read_report(&**db, &filter, period),
        read_page(
            (db, rankings),
            period,
            &filter,
            &query,
            ListedCompanies::WithFigures
        ),
    )?;
    let data = companies.into_iter().map(|(_, company)| company).collect();
    Ok(CompanyReport { report, data, meta })
}

async fn read_company_billing(
    (db, rankings): (&Db, &Rankings),
    period: &Period,
    query: CompaniesQuery,
) -> Result<CompanyPlatformFeeReport> {
    let filter = company_filter(query.report.clone(), None);
    // Without companies that only paid fees, the rows would add up to less than the total.
    let listed = if of_sales_only(&filter, period) {
        ListedCompanies::WithFigures
    } else {
        ListedCompanies::WithFiguresOrFees
    };
    let (mut report, period_fees, (companies, meta)) = try_join!(
        read_report(&**db, &filter, period),
        PeriodFees::read(&**db, &filter, period),
        read_page((db, rankings), period, &filter, &query, listed),
    )?;
    period_fees.add_to_periods(&mut report, period);
    let ids: Vec<_> = companies.iter().map(|(id, _)| *id).collect();
    let (fees, previous_fees) = try_join!(
        read_platform_fees_of(&**db, &filter, &ids, (period, period.span)),
        read_platform_fees_of(&**db, &filter, &ids, (period, period.previous)),
    )?;
    let platform_fees_of =
        |fees: &Option<HashMap<BusinessId, PlatformFeeSum>>, id: BusinessId, figures: &bodies::Figures| {
            // `None`: a filter of sales or a grouping by hour applies, so only the fees of sales count.
            match fees {
                Some(fees) => fees.get(&id).copied().unwrap_or_default().into(),
                None => PlatformFees::of_sales(figures),
            }
        };
    let data = companies.into_iter().map(|(id, company)| CompanyPlatformFees {
        platform_fees: platform_fees_of(&fees, id, &company.figures),
        previous_platform_fees: platform_fees_of(&previous_fees, id, &company.previous),
        company,
    });
    let Report {
        totals,
        previous_totals,
        ..
    } = &report;
    Ok(CompanyPlatformFeeReport {
        platform_fees: period_fees.of(period.span, totals),
        previous_platform_fees: period_fees.of(period.previous, previous_totals),
        data: data.collect(),
        report,
        meta,
    })
}

/// The companies of a page, each with its figures in the period and in the one before it.
async fn read_page(
    (db, rankings): (&Db, &Rankings),
    period: &Period,
    filter: &FigureFilter,
    query: &CompaniesQuery,
    listed: ListedCompanies,
) -> Result<(Vec<(BusinessId, CompanyFigures)>, PageMeta)> {
    let sorting = (query.sorting.sort, query.sorting.order);
    let within = period.within_for_total(period.span);
    let paging = (query.paging.per_page < ALL_COMPANIES).then(|| query.paging.into());
    let page = figures_by_company(&**db, rankings, filter, within, listed, sorting, paging).await?;
    let meta = PageMeta::numbered(&page, query.paging);
    let ids: Vec<_> = page.rows.iter().map(|(id, _)| *id).collect();
    let (named, previous) = try_join!(
        async { companies_by_id(&**db, &ids).await.map_err(Into::into) },
        previous_of(
            (db, rankings),
            filter,
            &ids,
            period.within_for_total(period.previous)
        ),
    )?;
    let companies = page.rows.into_iter().map(|(id, figures)| {
        let company = CompanyFigures {
            business: ReportCompany::of(id, named.get(&id)),
            figures: figures.into(),
            previous: previous.get(&id).copied().unwrap_or_default().into(),
        };
        (id, company)
    });
    Ok((companies.collect(), meta))
}

async fn previous_of(
    (db, rankings): (&Db, &Rankings),
    filter: &FigureFilter,
    ids: &[BusinessId],
    within: Within,
) -> Result<HashMap<BusinessId, Figures>> {
    let filter = FigureFilter {
        businesses: Some(ids.to_vec()),
        ..filter.clone()
    };
    let any_order = (FigureSort::Gross, SortOrder::Desc);
    let listed = ListedCompanies::WithFigures;
    let page = figures_by_company(&**db, rankings, &filter, within, listed, any_order, None).await?;
    Ok(page.rows.into_iter().collect())
}
