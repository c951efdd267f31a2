//! One sale with its schedule and its events from the log.
//!
//! The events are read from the log by their sequences. No copy of them is stored, so they cannot contradict the log.

use futures::future::try_join_all;
use ledger_domain::calendar::{Date, business_date};
use ledger_domain::{BusinessId, Cents, SaleId};
use ledger_store::event::StoredEvent;
use ledger_store::log;
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use super::load::record;
use super::records::SaleRecord;
use super::timeline::{DisputeRow, SaleEventRow, dispute_after, event_of};
use super::{SaleRow, record_columns};
use crate::Error;
use crate::each_shard::rows_of_each_shard;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaleDetail {
    pub row: SaleRow,
    /// In the order of their numbers; empty until captured.
    pub receivables: Vec<ReceivableRow>,
    /// In the order of recording.
    pub events: Vec<SaleEventRow>,
    /// The latest dispute of the sale; `None` if it was never disputed.
    pub dispute: Option<DisputeRow>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceivableRow {
    pub number: u8,
    pub gross: Cents,
    pub net: Cents,
    /// The part of the net that refunds, disputes and chargebacks of a part took.
    pub consumed: Cents,
    pub due_date: Date,
    pub status: ReceivableStatus,
    /// The business date of the settlement or reversal that paid it; `None` while it is open.
    pub paid_on: Option<Date>,
}

ledger_domain::words! {
    pub enum ReceivableStatus {
        Scheduled = "scheduled" => "Agendado",
        Settled = "settled" => "Liquidado",
        /// Paid because the sale was reversed, usually before its due date.
        Accelerated = "accelerated" => "Antecipado por cancelamento",
        /// Refunds, disputes or chargebacks of a part took all of it.
        Refunded = "refunded" => "Usado em estorno ou contestação",
    }
}

impl ReceivableStatus {
    /// `settled_by` is the sequence of the event that paid the installment. `accelerated_by` is the sequence of the
    /// reversal that paid all open installments of the sale. `is_consumed`: parts took the whole net.
    pub(crate) fn of(settled_by: Option<i64>, accelerated_by: Option<i64>, is_consumed: bool) -> Self {
        match settled_by {
            None => Self::Scheduled,
            Some(_) if is_consumed => Self::Refunded,
            settled_by if settled_by == accelerated_by => Self::Accelerated,
            Some(_) => Self::Settled,
        }
    }
}

/// Finds a sale by its id. If a business is given, a sale of another business is `None`, like an unknown one.
pub async fn sale_fetch(
    client: &impl GenericClient,
    business: Option<BusinessId>,
    sale: SaleId,
) -> Result<Option<SaleDetail>, Error> {
    let row = client
        .query_typed_opt(
            &rows_of_each_shard(concat!(
                "SELECT ",
                record_columns!(),
                " FROM sale WHERE sale.sale_id = $1 AND ($2::uuid IS NULL OR sale.business_id = $2)",
            )),
            &[
                (&sale.uuid(), Type::UUID),
                (&business.map(BusinessId::uuid), Type::UUID),
            ],
        )
        .await?;
    match row.as_ref().map(record).transpose()? {
        Some(record) => detail_of(client, record).await.map(Some),
        None => Ok(None),
    }
}

/// The sale of the record, with its events from the log.
pub(crate) async fn detail_of(client: &impl GenericClient, record: SaleRecord) -> Result<SaleDetail, Error> {
    let sale = record.row.sale_id;
    let mut events = vec![];
    let mut dispute = None;
    for stored in stored_events(client, &record).await? {
        let event = stored.decode().map_err(Error::unreadable_event)?;
        dispute = dispute_after(dispute, &event);
        let sale_event = event_of(sale, &stored, &event);
        events.push(sale_event.map_err(Error::unreadable_event)?);
    }
    let receivables = receivables(&record, &events);
    Ok(SaleDetail {
        row: record.row,
        receivables,
        events,
        dispute,
    })
}

/// The sale's events in the order of recording. Each is read by its sequence, all at the same time on one connection. A
/// sale has few events, so the cost does not depend on the length of its business's log.
async fn stored_events(client: &impl GenericClient, record: &SaleRecord) -> Result<Vec<StoredEvent>, Error> {
    let settled = record
        .schedule
        .iter()
        .filter_map(|installment| installment.settled_by);
    let mut sequences: Vec<_> = record.row.sequences.iter().copied().chain(settled).collect();
    sequences.sort_unstable();
    sequences.dedup();
    let reads = sequences
        .into_iter()
        .map(|sequence| log::of_business(client, record.row.business_id, sequence - 1, 1));
    Ok(try_join_all(reads).await?.into_iter().flatten().collect())
}

fn receivables(record: &SaleRecord, events: &[SaleEventRow]) -> Vec<ReceivableRow> {
    let paid_on = |sequence: i64| {
        events
            .iter()
            .find(|event| event.sequence == sequence)
            .map(|event| business_date(event.occurred_at))
    };
    record
        .installments()
        .map(|(number, installment, consumed)| ReceivableRow {
            number,
            gross: installment.gross,
            net: installment.net,
            consumed,
            due_date: installment.due_date,
            status: ReceivableStatus::of(
                installment.settled_by,
                record.accelerated_by,
                consumed != Cents::ZERO && consumed == installment.net,
            ),
            paid_on: installment.settled_by.and_then(paid_on),
        })
        .collect()
}
