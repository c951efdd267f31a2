//! Turns the ledger's cancels into rows of `refund`. Only cancels that the platform started need one: a cancel that an
//! acquirer reports is already done there.

use std::sync::Arc;

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use ledger_domain::EventId;
use ledger_domain::business::{BusinessEvent, SaleCanceled, SaleEvent};
use ledger_domain::ids::RefundId;
use ledger_domain::sale::Initiator;
use ledger_store::log;
use tokio::sync::Notify;
use uuid::Uuid;

use super::queue;
use crate::effects::{EffectFailure, EffectHandler, FollowedEvent};
use crate::providers::refunds::RefundRequest;

pub struct RefundEffects {
    /// Wakes the worker of this process.
    pub woken: Arc<Notify>,
}

#[async_trait]
impl EffectHandler for RefundEffects {
    fn name(&self) -> &'static str {
        "refunds"
    }

    fn event_types(&self) -> &'static [&'static str] {
        &[SaleCanceled::TYPE]
    }

    async fn handle(&self, tx: &Transaction<'_>, followed: &FollowedEvent) -> Result<(), EffectFailure> {
        match &*followed.event {
            BusinessEvent::Sale(SaleEvent::SaleCanceled(canceled))
                if canceled.initiator == Initiator::Platform =>
            {
                let request = request(tx, followed, canceled).await?;
                Ok(queue::add(&**tx, &request, followed.position).await?)
            }
            // Reported by the acquirer, or another event type.
            _ => Ok(()),
        }
    }

    fn committed(&self) {
        self.woken.notify_one();
    }
}

/// The refund's id is derived from the event's id. An event that is read again creates no new request.
pub fn refund_of(event_id: EventId) -> RefundId {
    RefundId::from_uuid(Uuid::new_v5(&event_id.uuid(), b"refund"))
}

/// The sale's provider and external id never change after the capture.
async fn request(
    tx: &Transaction<'_>,
    followed: &FollowedEvent,
    canceled: &SaleCanceled,
) -> Result<RefundRequest, EffectFailure> {
    let sale_id = canceled.sale_id;
    let found = log::sale_states(&**tx, &[sale_id]).await?.pop();
    let (_, found) = found.ok_or_else(|| EffectFailure::Poison(format!("{sale_id} is not known")))?;
    Ok(RefundRequest {
        refund_id: refund_of(followed.event_id),
        business_id: followed.business_id,
        sale_id,
        provider: found.state.provider,
        external_id: found.state.external_id,
        amount: canceled.amount,
    })
}
