//! Saved views of reports: what a user keeps of the filters and columns of a report, under a name.

mod bodies;
pub mod calls;
mod form;

pub use form::refuse_filters;
