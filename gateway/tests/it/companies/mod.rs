//! Companies, the look of the panels, holidays, and the reference data that decisions use.

mod approvals;
mod creation;
mod documents;
mod holidays;
mod indexes;
mod logos;
mod lookups;
mod own;
mod reference_data;
mod search;
mod settings;
mod staff;
