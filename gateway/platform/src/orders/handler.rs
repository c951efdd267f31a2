//! Follows the log: an event about a sale ends its attempt, which may end the order.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use ledger_domain::business::{BusinessEvent, SaleCanceled, SaleCaptured, SaleEvent, SaleFailed, SaleVoided};
use ledger_domain::order::SaleEnd;
use ledger_domain::sale::{SaleFacts, Solution};
use uuid::Uuid;

use super::Orders;
use super::ends;
use crate::buyers::on_attempt_ended;
use crate::effects::{EffectFailure, EffectHandler, FollowedEvent};

pub struct OrderEffects {
    orders: Arc<Orders>,
    /// The orders of the open transaction, whose pages are notified after the commit. Orders of a failed transaction
    /// are not removed: to notify a page of no change does no harm.
    handled: Mutex<Vec<Uuid>>,
}

impl OrderEffects {
    pub fn new(orders: Arc<Orders>) -> Self {
        Self {
            orders,
            handled: Mutex::default(),
        }
    }

    fn handled(&self) -> std::sync::MutexGuard<'_, Vec<Uuid>> {
        self.handled.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl EffectHandler for OrderEffects {
    fn name(&self) -> &'static str {
        "orders"
    }

    fn event_types(&self) -> &'static [&'static str] {
        &[
            SaleCaptured::TYPE,
            SaleFailed::TYPE,
            SaleVoided::TYPE,
            SaleCanceled::TYPE,
        ]
    }

    async fn handle(&self, tx: &Transaction<'_>, followed: &FollowedEvent) -> Result<(), EffectFailure> {
        let BusinessEvent::Sale(event) = &*followed.event else {
            return Ok(());
        };
        let (sale_id, end) = match event {
            SaleEvent::SaleCaptured(captured) if may_have_order(&captured.sale) => {
                (captured.sale.sale_id, SaleEnd::Captured)
            }
            SaleEvent::SaleFailed(failed) if may_have_order(&failed.sale) => {
                (failed.sale.sale_id, SaleEnd::Failed)
            }
            SaleEvent::SaleVoided(voided) => (voided.sale_id, SaleEnd::Voided),
            SaleEvent::SaleCanceled(canceled) => (canceled.sale_id, SaleEnd::Returned),
            // A sale that has no order, or another event type.
            _ => return Ok(()),
        };
        if !ends::begin_event(&**tx, sale_id, followed.position).await? {
            return Ok(());
        }
        // For a voided sale `on_attempt_ended` would do nothing. For a returned payment it was called when it was paid.
        let is_answer = matches!(end, SaleEnd::Captured | SaleEnd::Failed);
        let order_id = ends::end_attempt(&**tx, sale_id, end, followed.recorded_at).await?;
        if is_answer && order_id.is_some() {
            on_attempt_ended(&**tx, sale_id, followed.recorded_at).await?;
        }
        self.handled().extend(order_id);
        Ok(())
    }

    fn committed(&self) {
        for order_id in self.handled().drain(..) {
            self.orders.changed(order_id);
        }
        // Another acquirer may have to be asked.
        self.orders.wake();
    }
}

/// Most sales are of terminals, and need no query.
fn may_have_order(sale: &SaleFacts) -> bool {
    sale.solution == Solution::PaymentLink && sale.payment_link_code.is_some()
}
