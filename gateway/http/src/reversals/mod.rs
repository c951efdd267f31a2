//! Cancels and disputes of sales by users of both panels, and the end of a dispute by staff.

pub mod bodies;
pub mod dispute_end;
pub mod requests;
pub mod reversal;
