//! The domain of the ledger: what may happen to a business's money, and what follows from it.
//!
//! Pure: no SQL, no HTTP, no clock, no randomness and no environment. Time, new ids and outside facts arrive inside
//! the command, so that every decision can be replayed and simulated.

pub mod business;
pub mod calendar;
pub mod documents;
pub mod fees;
pub mod ids;
pub mod money;
pub mod rate;
pub mod sale;
pub mod schedule;
mod spelling;

pub use ids::{BusinessId, EventId, PlanId, SaleId, TerminalId, TransferId};
pub use money::Cents;
pub use rate::Rate;
