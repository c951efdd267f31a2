//! The query parameters of the receivables schedule.

use chrono::{Days, NaiveDate};
use ledger_domain::sale::{CardBrand, PaymentType, Provider};
use utoipa::openapi::{RefOr, Schema};

use crate::edge::query::{check_period, numbered};
use crate::edge::{Paging, QueryValue, query};

/// The longest period of one request: as far as a plan's last installment can lie in the future.
pub const SCHEDULE_DAYS_MAX: i64 = 2 * 366;
/// The length of the period if no end is given.
const DAYS_DEFAULT: u64 = 60;

pub struct ScheduleQuery {
    pub start: Option<NaiveDate>,
    pub end: Option<NaiveDate>,
}

impl ScheduleQuery {
    pub fn period(&self, today: NaiveDate) -> (NaiveDate, NaiveDate) {
        let start = self.start.unwrap_or(today);
        let usual = || start.checked_add_days(Days::new(DAYS_DEFAULT)).unwrap_or(start);
        (start, self.end.unwrap_or_else(usual))
    }
}

query! {
    impl FromQuery for ScheduleQuery with query {
        /// First due date, included.
        start: Option<NaiveDate>,
        /// Last due date, included.
        end: Option<NaiveDate>,
    } => {
        check_period(query, start, end);
        let days = start.zip(end).map(|(start, end)| (end - start).num_days());
        if days.is_some_and(|days| days > SCHEDULE_DAYS_MAX) {
            query.error("end", "O período pode ter até dois anos.");
        }
        Self { start, end }
    }
}

query! {
    pub struct UnitsQuery {
        days: ..ScheduleQuery,
        paging: ..Paging,
    }
}

query! {
    pub struct DueQuery {
        /// The due date, a business date in Brasília.
        #[example = "2026-12-21"]
        date: NaiveDate,
        /// The acquirer's number, 1 to 8.
        provider: Option<ProviderNumber>,
        /// The card brand.
        #[example = "visa"]
        brand: Option<CardBrand>,
        /// credit, debit, boleto or pix. CREDIT_CARD, BOLETO and PIX are accepted as well.
        #[name = "paymentType"]
        #[example = "credit"]
        payment_type: Option<PaymentType>,
        paging: ..Paging,
    }
}

pub struct ProviderNumber(pub Provider);

impl QueryValue for ProviderNumber {
    const INVALID: &'static str = "Deve ser o número de uma adquirente.";

    fn schema() -> RefOr<Schema> {
        numbered(Provider::ALL.iter().map(|provider| provider.number()))
    }

    fn parse(text: &str) -> Option<Self> {
        Provider::from_number(text.parse().ok()?).ok().map(Self)
    }
}
