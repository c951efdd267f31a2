//! The chains of changes: tamper evidence for the rows outside the log that decide money or authority.
//!
//! Triggers add a row to `row_change` for each change of a chained row (migration 0010 says why). Here the changes are
//! sealed into their chains, the chains are signed, and the audit compares the rows with their last changes.

mod accept;
mod change;
mod compare;
mod derived;
mod expressions;
mod finding;
pub mod heads;
mod seal;
pub mod verify;

pub use accept::{Acceptance, accept};
pub use finding::{RowDifference, RowFinding};
pub use seal::{Unsealed, seal, unsealed};
