//! Transfers by the business date of their request, kind and status, of each company and of all companies together.
//!
//! An event that changes a transfer's status moves the transfer from one row of its date to another. `TransferRecords`
//! has applied the event before, and its `last_change` is the transfer with its previous status. The rows over all
//! companies have the shard in their key, so that the followers of different shards write different rows.

use std::collections::BTreeMap;

use deadpool_postgres::Transaction;
use ledger_domain::BusinessId;
use ledger_domain::calendar::{Date, business_date};
use ledger_domain::transfer::{TransferKind, TransferStatus};
use tokio_postgres::Error;

use super::{Transfer, TransferRecords};
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::read_model::field::Field;
use crate::read_model::roll_up::{Column, roll_up, upsert, write};

roll_up! {
    table "daily_transfers", after TransferRecords;

    key DayKey {
        business_id: BusinessId,
        shard: i16,
        /// The date of the request.
        business_date: Date,
        kind: TransferKind,
        status: TransferStatus,
    }

    sums TransferSum {
        transfers,
        amount,
        /// Included in the amount.
        fee,
    }

    fold TransferDays = TransferDays::add_event;
    prune prune, in delete;
    shared write_of_platform, in &["platform_transfers_daily"];
}

impl TransferDays {
    fn add_event(&mut self, recorded: &DecodedEvent, transfers: &TransferRecords) -> Result<(), Poison> {
        let Some((before, transfer)) = transfers.last_change() else {
            return Ok(());
        };
        if before == Some(transfer.status) {
            return Ok(());
        }
        let key = |status| DayKey {
            business_id: recorded.business_id,
            shard: recorded.shard.sql(),
            business_date: business_date(transfer.requested_at),
            kind: transfer.kind,
            status,
        };
        let one = sums_of(transfer);
        if let Some(before) = before {
            self.add(key(before), |sum| add(sum, one.negative()?))?;
        }
        self.add(key(transfer.status), |sum| add(sum, one))
    }
}

const fn sums_of(transfer: &Transfer) -> TransferSum {
    TransferSum {
        transfers: 1,
        amount: transfer.amount.get(),
        fee: transfer.fee.get(),
    }
}

impl TransferSum {
    /// `None` if a sum overflows.
    fn negative(self) -> Option<Self> {
        Some(Self {
            transfers: self.transfers.checked_neg()?,
            amount: self.amount.checked_neg()?,
            fee: self.fee.checked_neg()?,
        })
    }
}

fn add(sum: &mut TransferSum, change: TransferSum) -> Option<()> {
    *sum = sum.plus(change)?;
    Some(())
}

/// Removes rows whose sums are all zero. In the changes of a window, a row without transfers may have an amount: one
/// transfer leaves the row and another enters it. A stored row without transfers has no amount, so the statements that
/// delete look at `transfers` alone.
fn prune(rows: &mut BTreeMap<DayKey, TransferSum>) {
    rows.retain(|_, sum| *sum != TransferSum::default());
}

async fn delete(tx: &Transaction<'_>, keys: impl Iterator<Item = &DayKey> + Clone) -> Result<(), Error> {
    let businesses: Vec<_> = keys.clone().map(|key| key.business_id.stored()).collect();
    let dates: Vec<_> = keys.map(|key| key.business_date).collect();
    let statement = tx
        .prepare_cached(
            "DELETE FROM daily_transfers AS stored
              USING unnest($1::uuid[], $2::date[]) AS changed (business_id, business_date)
              WHERE stored.business_id = changed.business_id AND stored.business_date = changed.business_date
                AND stored.transfers = 0",
        )
        .await?;
    tx.execute(&statement, &[&businesses, &dates]).await.map(drop)
}

/// Adds the changes of a window, summed over its companies, to `platform_transfers_daily`, and deletes rows without
/// transfers.
async fn write_of_platform(tx: &Transaction<'_>, rows: &BTreeMap<DayKey, TransferSum>) -> Result<(), Error> {
    let mut days: BTreeMap<_, TransferSum> = BTreeMap::new();
    for (key, change) in rows {
        let sum = days
            .entry((key.business_date, key.shard, key.kind, key.status))
            .or_default();
        add(sum, *change)
            .expect("64 bits hold 900 million of the largest amounts, and a window has fewer events");
    }
    let mut columns: Vec<Column> = vec![
        Box::new(days.keys().map(|(date, ..)| *date).collect::<Vec<_>>()),
        Box::new(days.keys().map(|(_, shard, ..)| *shard).collect::<Vec<_>>()),
        Box::new(
            days.keys()
                .map(|(_, _, kind, _)| kind.stored())
                .collect::<Vec<_>>(),
        ),
        Box::new(
            days.keys()
                .map(|(.., status)| status.stored())
                .collect::<Vec<_>>(),
        ),
    ];
    columns.extend(TransferSum::transposed(days.values()));
    let key = [
        ("business_date", "date"),
        ("shard", "int2"),
        ("kind", TransferKind::SQL),
        ("status", TransferStatus::SQL),
    ];
    let sql = upsert("platform_transfers_daily", &key, &TransferSum::COLUMNS);
    write(tx, &sql, &columns).await?;
    let (dates, shards): (Vec<_>, Vec<_>) = days.keys().map(|(date, shard, ..)| (*date, *shard)).unzip();
    let statement = tx
        .prepare_cached(
            "DELETE FROM platform_transfers_daily AS stored
              USING unnest($1::date[], $2::int2[]) AS changed (business_date, shard)
              WHERE stored.business_date = changed.business_date AND stored.shard = changed.shard
                AND stored.transfers = 0",
        )
        .await?;
    tx.execute(&statement, &[&dates, &shards]).await.map(drop)
}
