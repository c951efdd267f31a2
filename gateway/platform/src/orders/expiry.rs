//! Requests the cancel of attempts that expired; the worker ends them. Ends unpaid orders `IDLE_LIFE` after their last
//! attempt ended. Gives back the uses of links of orders that ended, or that stay unpaid longer than `USE_HOLD`.

use std::sync::Arc;
use std::time::Duration;

use ledger_domain::PaymentLinkId;
use ledger_domain::calendar::Instant;
use ledger_store::Supervisor;
use ledger_store::supervisor::Supervised;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::attempt::{AttemptEnd, request_cancel};
use super::uses::release_held_uses;
use super::{IDLE_LIFE, Orders};
use crate::buyers::on_orders_expired;
use crate::error::Result;
use crate::links::link_use_release;

const RUN_INTERVAL: Duration = Duration::from_secs(5);
const ORDERS_PER_TRANSACTION: usize = 100;

/// The background task of one process; dropping it ends the task.
pub struct ExpiryJob {
    _task: Supervised,
}

impl Orders {
    pub fn start_expiry(self: &Arc<Self>, supervisor: &Supervisor) -> ExpiryJob {
        let orders = Arc::clone(self);
        let task = supervisor.every("expiry of orders", RUN_INTERVAL, move || {
            let orders = Arc::clone(&orders);
            async move {
                if orders.clock.stopping_fault().is_some() {
                    return Ok(());
                }
                orders.expire(orders.clock.now(), IDLE_LIFE).await
            }
        });
        ExpiryJob { _task: task }
    }

    /// Requests the cancel of attempts that expired by `now`, and ends the orders without an open attempt for
    /// `idle_life`.
    pub async fn expire(&self, now: Instant, idle_life: Duration) -> Result<()> {
        let mut client = self.pool.get().await?;
        if request_cancel_of_expired(&**client, now).await? > 0 {
            self.wake();
        }
        loop {
            let tx = client.transaction().await?;
            let released = release_held_uses(&*tx, now).await?;
            tx.commit().await?;
            if released == 0 {
                break;
            }
        }
        loop {
            let tx = client.transaction().await?;
            let ended = end_idle(&*tx, now, idle_life).await?;
            tx.commit().await?;
            ended.iter().for_each(|order_id| self.changed(*order_id));
            if ended.len() < ORDERS_PER_TRANSACTION {
                return Ok(());
            }
        }
    }
}

/// Requests the cancel of the attempts that expired by `now`, and returns their number.
pub async fn request_cancel_of_expired(client: &impl GenericClient, now: Instant) -> Result<u64, Error> {
    let now = (&now as _, Type::TIMESTAMPTZ);
    request_cancel(client, AttemptEnd::Expired, "expires_at <= $2", now).await
}

async fn end_idle(
    client: &impl GenericClient,
    now: Instant,
    idle_life: Duration,
) -> Result<Vec<Uuid>, Error> {
    let seconds = i64::try_from(idle_life.as_secs()).unwrap_or(i64::MAX);
    let ended = client
        .query_typed(
            "WITH idle AS (SELECT id, holds_use FROM link_order
                            WHERE status = 'open' AND idle_since <= now() - interval '1 second' * $1
                            ORDER BY idle_since LIMIT $3 FOR UPDATE SKIP LOCKED)
             UPDATE link_order o SET status = 'expired', ended_at = greatest($2, created_at), holds_use = false
               FROM idle WHERE o.id = idle.id
          RETURNING o.id, CASE WHEN idle.holds_use THEN o.link_id END",
            &[
                (&seconds, Type::INT8),
                (&now, Type::TIMESTAMPTZ),
                (&(ORDERS_PER_TRANSACTION as i64), Type::INT8),
            ],
        )
        .await?;
    // In the order of the links, to avoid deadlocks.
    let mut links: Vec<Uuid> = ended.iter().filter_map(|row| row.get(1)).collect();
    links.sort();
    for link_id in links {
        link_use_release(client, PaymentLinkId::from_uuid(link_id)).await?;
    }
    let ended: Vec<Uuid> = ended.iter().map(|row| row.get(0)).collect();
    on_orders_expired(client, &ended).await?;
    Ok(ended)
}
