//! Request and response bodies.

pub mod destination;
pub mod quote;
pub mod requests;
pub mod totals;
pub mod transfer;
