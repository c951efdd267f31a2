//! One sale with all that belongs to it: its schedule, and its events as the log tells them.
//!
//! The timeline is read from the log by sequence, so that it is stored once and can never tell another story.

use futures::future::try_join_all;
use ledger_domain::business::BusinessEvent;
use ledger_domain::calendar::{Date, Instant, business_date};
use ledger_domain::{BusinessId, Cents, EventId, SaleId};
use ledger_store::event::StoredEvent;
use ledger_store::log;
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use super::book::SaleRecord;
use super::load::record;
use super::{SaleRow, sale_columns};
use crate::Error;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaleDetail {
    pub row: SaleRow,
    /// By number; empty until captured.
    pub receivables: Vec<ReceivableRow>,
    /// Oldest first.
    pub events: Vec<SaleEvent>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceivableRow {
    pub number: u8,
    pub gross: Cents,
    pub net: Cents,
    pub due_date: Date,
    pub status: ReceivableStatus,
    pub settled_on: Option<Date>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReceivableStatus {
    Scheduled,
    Settled,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaleEvent {
    pub id: EventId,
    /// As `BusinessEvent::type_name` spells it.
    pub event_type: &'static str,
    pub occurred_at: Instant,
    pub recorded_at: Instant,
    /// What the event was about: the sale's gross, or what it settled of this sale.
    pub amount: Option<Cents>,
    pub sequence: i64,
}

/// The sale; where a business is named, only if it is that business's.
pub async fn sale_fetch(
    client: &impl GenericClient,
    business: Option<BusinessId>,
    sale: SaleId,
) -> Result<Option<SaleDetail>, Error> {
    let row = client
        .query_typed_opt(
            concat!(
                "SELECT ",
                sale_columns!(),
                ", schedule.due_dates, schedule.gross, schedule.net, schedule.settled_by
                   FROM sale
                   LEFT JOIN sale_schedule AS schedule USING (sale_id, business_id)
                  WHERE sale.sale_id = $1 AND ($2::uuid IS NULL OR sale.business_id = $2)",
            ),
            &[
                (&sale.uuid(), Type::UUID),
                (&business.map(BusinessId::uuid), Type::UUID),
            ],
        )
        .await?;
    let Some(record) = row.as_ref().map(record).transpose()? else {
        return Ok(None);
    };
    let stored = stored_events(client, &record).await?;
    let events = stored
        .iter()
        .map(|stored| event_of(sale, stored))
        .collect::<Result<Vec<_>, _>>()?;
    let receivables = receivables(&record, &events);
    Ok(Some(SaleDetail {
        row: record.row,
        receivables,
        events,
    }))
}

/// The sale's events, asked for at once: a sale has a handful, however long its business's log is.
async fn stored_events(client: &impl GenericClient, record: &SaleRecord) -> Result<Vec<StoredEvent>, Error> {
    let settled = record
        .schedule
        .iter()
        .filter_map(|instalment| instalment.settled_by);
    let mut sequences: Vec<_> = record.row.sequences.iter().copied().chain(settled).collect();
    sequences.sort_unstable();
    sequences.dedup();
    let asked = sequences
        .into_iter()
        .map(|sequence| log::of_business(client, record.row.business_id, sequence - 1, 1));
    Ok(try_join_all(asked).await?.into_iter().flatten().collect())
}

fn event_of(sale: SaleId, stored: &StoredEvent) -> Result<SaleEvent, Error> {
    let event = stored
        .decode()
        .map_err(|error| Error::unreadable("event", error))?;
    Ok(SaleEvent {
        id: stored.event_id,
        event_type: event.type_name(),
        occurred_at: stored.occurred_at,
        recorded_at: stored.recorded_at,
        amount: amount_of(sale, &event),
        sequence: stored.sequence,
    })
}

fn amount_of(sale: SaleId, event: &BusinessEvent) -> Option<Cents> {
    match event {
        BusinessEvent::SaleCreated(event) => Some(event.sale.amount),
        BusinessEvent::SaleCaptured(event) => Some(event.sale.amount),
        BusinessEvent::SaleFailed(event) => Some(event.sale.amount),
        BusinessEvent::SaleVoided(_)
        | BusinessEvent::TransferRequested(_)
        | BusinessEvent::TransferApprovalGiven(_)
        | BusinessEvent::TransferProcessing(_)
        | BusinessEvent::TransferApproved(_)
        | BusinessEvent::TransferRefused(_)
        | BusinessEvent::TransferFailed(_)
        | BusinessEvent::TransferReopened(_)
        | BusinessEvent::ManualTransferMade(_)
        | BusinessEvent::AmountHeld(_)
        | BusinessEvent::AmountReleased(_) => None,
        BusinessEvent::ReceivablesSettled(event) => Cents::total(
            event
                .settled
                .iter()
                .filter(|settled| settled.sale_id == sale)
                .map(|settled| settled.net),
        ),
    }
}

fn receivables(record: &SaleRecord, events: &[SaleEvent]) -> Vec<ReceivableRow> {
    let settled_on = |sequence: i64| {
        events
            .iter()
            .find(|event| event.sequence == sequence)
            .map(|event| business_date(event.occurred_at))
    };
    (1..)
        .zip(&record.schedule)
        .map(|(number, instalment)| ReceivableRow {
            number,
            gross: instalment.gross,
            net: instalment.net,
            due_date: instalment.due_date,
            status: match instalment.settled_by {
                Some(_) => ReceivableStatus::Settled,
                None => ReceivableStatus::Scheduled,
            },
            settled_on: instalment.settled_by.and_then(settled_on),
        })
        .collect()
}
