//! Payouts: a withdrawal that is being paid through a bank becomes an order there, which is looked up until it ends.
//!
//! `reaction` writes a row for each payout that the ledger started and ends the row when the ledger knows its end;
//! `worker` sends orders and asks about them; `queue` is the table between the two.

mod queue;
mod reaction;
mod worker;

pub use queue::{PayoutsStanding, standing};
pub use reaction::PayoutReactor;
pub use worker::{PayoutWorker, Working};
