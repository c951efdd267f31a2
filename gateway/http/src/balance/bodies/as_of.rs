//! A company's accounts as of an instant.

use chrono::{DateTime, Utc};
use ledger_domain::business::Accounts;
use projections::balance::as_of;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::cents;
use crate::shared::schemas::Word;

#[derive(Debug, Serialize, ToSchema)]
pub struct BalanceAsOf {
    /// UTC instant, inclusive.
    #[schema(example = "2026-11-21T14:03:11Z")]
    pub as_of: DateTime<Utc>,
    pub axis: AxisName,
    /// The sequence of the last counted event that has postings. Null if there is none. Also null with
    /// `axis=effective`, because the counted events are not a prefix of the sequence.
    #[schema(required = true, example = 42)]
    pub sequence: Option<i64>,
    pub balances: AccountBalances,
}

/// The balances of all accounts, in cents. Without `blocked`, which is the sum of two accounts, they sum to zero.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountBalances {
    /// The amount from which withdrawals are paid.
    #[schema(example = 125_040)]
    pub available: i64,
    /// Net value of captured sales that is not settled yet.
    #[schema(example = 880_000)]
    pub receivable: i64,
    /// Withdrawals that are not final yet.
    #[schema(example = 0)]
    pub in_transfer: i64,
    /// Blocked by staff, or until the company is approved.
    #[schema(example = 0)]
    pub held_by_staff: i64,
    /// Blocked by open disputes.
    #[schema(example = 0)]
    pub in_dispute: i64,
    /// `held_by_staff` plus `in_dispute`.
    #[schema(example = 0)]
    pub blocked: i64,
    /// The platform's revenue.
    #[schema(example = 52_310)]
    pub platform_fees: i64,
    /// The outside world (acquirers and banks).
    #[schema(example = -1_057_350)]
    pub clearing: i64,
}

ledger_domain::words! {
    /// The time that selects events: recorded (when the ledger recorded them) or effective (when they happened
    /// outside).
    pub enum Axis {
        Recorded = "recorded" => "Registro",
        Effective = "effective" => "Ocorrência",
    }
}

pub type AxisName = Word<Axis>;

impl From<Accounts> for AccountBalances {
    fn from(accounts: Accounts) -> Self {
        Self {
            available: cents(accounts.available),
            receivable: cents(accounts.receivable),
            in_transfer: cents(accounts.in_transfer),
            held_by_staff: cents(accounts.held_by_staff),
            in_dispute: cents(accounts.in_dispute),
            blocked: cents(accounts.held_by_staff) + cents(accounts.in_dispute),
            platform_fees: cents(accounts.platform_fees),
            clearing: cents(accounts.clearing),
        }
    }
}

impl From<as_of::Axis> for Axis {
    fn from(axis: as_of::Axis) -> Self {
        match axis {
            as_of::Axis::Recorded => Self::Recorded,
            as_of::Axis::Effective => Self::Effective,
        }
    }
}
