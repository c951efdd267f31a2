//! The figures of the staff panel's home page.

use chrono::{DateTime, NaiveDate, Utc};
use gateway_outbox::LateRows;
use gateway_platform::adjustments::requests::RequestsPending;
use gateway_platform::holds::HoldsDue;
use gateway_platform::holds::documents;
use projections::balance::NegativeBalances;
use projections::receivables::OverdueProgress;
use projections::withdrawals::PendingWithdrawals;
use serde::Serialize;
use utoipa::ToSchema;

use super::seller::SalesFigure;
use crate::companies::bodies::NewestBusiness;
use crate::operations::bodies::FollowerRow;
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
    /// The platform's fees of sales and withdrawals, and the rentals of card machines, since the first of the month. In
    /// cents.
    #[schema(required = true, example = 48_120)]
    pub revenue_month: Option<i64>,
    /// Number of companies that may sell.
    #[schema(required = true, example = 5)]
    pub active_businesses: Option<i64>,
    /// The newest companies, five at most, newest first.
    #[schema(required = true)]
    pub newest_businesses: Option<Vec<NewestBusiness>>,
    #[serde(flatten)]
    pub work: WorkOfStaff,
}

/// The work that waits for staff. Counts end at 10,000, except those of withdrawals and of negative balances.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct WorkOfStaff {
    /// The withdrawals that wait for staff (`/admin/balance/transfers?status=0`).
    #[schema(required = true)]
    pub withdrawals_waiting: Option<WithdrawalsWaiting>,
    /// The adjustments of balances that wait for a second person (`/admin/balance/adjustments?status=pending`).
    #[schema(required = true)]
    pub adjustments_waiting: Option<AdjustmentsWaiting>,
    /// Held money that staff wanted to look at again until today (`/admin/balance/holds`, `due_by`).
    #[schema(required = true)]
    pub holds_due: Option<HeldMoneyDue>,
    /// The documents that sellers sent for held money and staff have not answered
    /// (`/admin/balance/hold-documents?state=sent`).
    #[schema(required = true)]
    pub hold_documents_waiting: Option<DocumentsWaiting>,
    /// Number of exceptions that are waiting (`/admin/exceptions`).
    #[schema(required = true, example = 0)]
    pub exceptions_waiting: Option<i64>,
    /// Number of open differences of settlements (`/admin/settlements/differences`).
    #[schema(required = true, example = 0)]
    pub differences_open: Option<i64>,
    /// Payouts that have not ended in time (`/admin/operations/payouts`).
    #[schema(required = true)]
    pub payouts_late: Option<LateWork>,
    /// Refunds that have not ended in time (`/admin/operations/refunds`).
    #[schema(required = true)]
    pub refunds_late: Option<LateWork>,
    /// Charges for which an acquirer needs too long (`/admin/operations/charges`).
    #[schema(required = true)]
    pub charges_late: Option<LateWork>,
    /// E-mails that no server has taken in time (`/admin/operations/emails`).
    #[schema(required = true)]
    pub emails_late: Option<LateWork>,
    /// How far the read models are behind the log (`/admin/operations/followers`).
    #[schema(required = true)]
    pub followers: Option<FollowersLag>,
    /// How far the settlement is (`/admin/operations/receivables`).
    #[schema(required = true)]
    pub receivables: Option<SettlementProgress>,
    /// Companies that owe the platform (`/admin/operations/negative-balances`).
    #[schema(required = true)]
    pub negative_balances: Option<NegativeWork>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WithdrawalsWaiting {
    #[schema(example = 2)]
    pub count: u64,
    /// Sum of the withdrawals, in cents.
    #[schema(example = 150_000)]
    pub amount: i64,
    /// The age of the oldest request. Null if none is waiting.
    #[schema(required = true, example = 5_400)]
    pub oldest_seconds: Option<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AdjustmentsWaiting {
    #[schema(example = 1)]
    pub count: i64,
    /// Sum of the requested amounts, in cents.
    #[schema(example = 500_000)]
    pub amount: i64,
    /// The age of the oldest request. Null if none is waiting.
    #[schema(required = true, example = 5_400)]
    pub oldest_seconds: Option<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct HeldMoneyDue {
    #[schema(example = 1)]
    pub count: i64,
    /// What they hold now, in cents.
    #[schema(example = 50_000)]
    pub amount: i64,
    /// The first of their dates. Null if none is due.
    #[schema(required = true, example = "2026-11-19")]
    pub first_day: Option<NaiveDate>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentsWaiting {
    #[schema(example = 2)]
    pub count: i64,
    /// The age of the oldest. Null if none is waiting.
    #[schema(required = true, example = 5_400)]
    pub oldest_seconds: Option<i64>,
}

/// Rows that are open for longer than expected.
#[derive(Debug, Serialize, ToSchema)]
pub struct LateWork {
    #[schema(example = 0)]
    pub count: i64,
    /// The age of the oldest. Null if there is none.
    #[schema(required = true, example = 5_400)]
    pub oldest_seconds: Option<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FollowersLag {
    /// Events of one shard that the slowest read model has not applied yet.
    #[schema(example = 0)]
    pub lag_events: i64,
    /// Number of read models and effect handlers that stopped before an event that they cannot apply.
    #[schema(example = 0)]
    pub stopped: usize,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SettlementProgress {
    /// The oldest due date with an installment that is not settled, in the past or to come. Null if there is none.
    #[schema(required = true, example = "2026-11-23")]
    pub oldest_due: Option<NaiveDate>,
    /// Number of pairs of a company and a due date before today that are not settled.
    #[schema(example = 0)]
    pub late: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct NegativeWork {
    /// Number of companies.
    #[schema(example = 0)]
    pub count: u64,
    /// The sum of their available balances, in cents: zero or negative.
    #[schema(example = 0)]
    pub amount: i64,
}

impl WithdrawalsWaiting {
    pub fn of(waiting: PendingWithdrawals, now: DateTime<Utc>) -> Self {
        Self {
            count: waiting.count,
            amount: cents(waiting.amount),
            oldest_seconds: waiting.oldest_at.map(|at| (now - at).num_seconds().max(0)),
        }
    }
}

impl AdjustmentsWaiting {
    pub fn of(waiting: RequestsPending, now: DateTime<Utc>) -> Self {
        Self {
            count: waiting.count,
            amount: waiting.amount,
            oldest_seconds: waiting.oldest_at.map(|at| (now - at).num_seconds().max(0)),
        }
    }
}

impl From<HoldsDue> for HeldMoneyDue {
    fn from(due: HoldsDue) -> Self {
        Self {
            count: due.count,
            amount: cents(due.amount),
            first_day: due.first_day,
        }
    }
}

impl DocumentsWaiting {
    pub fn of(waiting: documents::DocumentsWaiting, now: DateTime<Utc>) -> Self {
        Self {
            count: waiting.count,
            oldest_seconds: waiting.oldest_at.map(|at| (now - at).num_seconds().max(0)),
        }
    }
}

impl From<LateRows> for LateWork {
    fn from(late: LateRows) -> Self {
        Self {
            count: late.count,
            oldest_seconds: late.oldest_seconds,
        }
    }
}

impl FollowersLag {
    pub fn of(followers: &[FollowerRow]) -> Self {
        Self {
            lag_events: followers
                .iter()
                .filter_map(|row| row.lag_events)
                .max()
                .unwrap_or(0),
            stopped: followers.iter().filter(|row| !row.stopped.is_empty()).count(),
        }
    }
}

impl From<OverdueProgress> for SettlementProgress {
    fn from(due: OverdueProgress) -> Self {
        Self {
            oldest_due: due.due_date,
            late: due.late,
        }
    }
}

impl From<NegativeBalances> for NegativeWork {
    fn from(negative: NegativeBalances) -> Self {
        Self {
            count: negative.companies,
            amount: cents(negative.available),
        }
    }
}
