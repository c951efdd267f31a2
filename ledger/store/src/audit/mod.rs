//! What makes a rewritten log show: each event's digest and chain, signed tree heads over the chains, and the walk that
//! checks all of it. Comparing read models with the log is a projection's matter.

pub mod chain;
pub mod checkpoint;
mod finding;
pub mod kept;
mod merkle;
pub mod verify;

pub use finding::{Difference, Finding};
