//! The panels' branding, which staff set.

pub mod bodies;
pub mod form;
pub mod staff;
