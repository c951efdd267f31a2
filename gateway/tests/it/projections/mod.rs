//! The read models on a real database: updated by followers and queried as the gateway queries them.

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
