//! The read models against a real database: followed live, asked as the gateway asks them.

pub mod ledger;
mod questions;
mod running;
