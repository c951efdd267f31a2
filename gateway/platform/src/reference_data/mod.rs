//! The reference data that a decision on a sale needs: company, plan, terminal and calendar, as of an instant.
//!
//! The records are plain tables with guards (migration 0003), not events: the ledger copies the data that each decision
//! uses.

mod cache;
mod contexts;

pub use contexts::PostgresReferenceData;
