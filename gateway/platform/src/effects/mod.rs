//! What has to be done outside because of what the ledger recorded: a *reactor* follows the log and turns events into
//! rows of work, a worker does the work, and what comes of it goes back to the ledger as a command.
//!
//! No rule of money is decided here. A call outside is never made in a transaction, and never under a new id because
//! the old one was not answered.

pub mod audit;
mod checkpoint;
mod follow;
pub mod payouts;
mod reactor;
pub mod refunds;
mod runner;
pub mod working;

pub use checkpoint::{StoppedReactor, stopped};
pub use reactor::{Followed, Reactor, Setback};
pub use runner::{Following, follow_log};
pub use working::{Standing, Working};
