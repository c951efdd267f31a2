//! Payouts: a withdrawal that is paid through a bank or an acquirer becomes an order there. The order is looked up
//! until it ends.
//!
//! `handler` writes a row for each payout that the ledger started, and the end that the ledger recorded. `outbox` sends
//! orders, looks them up and reports the results to the ledger. `queue` is the table between the two.

mod handler;
mod outbox;
mod queue;

pub use handler::PayoutEffects;
pub use outbox::PayoutOutbox;
pub use queue::{SentThrough, queue_stats, sent_through};
