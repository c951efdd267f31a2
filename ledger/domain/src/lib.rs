//! The domain of the ledger: the rules for a business's money.
//!
//! Pure: no SQL, no HTTP, no clock, no randomness and no environment. Times, new ids and outside facts arrive inside
//! the command, so that every decision can be replayed and simulated.

#![cfg_attr(
    test,
    allow(
        clippy::inconsistent_digit_grouping,
        clippy::mistyped_literal_suffixes,
        reason = "tests write R$ 1.234,56 as 1_234_56, so that worked figures read as on paper"
    )
)]

pub mod business;
pub mod calendar;
pub mod documents;
pub mod fees;
pub mod hold;
pub mod ids;
pub mod money;
pub mod order;
pub mod rate;
pub mod reserve;
pub mod sale;
pub mod schedule;
pub mod transfer;
pub mod words;

pub use ids::{
    BusinessId, EventId, HoldId, PaymentLinkId, PayoutId, PlanId, SaleId, TerminalId, TransferId, UserId,
};
pub use money::Cents;
pub use rate::Rate;
pub use words::{Numbers, Words};
