//! The job that erases the data of buyers after their orders have ended. The platform setting `buyer_data_days` says
//! after how many days.

use chrono::TimeDelta;
use deadpool_postgres::Pool;
use gateway_environment::clock::BusinessClock;
use ledger_domain::calendar::Instant;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::card_testing::old_card_answers_delete;
use super::erase::{ExceptionSearch, buyers_erase};
use super::reported_bodies::erase_bodies_ended_before;
use crate::error::Result;
use crate::settings::{PlatformSettings, platform_settings_at};

/// The most orders, and the most exceptions, of one transaction.
const BATCH_MAX: i64 = 200;
/// The most batches of a run. The rest is left for the next run.
const BATCHES_MAX: usize = 100;

#[derive(Clone)]
pub struct Retention {
    pub pool: Pool,
    pub clock: BusinessClock,
    /// The settings of an installation whose staff have set none.
    pub defaults: PlatformSettings,
}

/// The numbers of erased orders and exceptions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ErasedCounts {
    pub orders: u64,
    pub exceptions: u64,
}

impl Retention {
    /// Erases in batches what ended before the retention period. Also deletes old answers of acquirers about cards.
    pub async fn run(&self) -> Result<ErasedCounts> {
        let now = self.clock.now();
        let client = self.pool.get().await?;
        let settings = platform_settings_at(&**client, self.defaults, now).await?;
        drop(client);
        let before = now - TimeDelta::days(i64::from(settings.buyer_data_days));
        let mut erased = ErasedCounts::default();
        for _ in 0..BATCHES_MAX {
            let batch = self.batch(before, now).await?;
            erased.orders += batch.orders;
            erased.exceptions += batch.exceptions;
            if batch == ErasedCounts::default() {
                break;
            }
        }
        old_card_answers_delete(&**self.pool.get().await?, now).await?;
        Ok(erased)
    }

    async fn batch(&self, before: Instant, now: Instant) -> Result<ErasedCounts> {
        let mut client = self.pool.get().await?;
        let tx = client.transaction().await?;
        let due = tx
            .query_typed(
                "SELECT id FROM link_order o
                  WHERE has_buyer AND ended_at < $1
                    AND NOT EXISTS (SELECT FROM order_attempt a WHERE a.order_id = o.id AND a.ended_at IS NULL)
                  ORDER BY ended_at LIMIT $2",
                &[(&before, Type::TIMESTAMPTZ), (&BATCH_MAX, Type::INT8)],
            )
            .await?;
        let due: Vec<Uuid> = due.iter().map(|row| row.get(0)).collect();
        let erased = buyers_erase(&*tx, &due, ExceptionSearch::BySale, now).await?;
        let exceptions = erase_bodies_ended_before(&*tx, before, BATCH_MAX).await?;
        tx.commit().await?;
        Ok(ErasedCounts {
            orders: u64::try_from(erased.orders.len()).unwrap_or(u64::MAX),
            exceptions: erased.exceptions + exceptions,
        })
    }

    /// One run of the scheduled job.
    pub async fn tick(&self) -> Result<(), crate::PlatformError> {
        let ErasedCounts { orders, exceptions } = self.run().await?;
        if orders + exceptions > 0 {
            metrics::counter!("razao_buyers_erased_total", "kind" => "retention").increment(orders);
            tracing::info!(
                orders,
                exceptions,
                "buyers' data erased after the retention period"
            );
        }
        Ok(())
    }
}
