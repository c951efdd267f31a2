//! Loads stored records: those that a window names, and all those of a business for the audit.

use deadpool_postgres::Transaction;
use ledger_domain::calendar::Date;
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use super::records::{SaleRecord, SaleRecords};
use super::{Consumption, Installment, SALE_COLUMN_COUNT, SaleRow, record_columns};
use crate::decoded_event::DecodedEvent;
use crate::read_model::RowsOf;
use crate::{Error, column_values};

/// The stored sales that the events name.
pub(super) async fn load_records(
    tx: &Transaction<'_>,
    events: &[DecodedEvent],
) -> Result<SaleRecords, Error> {
    let mut named: Vec<_> = events
        .iter()
        .flat_map(|recorded| {
            let business = recorded.business_id.uuid();
            recorded
                .event
                .sale_ids()
                .into_iter()
                .map(move |sale| (sale.uuid(), business))
        })
        .collect();
    named.sort_unstable();
    named.dedup();
    if named.is_empty() {
        return Ok(SaleRecords::default());
    }
    let (sales, businesses): (Vec<_>, Vec<_>) = named.into_iter().unzip();
    let statement = tx
        .prepare_cached(concat!(
            "SELECT ",
            record_columns!(),
            " FROM unnest($1::uuid[], $2::uuid[]) AS named (sale_id, business_id)
               JOIN sale USING (sale_id, business_id)",
        ))
        .await?;
    let rows = tx.query(&statement, &[&sales, &businesses]).await?;
    Ok(SaleRecords::of(
        rows.iter().map(record).collect::<Result<Vec<_>, _>>()?,
    ))
}

/// Every sale of a business.
pub(super) async fn rows_of(
    client: &impl GenericClient,
    business: BusinessId,
) -> Result<RowsOf<SaleRecords>, Error> {
    let rows = client
        .query_typed(
            concat!(
                "SELECT ",
                record_columns!(),
                " FROM sale WHERE sale.business_id = $1"
            ),
            &[(&business.uuid(), Type::UUID)],
        )
        .await?;
    rows.iter()
        .map(|row| record(row).map(|record| (record.row.sale_id, record)))
        .collect()
}

pub(super) fn record(row: &Row) -> Result<SaleRecord, Error> {
    Ok(SaleRecord {
        row: SaleRow::from_row(row)?,
        schedule: schedule_of(row),
        accelerated_by: row.get(SALE_COLUMN_COUNT + 4),
        awaits_approval: row.get(SALE_COLUMN_COUNT + 5),
        consumed: consumed_of(row)?,
    })
}

/// The schema ensures that the three arrays have the same length.
fn consumed_of(row: &Row) -> Result<Vec<Consumption>, Error> {
    let first = SALE_COLUMN_COUNT + 6;
    let sequences: Vec<i64> = row.get(first);
    let numbers: Vec<i16> = row.get(first + 1);
    let nets: Vec<i64> = row.get(first + 2);
    let consumed = sequences.into_iter().zip(numbers).zip(nets);
    consumed
        .map(|((sequence, number), net)| {
            Ok(Consumption {
                sequence,
                number: column_values::small_number("sale.consumed_installment", number)?,
                net: Cents::new(net),
            })
        })
        .collect()
}

/// The schema ensures that the four arrays have the same length.
fn schedule_of(row: &Row) -> Vec<Installment> {
    let first = SALE_COLUMN_COUNT;
    let Some(due_dates) = row.get::<_, Option<Vec<Date>>>(first) else {
        return vec![];
    };
    let gross: Vec<i64> = row.get(first + 1);
    let net: Vec<i64> = row.get(first + 2);
    let settled_by: Vec<Option<i64>> = row.get(first + 3);
    due_dates
        .into_iter()
        .zip(gross)
        .zip(net)
        .zip(settled_by)
        .map(|(((due_date, gross), net), settled_by)| Installment {
            gross: Cents::new(gross),
            net: Cents::new(net),
            due_date,
            settled_by,
        })
        .collect()
}
