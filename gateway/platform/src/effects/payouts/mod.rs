//! Payouts: a withdrawal that is being paid through a bank becomes an order there, which is looked up until it ends.
//!
//! `reaction` writes a row for each payout that the ledger started, and has the last word on how it ended; `worker`
//! sends orders, asks about them and tells the ledger; `queue` is the table between the two.

mod handler;
mod queue;
mod worker;

pub use handler::PayoutEffects;
pub use queue::{SentThrough, queue_stats, sent_through};
pub use worker::PayoutWorker;
