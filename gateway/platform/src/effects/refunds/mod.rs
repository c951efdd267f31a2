//! Refunds: when the platform cancels a sale, it requests a refund from the acquirer that captured it. The request is
//! looked up until the acquirer has decided.
//!
//! The ledger moved the money when it recorded the cancel, so a refund records nothing in the ledger. A refund that the
//! acquirer refuses for good goes to staff (`exceptions`).
//!
//! `handler` writes the rows, `outbox` sends the requests (`providers::refunds`), and `queue` is the table between them.
//! `status` serves screens and operators.

mod handler;
mod outbox;
mod queue;
mod status;

pub use handler::RefundEffects;
pub use handler::refund_of;
pub use outbox::RefundOutbox;
pub use queue::{end_as_refunded, request_again};
pub use status::{RefundState, RefundStatus, of_sale, queue_stats};
