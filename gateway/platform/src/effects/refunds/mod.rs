//! Refunds: when the platform cancels a sale or a part of it, it requests a refund from the acquirer that captured it.
//! The request is looked up until the acquirer has decided.
//!
//! The ledger moved the money when it recorded the cancel. A refund that has an id there is answered in the ledger once
//! the buyer has the money, with the acquirer's id of it, so that the acquirer's notice of it adds nothing. A refund that
//! the acquirer refuses for good goes to staff (`exceptions`).
//!
//! `handler` writes the rows, `outbox` sends the requests (`providers::refunds`), and `queue` is the table between them.
//! `status` serves screens and operators.

mod handler;
mod outbox;
mod parts;
mod queue;
mod status;

pub use handler::{RefundEffects, RefundToRequest, refund_of};
pub use outbox::RefundOutbox;
pub use parts::part_refusal;
pub use queue::{end_as_refunded, end_refunded_by_hand, request_again};
pub use status::{RefundState, RefundStatus, late_work, of_sale, queue_stats};
