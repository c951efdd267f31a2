//! Response bodies.

pub mod seller;
pub mod staff;
