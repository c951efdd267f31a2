//! Companies, the look of their panels, and the reference data that decisions use.

mod holidays;
mod reference_data;
mod search;
mod settings;
