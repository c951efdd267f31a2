//! Payouts: a withdrawal that is paid through a bank or an acquirer becomes an order there. The order is looked up
//! until it ends.
//!
//! `handler` writes a row for each payout that the ledger started, and the end that the ledger recorded. `outbox` sends
//! orders, looks them up and reports the results to the ledger. `queue` is the table between the two. A payout that the
//! bank returned stays paid there: the order was carried out. `steps` records each call, so that persons can see why an
//! order was not sent twice. `emails` tells the company.

mod emails;
mod handler;
mod outbox;
mod queue;
mod steps;

pub use emails::RETURN_EMAIL_KIND;
pub use handler::PayoutEffects;
pub use outbox::PayoutOutbox;
pub use queue::{OpenPayouts, SentThrough, late_work, open_by_status, queue_stats, sent_through};
pub use steps::{CallKind, CallResult, PayoutStep, payout_steps, record_notice};
