//! Companies and their documents, the look of the panels, holidays, look-ups, and the reference data of decisions.

mod approvals;
mod creation;
mod decisions;
pub mod documents;
mod holidays;
mod indexes;
mod logos;
mod lookups;
mod own;
mod reference_data;
mod search;
mod settings;
mod staff;
