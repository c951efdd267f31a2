//! A sale or a transfer folded from the log, for the answer to a command whose event the read models do not have yet.
//!
//! The search reads the whole log of the business, so only this rare case uses it.

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
    let without_other_sales = |event| match event {
        BusinessEvent::ReceivablesSettled(settled) => settlement_of(sale, settled),
        other => other,
    };
    let mut rows =
        fold_events::<SaleRecords>(client, business, &sale.to_string(), without_other_sales).await?;
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
    let unchanged = |event| event;
    let mut rows = fold_events::<TransferRecords>(client, business, &transfer.to_string(), unchanged).await?;
    Ok(rows.remove(&transfer))
}

/// Folds the events of the business that contain the id, each as `reduce` returns it.
async fn fold_events<Of: ReadModel<FirstOfGroup = ()>>(
    client: &impl GenericClient,
    business: BusinessId,
    id: &str,
    reduce: impl Fn(BusinessEvent) -> BusinessEvent,
) -> Result<RowsOf<Of>, Error> {
    let mut records = Of::default();
    for stored in log::events_containing(client, business, id).await? {
        let decoded = DecodedEvent::decode(&stored).map_err(Error::unreadable_event)?;
        let recorded = DecodedEvent {
            event: Arc::new(reduce(Arc::unwrap_or_clone(decoded.event))),
            ..decoded
        };
        records.fold(&recorded, &()).map_err(Error::unreadable_event)?;
    }
    Ok(records.into_rows())
}

/// The event without the installments of other sales, because this fold has only one sale.
fn settlement_of(sale: SaleId, event: ReceivablesSettled) -> BusinessEvent {
    let settled: Vec<_> = event
        .settled
        .into_iter()
        .filter(|part| part.sale_id == sale)
        .collect();
    BusinessEvent::ReceivablesSettled(ReceivablesSettled {
        // The sum fits into 64 bits, because it is a part of the total.
        total: Cents::total(settled.iter().map(|part| part.net)).unwrap_or(event.total),
        settled,
        ..event
    })
}
