//! The interface to acquirers and its adapters: charges, refunds, payouts, the acquirer's receivables, and its notices.
//!
//! An adapter calls the acquirer's documented API and converts the answer into our types. It reads and writes no
//! database: the caller records the answer.

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
