//! Turns the ledger's events into rows of `payout`, and records there the results that the ledger has. Queues the e-mails
//! about returned withdrawals.

use std::sync::Arc;

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use ledger_domain::business::{
    BusinessEvent, TransferApproved, TransferEvent, TransferFailed, TransferProcessing, TransferReturned,
};
use ledger_domain::{BusinessId, PayoutId};
use ledger_store::log;
use tokio::sync::Notify;

use super::emails;
use super::queue::{self, PayoutEnd};
use crate::effects::{EffectFailure, EffectHandler, FollowedEvent};
use crate::providers::payouts::PayoutOrder;

pub struct PayoutEffects {
    /// Wakes the worker of this process.
    pub woken: Arc<Notify>,
    /// For the links in e-mails to companies.
    pub seller_panel_url: String,
}

#[async_trait]
impl EffectHandler for PayoutEffects {
    fn name(&self) -> &'static str {
        "payouts"
    }

    fn event_types(&self) -> &'static [&'static str] {
        &[
            TransferProcessing::TYPE,
            TransferApproved::TYPE,
            TransferFailed::TYPE,
            TransferReturned::TYPE,
        ]
    }

    async fn handle(&self, tx: &Transaction<'_>, followed: &FollowedEvent) -> Result<(), EffectFailure> {
        let at = followed.recorded_at;
        let BusinessEvent::Transfer(event) = &*followed.event else {
            return Ok(());
        };
        match event {
            TransferEvent::TransferProcessing(TransferProcessing {
                payout_id: Some(payout_id),
                transfer_id,
                ..
            }) => {
                let order = order(tx, followed.business_id, *transfer_id, *payout_id).await?;
                Ok(queue::add(&**tx, &order, followed.position).await?)
            }
            TransferEvent::TransferApproved(approved) => {
                alarm_if_overruling(followed.business_id, approved);
                match approved.payout_id {
                    Some(payout_id) => {
                        Ok(queue::end(&**tx, payout_id, PayoutEnd::Paid, at, followed.position).await?)
                    }
                    None => Ok(()),
                }
            }
            TransferEvent::TransferFailed(TransferFailed {
                payout_id: Some(payout_id),
                ..
            }) => Ok(queue::end(&**tx, *payout_id, PayoutEnd::Failed, at, followed.position).await?),
            TransferEvent::TransferReturned(returned) => {
                emails::queue_return(&**tx, &self.seller_panel_url, followed, returned).await?;
                Ok(())
            }
            // A manual payment, or another event type.
            _ => Ok(()),
        }
    }

    fn committed(&self) {
        self.woken.notify_one();
    }
}

/// The amount and the destination come from the transfer request, which never changes afterwards.
async fn order(
    tx: &Transaction<'_>,
    business_id: BusinessId,
    transfer_id: ledger_domain::TransferId,
    payout_id: PayoutId,
) -> Result<PayoutOrder, EffectFailure> {
    let found = log::transfer_states(&**tx, &[transfer_id]).await?.pop();
    let poison = |reason: &str| EffectFailure::Poison(format!("{transfer_id} {reason}"));
    let (_, found) = found.ok_or_else(|| poison("is not known"))?;
    let transfer = found.state;
    let amount = transfer
        .amount
        .checked_sub(transfer.fee)
        .filter(|amount| amount.get() > 0)
        .ok_or_else(|| poison("has nothing to pay out"))?;
    Ok(PayoutOrder {
        payout_id,
        transfer_id,
        business_id,
        amount,
        destination: transfer.destination.ok_or_else(|| poison("has no destination"))?,
    })
}

/// Raises an alarm if a bank paid a transfer whose status did not expect a payment by this payout. It is raised before
/// the commit, so that a crash repeats the alarm instead of losing it.
fn alarm_if_overruling(business_id: BusinessId, approved: &TransferApproved) {
    if let Some(found_in) = approved.overrules {
        metrics::counter!("razao_payouts_overruled_total").increment(1);
        tracing::error!(
            code = "payout_overruled", %business_id, transfer_id = %approved.transfer_id, amount = approved.amount.get(),
            found_in = found_in.slug(),
            "a bank paid a transfer that was not being paid by that payout: staff must check it"
        );
    }
}
