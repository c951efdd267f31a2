//! Sales: lists, totals, one sale, the explanation of its net, and where its money went.

pub mod bodies;
pub mod detail;
pub mod explanation;
pub mod labels;
pub mod list;
pub mod query;
pub mod scope;
pub mod spreadsheets;
pub mod uses;
