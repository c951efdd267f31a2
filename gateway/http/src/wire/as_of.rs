//! A company's accounts on the wire as of an instant, and the journal of what was posted to them.

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
    #[schema(example = "2026-11-21T14:03:11Z")]
    pub as_of: DateTime<Utc>,
    pub axis: Axis,
    /// The last event of the company that is counted; null by effective time, by which they are in no order.
    #[schema(required = true, example = 42)]
    pub sequence: Option<i64>,
    pub balances: AccountBalances,
}

/// Every account; all but blocked, which is two of them together, add up to zero.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountBalances {
    #[schema(example = 125_040)]
    pub available: i64,
    #[schema(example = 880_000)]
    pub receivable: i64,
    #[schema(example = 0)]
    pub in_transfer: i64,
    #[schema(example = 0)]
    pub held_by_staff: i64,
    #[schema(example = 0)]
    pub in_dispute: i64,
    /// Held by staff and in dispute.
    #[schema(example = 0)]
    pub blocked: i64,
    #[schema(example = 52_310)]
    pub platform_fees: i64,
    /// The outside world: below zero, what it owes us.
    #[schema(example = -1_057_350)]
    pub clearing: i64,
}

/// A posting of an event.
#[derive(Debug, Serialize, ToSchema)]
pub struct JournalEntry {
    #[schema(example = "evt_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b07")]
    pub event_id: String,
    #[schema(example = "SaleCaptured")]
    pub r#type: String,
    /// The event's place in the company's history.
    #[schema(example = 42)]
    pub sequence: i64,
    pub account: AccountName,
    /// Signed; those of one event add up to zero.
    #[schema(example = 28_803)]
    pub amount: i64,
    /// Of the account, after it.
    #[schema(example = 880_000)]
    pub balance: i64,
    pub occurred_at: DateTime<Utc>,
    pub recorded_at: DateTime<Utc>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct JournalPage {
    pub data: Vec<JournalEntry>,
    pub meta: PageMeta,
}

words!(
    /// By which time events are counted: when they were recorded, or when they happened outside.
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
