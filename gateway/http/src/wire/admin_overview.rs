//! The figures of the staff panel's home page.

use chrono::NaiveDate;
use projections::transfer::Waiting;
use serde::Serialize;
use utoipa::ToSchema;

use super::business::NewBusiness;
use super::cents;
use super::overview::SalesFigure;

/// What is null is not for the role of whoever asks.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdminOverview {
    #[schema(example = "2026-11-21")]
    pub today: NaiveDate,
    /// Of all companies, as volume_month.
    pub volume_today: SalesFigure,
    /// From the first of the month.
    pub volume_month: SalesFigure,
    /// Fees of sales and withdrawals since the first of the month.
    #[schema(required = true, example = 48_120)]
    pub revenue_month: Option<i64>,
    /// Those that may sell.
    #[schema(required = true, example = 5)]
    pub active_businesses: Option<i64>,
    #[schema(required = true)]
    pub withdrawals_waiting: Option<WithdrawalsWaiting>,
    /// Notices that the ledger could not take.
    #[schema(required = true, example = 0)]
    pub exceptions_waiting: Option<i64>,
    /// Five at most, the newest first.
    #[schema(required = true)]
    pub newest_businesses: Option<Vec<NewBusiness>>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WithdrawalsWaiting {
    #[schema(example = 2)]
    pub count: u64,
    #[schema(example = 150_000)]
    pub amount: i64,
}

impl From<Waiting> for WithdrawalsWaiting {
    fn from(waiting: Waiting) -> Self {
        Self {
            count: waiting.count,
            amount: cents(waiting.amount),
        }
    }
}
