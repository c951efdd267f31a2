//! The figures of the staff panel's home page.

use chrono::NaiveDate;
use projections::withdrawals::PendingWithdrawals;
use serde::Serialize;
use utoipa::ToSchema;

use super::seller::SalesFigure;
use crate::companies::bodies::NewBusiness;
use crate::shared::cents;

/// A field that the caller's roles may not see is null. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdminOverview {
    /// Today's business date in Brasília.
    #[schema(example = "2026-11-21")]
    pub today: NaiveDate,
    /// Sales of all companies today.
    pub volume_today: SalesFigure,
    /// Sales of all companies since the first of the month.
    pub volume_month: SalesFigure,
    /// The platform's fees of sales and withdrawals since the first of the month, in cents.
    #[schema(required = true, example = 48_120)]
    pub revenue_month: Option<i64>,
    /// Number of companies that may sell.
    #[schema(required = true, example = 5)]
    pub active_businesses: Option<i64>,
    /// The withdrawals that wait for staff.
    #[schema(required = true)]
    pub withdrawals_waiting: Option<WithdrawalsWaiting>,
    /// Number of exceptions that are waiting.
    #[schema(required = true, example = 0)]
    pub exceptions_waiting: Option<i64>,
    /// The newest companies, five at most, newest first.
    #[schema(required = true)]
    pub newest_businesses: Option<Vec<NewBusiness>>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WithdrawalsWaiting {
    #[schema(example = 2)]
    pub count: u64,
    /// Sum of the withdrawals, in cents.
    #[schema(example = 150_000)]
    pub amount: i64,
}

impl From<PendingWithdrawals> for WithdrawalsWaiting {
    fn from(waiting: PendingWithdrawals) -> Self {
        Self {
            count: waiting.count,
            amount: cents(waiting.amount),
        }
    }
}
