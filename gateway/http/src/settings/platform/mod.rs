//! The platform's dated settings: each has a value in force, and at most one that is scheduled.

pub mod bodies;
pub mod form;
mod loosening;
mod refusals;
pub mod staff;
