//! What has to be done outside because of what the ledger recorded: a *reactor* follows the log and turns events into
//! rows of work, a worker does the work, and what comes of it goes back to the ledger as a command.
//!
//! No rule of money is decided here. A call outside is never made in a transaction, and never under a new id because
//! the old one was not answered.

pub mod audit;
mod checkpoint;
mod effect_handler;
mod follow;
pub mod payouts;
pub mod refunds;
mod runner;
pub mod working;

pub use checkpoint::{StoppedEffectHandler, stopped};
pub use effect_handler::{EffectHandler, FollowedEvent, Setback};
pub use runner::{Following, follow_log};
pub use working::{QueueStats, Working};
