//! Turns the ledger's cancels and refunds of parts into rows of `refund`. Only those that the platform started need one:
//! one that an acquirer reports is already done there.

use std::sync::Arc;

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use ledger_domain::EventId;
use ledger_domain::business::{BusinessEvent, Sale, SaleCanceled, SaleEvent, SalePartRefunded};
use ledger_domain::ids::RefundId;
use ledger_domain::sale::{Initiator, RefundReference};
use ledger_domain::{Cents, SaleId};
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
        RefundToRequest::EVENT_TYPES
    }

    async fn handle(&self, tx: &Transaction<'_>, followed: &FollowedEvent) -> Result<(), EffectFailure> {
        let Some(refund) = RefundToRequest::of(&followed.event) else {
            return Ok(());
        };
        let request = request(tx, followed, refund).await?;
        Ok(queue::add(&**tx, &request, followed.position).await?)
    }

    fn committed(&self) {
        self.woken.notify_one();
    }
}

/// The refund's id is derived from the event's id. An event that is read again creates no new request.
pub fn refund_of(event_id: EventId) -> RefundId {
    RefundId::from_uuid(Uuid::new_v5(&event_id.uuid(), b"refund"))
}

/// What an event says of a refund that the acquirer must be asked for.
pub struct RefundToRequest {
    pub sale_id: SaleId,
    pub amount: Cents,
    pub reference: Option<RefundReference>,
}

impl RefundToRequest {
    pub const EVENT_TYPES: &[&str] = &[SaleCanceled::TYPE, SalePartRefunded::TYPE];

    /// `None` if the acquirer reported it, or for another event.
    pub fn of(event: &BusinessEvent) -> Option<Self> {
        let (sale_id, initiator, amount, reference) = match event {
            BusinessEvent::Sale(SaleEvent::SaleCanceled(event)) => {
                (event.sale_id, event.initiator, event.amount, &event.refund)
            }
            BusinessEvent::Sale(SaleEvent::SalePartRefunded(event)) => {
                (event.sale_id, event.initiator, event.amount, &event.refund)
            }
            _ => return None,
        };
        (initiator == Initiator::Platform).then(|| Self {
            sale_id,
            amount,
            reference: reference.clone(),
        })
    }

    pub fn is_of_part(&self, sale: &Sale) -> bool {
        self.amount != sale.amount
    }
}

/// The sale's provider and external id never change after the capture.
async fn request(
    tx: &Transaction<'_>,
    followed: &FollowedEvent,
    refund: RefundToRequest,
) -> Result<RefundRequest, EffectFailure> {
    let sale_id = refund.sale_id;
    let found = log::sale_states(&**tx, &[sale_id]).await?.pop();
    let (_, found) = found.ok_or_else(|| EffectFailure::Poison(format!("{sale_id} is not known")))?;
    Ok(RefundRequest {
        refund_id: refund_of(followed.event_id),
        business_id: followed.business_id,
        sale_id,
        of_part: refund.is_of_part(&found.state),
        provider: found.state.provider,
        external_id: found.state.external_id,
        amount: refund.amount,
        reference: refund.reference,
    })
}
