//! Read model: the double-entry journal, every posting with the balance of its account after it.
//!
//! It runs in the order of recording and moves with the balances, of which it is the history. A list goes by one axis of
//! time, and so do the balances in it.

mod list;
mod rows;

pub(crate) use rows::Entries;

pub use list::{JournalCursor, JournalFilter, export_page, journal_list, journal_list_after};

use ledger_domain::business::Account;
use ledger_domain::calendar::Instant;
use ledger_domain::{Cents, EventId};

/// One posting: what an event moved on one account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalRow {
    pub event_id: EventId,
    /// As `BusinessEvent::type_name` spells it.
    pub event_type: String,
    pub sequence: i64,
    pub account: Account,
    /// Signed; the postings of one event add up to zero.
    pub amount: Cents,
    /// Of the account, after it, along the axis of the list.
    pub balance: Cents,
    pub occurred_at: Instant,
    pub recorded_at: Instant,
}
