//! Refunds: a sale that the platform cancelled becomes a request to the acquirer that captured it, which is looked up
//! until the acquirer has said its last word.
//!
//! The ledger gave the money back when it recorded the cancel, so that nothing here goes to the ledger; what the
//! acquirer refuses for good goes to staff (`exceptions`). `reaction` writes the rows, `worker` asks, `queue` is the table
//! between the two, `standing` tells screens and operators.

mod queue;
mod reaction;
mod standing;
mod worker;

pub use queue::{again, refunded};
pub use reaction::RefundReactor;
pub use reaction::refund_of;
pub use standing::{RefundState, RefundStatus, of_sale, standing};
pub use worker::RefundWorker;
