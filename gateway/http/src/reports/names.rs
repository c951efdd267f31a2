//! The reports that a saved view or a report by e-mail can name: each one's call, its audience, and the check of its
//! filters.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use gateway_identity::audience::Audience;
use ledger_domain::BusinessId;

use super::period::Period;
use super::query::{
    CompaniesQuery, FinancialQuery, Group, PeriodQuery, ReportQuery, StaffReportQuery, TerminalsQuery,
    TotalSalesQuery,
};
use crate::edge::query::QueryWord;
use crate::edge::{FromQuery, QueryReader, QueryValue};
use crate::problem::Problem;
use crate::shared::schemas::string_enum;
use crate::withdrawals::query::StaffTransferQuery;

string_enum!(
    /// A report by its call. totals: /transactions/report. financial: /transactions/financial. terminals:
    /// /business/{businessId}/terminals/sales. The others are of staff. withdrawals: /admin/balance/transfers. settled:
    /// /admin/transactions/financial/all. billing: /admin/transactions/billing. billing-businesses:
    /// /admin/transactions/billing/businesses. total-sales: /admin/transactions/total/sales. company-terminals:
    /// /admin/businesses/{business_id}/terminals/sales.
    ReportName {
        Totals = "totals",
        Financial = "financial",
        Terminals = "terminals",
        Withdrawals = "withdrawals",
        Settled = "settled",
        Billing = "billing",
        BillingBusinesses = "billing-businesses",
        TotalSales = "total-sales",
        CompanyTerminals = "company-terminals",
    }
);

impl QueryWord for ReportName {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("totals", Self::Totals),
        ("financial", Self::Financial),
        ("terminals", Self::Terminals),
        ("withdrawals", Self::Withdrawals),
        ("settled", Self::Settled),
        ("billing", Self::Billing),
        ("billing-businesses", Self::BillingBusinesses),
        ("total-sales", Self::TotalSales),
        ("company-terminals", Self::CompanyTerminals),
    ];
    const INVALID: &'static str = "Este relatório não existe.";
}

/// The parameters that are not saved, because they select a page.
const NOT_KEPT: [&str; 3] = ["page", "perPage", "next"];
/// The filter with the company that a report's path names.
const COMPANY: &str = "business_id";
const COMPANY_MISSING: &str = "Escolha a empresa deste relatório.";

impl ReportName {
    pub fn as_str(self) -> &'static str {
        let word = Self::WORDS.iter().find(|(_, report)| *report == self);
        word.map_or("", |(word, _)| word)
    }

    pub const fn audience(self) -> Audience {
        match self {
            Self::Totals | Self::Financial | Self::Terminals => Audience::Seller,
            Self::Withdrawals
            | Self::Settled
            | Self::Billing
            | Self::BillingBusinesses
            | Self::TotalSales
            | Self::CompanyTerminals => Audience::Admin,
        }
    }

    /// The path of the call whose rule decides who may keep views of the report: its own, except for withdrawals. Their
    /// own call is also open to commercial supervisors, who see one company at a time. The report of all companies
    /// shares a screen with `Settled`, so it has the rule of that call.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Totals => "/transactions/report",
            Self::Financial => "/transactions/financial",
            Self::Terminals => "/business/{businessId}/terminals/sales",
            Self::Withdrawals | Self::Settled => "/admin/transactions/financial/all",
            Self::Billing => "/admin/transactions/billing",
            Self::BillingBusinesses => "/admin/transactions/billing/businesses",
            Self::TotalSales => "/admin/transactions/total/sales",
            Self::CompanyTerminals => "/admin/businesses/{business_id}/terminals/sales",
        }
    }

    /// The title of its screen, as fixtures/access/screens.tsv has it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Totals => "Relatório de totais",
            Self::Financial => "Relatório financeiro",
            Self::Terminals => "Totais por terminal",
            Self::Withdrawals => "Relatório de pagamentos: saques",
            Self::Settled => "Relatório de pagamentos: vendas liquidadas",
            Self::Billing => "Faturamento",
            Self::BillingBusinesses => "Faturamento por empresa",
            Self::TotalSales => "Totais de vendas",
            Self::CompanyTerminals => "Vendas por terminal",
        }
    }

    /// The parts of a period if the filters name none.
    pub const fn default_group(self) -> Group {
        match self {
            Self::BillingBusinesses | Self::TotalSales => Group::Month,
            Self::Totals
            | Self::Financial
            | Self::Terminals
            | Self::Withdrawals
            | Self::Settled
            | Self::Billing
            | Self::CompanyTerminals => Group::Day,
        }
    }

    /// The errors of the filters, by filter. Empty if the report can be kept with them.
    pub fn refused(
        self,
        filters: &BTreeMap<String, String>,
        now: DateTime<Utc>,
    ) -> BTreeMap<String, Vec<String>> {
        match self {
            Self::Totals => self.read::<ReportQuery>(filters, now),
            Self::Financial => self.read::<FinancialQuery>(filters, now),
            Self::Terminals => self.read::<TerminalsQuery>(filters, now),
            Self::Withdrawals => self.read::<StaffTransferQuery>(filters, now),
            Self::Billing => self.read::<StaffReportQuery>(filters, now),
            Self::Settled | Self::BillingBusinesses => self.read::<CompaniesQuery>(filters, now),
            Self::TotalSales => self.read::<TotalSalesQuery>(filters, now),
            Self::CompanyTerminals => {
                let mut refused = self.read::<TerminalsQuery>(filters, now);
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
        self,
        filters: &BTreeMap<String, String>,
        now: DateTime<Utc>,
    ) -> BTreeMap<String, Vec<String>> {
        let known = Q::params();
        let is_known = |name: &str| {
            let is_company = name == COMPANY && self == Self::CompanyTerminals;
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
        let read = period.map(|period| Period::of(period, self.default_group(), now));
        match read {
            Some(Err(Problem { errors, .. })) => errors,
            Some(Ok(_)) | None => BTreeMap::new(),
        }
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
        report.refused(&filters.collect(), now).into_keys().collect()
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
