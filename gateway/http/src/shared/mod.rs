//! Parts that handlers of several subjects share.

pub mod author;
pub mod change;
pub mod command;
pub mod conflict;
pub mod emails;
pub mod form;
mod in_order;
pub mod list;
pub mod page;
pub mod phone;
pub mod postal_code;
pub mod read_models;
pub mod schemas;
mod search;
pub mod two_people;
pub mod whole_name;

pub use in_order::InOrder;
use ledger_domain::Cents;

/// An amount in JSON: an integer of cents.
pub fn cents(amount: Cents) -> i64 {
    amount.get()
}
