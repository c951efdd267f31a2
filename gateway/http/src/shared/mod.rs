//! Parts that handlers of several subjects share.

pub mod author;
pub mod body_fields;
pub mod command;
pub mod conflict;
pub mod page;
pub mod schemas;
mod search;
pub mod two_people;

use ledger_domain::Cents;

/// An amount in JSON: an integer of cents.
pub fn cents(amount: Cents) -> i64 {
    amount.get()
}
