//! The answers of both home pages.

pub mod seller;
pub mod staff;
