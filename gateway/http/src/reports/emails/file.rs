//! Makes the spreadsheet of a report by e-mail: the report's own handler answers for a period, with the stored filters.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use chrono::NaiveDate;
use gateway_environment::time_zone::TimeZone;
use gateway_identity::reports::{ReportEmail, ReportOwner};
use ledger_domain::BusinessId;

use crate::AppState;
use crate::access::{seller_roles_of, staff_roles_of};
use crate::edge::{CurrentBusiness, FromQuery, Id, ListQuery, Query, QueryReader, QueryValue};
use crate::problem::{Problem, Result};
use crate::reports::names::ReportName;
use crate::reports::{seller, staff};
use crate::spreadsheet::{ResponseFormat, Spreadsheet};
use crate::withdrawals;
use gateway_identity::audience::Audience;
use gateway_identity::roles::SellerRole;

/// The filters with the period as `start` and `end`.
pub fn with_period(
    report: ReportName,
    filters: &BTreeMap<String, String>,
    (start, end): (NaiveDate, NaiveDate),
) -> BTreeMap<String, String> {
    let mut filters = filters.clone();
    filters.insert("start".to_owned(), start.to_string());
    filters.insert("end".to_owned(), end.to_string());
    if report == ReportName::Withdrawals {
        // The list of withdrawals takes a time zone. The days of a report by e-mail are always those of Brasília.
        filters.remove("time_zone");
    }
    filters
}

/// The names of the roles that may read the report.
pub fn roles_of(report: ReportName) -> Vec<String> {
    let names: Vec<&str> = match report.audience() {
        Audience::Seller => {
            let roles = seller_roles_of("GET", report.path());
            roles.iter().map(|role| role.as_str()).collect()
        }
        Audience::Admin => {
            let roles = staff_roles_of("GET", report.path());
            roles.iter().map(|role| role.as_str()).collect()
        }
    };
    names.into_iter().map(str::to_owned).collect()
}

/// A file's name without its extension: "relatorio-de-totais-2026-11-16-a-2026-11-22".
pub fn file_stem(report: ReportName, (start, end): (NaiveDate, NaiveDate)) -> String {
    let name = match report {
        ReportName::Totals => "relatorio-de-totais",
        ReportName::Financial => "relatorio-financeiro",
        ReportName::Terminals => "totais-por-terminal",
        ReportName::Withdrawals => "saques",
        ReportName::Settled => "vendas-liquidadas",
        ReportName::Billing => "faturamento",
        ReportName::BillingBusinesses => "faturamento-por-empresa",
        ReportName::TotalSales => "totais-de-vendas",
        ReportName::CompanyTerminals => "vendas-por-terminal",
    };
    format!("{name}-{start}-a-{end}")
}

/// The workbook of a period, as the report's call answers it. The caller has checked the access.
pub(crate) async fn workbook(
    state: &AppState,
    email: &ReportEmail,
    report: ReportName,
    period: (NaiveDate, NaiveDate),
) -> Result<Body> {
    let filters = with_period(report, &email.filters, period);
    let format = ResponseFormat::Spreadsheet(Spreadsheet::workbook(file_stem(report, period)));
    let answer = call(state.clone(), email.owner, report, &filters, format).await?;
    Ok(answer.into_body())
}

async fn call(
    state: AppState,
    owner: ReportOwner,
    report: ReportName,
    filters: &BTreeMap<String, String>,
    format: ResponseFormat,
) -> Result<Response> {
    let db = state.db().await?;
    let extracted = State(state.clone());
    match report {
        ReportName::Totals => {
            seller::get_sales_report(extracted, company(owner)?, format, read(filters)?, db).await
        }
        ReportName::Financial => {
            seller::get_financial_report(extracted, company(owner)?, format, read(filters)?, db).await
        }
        ReportName::Terminals => {
            seller::get_terminal_sales(extracted, company(owner)?, format, read(filters)?, db).await
        }
        ReportName::Settled => {
            staff::get_financial_report_of_all(extracted, format, read(filters)?, db).await
        }
        ReportName::Billing => staff::get_billing_report(extracted, format, read(filters)?, db).await,
        ReportName::BillingBusinesses => {
            staff::get_billing_by_company(extracted, format, read(filters)?, db).await
        }
        ReportName::TotalSales => staff::get_total_sales(extracted, format, read(filters)?, db).await,
        ReportName::CompanyTerminals => {
            let company = filters
                .get("business_id")
                .and_then(|text| <BusinessId as QueryValue>::parse(text));
            let company = Id(company.ok_or_else(Problem::not_found)?);
            staff::get_company_terminal_sales(extracted, company, format, read(filters)?, db).await
        }
        ReportName::Withdrawals => {
            drop(db);
            let mut reader = QueryReader::of_stored(filters);
            reader.set_zone(TimeZone::BRASILIA);
            let query = reader.read_all()?;
            let list = ListQuery {
                query,
                zone: TimeZone::BRASILIA,
            };
            withdrawals::staff::withdrawals_of_report(state, list, format).await
        }
    }
}

fn read<Q: FromQuery>(filters: &BTreeMap<String, String>) -> Result<Query<Q>> {
    QueryReader::of_stored(filters).read_all().map(Query)
}

/// Stands for the value that the guard of sellers' calls passes to a handler. Reports use only its `id`.
fn company(owner: ReportOwner) -> Result<CurrentBusiness> {
    let id = owner.business.ok_or_else(Problem::forbidden)?;
    Ok(CurrentBusiness {
        id,
        role: SellerRole::Admin,
        seller: owner.user,
        allowed: &[],
    })
}
