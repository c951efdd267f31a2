//! The read models against a real database: followed live, asked as the gateway asks them.

mod indexes;
pub mod ledger;
mod money;
mod running;
mod sales;
mod transfers;
mod withdrawing;
