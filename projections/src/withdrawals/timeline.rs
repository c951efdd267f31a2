//! The events of a transfer, from the log. No copy of them is stored, so they cannot contradict the log.

use futures::future::try_join_all;
use ledger_domain::EventId;
use ledger_domain::business::{BusinessEvent, TransferEvent};
use ledger_domain::calendar::Instant;
use ledger_store::{Actor, log};
use tokio_postgres::GenericClient;

use super::Transfer;
use crate::Error;

/// An event of a transfer, with its author and its times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransferStep {
    pub id: EventId,
    pub occurred_at: Instant,
    pub recorded_at: Instant,
    pub actor: Actor,
    pub event: TransferEvent,
}

/// In the order of recording. Each event is read by its sequence, so the cost does not depend on the length of the
/// business's log.
pub async fn transfer_steps(
    client: &impl GenericClient,
    transfer: &Transfer,
) -> Result<Vec<TransferStep>, Error> {
    let reads = transfer
        .sequences
        .iter()
        .map(|sequence| log::of_business(client, transfer.business_id, sequence - 1, 1));
    let mut steps = vec![];
    for stored in try_join_all(reads).await?.into_iter().flatten() {
        let BusinessEvent::Transfer(event) = stored.decode().map_err(Error::unreadable_event)? else {
            continue;
        };
        steps.push(TransferStep {
            id: stored.event_id,
            occurred_at: stored.occurred_at,
            recorded_at: stored.recorded_at,
            actor: stored.metadata().map_err(Error::unreadable_event)?.actor,
            event,
        });
    }
    Ok(steps)
}
