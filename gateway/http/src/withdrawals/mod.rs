//! Withdrawals and other transfers: quote, request, lists, and the actions of staff.

pub mod actions;
mod approvals;
pub mod bodies;
pub mod export;
pub mod list;
pub mod query;
pub mod related_rows;
pub mod rental;
pub mod seller;
pub mod spreadsheets;
pub mod staff;
