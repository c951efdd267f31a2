//! Companies for staff and for their own users: data, bank accounts, documents, history. Also lookups for forms.

pub mod bodies;
pub mod documents;
pub mod history;
pub mod lookups;
mod notify;
mod save;
pub mod seller;
mod spreadsheets;
pub mod staff;
