//! Refunds: when the platform cancels a sale, it requests a refund from the acquirer that captured it. The request is
//! looked up until the acquirer has decided.
//!
//! The ledger returned the money when it recorded the cancel, so that refunds record nothing in the ledger. A refund
//! that the acquirer refuses for good goes to staff (`exceptions`).
//!
//! `handler` writes the rows, and `outbox` sends the requests. `queue` is the table between the two. `status` serves
//! screens and operators.

mod handler;
mod outbox;
mod queue;
mod status;

pub use handler::RefundEffects;
pub use handler::refund_of;
pub use outbox::RefundOutbox;
pub use queue::{again, refunded};
pub use status::{RefundState, RefundStatus, of_sale, queue_stats};
