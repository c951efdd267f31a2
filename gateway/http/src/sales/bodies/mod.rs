//! The answers about sales.

pub mod authors;
pub mod detail;
pub mod explanation;
pub mod fees;
pub mod list;
pub mod names;
pub mod timeline;
pub mod uses;
