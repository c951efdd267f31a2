//! Ends exceptions: the sweep tries waiting notices again, and staff retry, assign or close.
//!
//! The rows belong to `exceptions`. A retry submits to the ledger through `notices`, or returns the work to its queue
//! in `effects`.

mod staff;
mod sweep;

pub use staff::{Action, ActionError, act};
pub use sweep::{Sweeper, try_due_notices, try_now};
