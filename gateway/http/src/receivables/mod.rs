//! The schedule of a company's receivables.

pub mod bodies;
pub mod query;
pub mod seller;
pub mod spreadsheets;
