//! The sales that ended otherwise than with success, by the business date of their capture or creation and by status,
//! of each company and of all companies together.
//!
//! Totals of a list with statuses are read from these rows. A sale that succeeds has none, nor has one that still waits,
//! so a capture writes none. An event that changes a sale's status moves the sale from one row of its date to another.

use std::collections::BTreeMap;

use deadpool_postgres::Transaction;
use ledger_domain::BusinessId;
use ledger_domain::calendar::{Date, business_date};
use ledger_domain::sale::SaleStatus;
use tokio_postgres::Error;

use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::range::month_of;
use crate::read_model::field::Field;
use crate::read_model::roll_up::{Column, roll_up, upsert, write};
use crate::sales::{SaleBefore, SaleRecords};

roll_up! {
    table "daily_outcomes", after SaleRecords;

    key OutcomeKey {
        business_id: BusinessId,
        shard: i16,
        /// The date of the capture, or of the creation if the sale was not captured.
        business_date: Date,
        status: SaleStatus,
    }

    sums OutcomeSum {
        sales,
        gross,
        /// The number, gross and net of the sales that were captured.
        captured,
        captured_gross,
        captured_net,
    }

    fold Outcomes = Outcomes::add_event;
    prune prune, in delete;
    shared write_of_platform, in &["platform_outcomes_daily", "platform_outcomes_monthly"];
}

/// Whether the sales of a status have rows.
pub(crate) const fn is_outcome(status: SaleStatus) -> bool {
    match status {
        SaleStatus::New | SaleStatus::Created | SaleStatus::Pending | SaleStatus::Succeeded => false,
        SaleStatus::Failed
        | SaleStatus::Canceled
        | SaleStatus::Refunded
        | SaleStatus::Reversed
        | SaleStatus::Dispute
        | SaleStatus::ChargedBack => true,
    }
}

impl Outcomes {
    fn add_event(&mut self, recorded: &DecodedEvent, sales: &SaleRecords) -> Result<(), Poison> {
        let Some((sale, before)) = sales.last_change() else {
            return Ok(());
        };
        let after = SaleBefore::of(sales.row(sale)?);
        if before == Some(after) {
            return Ok(());
        }
        if let Some(before) = before.filter(|before| is_outcome(before.status)) {
            self.add(OutcomeKey::of(recorded, before), |sum| {
                add(sum, sums_of(before).negative()?)
            })?;
        }
        if is_outcome(after.status) {
            self.add(OutcomeKey::of(recorded, after), |sum| add(sum, sums_of(after)))?;
        }
        Ok(())
    }
}

impl OutcomeKey {
    fn of(recorded: &DecodedEvent, sale: SaleBefore) -> Self {
        Self {
            business_id: recorded.business_id,
            shard: recorded.shard.sql(),
            business_date: business_date(sale.occurred_at),
            status: sale.status,
        }
    }
}

fn sums_of(sale: SaleBefore) -> OutcomeSum {
    let gross = sale.amount.get();
    match sale.net {
        Some(net) => OutcomeSum {
            sales: 1,
            gross,
            captured: 1,
            captured_gross: gross,
            captured_net: net.get(),
        },
        None => OutcomeSum {
            sales: 1,
            gross,
            ..OutcomeSum::default()
        },
    }
}

impl OutcomeSum {
    /// `None` if a sum overflows.
    fn negative(self) -> Option<Self> {
        Some(Self {
            sales: self.sales.checked_neg()?,
            gross: self.gross.checked_neg()?,
            captured: self.captured.checked_neg()?,
            captured_gross: self.captured_gross.checked_neg()?,
            captured_net: self.captured_net.checked_neg()?,
        })
    }
}

fn add(sum: &mut OutcomeSum, change: OutcomeSum) -> Option<()> {
    *sum = sum.plus(change)?;
    Some(())
}

/// Removes rows whose sums are all zero. In the changes of a window, a row without sales may have amounts: one sale
/// leaves the row and another enters it. A stored row without sales has no amounts, so the statements that delete look
/// at `sales` alone.
fn prune(rows: &mut BTreeMap<OutcomeKey, OutcomeSum>) {
    rows.retain(|_, sum| *sum != OutcomeSum::default());
}

async fn delete(tx: &Transaction<'_>, keys: impl Iterator<Item = &OutcomeKey> + Clone) -> Result<(), Error> {
    let businesses: Vec<_> = keys.clone().map(|key| key.business_id.stored()).collect();
    let dates: Vec<_> = keys.map(|key| key.business_date).collect();
    let statement = tx
        .prepare_cached(
            "DELETE FROM daily_outcomes AS stored
              USING unnest($1::uuid[], $2::date[]) AS changed (business_id, business_date)
              WHERE stored.business_id = changed.business_id AND stored.business_date = changed.business_date
                AND stored.sales = 0",
        )
        .await?;
    tx.execute(&statement, &[&businesses, &dates]).await.map(drop)
}

/// Adds the changes of a window, summed over its companies, to the tables of all companies, and deletes rows without
/// sales.
async fn write_of_platform(
    tx: &Transaction<'_>,
    rows: &BTreeMap<OutcomeKey, OutcomeSum>,
) -> Result<(), Error> {
    type OfPlatform = BTreeMap<(Date, i16, SaleStatus), OutcomeSum>;
    let (mut days, mut months) = (OfPlatform::new(), OfPlatform::new());
    for (key, change) in rows {
        let month = month_of(key.business_date);
        for (sums, first) in [(&mut days, key.business_date), (&mut months, month)] {
            let sum = sums.entry((first, key.shard, key.status)).or_default();
            add(sum, *change)
                .expect("64 bits hold 900 million of the largest amounts, and a window has fewer events");
        }
    }
    for (table, first, sums) in [
        ("platform_outcomes_daily", "business_date", days),
        ("platform_outcomes_monthly", "month", months),
    ] {
        let mut columns: Vec<Column> = vec![
            Box::new(sums.keys().map(|(first, ..)| *first).collect::<Vec<_>>()),
            Box::new(sums.keys().map(|(_, shard, _)| *shard).collect::<Vec<_>>()),
            Box::new(
                sums.keys()
                    .map(|(.., status)| status.stored())
                    .collect::<Vec<_>>(),
            ),
        ];
        columns.extend(OutcomeSum::transposed(sums.values()));
        let key = [(first, "date"), ("shard", "int2"), ("status", SaleStatus::SQL)];
        let sql = upsert(table, &key, &OutcomeSum::COLUMNS);
        write(tx, &sql, &columns).await?;
        let (dates, shards): (Vec<_>, Vec<_>) = sums.keys().map(|(first, shard, _)| (*first, *shard)).unzip();
        let sql = format!(
            "DELETE FROM {table} AS stored
              USING unnest($1::date[], $2::int2[]) AS changed (first, shard)
              WHERE stored.{first} = changed.first AND stored.shard = changed.shard AND stored.sales = 0"
        );
        let statement = tx.prepare_cached(&sql).await?;
        tx.execute(&statement, &[&dates, &shards]).await?;
    }
    Ok(())
}
