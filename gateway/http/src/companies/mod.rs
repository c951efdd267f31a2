//! Companies for staff.

pub mod bodies;
pub mod staff;
