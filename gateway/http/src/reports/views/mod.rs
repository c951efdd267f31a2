//! Saved views of reports: the filters and columns of a report that a user keeps under a name.

mod bodies;
pub mod calls;
mod form;

pub use form::refuse_filters;
