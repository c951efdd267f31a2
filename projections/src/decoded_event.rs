//! An event as the folds use it. A window's events are decoded once for all folds.

use std::sync::Arc;

use ledger_domain::business::BusinessEvent;
use ledger_domain::calendar::{Date, Instant, business_date};
use ledger_domain::{BusinessId, EventId};
use ledger_store::Shard;
use ledger_store::event::{LogEvent, StoredEvent};

use crate::error::Poison;

#[derive(Debug, Clone)]
pub(crate) struct DecodedEvent {
    pub shard: Shard,
    pub position: i64,
    pub sequence: i64,
    pub business_id: BusinessId,
    pub event_id: EventId,
    pub recorded_at: Instant,
    pub occurred_at: Instant,
    /// The business date of `occurred_at`.
    pub occurred_on: Date,
    /// The stored name of the actor, if there is one. Always `None` for events of sales: only the rows of transfers and
    /// holds name an actor. A sale's timeline reads its actors from the log.
    pub actor: Option<String>,
    pub event: Arc<BusinessEvent>,
}

impl DecodedEvent {
    pub fn decode(stored: &StoredEvent) -> Result<Self, Poison> {
        Self::of(&LogEvent::from(stored.clone()))
    }

    pub fn of(recorded: &LogEvent) -> Result<Self, Poison> {
        let event = recorded.event.clone().map_err(Poison::Undecodable)?;
        Ok(Self {
            shard: recorded.shard,
            position: recorded.position,
            sequence: recorded.sequence,
            business_id: recorded.business_id,
            event_id: recorded.event_id,
            recorded_at: recorded.recorded_at,
            occurred_at: recorded.occurred_at,
            occurred_on: business_date(recorded.occurred_at),
            actor: actor_of(recorded, &event)?,
            event,
        })
    }
}

/// The actor of an event of a transfer or a hold. The metadata of sales is not decoded, because no fold uses it.
fn actor_of(recorded: &LogEvent, event: &BusinessEvent) -> Result<Option<String>, Poison> {
    match event {
        BusinessEvent::Transfer(_) | BusinessEvent::Balance(_) => recorded
            .metadata()
            .map(|metadata| metadata.actor.name())
            .map_err(|error| Poison::Undecodable(format!("its metadata: {error}"))),
        BusinessEvent::Sale(_) => Ok(None),
    }
}
