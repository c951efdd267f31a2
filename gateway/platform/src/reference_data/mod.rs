//! The reference data that a decision on a sale needs: company, plan, terminal and calendar, as of an instant.
//!
//! The records are rows of tables, not events: the ledger's events copy the data that each decision used.

mod cache;
mod contexts;

pub use contexts::PostgresReferenceData;
