//! Withdrawals and other transfers: quote, request, lists, one transfer with its execution, and the actions of staff.

pub mod actions;
pub mod bodies;
pub mod composition;
pub mod detail;
pub mod execution;
pub mod list;
pub mod query;
pub mod related_rows;
pub mod rental;
pub mod returned;
pub mod seller;
pub mod spreadsheets;
pub mod staff;
