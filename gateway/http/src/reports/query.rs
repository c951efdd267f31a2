//! The query parameters of reports.

use chrono::{DateTime, NaiveDate, Utc};
use ledger_domain::calendar::business_date;
use ledger_domain::ids::UserId;
use ledger_domain::sale::{CardBrand, PaymentType, Solution};
use ledger_domain::{BusinessId, TerminalId};
use projections::SortOrder;
use projections::daily_sales::{FigureFilter, FigureSort};
use utoipa::openapi::{RefOr, Schema};

use crate::edge::query::{day, id_pattern, text};
use crate::edge::{Paging, QueryValue, query};
use crate::plans::simulation::Installments;
use crate::sales::query::LinkCode;
use crate::shared::schemas::Word;

ledger_domain::words! {
    /// The parts of a report's period. Weeks begin on Mondays. Hours, days, weeks and months are those of Brasília.
    pub enum Group {
        Hour = "hour" => "Hora",
        Day = "day" => "Dia",
        Week = "week" => "Semana",
        Month = "month" => "Mês",
    }
}

pub type GroupName = Word<Group>;

/// The start or the end of a period, as the query names it.
#[derive(Debug, Clone, Copy)]
pub enum PeriodBound {
    Day(NaiveDate),
    Instant(DateTime<Utc>),
}

impl PeriodBound {
    pub fn date(self) -> NaiveDate {
        match self {
            Self::Day(date) => date,
            Self::Instant(at) => business_date(at),
        }
    }
}

impl QueryValue for PeriodBound {
    const INVALID: &'static str =
        "A data deve estar no formato AAAA-MM-DD ou, com a hora, no formato RFC 3339.";

    fn schema() -> RefOr<Schema> {
        text().into()
    }

    fn parse(text: &str) -> Option<Self> {
        if text.len() == "AAAA-MM-DD".len() {
            return day(text).map(Self::Day);
        }
        let at = DateTime::parse_from_rfc3339(text).ok()?.with_timezone(&Utc);
        // PostgreSQL represents these years, and every event is dated in one of them.
        (1900..2200)
            .contains(&chrono::Datelike::year(&at))
            .then_some(Self::Instant(at))
    }
}

#[derive(Debug, Clone, Copy)]
pub struct PeriodQuery {
    pub group: Option<Group>,
    pub start: Option<PeriodBound>,
    pub end: Option<PeriodBound>,
}

query! {
    impl FromQuery for PeriodQuery {
        /// hour, day, week or month. The default depends on the report. By hour, a period has 48 hours at most; by day
        /// 400 days, by week and by month five years. By hour it begins 48 hours ago at most.
        #[example = "day"]
        group: Option<Group>,
        /// First business date in Brasília, included, or an RFC 3339 instant. Only a report by hour uses its hour.
        #[example = "2026-11-01"]
        start: Option<PeriodBound>,
        /// Last business date in Brasília, included, in the formats of `start`.
        #[example = "2026-11-21"]
        end: Option<PeriodBound>,
    } => Self { group, start, end }
}

/// The sales that count in the figures.
#[derive(Clone)]
pub struct SalesCounted(pub FigureFilter);

query! {
    impl FromQuery for SalesCounted {
        /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
        #[example = 1]
        solution: Option<Solution>,
        /// credit, debit, boleto or pix. CREDIT_CARD, BOLETO and PIX are accepted as well.
        #[name = "paymentType"]
        #[example = "credit"]
        payment_type: Option<PaymentType>,
        /// The card brand.
        #[example = "visa"]
        brand: Option<CardBrand>,
        /// Number of installments, 1 to 21.
        installments: Option<Installments>,
        /// The id of the terminal.
        #[name = "terminal"]
        terminal_id: Option<TerminalId>,
        /// The code of a payment link.
        #[example = "2F6F4F5A1B0B"]
        payment_link: Option<LinkCode>,
    } => Self(FigureFilter {
        solution,
        payment_type,
        brand,
        installments: installments.map(|Installments(number)| number),
        terminal_id,
        payment_link: payment_link.map(|LinkCode(code)| code),
        ..FigureFilter::default()
    })
}

query! {
    #[derive(Clone)]
    pub struct ReportQuery {
        period: ..PeriodQuery,
        sales: ..SalesCounted,
    }
}

query! {
    /// A report whose periods are listed in pages.
    pub struct FinancialQuery {
        report: ..ReportQuery,
        /// The order of the listed periods; the default is desc.
        order: SortOrder = SortOrder::Desc,
        paging: ..Paging,
    }
}

query! {
    #[derive(Clone)]
    pub struct StaffReportQuery {
        report: ..ReportQuery,
        /// Only this company. All companies if it is left out.
        business_id: Option<BusinessId>,
    }
}

query! {
    /// A report that lists companies.
    pub struct CompaniesQuery {
        report: ..StaffReportQuery,
        sorting: ..Sorting,
        paging: ..Paging,
    }
}

query! {
    pub struct TotalSalesQuery {
        companies: ..CompaniesQuery,
        /// The id of a seller user. Only the companies that this user may access count.
        user_id: Option<UserId>,
    }
}

query! {
    /// A report that lists the terminals of a company.
    pub struct TerminalsQuery {
        report: ..ReportQuery,
        sorting: ..Sorting,
        paging: ..Paging,
    }
}

query! {
    pub struct Sorting {
        /// The column to sort by; the default is gross. Terminals without a name are sorted by their serial numbers.
        sort: FigureSort = FigureSort::Gross,
        /// The default is desc.
        order: SortOrder = SortOrder::Desc,
    }
}

impl QueryValue for UserId {
    const INVALID: &'static str = "Deve ser o id de um usuário.";

    fn schema() -> RefOr<Schema> {
        text().pattern(Some(id_pattern(Self::PREFIX))).into()
    }

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}
