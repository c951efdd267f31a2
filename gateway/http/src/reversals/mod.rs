//! Cancels and disputes of sales by users of both panels.

pub mod bodies;
pub mod requests;
pub mod reversal;
