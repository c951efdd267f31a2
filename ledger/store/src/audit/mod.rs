//! Tamper evidence for the log: each event's digest and chain, signed tree heads over the chains, and the verification
//! of all of them. The projections crate compares the read models with the log.

pub mod chain;
pub mod checkpoint;
mod companies;
pub mod export;
mod finding;
pub mod prove;
pub mod row_head;
pub mod subtrees;
pub mod tree_head;
pub mod verify;

pub use finding::{Difference, Finding};
