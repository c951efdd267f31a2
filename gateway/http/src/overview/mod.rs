//! The home pages of both panels.

pub mod bodies;
pub mod seller;
pub mod staff;
