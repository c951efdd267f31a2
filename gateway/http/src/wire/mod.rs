//! The request and response bodies of the API, in the spelling of the specification. These types convert the domain's
//! types to JSON and to the OpenAPI document. They contain no business rules and no queries.

pub mod access_form;
pub mod account;
pub mod admin_overview;
pub mod admin_user;
pub mod as_of;
pub mod author;
pub mod balance;
pub mod business;
pub mod exception;
pub mod explanation;
pub mod history;
pub mod ledger_event;
pub mod notice;
pub mod overview;
pub mod page;
pub mod person;
pub mod receivables;
pub mod reversal;
pub mod sale;
mod sale_authors;
pub mod sale_detail;
pub mod schemas;
pub mod seller_user;
pub mod seller_user_form;
pub mod settings;
pub mod simulation;
pub mod transfer;
pub mod transfer_request;

use ledger_domain::Cents;

/// An amount in JSON: an integer of cents.
pub(crate) fn cents(amount: Cents) -> i64 {
    amount.get()
}
