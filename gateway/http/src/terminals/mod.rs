//! Card machines: the staff's list, who has each machine and how it is billed, and a seller's own machines.

pub mod activation;
pub mod bodies;
pub mod forms;
pub mod query;
pub mod seller;
pub mod spreadsheets;
pub mod staff;
