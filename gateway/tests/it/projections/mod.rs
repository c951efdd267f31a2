//! The read models against a real database: followed live, asked as the gateway asks them.

mod agenda;
mod as_of;
mod indexes;
pub mod ledger;
mod life;
mod money;
mod reading_on;
mod reversals;
mod reversing;
mod running;
mod sales;
mod transfer_list;
mod transfers;
mod withdrawing;
