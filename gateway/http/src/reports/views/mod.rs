//! Saved views of reports: filters, columns, rows and sorting of a report that a user keeps under a name.

mod bodies;
pub mod calls;
