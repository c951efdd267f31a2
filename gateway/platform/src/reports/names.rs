//! The reports that a saved view or a report by e-mail can name.

use std::collections::BTreeMap;

use chrono::NaiveDate;

/// The parameters of a report's call.
pub type Filters = BTreeMap<String, String>;

ledger_domain::words! {
    /// A report by its call. totals: /transactions/report. financial: /transactions/financial. terminals:
    /// /business/{businessId}/terminals/sales. The others are of staff. withdrawals: /admin/balance/transfers. settled:
    /// /admin/transactions/financial/all. billing: /admin/transactions/billing. billing-businesses:
    /// /admin/transactions/billing/businesses. total-sales: /admin/transactions/total/sales. company-terminals:
    /// /admin/businesses/{business_id}/terminals/sales.
    // A label is the title of the screen, as fixtures/access/screens.tsv has it.
    pub enum ReportName else "Este relatório não existe." {
        Totals = "totals" => "Relatório de totais",
        Financial = "financial" => "Relatório financeiro",
        Terminals = "terminals" => "Totais por terminal",
        Withdrawals = "withdrawals" => "Relatório de pagamentos: saques",
        Settled = "settled" => "Relatório de pagamentos: vendas liquidadas",
        Billing = "billing" => "Faturamento",
        BillingBusinesses = "billing-businesses" => "Faturamento por empresa",
        TotalSales = "total-sales" => "Totais de vendas",
        CompanyTerminals = "company-terminals" => "Vendas por terminal",
    }
}

impl ReportName {
    /// The filters of the report's call for a period: with its days as `start` and `end`.
    pub fn filters_within(self, filters: &Filters, (start, end): (NaiveDate, NaiveDate)) -> Filters {
        let mut filters = filters.clone();
        filters.insert("start".to_owned(), start.to_string());
        filters.insert("end".to_owned(), end.to_string());
        if self == Self::Withdrawals {
            // The list of withdrawals takes a time zone. The days of a report by e-mail are always those of Brasília.
            filters.remove("time_zone");
        }
        filters
    }

    /// A file's name without its extension: "relatorio-de-totais-2026-11-16-a-2026-11-22".
    pub fn file_stem(self, (start, end): (NaiveDate, NaiveDate)) -> String {
        let name = match self {
            Self::Totals => "relatorio-de-totais",
            Self::Financial => "relatorio-financeiro",
            Self::Terminals => "totais-por-terminal",
            Self::Withdrawals => "saques",
            Self::Settled => "vendas-liquidadas",
            Self::Billing => "faturamento",
            Self::BillingBusinesses => "faturamento-por-empresa",
            Self::TotalSales => "totais-de-vendas",
            Self::CompanyTerminals => "vendas-por-terminal",
        };
        format!("{name}-{start}-a-{end}")
    }
}
