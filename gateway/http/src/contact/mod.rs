//! Fale com a gente: the contact channels, the messages of sellers to the platform, and the answers of staff.

pub mod bodies;
pub mod forms;
pub mod query;
pub mod seller;
pub mod spreadsheets;
pub mod staff;
