//! Tamper evidence for the log: each event's digest and chain, signed tree heads over the chains, and the verification
//! of all of them. The projections crate compares the read models with the log.

pub mod chain;
pub mod export;
mod finding;
mod merkle;
pub mod row_head;
pub mod tree_head;
pub mod verify;

pub use finding::{Difference, Finding};
