//! The acquirers that take payments online, and which of them takes which sales: list and set.

pub mod bodies;
pub mod form;
pub mod staff;
