//! How exceptions end: the sweep tries waiting notices again, and staff retry, assign or close.
//!
//! The rows are `exceptions`'. A retry asks the ledger through `notices`, or hands the work back to its queue in `effects`.

mod staff;
mod sweep;

pub use staff::{Action, ActionError, act};
pub use sweep::{Sweeper, sweep_once, try_now};
