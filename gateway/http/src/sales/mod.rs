//! Sales: lists, totals, one sale, and the explanation of its net.

pub mod bodies;
pub mod detail;
pub mod explanation;
pub mod labels;
pub mod list;
pub mod query;
pub mod scope;
pub mod spreadsheets;
