//! Cancels and disputes of sales by users of both panels.

pub mod bodies;
pub mod reversal;
pub mod seller;
pub mod staff;
