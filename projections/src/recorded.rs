//! An event as the folds take it: decoded once for all of them, with the business date that every roll-up asks for.

use ledger_domain::BusinessId;
use ledger_domain::business::BusinessEvent;
use ledger_domain::calendar::{Date, Instant, business_date};
use ledger_store::event::StoredEvent;

use crate::error::Poison;

#[derive(Debug, Clone)]
pub(crate) struct Recorded {
    pub shard: u8,
    pub position: i64,
    pub sequence: i64,
    pub business_id: BusinessId,
    pub recorded_at: Instant,
    pub occurred_at: Instant,
    /// The business date of `occurred_at`.
    pub occurred_on: Date,
    pub event: BusinessEvent,
}

impl Recorded {
    pub fn decode(stored: &StoredEvent) -> Result<Self, Poison> {
        let event = stored
            .decode()
            .map_err(|error| Poison::Undecodable(error.to_string()))?;
        Ok(Self {
            shard: stored.shard.number(),
            position: stored.position,
            sequence: stored.sequence,
            business_id: stored.business_id,
            recorded_at: stored.recorded_at,
            occurred_at: stored.occurred_at,
            occurred_on: business_date(stored.occurred_at),
            event,
        })
    }
}
