//! Effects: actions outside the platform that recorded events require, such as payouts and refunds.
//!
//! An effect handler follows the log and turns events into rows of an outbox. The outbox's worker (`gateway-outbox`)
//! sends their orders. Results of payouts are reported to the ledger as commands. Results of refunds are not: the
//! ledger moved their money when it recorded the cancel.
//!
//! The ledger makes every decision about money. Calls to other systems are never made inside a transaction. A call that
//! was not answered is never repeated under a new id.

pub mod audit;
mod effect_handler;
mod follow;
pub mod late;
pub mod payouts;
pub mod refunds;

use std::time::Duration;

use gateway_outbox::Backoff;

pub use effect_handler::{EffectFailure, EffectHandler, FollowedEvent};
pub use follow::{StoppedEffectHandler, follow_log, handlers_lag, stopped_handlers};
pub use ledger_store::follower::Following;

/// The pauses between the tries of an order to a provider.
pub(crate) const BACKOFF: Backoff = Backoff {
    first: Duration::from_secs(1),
    last: Duration::from_secs(15 * 60),
};
