//! How long an unpaid order holds its use of a link, and who takes it over.

use chrono::TimeDelta;
use gateway_formats::short_code::OrderReference;
use ledger_domain::PaymentLinkId;
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::order::NextAttempt;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::USE_HOLD;
use super::place::{LockedOrder, cancel_request, order_lock};
use crate::links::{PaymentLink, link_use_release, link_use_take};

const ORDERS_PER_TRANSACTION: i64 = 100;

fn hold() -> TimeDelta {
    TimeDelta::from_std(USE_HOLD).unwrap_or(TimeDelta::MAX)
}

/// Until when an order holds its use of a link if it stays unpaid. `latest_attempt`: when it was ordered.
pub(super) fn held_until(latest_attempt: Instant) -> Instant {
    latest_attempt + hold()
}

/// Gives back the uses of orders whose latest attempt was ordered `USE_HOLD` before `now`, and returns how many orders
/// gave theirs back. The orders stay open: their boletos can still be paid. An order whose card may be charged any
/// moment keeps its use.
pub(super) async fn release_held_uses(client: &impl GenericClient, now: Instant) -> Result<usize, Error> {
    let released = client
        .query_typed(
            "UPDATE link_order SET holds_use = false
              WHERE id IN (SELECT id FROM link_order o
                            WHERE status = 'open' AND holds_use AND created_at <= $1
                              AND NOT EXISTS (SELECT FROM order_attempt a
                                               WHERE a.order_id = o.id
                                                 AND (a.ordered_at > $1
                                                      OR a.ended_at IS NULL AND a.payment_type = 'credit'))
                            ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
          RETURNING link_id",
            &[
                (&(now - hold()), Type::TIMESTAMPTZ),
                (&ORDERS_PER_TRANSACTION, Type::INT8),
            ],
        )
        .await?;
    // In the order of the links, to avoid deadlocks.
    let mut links: Vec<Uuid> = released.iter().map(|row| row.get(0)).collect();
    links.sort();
    for link_id in &links {
        link_use_release(client, PaymentLinkId::from_uuid(*link_id)).await?;
    }
    Ok(links.len())
}

/// Gives back the use that an unpaid order of the same buyer holds of a link with limited uses, and requests the cancel
/// of that order's open attempt. So the buyer's new order can take the use. An attempt that is being processed keeps
/// its use, because it may be paid any moment.
///
/// Call it before the link's row is locked: rows are locked in the order attempts, order, link.
pub async fn take_over_use(
    client: &impl GenericClient,
    link: &PaymentLink,
    document: &str,
) -> Result<bool, Error> {
    if link.fields.use_limit.is_none() {
        return Ok(false);
    }
    let row = client
        .query_typed_opt(
            "SELECT o.reference FROM link_order o JOIN order_buyer p ON p.order_id = o.id
              WHERE o.link_id = $1 AND o.status = 'open' AND o.holds_use AND p.document = $2
              ORDER BY o.created_at DESC LIMIT 1",
            &[(&link.id.uuid(), Type::UUID), (&document, Type::TEXT)],
        )
        .await?;
    let reference = row.and_then(|row| OrderReference::parse(row.get(0)).ok());
    let Some(reference) = reference else {
        return Ok(false);
    };
    let Some(earlier) = order_lock(client, &reference)
        .await?
        .filter(|order| order.holds_use)
    else {
        return Ok(false);
    };
    match earlier.next_attempt() {
        NextAttempt::Add | NextAttempt::GiveUpFirst => {}
        NextAttempt::Wait | NextAttempt::Closed => return Ok(false),
    }
    if let Some(open) = &earlier.open_attempt {
        cancel_request(client, open.sale_id).await?;
    }
    set_holds_use(client, earlier.id, false).await?;
    link_use_release(client, link.id).await?;
    Ok(true)
}

/// Takes a use of the link for an order that has given its own back, before another attempt. False if none is left.
pub async fn take_use_again(
    client: &impl GenericClient,
    order: &LockedOrder,
    today: Date,
) -> Result<bool, Error> {
    if order.holds_use {
        return Ok(true);
    }
    let taken = link_use_take(client, order.link_id, today).await?;
    if taken {
        set_holds_use(client, order.id, true).await?;
    }
    Ok(taken)
}

async fn set_holds_use(client: &impl GenericClient, order_id: Uuid, holds_use: bool) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE link_order SET holds_use = $2 WHERE id = $1",
            &[(&order_id, Type::UUID), (&holds_use, Type::BOOL)],
        )
        .await
        .map(drop)
}

/// When the next use comes back that an unpaid order holds. `None` if paid orders have all uses.
pub async fn uses_held_until(
    client: &impl GenericClient,
    link_id: PaymentLinkId,
) -> Result<Option<Instant>, Error> {
    let row = client
        .query_typed_one(
            "SELECT min(latest) FROM (SELECT max(a.ordered_at) AS latest
                                        FROM link_order o JOIN order_attempt a ON a.order_id = o.id
                                       WHERE o.link_id = $1 AND o.status = 'open' AND o.holds_use
                                       GROUP BY o.id) held",
            &[(&link_id.uuid(), Type::UUID)],
        )
        .await?;
    Ok(row.get::<_, Option<Instant>>(0).map(held_until))
}
