//! The volume by hour. Each company keeps its newest hour and the 96 hours before it.
//!
//! The log alone decides which rows are kept. No clock takes part, so a fold of the whole log keeps the same rows at
//! any time.

use std::collections::BTreeMap;

use chrono::{DurationRound, TimeDelta};
use deadpool_postgres::Transaction;
use ledger_domain::calendar::Instant;
use ledger_domain::sale::{CardBrand, PaymentType, Solution};
use ledger_domain::{BusinessId, TerminalId};

use super::of_platform;
use super::rows::{Sum, add, changes};
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::read_model::roll_up::roll_up;
use crate::sales::SaleRecords;

/// Four days: reports show the last 48 hours next to the 48 hours before them.
const KEPT_FOR: TimeDelta = TimeDelta::hours(96);
/// Old rows are removed from memory whenever the number of rows reaches a multiple of this.
const PRUNED_AFTER: usize = 4_096;

roll_up! {
    table "hourly_sales", after SaleRecords;

    key HourKey {
        business_id: BusinessId,
        shard: i16,
        /// The first instant of the hour.
        business_hour: Instant,
        solution: Solution,
        payment_type: PaymentType,
        card_brand: Option<CardBrand>,
        installments: i16,
        terminal_id: Option<TerminalId>,
        payment_link_code: Option<String>,
    }

    sums of Sum;
    fold Hours = Hours::add_event;
    prune prune, in delete;
    shared of_platform::write_hours, in of_platform::HOURS;
}

impl Hours {
    fn add_event(&mut self, recorded: &DecodedEvent, sales: &SaleRecords) -> Result<(), Poison> {
        for (sale, change) in changes(recorded, sales)? {
            let key = HourKey {
                business_id: recorded.business_id,
                shard: recorded.shard.sql(),
                business_hour: hour_of(recorded.occurred_at),
                solution: sale.solution,
                payment_type: sale.payment_type,
                card_brand: sale.card_brand.clone(),
                installments: i16::from(sale.installments),
                terminal_id: sale.terminal.as_ref().map(|terminal| terminal.id),
                payment_link_code: sale.payment_link_code.clone(),
            };
            let before = self.0.len();
            self.add(key, |sum| add(sum, change))?;
            if self.0.len() > before && self.0.len().is_multiple_of(PRUNED_AFTER) {
                prune(&mut self.0);
            }
        }
        Ok(())
    }
}

/// The first instant of the hour. The hours of Brasília are those of UTC.
pub(crate) fn hour_of(at: Instant) -> Instant {
    at.duration_trunc(TimeDelta::hours(1)).unwrap_or(at)
}

/// The oldest hour that is kept if `newest` is the newest hour.
pub(crate) fn oldest_kept(newest: Instant) -> Instant {
    newest - KEPT_FOR
}

fn prune(rows: &mut BTreeMap<HourKey, Sum>) {
    let mut newest: BTreeMap<BusinessId, Instant> = BTreeMap::new();
    for key in rows.keys() {
        let hour = newest.entry(key.business_id).or_insert(key.business_hour);
        *hour = key.business_hour.max(*hour);
    }
    rows.retain(|key, _| {
        let newest = newest.get(&key.business_id);
        newest.is_none_or(|newest| key.business_hour >= oldest_kept(*newest))
    });
}

/// Deletes the old rows of a window's companies from the table. The interval in the statement is `KEPT_FOR`.
async fn delete(
    tx: &Transaction<'_>,
    keys: impl Iterator<Item = &HourKey>,
) -> Result<(), tokio_postgres::Error> {
    let mut companies: Vec<_> = keys.map(|key| key.business_id.uuid()).collect();
    companies.dedup();
    let statement = tx
        .prepare_cached(
            "DELETE FROM hourly_sales AS old
              USING unnest($1::uuid[]) AS moved (business_id)
              CROSS JOIN LATERAL (SELECT max(business_hour) - interval '96 hours' AS oldest
                                    FROM hourly_sales WHERE business_id = moved.business_id) AS kept
              WHERE old.business_id = moved.business_id AND old.business_hour < kept.oldest",
        )
        .await?;
    tx.execute(&statement, &[&companies]).await.map(drop)
}
