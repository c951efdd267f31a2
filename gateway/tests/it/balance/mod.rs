//! A company's balance: totals, days, statement, and all of it as of an instant.

pub mod as_of;
mod days;
mod events;
mod statement;
pub mod totals;
