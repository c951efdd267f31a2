//! The exceptions queue, which staff work on.

pub mod bodies;
pub mod staff;
