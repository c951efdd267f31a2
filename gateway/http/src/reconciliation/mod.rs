//! Settlements for staff: differences with their decisions, days, reported receivables, imports and expected rates.

pub mod bodies;
pub mod differences;
pub mod imports;
pub mod lists;
mod query;
pub mod rates;
mod refusals;
pub mod spreadsheets;
mod upload;
