//! Outboxes: tables whose rows order something from another system (a bank, an acquirer, a mail server).
//!
//! A row is added in the transaction that requires it. A worker claims the row, attempts it, and postpones it or ends
//! it. All of this is the same for every outbox. An implementation of `Outbox` defines what differs: the table, the
//! calls, the meaning of each answer, the limits and the names in logs.
//!
//! The rules that hold for every outbox:
//!
//! - A claim moves the next try beyond the longest attempt, before anything is sent. So several processes can work
//!   concurrently, and the row of a process that dies is claimed again.
//! - In a table with look-ups, an order that may have been sent is looked up before it is sent again, under the id of
//!   its row. An order that the other system accepted, and no longer knows, is never sent again. After a restore of the
//!   database, each order may have been sent.
//! - Only the database's clock decides when a row is due and how old it is. The clocks of the machines and of the
//!   business take no part.
//! - Orders that wait for a silent provider wait together: one at a time is tried, and all are due once it answers.
//! - A row that cannot be read leaves its queue and is shown to staff.

mod attempt;
mod claim;
mod outages;
mod outbox;
mod pauses;
mod restore;
mod retry;
mod stats;
mod table;
mod worker;

/// For the adapters of other systems.
pub use ledger_store::trace;

pub use claim::Claimable;
pub use outbox::{End, Fault, Health, Job, Outbox, Outcome, SendState, Unreadable, UnreadableRow};
pub use pauses::{Backoff, RetryPolicy, lease_of, milliseconds};
pub use restore::{LOOKED_UP_FIRST_DAYS, note_restore};
pub use retry::{Retry, Wait, retry_all, retry_one};
pub use stats::{LateRows, LateWork, QueueStats, late_rows, late_work, queue_stats};
pub use table::{Table, UnreadableRows};
pub use worker::{WorkerHandle, start};
