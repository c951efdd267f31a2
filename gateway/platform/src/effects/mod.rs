//! Effects: work outside the ledger that follows from recorded events, such as payouts and refunds.
//!
//! An effect handler follows the log and turns events into rows of work. A worker does the work and reports the result
//! to the ledger as a command.
//!
//! The ledger makes every decision about money. Calls to other systems are never made inside a transaction. A call that
//! was not answered is never repeated under a new id.

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
pub use working::{QueueStats, WorkerHandle};
