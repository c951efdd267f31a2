//! The days of acquirers in answers.

use chrono::NaiveDate;
use gateway_platform::reconciliation::SettlementDay;
use ledger_domain::Cents;
use ledger_domain::sale::Provider;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::list::PageOf;

/// An acquirer's day. Amounts in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettlementDayRow {
    /// The acquirer's number, 1 to 8.
    #[schema(value_type = u8, example = 1)]
    pub provider: Provider,
    pub day: NaiveDate,
    /// Gross of the installments that are due. Null until the day has begun and is summed up.
    #[schema(required = true, value_type = Option<i64>, example = 10_000)]
    pub expected: Option<Cents>,
    #[schema(example = 1)]
    pub expected_count: u64,
    /// Gross that the acquirer reports for the day, also of payments that the ledger does not know.
    #[schema(value_type = i64, example = 9_900)]
    pub reported: Cents,
    #[schema(example = 1)]
    pub reported_count: u64,
    /// Net of what is reported as paid.
    #[schema(value_type = i64, example = 9_650)]
    pub paid: Cents,
    /// The acquirer's cost in its reports.
    #[schema(value_type = i64, example = 250)]
    pub cost: Cents,
    /// The sum of the day's differences, open and resolved.
    #[schema(value_type = i64, example = -100)]
    pub difference: Cents,
    /// Number of open differences.
    #[schema(example = 1)]
    pub open_count: u64,
    /// Whether the acquirer's time to report has ended. Only then do installments without a report count as missing,
    /// and expected plus difference equals reported.
    pub is_complete: bool,
    /// Whether a recent change is not in the sums yet.
    pub is_stale: bool,
}

impl From<SettlementDay> for SettlementDayRow {
    fn from(day: SettlementDay) -> Self {
        Self {
            provider: day.provider,
            day: day.day,
            expected: day.expected,
            expected_count: day.expected_count,
            reported: day.reported,
            reported_count: day.reported_count,
            paid: day.paid,
            cost: day.cost,
            difference: day.difference,
            open_count: day.open_count,
            is_complete: day.is_complete,
            is_stale: day.is_stale,
        }
    }
}

pub type SettlementDayPage = PageOf<SettlementDayRow>;
