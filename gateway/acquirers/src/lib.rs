//! The interface to acquirers that take payments online, and its adapters.
//!
//! No SQL and no ledger: an adapter turns an order into a call of the acquirer's documented API, and the answer into our
//! types. The caller decides what changes.

pub mod amounts;
pub mod barte;
pub mod calls;
pub mod charge;
pub mod iugu;
pub mod notice;
pub mod payout;
pub mod port;
pub mod receivable;
pub mod sandbox;
mod tls;
pub mod zoop;
