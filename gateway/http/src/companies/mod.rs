//! Companies: for staff, for their own users, and what forms about them look up.

pub mod bodies;
pub mod documents;
pub mod history;
pub mod lookups;
mod notify;
mod save;
pub mod seller;
mod spreadsheets;
pub mod staff;
