//! The interface to acquirers and its adapters: charges, refunds, payouts, the acquirer's receivables, and its notices.
//!
//! An adapter calls the acquirer's documented API and converts the answer into our types. It reads and writes no
//! database: the caller records the answer.

pub mod amounts;
mod barte;
pub mod calls;
pub mod charge;
mod iugu;
pub mod names;
pub mod notice;
pub mod payout;
pub mod port;
pub mod receivable;
pub mod registration;
pub mod sandbox;
mod tls;
mod zoop;

use registration::Registration;

/// The adapters, in the order in which their acquirers are asked to charge if staff have chosen no other
/// (`registration::installation_order`). The sandbox's own contract comes last.
pub static ACQUIRERS: [&Registration; 4] = [
    &zoop::REGISTRATION,
    &iugu::REGISTRATION,
    &barte::REGISTRATION,
    &sandbox::REGISTRATION,
];
