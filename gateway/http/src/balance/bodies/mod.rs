//! Request and response bodies.

pub mod adjustments;
pub mod as_of;
pub mod balance;
pub mod journal;
pub mod ledger_event;
pub mod statement;
