//! Notifies pages that follow an order. Changes of this process notify at once. Changes of other processes are found by
//! one query for all followed orders.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ledger_store::Supervisor;
use ledger_store::supervisor::Supervised;
use tokio::sync::watch;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::Orders;
use crate::error::Result;

/// A page is to show within a second that its order was paid.
const POLL: Duration = Duration::from_millis(500);

/// The background task of one process; dropping it ends the task.
pub struct FollowedOrdersJob {
    _task: Supervised,
}

/// The orders that a client of this process follows.
#[derive(Default)]
pub(super) struct FollowedOrders(Mutex<HashMap<Uuid, FollowedOrder>>);

struct FollowedOrder {
    changes: watch::Sender<()>,
    /// The hash that the last query read. `None` before the first query.
    digest: Option<i64>,
}

/// The changes of one order. Dropping it unfollows the order.
pub struct OrderChanges {
    order_id: Uuid,
    changes: watch::Receiver<()>,
    followed: Arc<FollowedOrders>,
}

impl OrderChanges {
    /// Waits until the order may have changed since the last call.
    pub async fn changed(&mut self) {
        if self.changes.changed().await.is_err() {
            // Cannot happen: the sender stays in `followed` until this is dropped.
            std::future::pending().await
        }
    }
}

impl Drop for OrderChanges {
    fn drop(&mut self) {
        let mut followed = self.followed.lock();
        let is_last = |order: &FollowedOrder| order.changes.receiver_count() <= 1;
        if followed.get(&self.order_id).is_some_and(is_last) {
            followed.remove(&self.order_id);
        }
    }
}

impl FollowedOrders {
    fn lock(&self) -> MutexGuard<'_, HashMap<Uuid, FollowedOrder>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn changed(&self, order_id: Uuid) {
        if let Some(order) = self.lock().get(&order_id) {
            order.changes.send_replace(());
        }
    }
}

impl Orders {
    /// Follows an order. Call it before the order is read, so that no change is missed.
    pub fn follow(&self, order_id: Uuid) -> OrderChanges {
        let mut followed = self.followed.lock();
        let order = followed.entry(order_id).or_insert_with(|| FollowedOrder {
            changes: watch::Sender::new(()),
            digest: None,
        });
        OrderChanges {
            order_id,
            changes: order.changes.subscribe(),
            followed: Arc::clone(&self.followed),
        }
    }

    pub fn start_following(self: &Arc<Self>, supervisor: &Supervisor) -> FollowedOrdersJob {
        let orders = Arc::clone(self);
        let task = supervisor.every("followed orders", POLL, move || {
            let orders = Arc::clone(&orders);
            async move { orders.poll_followed().await.map(drop) }
        });
        FollowedOrdersJob { _task: task }
    }

    /// Notifies the followers of orders that have changed since the last call, and returns the number of those orders.
    /// The first call for a newly followed order notifies: the order may have changed after its follower read it.
    pub async fn poll_followed(&self) -> Result<usize> {
        let ids: Vec<Uuid> = self.followed.lock().keys().copied().collect();
        if ids.is_empty() {
            return Ok(0);
        }
        let rows = self
            .pool
            .get()
            .await?
            .query_typed(
                "SELECT o.id, hashtextextended(
                            o.status || string_agg((a.number, a.status, a.pix_code, a.boleto_line, a.boleto_pix_code, a.challenge_url,
                                                    a.decline, a.paid_at, a.cancel_asked_at IS NULL, a.given_up_at IS NULL)::text, ''
                                                   ORDER BY a.number), 0)
                   FROM link_order o JOIN order_attempt a ON a.order_id = o.id
                  WHERE o.id = ANY ($1) GROUP BY o.id",
                &[(&ids, Type::UUID_ARRAY)],
            )
            .await?;
        let mut followed = self.followed.lock();
        let mut changed = 0;
        for row in rows {
            let digest = Some(row.get(1));
            if let Some(order) = followed.get_mut(&row.get(0))
                && order.digest != digest
            {
                order.digest = digest;
                order.changes.send_replace(());
                changed += 1;
            }
        }
        Ok(changed)
    }
}
