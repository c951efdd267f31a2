//! What an attempt's end means for its order: it is paid, another acquirer is asked, or the buyer may try again.
//!
//! The worker and the effect handler both bring ends, in any order. Everything here can be done twice without harm. Rows
//! are locked in this order: attempt, order, link.

use ledger_domain::SaleId;
use ledger_domain::calendar::Instant;
use ledger_domain::sale::Provider;
use serde_json::json;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::attempt::AttemptEnd;
use crate::exceptions::by_hand::{self, ByHand};

/// Records what the ledger decided about a sale. Returns the order, or `None` if no order has the sale.
pub(super) async fn end(
    client: &impl GenericClient,
    sale_id: SaleId,
    end: LedgerEnd,
    at: Instant,
) -> Result<Option<Uuid>, Error> {
    let sql = match end {
        LedgerEnd::Captured => {
            "UPDATE order_attempt
                SET status = 'paid', ended_at = coalesce(ended_at, now()), next_try_at = NULL,
                    paid_at = coalesce(paid_at, $2)
              WHERE sale_id = $1 AND status <> 'paid'"
        }
        LedgerEnd::Failed => {
            "UPDATE order_attempt
                SET status = coalesce(ends_as, 'declined'), ended_at = now(), next_try_at = NULL,
                    unpaid_at = coalesce(unpaid_at, $2)
              WHERE sale_id = $1 AND ended_at IS NULL"
        }
        LedgerEnd::Voided => {
            "UPDATE order_attempt
                SET status = coalesce(ends_as, 'canceled'), ended_at = now(), next_try_at = NULL,
                    unpaid_at = coalesce(unpaid_at, $2)
              WHERE sale_id = $1 AND ended_at IS NULL"
        }
        LedgerEnd::Returned => {
            "UPDATE order_attempt SET status = 'canceled', unpaid_at = coalesce(unpaid_at, $2)
              WHERE sale_id = $1 AND status = 'paid'"
        }
    };
    client
        .execute_typed(sql, &[(&sale_id.uuid(), Type::UUID), (&at, Type::TIMESTAMPTZ)])
        .await?;
    follow(client, sale_id, at).await
}

/// What the ledger recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LedgerEnd {
    Captured,
    Failed,
    Voided,
    /// The buyer of a captured sale got the money back.
    Returned,
}

/// Carries the end of an attempt to its order. Returns the order.
pub(super) async fn follow(
    client: &impl GenericClient,
    sale_id: SaleId,
    at: Instant,
) -> Result<Option<Uuid>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT a.order_id, a.status, a.payment_type, a.fallback, o.status
               FROM order_attempt a JOIN link_order o ON o.id = a.order_id
              WHERE a.sale_id = $1 FOR NO KEY UPDATE OF a, o",
            &[(&sale_id.uuid(), Type::UUID)],
        )
        .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let order_id: Uuid = row.get(0);
    let order_is_open = row.get::<_, &str>(4) == "open";
    match AttemptEnd::of_column(row.get(1)) {
        None => {}
        Some(AttemptEnd::Paid) => paid(client, order_id, sale_id, at).await?,
        Some(AttemptEnd::Canceled) if !order_is_open => returned(client, order_id, at).await?,
        Some(AttemptEnd::Failed) if order_is_open && row.get::<_, &str>(2) != "credit" => {
            if !row.get::<_, Vec<i16>>(3).is_empty() {
                ask_next(client, sale_id).await?;
            }
            idle(client, order_id).await?;
        }
        Some(_) => idle(client, order_id).await?,
    }
    Ok(Some(order_id))
}

/// A late payment is a fact: an order that ended unpaid becomes paid, and takes a use again if the link has one left.
async fn paid(
    client: &impl GenericClient,
    order_id: Uuid,
    sale_id: SaleId,
    at: Instant,
) -> Result<(), Error> {
    client
        .execute_typed(
            "WITH former AS (SELECT link_id, holds_use FROM link_order WHERE id = $1),
                  taken AS (UPDATE payment_link SET uses = uses + 1
                              FROM former
                             WHERE id = former.link_id AND NOT former.holds_use
                               AND (use_limit IS NULL OR uses < use_limit)
                         RETURNING id)
             UPDATE link_order
                SET status = 'paid', paid_at = coalesce(paid_at, $2), ended_at = coalesce(ended_at, $2),
                    idle_since = NULL, holds_use = holds_use OR EXISTS (SELECT FROM taken)
              WHERE id = $1 AND status <> 'paid'",
            &[(&order_id, Type::UUID), (&at, Type::TIMESTAMPTZ)],
        )
        .await?;
    // Another attempt may still be open: the buyer paid an older code. It is canceled before it is paid too.
    client
        .execute_typed(
            "UPDATE order_attempt
                SET cancel_asked_at = now(), ends_as = coalesce(ends_as, 'canceled'),
                    next_try_at = CASE status WHEN 'sent' THEN now() ELSE next_try_at END
              WHERE order_id = $1 AND ended_at IS NULL AND cancel_asked_at IS NULL",
            &[(&order_id, Type::UUID)],
        )
        .await?;
    let payments = client
        .query_typed(
            "SELECT a.sale_id, a.provider, a.business_id, o.reference
               FROM order_attempt a JOIN link_order o ON o.id = a.order_id
              WHERE a.order_id = $1 AND a.status = 'paid' ORDER BY a.number",
            &[(&order_id, Type::UUID)],
        )
        .await?;
    let ids: Vec<String> = payments
        .iter()
        .map(|row| SaleId::from_uuid(row.get(0)).to_string())
        .collect();
    let [_, .., last] = payments.as_slice() else {
        return Ok(());
    };
    let twice = ByHand {
        provider: provider_of(last.get(1)),
        kind: "order.paid_twice",
        reason: "order_paid_twice",
        subject: last.get(3),
        parameters: json!({ "order": last.get::<_, &str>(3), "sales": ids }),
        business_id: Some(ledger_domain::BusinessId::from_uuid(last.get(2))),
        sale_id: Some(sale_id),
    };
    by_hand::add(client, &twice).await.map(drop)
}

/// An order whose payments all went back to the buyer is canceled. It keeps its use: it was sold once.
async fn returned(client: &impl GenericClient, order_id: Uuid, at: Instant) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE link_order SET status = 'canceled', ended_at = coalesce(ended_at, $2)
              WHERE id = $1 AND status = 'paid'
                AND NOT EXISTS (SELECT FROM order_attempt WHERE order_id = $1 AND status = 'paid')",
            &[(&order_id, Type::UUID), (&at, Type::TIMESTAMPTZ)],
        )
        .await
        .map(drop)
}

/// Asks the next acquirer, as a new attempt: it is another sale. The buyer notices nothing.
async fn ask_next(client: &impl GenericClient, failed: SaleId) -> Result<(), Error> {
    client
        .execute_typed(
            "INSERT INTO order_attempt (sale_id, order_id, number, business_id, provider, fallback, payment_type,
                                        installments, total, ordered_at, expires_at, due_on)
             SELECT $2, order_id, (SELECT max(number) + 1 FROM order_attempt last WHERE last.order_id = a.order_id),
                    business_id, fallback[1], fallback[2:], payment_type, installments, total, ordered_at, expires_at,
                    due_on
               FROM order_attempt a
              WHERE sale_id = $1
                AND NOT EXISTS (SELECT FROM order_attempt later
                                 WHERE later.order_id = a.order_id AND later.number > a.number)",
            &[(&failed.uuid(), Type::UUID), (&Uuid::now_v7(), Type::UUID)],
        )
        .await
        .map(drop)
}

/// Starts the time after which an order without an open attempt ends.
async fn idle(client: &impl GenericClient, order_id: Uuid) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE link_order SET idle_since = coalesce(idle_since, now())
              WHERE id = $1 AND status = 'open'
                AND NOT EXISTS (SELECT FROM order_attempt WHERE order_id = $1 AND ended_at IS NULL)",
            &[(&order_id, Type::UUID)],
        )
        .await
        .map(drop)
}

/// The column's constraint admits the known numbers only, except after a newer version's migration.
fn provider_of(number: i16) -> Provider {
    let known = u8::try_from(number).ok();
    known
        .and_then(|number| Provider::from_number(number).ok())
        .unwrap_or(Provider::Valori)
}
