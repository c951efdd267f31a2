//! A company's balance: statement, balance by day, accounts as of an instant, journal, events of the ledger, and the
//! adjustments that staff make.

pub mod adjustments;
pub mod as_of;
pub mod bodies;
pub mod journal;
pub mod ledger_event;
pub mod seller;
pub mod spreadsheets;
pub mod staff;
pub mod statement;
