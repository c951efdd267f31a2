//! A sale or a transfer folded from the log. It is for the answer to a command whose event the read models do not have
//! yet.
//!
//! It searches the whole log of the business, so it is for this rare case only.

use std::sync::Arc;

use ledger_domain::business::{BusinessEvent, ReceivablesSettled};
use ledger_domain::{BusinessId, Cents, SaleId, TransferId};
use ledger_store::log;
use tokio_postgres::GenericClient;

use crate::Error;
use crate::decoded_event::DecodedEvent;
use crate::read_model::{ReadModel, RowsOf};
use crate::sales::{SaleDetail, SaleRecords, detail_of};
use crate::withdrawals::{Transfer, TransferRecords};

pub async fn sale_from_log(
    client: &impl GenericClient,
    business: BusinessId,
    sale: SaleId,
) -> Result<Option<SaleDetail>, Error> {
    let only_of_sale = |event| match event {
        BusinessEvent::ReceivablesSettled(settled) => part_of(sale, settled),
        other => other,
    };
    let mut rows = folded::<SaleRecords>(client, business, &sale.to_string(), only_of_sale).await?;
    match rows.remove(&sale) {
        Some(record) => detail_of(client, record).await.map(Some),
        None => Ok(None),
    }
}

pub async fn transfer_from_log(
    client: &impl GenericClient,
    business: BusinessId,
    transfer: TransferId,
) -> Result<Option<Transfer>, Error> {
    let all = |event| event;
    let mut rows = folded::<TransferRecords>(client, business, &transfer.to_string(), all).await?;
    Ok(rows.remove(&transfer))
}

async fn folded<Of: ReadModel<FirstOfGroup = ()>>(
    client: &impl GenericClient,
    business: BusinessId,
    id: &str,
    only: impl Fn(BusinessEvent) -> BusinessEvent,
) -> Result<RowsOf<Of>, Error> {
    let mut records = Of::default();
    for stored in log::events_containing(client, business, id).await? {
        let decoded = DecodedEvent::decode(&stored).map_err(|poison| Error::unreadable("event", poison))?;
        let recorded = DecodedEvent {
            event: Arc::new(only(Arc::unwrap_or_clone(decoded.event))),
            ..decoded
        };
        records
            .fold(&recorded, &())
            .map_err(|poison| Error::unreadable("event", poison))?;
    }
    Ok(records.into_rows())
}

/// The event without the installments of other sales, which this fold does not know.
fn part_of(sale: SaleId, event: ReceivablesSettled) -> BusinessEvent {
    let settled: Vec<_> = event
        .settled
        .into_iter()
        .filter(|part| part.sale_id == sale)
        .collect();
    BusinessEvent::ReceivablesSettled(ReceivablesSettled {
        total: Cents::total(settled.iter().map(|part| part.net)).unwrap_or(event.total),
        settled,
        ..event
    })
}
