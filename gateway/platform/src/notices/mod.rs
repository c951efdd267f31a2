//! Notices of providers and the ledger's decisions on them.
//!
//! A notice is decided before it is answered: *recorded* means that it is durable in the log. A notice that cannot be
//! recorded now is stored for staff and tried again (`exceptions`). `providers` parses each provider's format.

mod command;
mod decision;
mod intake;
mod payouts;
mod processing;
mod signed;
mod target;
mod unreadable;

pub use decision::{NoticeDecision, RecordedInLedger};
pub use intake::Intake;
pub use processing::{NoticeOutcome, Notices};
pub use signed::{SignedNotice, unreadable_json};
pub use unreadable::UnreadableNotice;
