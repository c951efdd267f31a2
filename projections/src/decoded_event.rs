//! An event in the form that the folds use: decoded once for all folds, with the business date that every roll-up
//! needs.

use ledger_domain::business::BusinessEvent;
use ledger_domain::calendar::{Date, Instant, business_date};
use ledger_domain::{BusinessId, EventId};
use ledger_store::event::StoredEvent;

use crate::error::Poison;

#[derive(Debug, Clone)]
pub(crate) struct DecodedEvent {
    pub shard: u8,
    pub position: i64,
    pub sequence: i64,
    pub business_id: BusinessId,
    pub event_id: EventId,
    pub recorded_at: Instant,
    pub occurred_at: Instant,
    /// The business date of `occurred_at`.
    pub occurred_on: Date,
    /// The actor, for events of transfers only. A sale's timeline reads its own events.
    pub actor: Option<String>,
    pub event: BusinessEvent,
}

impl DecodedEvent {
    pub fn decode(stored: &StoredEvent) -> Result<Self, Poison> {
        let event = stored
            .decode()
            .map_err(|error| Poison::Undecodable(error.to_string()))?;
        Ok(Self {
            shard: stored.shard.number(),
            position: stored.position,
            sequence: stored.sequence,
            business_id: stored.business_id,
            event_id: stored.event_id,
            recorded_at: stored.recorded_at,
            occurred_at: stored.occurred_at,
            occurred_on: business_date(stored.occurred_at),
            actor: actor_of(stored, &event)?,
            event,
        })
    }
}

/// Metadata is read for these few events only. For a capture it would cost time and no fold uses it.
fn actor_of(stored: &StoredEvent, event: &BusinessEvent) -> Result<Option<String>, Poison> {
    match event {
        BusinessEvent::TransferRequested(_)
        | BusinessEvent::ManualTransferMade(_)
        | BusinessEvent::TerminalRentalCharged(_)
        | BusinessEvent::TransferApprovalGiven(_)
        | BusinessEvent::TransferProcessing(_)
        | BusinessEvent::TransferApproved(_)
        | BusinessEvent::TransferRefused(_)
        | BusinessEvent::TransferFailed(_)
        | BusinessEvent::TransferReopened(_)
        | BusinessEvent::TerminalRentalCanceled(_) => stored
            .metadata()
            .map(|metadata| metadata.actor.name())
            .map_err(|error| Poison::Undecodable(format!("its metadata: {error}"))),
        BusinessEvent::SaleCreated(_)
        | BusinessEvent::SaleCaptured(_)
        | BusinessEvent::SaleFailed(_)
        | BusinessEvent::SaleVoided(_)
        | BusinessEvent::ReceivablesSettled(_)
        | BusinessEvent::SaleCanceled(_)
        | BusinessEvent::SaleDisputed(_)
        | BusinessEvent::DisputeConfirmed(_)
        | BusinessEvent::DisputeWon(_)
        | BusinessEvent::SaleChargedBack(_)
        | BusinessEvent::AmountHeld(_)
        | BusinessEvent::AmountReleased(_) => Ok(None),
    }
}
