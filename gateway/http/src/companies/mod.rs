//! Companies, for staff and for the users of a company: data, bank accounts, documents, history. Also form lookups.

pub mod bodies;
pub mod documents;
pub mod history;
pub mod lookups;
mod notify;
mod save;
pub mod seller;
mod spreadsheets;
pub mod staff;
