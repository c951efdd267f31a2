//! Read model: the double-entry journal, every change of an account by an event, with the balance after it.
//!
//! Entries are stored in the order of recording, in the same transaction as the current balances. A list uses one time
//! axis for its order and for its balances.

mod list;
mod rows;

pub(crate) use rows::Entries;

pub use list::{JournalCursor, JournalFilter, export_page, journal_list, journal_list_after};

use ledger_domain::business::Account;
use ledger_domain::calendar::Instant;
use ledger_domain::{Cents, EventId};

/// The amount by which an event changes one account: the sum of its postings there. A sum of zero has no row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalRow {
    pub event_id: EventId,
    /// The same text as `BusinessEvent::type_name`.
    pub event_type: String,
    pub sequence: i64,
    pub account: Account,
    /// Signed; the rows of one event add up to zero.
    pub amount: Cents,
    /// The balance of the account after the event, along the axis of the list.
    pub balance: Cents,
    pub occurred_at: Instant,
    pub recorded_at: Instant,
}
