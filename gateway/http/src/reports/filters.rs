//! The filters that a saved view or a report by e-mail keeps: read by the rules of the report's call.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use gateway_platform::reports::{Filters, ReportName};
use ledger_domain::BusinessId;

use super::period::Period;
use super::query::{
    CompaniesQuery, FinancialQuery, Group, PeriodQuery, ReportQuery, StaffReportQuery, TerminalsQuery,
    TotalSalesQuery,
};
use crate::edge::{FromQuery, QueryReader, QueryValue};
use crate::problem::Problem;
use crate::shared::form::{FormReader, Kind, given};
use crate::withdrawals::query::StaffTransferQuery;

/// The parameters that are not saved, because they select a page.
const NOT_KEPT: [&str; 3] = ["page", "perPage", "next"];
/// The filter with the company that a report's path names.
const COMPANY: &str = "business_id";
const COMPANY_MISSING: &str = "Escolha a empresa deste relatório.";

/// A kind of field: the parameters of a report's call.
pub fn filters() -> Kind<Filters> {
    given::<Filters, Filters>()
}

/// Adds each error of a filter to the field `filters.{name}`.
pub fn refuse_filters(form: &mut FormReader<'_>, report: ReportName, filters: &Filters, now: DateTime<Utc>) {
    for (name, messages) in refused(report, filters, now) {
        for message in messages {
            form.error(&format!("filters.{name}"), &message);
        }
    }
}

/// The errors of the filters, by filter. Empty if the report can be kept with them.
pub fn refused(report: ReportName, filters: &Filters, now: DateTime<Utc>) -> BTreeMap<String, Vec<String>> {
    match report {
        ReportName::Totals => read::<ReportQuery>(report, filters, now),
        ReportName::Financial => read::<FinancialQuery>(report, filters, now),
        ReportName::Terminals => read::<TerminalsQuery>(report, filters, now),
        ReportName::Withdrawals => read::<StaffTransferQuery>(report, filters, now),
        ReportName::Billing => read::<StaffReportQuery>(report, filters, now),
        ReportName::Settled | ReportName::BillingBusinesses => read::<CompaniesQuery>(report, filters, now),
        ReportName::TotalSales => read::<TotalSalesQuery>(report, filters, now),
        ReportName::CompanyTerminals => {
            let mut refused = read::<TerminalsQuery>(report, filters, now);
            let company = filters
                .get(COMPANY)
                .and_then(|text| <BusinessId as QueryValue>::parse(text));
            if company.is_none() {
                refused.insert(COMPANY.to_owned(), vec![COMPANY_MISSING.to_owned()]);
            }
            refused
        }
    }
}

fn read<Q: FilterQuery>(
    report: ReportName,
    filters: &Filters,
    now: DateTime<Utc>,
) -> BTreeMap<String, Vec<String>> {
    let known = Q::params();
    let is_known = |name: &str| {
        let is_company = name == COMPANY && report == ReportName::CompanyTerminals;
        is_company || known.iter().any(|parameter| parameter.name == name) && !NOT_KEPT.contains(&name)
    };
    let mut reader = QueryReader::of_stored(filters);
    for name in filters.keys().filter(|name| !is_known(name)) {
        reader.error(name, "Este relatório não tem este filtro.");
    }
    let query = Q::read(&mut reader);
    let errors = match reader.finish() {
        Ok(()) => BTreeMap::new(),
        Err(problem) => problem.errors,
    };
    if !errors.is_empty() {
        return errors;
    }
    let period = query.and_then(|query| query.period());
    let read = period.map(|period| Period::of(period, default_group(report), now));
    match read {
        Some(Err(Problem { errors, .. })) => errors,
        Some(Ok(_)) | None => BTreeMap::new(),
    }
}

/// The parts of a period if the filters name none.
const fn default_group(report: ReportName) -> Group {
    match report {
        ReportName::BillingBusinesses | ReportName::TotalSales => Group::Month,
        ReportName::Totals
        | ReportName::Financial
        | ReportName::Terminals
        | ReportName::Withdrawals
        | ReportName::Settled
        | ReportName::Billing
        | ReportName::CompanyTerminals => Group::Day,
    }
}

/// The query of a report's call.
trait FilterQuery: FromQuery {
    /// `None` if it has the period of a list.
    fn period(&self) -> Option<PeriodQuery>;
}

macro_rules! filter_queries {
    ($($query:ty: $self:ident => $period:expr;)+) => {
        $(impl FilterQuery for $query {
            fn period(&$self) -> Option<PeriodQuery> {
                $period
            }
        })+
    };
}

filter_queries! {
    ReportQuery: self => Some(self.period);
    FinancialQuery: self => Some(self.report.period);
    TerminalsQuery: self => Some(self.report.period);
    StaffReportQuery: self => Some(self.report.period);
    CompaniesQuery: self => Some(self.report.report.period);
    TotalSalesQuery: self => Some(self.companies.report.report.period);
    StaffTransferQuery: self => None;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(report: ReportName, filters: &[(&str, &str)]) -> Vec<String> {
        let filters = filters
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string()));
        let now = "2026-11-21T15:00:00Z".parse().expect("an instant");
        super::refused(report, &filters.collect(), now)
            .into_keys()
            .collect()
    }

    #[test]
    fn filters_are_read_by_the_rules_of_the_report_s_call() {
        let good = [
            ("group", "week"),
            ("brand", "visa"),
            ("payment_link", "2F6F4F5A1B0B"),
        ];
        assert!(refused(ReportName::Totals, &good).is_empty());
        assert_eq!(
            refused(ReportName::Totals, &[("group", "year"), ("solution", "9")]),
            ["group", "solution"]
        );
        assert_eq!(
            refused(ReportName::Totals, &[("page", "2"), ("cards", "x")]),
            ["cards", "page"]
        );
        assert_eq!(
            refused(ReportName::Totals, &[("business_id", "biz_1")]),
            ["business_id"]
        );
        let long = [("start", "2024-01-01"), ("end", "2026-01-01")];
        assert_eq!(refused(ReportName::Billing, &long), ["end"]);
        assert!(
            refused(ReportName::TotalSales, &long).is_empty(),
            "a report by month may have two years"
        );
        assert!(
            refused(
                ReportName::Withdrawals,
                &[("status", "1"), ("start", "2026-01-01")]
            )
            .is_empty()
        );
        assert_eq!(refused(ReportName::CompanyTerminals, &[]), ["business_id"]);
        let company = [("business_id", "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")];
        assert!(refused(ReportName::CompanyTerminals, &company).is_empty());
    }
}
