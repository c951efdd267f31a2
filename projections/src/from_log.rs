//! A sale or a transfer folded from the log, for the answer to a command whose event the read models do not have yet.
//!
//! The search reads the whole log of the business, so only this rare case uses it.

use std::sync::Arc;

use ledger_domain::business::{BalanceEvent, BusinessEvent, ReceivablesSettled, SaleEvent};
use ledger_domain::reserve::SettlementReserve;
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
    let of_sale = |event| without_other_sales(sale, event);
    let mut rows = fold_events::<SaleRecords>(client, business, &sale.to_string(), of_sale).await?;
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

/// The event without the other sales that it names, because this fold has only one sale.
fn without_other_sales(sale: SaleId, event: BusinessEvent) -> BusinessEvent {
    match event {
        BusinessEvent::Sale(SaleEvent::ReceivablesSettled(mut event)) => {
            event.settled.retain(|part| part.sale_id == sale);
            // The sums fit into 64 bits, because they are parts of the event's.
            let reserved = Cents::total(event.settled.iter().map(|part| part.reserved)).unwrap_or_default();
            BusinessEvent::from(ReceivablesSettled {
                total: Cents::total(event.settled.iter().map(|part| part.net)).unwrap_or(event.total),
                reserve: event
                    .reserve
                    .filter(|_| reserved != Cents::ZERO)
                    .map(|reserve| SettlementReserve {
                        total: reserved,
                        ..reserve
                    }),
                ..event
            })
        }
        BusinessEvent::Balance(BalanceEvent::ReserveReleased(mut event)) => {
            event.released.retain(|released| released.sale_id == sale);
            BusinessEvent::Balance(BalanceEvent::ReserveReleased(event))
        }
        BusinessEvent::Balance(BalanceEvent::AmountReleased(mut event)) => {
            event.sales.retain(|released| *released == sale);
            BusinessEvent::Balance(BalanceEvent::AmountReleased(event))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use ledger_domain::business::{AmountReleased, SaleCaptured, SettledReceivable};
    use ledger_domain::calendar::{Instant, business_date};
    use ledger_domain::fees::{PlanRef, SaleFees};
    use ledger_domain::sale::Receivable;
    use ledger_domain::{EventId, PlanId};
    use ledger_store::Shard;
    use uuid::Uuid;

    use super::*;

    fn noon() -> Instant {
        Instant::from_timestamp(1_795_000_000, 0).expect("an instant")
    }

    fn recorded(sequence: i64, event: BusinessEvent) -> DecodedEvent {
        DecodedEvent {
            shard: Shard::new(3).expect("a shard"),
            position: sequence,
            sequence,
            business_id: BusinessId::from_uuid(Uuid::from_u128(1)),
            event_id: EventId::from_uuid(Uuid::from_u128(9)),
            recorded_at: noon(),
            occurred_at: noon(),
            occurred_on: business_date(noon()),
            actor: None,
            event: event.into(),
        }
    }

    #[test]
    fn a_settlement_and_a_release_of_several_sales_fold_for_one_of_them() {
        let [sale, other] = [1, 2].map(|number| SaleId::from_uuid(Uuid::from_u128(number)));
        let due_date = business_date(noon() + TimeDelta::days(1));
        let (gross, net) = (Cents::new(100_00), Cents::new(97_00));
        let settled = |sale_id| SettledReceivable {
            sale_id,
            number: 1,
            net,
            reserved: Cents::ZERO,
        };
        let events = [
            BusinessEvent::from(SaleCaptured {
                occurred_at: noon(),
                sale: ledger_model::sale(sale),
                plan: PlanRef {
                    id: PlanId::from_uuid(Uuid::from_u128(3)),
                    name: "Plano".to_owned(),
                    version: 1,
                },
                fees: SaleFees::default(),
                net,
                receivables: vec![Receivable {
                    number: 1,
                    gross,
                    net,
                    due_date,
                }],
                held: true,
                until_approved: true,
            }),
            BusinessEvent::from(ReceivablesSettled {
                occurred_at: noon(),
                due_date,
                settled: vec![settled(sale), settled(other)],
                total: Cents::new(194_00),
                reserve: None,
            }),
            BusinessEvent::from(AmountReleased {
                occurred_at: noon(),
                amount: Cents::new(194_00),
                reason: "aprovada".to_owned(),
                sales: vec![sale, other],
            }),
        ];
        let mut records = SaleRecords::default();
        for (event, sequence) in events.into_iter().zip(1..) {
            let event = recorded(sequence, without_other_sales(sale, event));
            assert_eq!(records.fold(&event, &()), Ok(()));
        }
        let rows = records.into_rows();
        assert_eq!(rows.keys().collect::<Vec<_>>(), [&sale]);
        assert_eq!(rows[&sale].schedule[0].settled_by, Some(2));
        assert!(!rows[&sale].awaits_approval, "its hold has ended");
    }
}
