//! Ends exceptions: a job tries waiting notices again, and staff retry, assign or close.
//!
//! The rows belong to `exceptions`. A retry submits to the ledger through `notices`, or returns the work to its outbox.

mod retries;
mod staff;

pub use retries::{NoticeRetries, try_due_notices, try_now};
pub use staff::{Action, ActionError, act};
