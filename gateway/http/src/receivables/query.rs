//! The query parameters of the receivables schedule.

use chrono::NaiveDate;
use ledger_domain::calendar::days_after;
use ledger_domain::sale::{CardBrand, PaymentType, Provider};
use utoipa::openapi::{RefOr, Schema};

use crate::edge::query::{REVERSED, numbered};
use crate::edge::{Paging, QueryValue, query};
use crate::problem::{Problem, Result};

/// The longest period of one request. No installment is due further in the future.
pub const SCHEDULE_DAYS_MAX: i64 = 2 * 366;
/// The length of the period if no end is given, with its first and last day.
const DAYS_DEFAULT: u64 = 60;

impl ScheduleQuery {
    /// The first and the last day. The default start is today, so the limits are checked here and not while parsing.
    pub fn period(&self, today: NaiveDate) -> Result<(NaiveDate, NaiveDate)> {
        let start = self.start.unwrap_or(today);
        let usual = || days_after(start, DAYS_DEFAULT - 1);
        let end = self.end.unwrap_or_else(usual);
        if start > end {
            return Err(Problem::field("end", REVERSED));
        }
        if (end - start).num_days() > SCHEDULE_DAYS_MAX {
            return Err(Problem::field("end", "O período pode ter até dois anos."));
        }
        Ok((start, end))
    }
}

query! {
    pub struct ScheduleQuery {
        /// First due date, included.
        start: Option<NaiveDate>,
        /// Last due date, included.
        end: Option<NaiveDate>,
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
