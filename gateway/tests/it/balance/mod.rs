//! A company's balance, statement, journal and events.

pub mod as_of;
mod days;
mod events;
mod statement;
pub mod totals;
