//! Acts on the end of an attempt or of an order: queues e-mails about it, and counts card answers on its link.

use ledger_domain::calendar::Instant;
use ledger_domain::order::AttemptStatus;
use ledger_domain::{PaymentLinkId, SaleId};
use ledger_rows::get;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::card_testing::{CardAnswer, card_answer_add};
use super::emails::{OrderEmail, order_emails_queue};

/// Call it in the transaction that ended the attempt with this sale, after its row was changed. A repeated call, and a
/// call about a sale without an order, do nothing.
pub async fn on_attempt_ended(
    client: &impl GenericClient,
    sale_id: SaleId,
    at: Instant,
) -> Result<(), Error> {
    let row = client
        .query_typed_opt(
            "SELECT o.link_id, a.status, a.payment_type = 'credit'
               FROM order_attempt a JOIN link_order o ON o.id = a.order_id
              WHERE a.sale_id = $1",
            &[(&sale_id.uuid(), Type::UUID)],
        )
        .await?;
    let Some(row) = row else {
        return Ok(());
    };
    let link_id = PaymentLinkId::from_uuid(row.try_get(0)?);
    let (status, by_card): (AttemptStatus, bool) = (get(&row, 1)?, row.try_get(2)?);
    let answer = match status {
        AttemptStatus::Paid => Some(CardAnswer::Paid),
        AttemptStatus::Declined => Some(CardAnswer::Declined),
        AttemptStatus::Open | AttemptStatus::Expired | AttemptStatus::Canceled | AttemptStatus::Failed => {
            None
        }
    };
    if let Some(answer) = answer.filter(|_| by_card) {
        card_answer_add(client, link_id, sale_id, answer, at).await?;
    }
    if status == AttemptStatus::Paid {
        order_emails_queue(client, OrderEmail::Paid, sale_id).await?;
    }
    Ok(())
}

/// Call it in the transaction that ended the orders because they were not paid. Only a buyer whose last attempt was a
/// PIX code or a boleto gets an e-mail.
pub async fn on_orders_expired(client: &impl GenericClient, orders: &[Uuid]) -> Result<(), Error> {
    let rows = client
        .query_typed(
            "SELECT sale_id FROM (SELECT DISTINCT ON (order_id) sale_id, payment_type, status FROM order_attempt
                                   WHERE order_id = ANY ($1) ORDER BY order_id, number DESC) latest
              WHERE payment_type IN ('pix', 'boleto') AND status = 'expired'",
            &[(&orders, Type::UUID_ARRAY)],
        )
        .await?;
    for row in &rows {
        let sale_id = SaleId::from_uuid(row.try_get(0)?);
        order_emails_queue(client, OrderEmail::Expired, sale_id).await?;
    }
    Ok(())
}
