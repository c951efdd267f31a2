//! Terminals: their records, their owners by serial number, and how each is billed.

mod billing;
mod directory;
mod records;

pub use billing::{
    Billing, OwedRental, month_charge, months_charged, rentals_owed, rented_since, terminal_bill,
};
pub use directory::{KnownTerminal, Terminals};
pub use records::{NewTerminal, terminal_assign, terminal_create};
