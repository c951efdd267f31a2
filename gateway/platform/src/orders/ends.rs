//! Ends an attempt and updates its order.
//!
//! `ledger_domain::order` decides; this applies the decisions. The worker of the outbox and the effect handler both
//! report ends, in any order, so everything here is idempotent. Rows are locked in this order, except in `cancel_open`:
//! attempts, order, link.

use ledger_domain::calendar::Instant;
use ledger_domain::order::{AttemptStatus, OrderStatus, OrderTransition, SaleEnd};
use ledger_domain::{BusinessId, SaleId};
use ledger_rows::get;
use serde_json::json;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::attempt::{AttemptEnd, request_cancel};
use crate::exceptions::by_hand::{self, ManualException};

/// Marks the event at this position as applied to the attempt of its sale. Returns false if there is no such attempt, or
/// if the event was applied before: then it must not be applied again.
pub(super) async fn begin_event(
    client: &impl GenericClient,
    sale_id: SaleId,
    position: i64,
) -> Result<bool, Error> {
    let begun = client
        .execute_typed(
            "UPDATE order_attempt SET handled_to = $2
              WHERE sale_id = $1 AND (handled_to IS NULL OR handled_to < $2)",
            &[(&sale_id.uuid(), Type::UUID), (&position, Type::INT8)],
        )
        .await?;
    Ok(begun == 1)
}

/// Ends the attempt of a sale that ended in the ledger. Returns the order, or `None` if no order has the sale.
pub(super) async fn end_attempt(
    client: &impl GenericClient,
    sale_id: SaleId,
    end: SaleEnd,
    at: Instant,
) -> Result<Option<Uuid>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT status, ends_as FROM order_attempt WHERE sale_id = $1 FOR NO KEY UPDATE",
            &[(&sale_id.uuid(), Type::UUID)],
        )
        .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let before: AttemptStatus = get(&row, 0)?;
    let requested_end = get(&row, 1)?;
    let after = before.after(end, requested_end);
    if after != before {
        client
            .execute_typed(
                "UPDATE order_attempt
                    SET status = $3, ended_at = coalesce(ended_at, now()), next_try_at = NULL,
                        paid_at = CASE WHEN $4 THEN coalesce(paid_at, $2) ELSE paid_at END,
                        unpaid_at = CASE WHEN $4 THEN unpaid_at ELSE coalesce(unpaid_at, $2) END
                  WHERE sale_id = $1",
                &[
                    (&sale_id.uuid(), Type::UUID),
                    (&at, Type::TIMESTAMPTZ),
                    (&after.as_str(), Type::TEXT),
                    (&(after == AttemptStatus::Paid), Type::BOOL),
                ],
            )
            .await?;
    }
    update_order(client, sale_id, at).await
}

/// Updates the order of an attempt that has ended. Returns the order.
pub(super) async fn update_order(
    client: &impl GenericClient,
    sale_id: SaleId,
    at: Instant,
) -> Result<Option<Uuid>, Error> {
    lock_open_attempt(client, sale_id).await?;
    let row = client
        .query_typed_opt(
            "SELECT a.order_id, a.payment_type = 'credit', o.status
               FROM order_attempt a JOIN link_order o ON o.id = a.order_id
              WHERE a.sale_id = $1 FOR NO KEY UPDATE OF a, o",
            &[(&sale_id.uuid(), Type::UUID)],
        )
        .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let order_id: Uuid = row.get(0);
    let by_card = row.get(1);
    let before = get(&row, 2)?;
    // Read under the order's lock: of two attempts that end at once, the second reads the end of the first.
    let (statuses, place) = attempts_of(client, order_id, sale_id).await?;
    let Some(ended) = place else {
        return Ok(None);
    };
    let transition = OrderTransition::of(before, &statuses, ended, by_card);
    match transition.status {
        OrderStatus::Paid if before != OrderStatus::Paid => mark_paid(client, order_id, at).await?,
        OrderStatus::Canceled if before != OrderStatus::Canceled => cancel(client, order_id, at).await?,
        _ => {}
    }
    if transition.cancels_open {
        cancel_open(client, order_id).await?;
    }
    if transition.paid_twice {
        report_paid_twice(client, order_id).await?;
    }
    if transition.asks_next {
        ask_next(client, sale_id).await?;
    }
    if transition.is_idle {
        start_idle_time(client, order_id).await?;
    }
    Ok(Some(order_id))
}

/// Gives up an open attempt whose cancel was requested: its acquirer cannot cancel it now, and the order goes on
/// without it. If its code was refused, the next acquirer is asked at once. Returns the order, or `None` if there was
/// nothing to give up.
pub(super) async fn give_up(client: &impl GenericClient, sale_id: SaleId) -> Result<Option<Uuid>, Error> {
    let row = client
        .query_typed_opt(
            "UPDATE order_attempt SET given_up_at = now()
              WHERE sale_id = $1 AND ended_at IS NULL AND cancel_asked_at IS NOT NULL AND given_up_at IS NULL
          RETURNING order_id, payment_type = 'credit', ends_as = 'failed'",
            &[(&sale_id.uuid(), Type::UUID)],
        )
        .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let (order_id, by_card): (Uuid, bool) = (row.get(0), row.get(1));
    if row.get::<_, Option<bool>>(2) == Some(true) {
        let order = client
            .query_typed_one(
                "SELECT status FROM link_order WHERE id = $1 FOR NO KEY UPDATE",
                &[(&order_id, Type::UUID)],
            )
            .await?;
        let (mut attempts, given_up) = attempts_of(client, order_id, sale_id).await?;
        // For the order it has failed already, however its acquirer ends it.
        if let Some(status) = given_up.and_then(|place| attempts.get_mut(place)) {
            *status = AttemptStatus::Failed;
        }
        let place = given_up.unwrap_or(attempts.len());
        if OrderTransition::of(get(&order, 0)?, &attempts, place, by_card).asks_next {
            ask_next(client, sale_id).await?;
        }
    }
    Ok(Some(order_id))
}

/// The statuses of an order's attempts, and the place of one of them.
async fn attempts_of(
    client: &impl GenericClient,
    order_id: Uuid,
    sale_id: SaleId,
) -> Result<(Vec<AttemptStatus>, Option<usize>), Error> {
    let attempts = client
        .query_typed(
            "SELECT status, sale_id FROM order_attempt WHERE order_id = $1 ORDER BY number",
            &[(&order_id, Type::UUID)],
        )
        .await?;
    let statuses = attempts
        .iter()
        .map(|attempt| get(attempt, 0))
        .collect::<Result<_, Error>>()?;
    let place = attempts
        .iter()
        .position(|attempt| attempt.get::<_, Uuid>(1) == sale_id.uuid());
    Ok((statuses, place))
}

/// Locks the current attempt of the same order, if there is one. `cancel_open` changes it, and the worker that ends it
/// locks it before the order. The opposite order of locks could deadlock with the worker. An attempt that was given up
/// is not locked: nothing changes it here, and its worker may be waiting for the current one.
async fn lock_open_attempt(client: &impl GenericClient, sale_id: SaleId) -> Result<(), Error> {
    client
        .execute_typed(
            "SELECT FROM order_attempt
              WHERE order_id = (SELECT order_id FROM order_attempt WHERE sale_id = $1)
                AND ended_at IS NULL AND given_up_at IS NULL
                FOR NO KEY UPDATE",
            &[(&sale_id.uuid(), Type::UUID)],
        )
        .await
        .map(drop)
}

/// An order that ended unpaid, or that stayed unpaid longer than `USE_HOLD`, had given back its use of the link. It
/// takes one again if one is left. If others have paid all uses, staff are asked to refund a payment.
async fn mark_paid(client: &impl GenericClient, order_id: Uuid, at: Instant) -> Result<(), Error> {
    let row = client
        .query_typed_opt(
            "WITH former AS (SELECT link_id, holds_use FROM link_order WHERE id = $1),
                  taken AS (UPDATE payment_link SET uses = uses + 1
                              FROM former
                             WHERE id = former.link_id AND NOT former.holds_use
                               AND (use_limit IS NULL OR uses < use_limit)
                         RETURNING id)
             UPDATE link_order
                SET status = 'paid', paid_at = coalesce(paid_at, $2), ended_at = coalesce(ended_at, $2),
                    idle_since = NULL, holds_use = holds_use OR EXISTS (SELECT FROM taken)
              WHERE id = $1 AND status <> 'paid'
          RETURNING holds_use",
            &[(&order_id, Type::UUID), (&at, Type::TIMESTAMPTZ)],
        )
        .await?;
    match row {
        Some(row) if !row.get::<_, bool>(0) => report_over_limit(client, order_id).await,
        _ => Ok(()),
    }
}

/// Adds an exception for staff: the link's uses were all paid before this order was.
async fn report_over_limit(client: &impl GenericClient, order_id: Uuid) -> Result<(), Error> {
    let row = client
        .query_typed_one(
            "SELECT a.sale_id, a.provider, a.business_id, o.reference, l.code
               FROM order_attempt a
               JOIN link_order o ON o.id = a.order_id
               JOIN payment_link l ON l.id = o.link_id
              WHERE a.order_id = $1 AND a.status = 'paid' ORDER BY a.number DESC LIMIT 1",
            &[(&order_id, Type::UUID)],
        )
        .await?;
    let (reference, link): (&str, &str) = (row.get(3), row.get(4));
    let over = ManualException {
        provider: get(&row, 1)?,
        kind: "order.over_limit",
        reason: "link_paid_over_limit",
        subject: reference,
        parameters: json!({ "order": reference, "link": link }),
        business_id: Some(BusinessId::from_uuid(row.get(2))),
        sale_id: Some(SaleId::from_uuid(row.get(0))),
    };
    by_hand::add(client, &over).await.map(drop)
}

/// Requests the cancel of the open attempt: the buyer paid an older attempt, and must not pay this one too.
///
/// An attempt that was added after `lock_open_attempt` is not locked yet. If its worker ends it right now, PostgreSQL
/// aborts one of the two transactions, and it runs again.
async fn cancel_open(client: &impl GenericClient, order_id: Uuid) -> Result<(), Error> {
    let order = (&order_id as _, Type::UUID);
    request_cancel(client, AttemptEnd::Canceled, "order_id = $2", order)
        .await
        .map(drop)
}

async fn report_paid_twice(client: &impl GenericClient, order_id: Uuid) -> Result<(), Error> {
    let payments = client
        .query_typed(
            "SELECT a.sale_id, a.provider, a.business_id, o.reference, a.number
               FROM order_attempt a JOIN link_order o ON o.id = a.order_id
              WHERE a.order_id = $1 AND a.status = 'paid' ORDER BY a.number",
            &[(&order_id, Type::UUID)],
        )
        .await?;
    let [_, .., last] = payments.as_slice() else {
        return Ok(());
    };
    let sale_of = |payment: &Row| SaleId::from_uuid(payment.get(0));
    let sales: Vec<String> = payments
        .iter()
        .map(|payment| sale_of(payment).to_string())
        .collect();
    let reference: &str = last.get(3);
    // The numbers of the paid attempts are a part of the subject, so that a third payment is reported too.
    let subject = payments.iter().fold(reference.to_owned(), |subject, payment| {
        format!("{subject} {}", payment.get::<_, i32>(4))
    });
    let twice = ManualException {
        provider: get(last, 1)?,
        kind: "order.paid_twice",
        reason: "order_paid_twice",
        subject: &subject,
        parameters: json!({ "order": reference, "sales": sales }),
        business_id: Some(BusinessId::from_uuid(last.get(2))),
        sale_id: Some(sale_of(last)),
    };
    by_hand::add(client, &twice).await.map(drop)
}

/// Cancels an order whose payments all went back to the buyer. It keeps its use of the link, because it was sold once.
async fn cancel(client: &impl GenericClient, order_id: Uuid, at: Instant) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE link_order SET status = 'canceled', ended_at = coalesce(ended_at, $2)
              WHERE id = $1 AND status = 'paid'",
            &[(&order_id, Type::UUID), (&at, Type::TIMESTAMPTZ)],
        )
        .await
        .map(drop)
}

/// Adds an attempt at the next acquirer, if there is one, with a new sale.
async fn ask_next(client: &impl GenericClient, failed: SaleId) -> Result<(), Error> {
    client
        .execute_typed(
            "INSERT INTO order_attempt (sale_id, order_id, number, business_id, provider, fallback, payment_type,
                                        installments, total, ordered_at, expires_at, due_on)
             SELECT $2, order_id, (SELECT max(number) + 1 FROM order_attempt last WHERE last.order_id = a.order_id),
                    business_id, fallback[1], fallback[2:], payment_type, installments, total, ordered_at, expires_at,
                    due_on
               FROM order_attempt a
              WHERE sale_id = $1 AND fallback <> '{}'",
            &[(&failed.uuid(), Type::UUID), (&Uuid::now_v7(), Type::UUID)],
        )
        .await
        .map(drop)
}

/// Starts the idle time of an order without an open attempt. An order that is idle too long expires.
async fn start_idle_time(client: &impl GenericClient, order_id: Uuid) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE link_order SET idle_since = coalesce(idle_since, now())
              WHERE id = $1
                AND NOT EXISTS (SELECT FROM order_attempt WHERE order_id = $1 AND ended_at IS NULL)",
            &[(&order_id, Type::UUID)],
        )
        .await
        .map(drop)
}
