//! Withdrawals and other transfers: quote, request, cancel, lists, one transfer with its execution and its receipt, and
//! the actions of staff.

pub mod actions;
pub mod bodies;
pub mod composition;
pub mod detail;
pub mod execution;
pub mod list;
pub mod query;
pub mod receipt;
pub mod related_rows;
pub mod rental;
pub mod returned;
pub mod schedule;
pub mod seller;
pub mod spreadsheets;
pub mod staff;
