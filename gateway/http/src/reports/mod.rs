//! Reports: figures by period, solution, payment type, brand, company and terminal, in both panels.

pub mod bodies;
pub mod caller;
pub mod closing;
pub mod companies;
pub mod emails;
pub mod filters;
pub mod period;
pub mod query;
pub mod read;
pub mod seller;
pub mod spreadsheets;
pub mod staff;
pub mod terminals;
pub mod views;
