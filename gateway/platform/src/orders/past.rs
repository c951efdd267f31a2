//! Orders of the past, whose outcome is known already: demo data. No acquirer is asked, and no e-mail is sent.

use gateway_acquirers::charge::{Charge, ChargeState};
use ledger_domain::SaleId;
use ledger_domain::calendar::Instant;
use ledger_domain::order::SaleEnd;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::Orders;
use super::attempt::{Attempt, AttemptEnd};
use super::charge_facts::{keep_charge_id, keep_payment, keep_unpaid};
use super::declines::DeclineText;
use super::ends;
use super::send::{ChargeDetails, SaleCreation};
use crate::buyers::{OrderEmail, buyer_email_mark_sent, on_attempt_ended, on_orders_expired};
use crate::error::Result;

/// How an attempt of the past ended, and the charge as its acquirer had it then.
pub struct PastEnd<'a> {
    pub end: AttemptEnd,
    pub at: Instant,
    pub charge: &'a Charge,
}

/// Ends an attempt, and updates its order.
pub async fn attempt_end_past(
    client: &impl GenericClient,
    sale_id: SaleId,
    past: &PastEnd<'_>,
) -> Result<(), Error> {
    let Some(attempt) = Attempt::fetch(client, sale_id).await? else {
        return Ok(());
    };
    keep_charge_id(client, &attempt, &past.charge.charge_id).await?;
    let end = match past.end {
        AttemptEnd::Paid => {
            keep_payment(client, &attempt, past.charge, past.at).await?;
            SaleEnd::Captured
        }
        AttemptEnd::Declined | AttemptEnd::Failed => SaleEnd::Failed,
        AttemptEnd::Expired | AttemptEnd::Canceled => SaleEnd::Voided,
    };
    if end != SaleEnd::Captured {
        let decline = match past.charge.state {
            ChargeState::Declined(decline) => Some(DeclineText::of(decline).code),
            _ => None,
        };
        keep_unpaid(client, sale_id, past.at, past.end, decline).await?;
    }
    ends::end_attempt(client, sale_id, end, past.at).await?;
    if matches!(end, SaleEnd::Captured | SaleEnd::Failed) {
        on_attempt_ended(client, sale_id, past.at).await?;
        buyer_email_mark_sent(client, OrderEmail::Paid, sale_id).await?;
    }
    Ok(())
}

/// Ends an unpaid order. The caller has taken no use of the link for it.
pub async fn order_expire_past(
    client: &impl GenericClient,
    order_id: Uuid,
    at: Instant,
) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE link_order SET status = 'expired', ended_at = $2, holds_use = false
              WHERE id = $1 AND status = 'open'",
            &[(&order_id, Type::UUID), (&at, Type::TIMESTAMPTZ)],
        )
        .await?;
    on_orders_expired(client, &[order_id]).await?;
    let attempts = client
        .query_typed(
            "SELECT sale_id FROM order_attempt WHERE order_id = $1",
            &[(&order_id, Type::UUID)],
        )
        .await?;
    for attempt in attempts {
        let sale_id = SaleId::from_uuid(attempt.get(0));
        buyer_email_mark_sent(client, OrderEmail::Expired, sale_id).await?;
    }
    Ok(())
}

impl Orders {
    /// Records the sale of an attempt in the ledger, as the worker does before it asks the acquirer. A repeat records
    /// nothing. True if the ledger has the sale afterwards.
    pub async fn sale_create(&self, sale_id: SaleId) -> Result<bool> {
        let client = self.pool.get().await?;
        let Some(attempt) = Attempt::fetch(&**client, sale_id).await? else {
            return Ok(false);
        };
        let details = ChargeDetails::fetch(&**client, &attempt).await?;
        drop(client);
        Ok(self.create_sale(&attempt, &details).await == SaleCreation::Created)
    }
}

/// Notes that an open order has given back its use of the link, which it never took in this history.
pub async fn order_use_release_past(client: &impl GenericClient, order_id: Uuid) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE link_order SET holds_use = false WHERE id = $1",
            &[(&order_id, Type::UUID)],
        )
        .await
        .map(drop)
}
