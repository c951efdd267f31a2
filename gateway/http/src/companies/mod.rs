//! Companies: for staff, for their own users, and what forms about them look up.

pub mod bodies;
pub mod lookups;
mod save;
pub mod seller;
mod spreadsheets;
pub mod staff;
