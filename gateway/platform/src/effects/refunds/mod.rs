//! Refunds: a sale that the platform cancelled becomes a request to the acquirer that captured it, which is looked up
//! until the acquirer has said its last word.
//!
//! The ledger gave the money back when it recorded the cancel, so that nothing here goes to the ledger; what the
//! acquirer refuses for good goes to staff (`exceptions`). `reaction` writes the rows, `worker` asks, `queue` is the table
//! between the two, `status` tells screens and operators.

mod handler;
mod queue;
mod status;
mod worker;

pub use handler::RefundEffects;
pub use handler::refund_of;
pub use queue::{again, refunded};
pub use status::{RefundState, RefundStatus, of_sale, queue_stats};
pub use worker::RefundWorker;
