//! A company's accounts as of an instant, and the journal of their postings.

use chrono::{DateTime, Utc};
use ledger_domain::business::Accounts;
use projections::as_of;
use projections::journal::JournalRow;
use serde::Serialize;
use utoipa::ToSchema;

use super::cents;
use super::page::PageMeta;
use super::sale::words;

#[derive(Debug, Serialize, ToSchema)]
pub struct BalanceAsOf {
    /// UTC instant, inclusive.
    #[schema(example = "2026-11-21T14:03:11Z")]
    pub as_of: DateTime<Utc>,
    pub axis: Axis,
    /// The sequence of the company's last event that is counted. Null with `axis=effective`, because the counted events
    /// are not a prefix of the sequence.
    #[schema(required = true, example = 42)]
    pub sequence: Option<i64>,
    pub balances: AccountBalances,
}

/// The balances of all accounts, in cents. Without `blocked`, which is the sum of two accounts, they sum to zero.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountBalances {
    /// The company can withdraw this amount now.
    #[schema(example = 125_040)]
    pub available: i64,
    /// Net value of captured sales that is not due yet.
    #[schema(example = 880_000)]
    pub receivable: i64,
    /// Withdrawals that are not final yet.
    #[schema(example = 0)]
    pub in_transfer: i64,
    /// Blocked by staff.
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
    /// The outside world (acquirers and banks). Below zero: it owes the platform.
    #[schema(example = -1_057_350)]
    pub clearing: i64,
}

/// One posting of an event.
#[derive(Debug, Serialize, ToSchema)]
pub struct JournalEntry {
    #[schema(example = "evt_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b07")]
    pub event_id: String,
    /// The event's type in the ledger.
    #[schema(example = "SaleCaptured")]
    pub r#type: String,
    /// The event's number in the company's history, from 1.
    #[schema(example = 42)]
    pub sequence: i64,
    pub account: AccountName,
    /// Signed, in cents. The amounts of one event sum to zero.
    #[schema(example = 28_803)]
    pub amount: i64,
    /// The account's balance after the posting, in cents.
    #[schema(example = 880_000)]
    pub balance: i64,
    /// UTC instant of the occurrence outside the ledger.
    pub occurred_at: DateTime<Utc>,
    /// UTC instant of the recording.
    pub recorded_at: DateTime<Utc>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct JournalPage {
    pub data: Vec<JournalEntry>,
    pub meta: PageMeta,
}

words!(
    /// The time that selects events: recorded (when the ledger recorded them) or effective (when they happened
    /// outside).
    Axis {
        Recorded = "recorded",
        Effective = "effective",
    }
);

words!(
    AccountName {
        Receivable = "receivable",
        Available = "available",
        InTransfer = "in_transfer",
        HeldByStaff = "held_by_staff",
        InDispute = "in_dispute",
        PlatformFees = "platform_fees",
        Clearing = "clearing",
    }
);

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

impl From<JournalRow> for JournalEntry {
    fn from(row: JournalRow) -> Self {
        Self {
            event_id: row.event_id.to_string(),
            r#type: row.event_type,
            sequence: row.sequence,
            account: row.account.into(),
            amount: cents(row.amount),
            balance: cents(row.balance),
            occurred_at: row.occurred_at,
            recorded_at: row.recorded_at,
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

impl From<ledger_domain::business::Account> for AccountName {
    fn from(account: ledger_domain::business::Account) -> Self {
        use ledger_domain::business::Account as Of;
        match account {
            Of::Receivable => Self::Receivable,
            Of::Available => Self::Available,
            Of::InTransfer => Self::InTransfer,
            Of::HeldByStaff => Self::HeldByStaff,
            Of::InDispute => Self::InDispute,
            Of::PlatformFees => Self::PlatformFees,
            Of::Clearing => Self::Clearing,
        }
    }
}
