//! Compares the attempts of orders with their sales in the log, and the status of each order with its attempts.

use std::collections::{BTreeMap, HashMap};

use ledger_domain::business::{BusinessEvent, SaleEvent};
use ledger_domain::sale::{SaleFacts, Solution};
use ledger_domain::{BusinessId, SaleId};
use ledger_store::{Actor, Job, StoredEvent};
use projections::replay::{Reporter, Subject};
use tokio_postgres::Row;
use uuid::Uuid;

use super::Audit;
use crate::error::PlatformError;

const UNPAID: [&str; 4] = ["declined", "expired", "canceled", "failed"];
const TYPES: [&str; 5] = [
    "SaleCreated",
    "SaleCaptured",
    "SaleFailed",
    "SaleVoided",
    "SaleCanceled",
];

struct OrderRow {
    business_id: BusinessId,
    reference: String,
    status: String,
    link_code: String,
    /// Whether `idle_since` is set: the time since when the order has no open attempt.
    is_idle: bool,
    /// What was ordered. With a buyer who pays the fees, attempts have a higher total.
    amount: i64,
    attempts: Vec<AttemptRow>,
}

struct AttemptRow {
    sale_id: SaleId,
    business_id: BusinessId,
    provider: i16,
    payment_type: String,
    installments: i16,
    total: i64,
    status: String,
    was_paid: bool,
    is_open: bool,
    paid_brand: Option<String>,
    paid_last_four: Option<String>,
    authorization_code: Option<String>,
}

/// A sale of an attempt according to the log.
#[derive(Default)]
struct SaleInLog {
    facts: Option<SaleFacts>,
    /// The facts of the payment, and the net.
    captured: Option<(SaleFacts, i64)>,
    business_id: Option<BusinessId>,
    /// The last end that the handler had read.
    end: Option<End>,
    /// Ends that the handler had not read. A worker may have written them first.
    unread_ends: Vec<End>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Paid,
    Unpaid,
    /// The sale was captured, and then canceled, refunded or reversed.
    Returned,
}

impl End {
    fn allows(self, status: &str) -> bool {
        match self {
            Self::Paid => status == "paid",
            Self::Unpaid => UNPAID.contains(&status),
            Self::Returned => status == "canceled",
        }
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::Unpaid => "declined, expired, canceled or failed",
            Self::Returned => "canceled",
        }
    }
}

pub(super) async fn compare(audit: &mut Audit<'_>) -> Result<(), PlatformError> {
    let (rows, read_to) = audit
        .rows(
            "orders",
            "SELECT o.id, o.business_id, o.reference, o.status, l.code, o.idle_since IS NOT NULL, a.sale_id,
                    a.business_id, a.provider, a.payment_type, a.installments, a.total, a.status,
                    a.paid_at IS NOT NULL, a.ended_at IS NULL, o.amount, a.paid_brand, a.paid_last_four,
                    a.authorization_code
               FROM link_order o
               JOIN payment_link l ON l.id = o.link_id
               LEFT JOIN order_attempt a ON a.order_id = o.id
              ORDER BY a.number",
        )
        .await?;
    let orders = read(&rows);
    let mut logged: HashMap<SaleId, SaleInLog> = attempts_of(&orders)
        .map(|attempt| (attempt.sale_id, SaleInLog::default()))
        .collect();
    let mut without_attempt = BTreeMap::new();
    audit
        .events(&TYPES, |event| {
            let is_read = event.position <= read_to.get(event.shard);
            if let Some(sale_id) = take(&mut logged, event, is_read) {
                without_attempt.insert(sale_id, event.business_id);
            }
        })
        .await?;
    let reporter = &mut audit.reporter;
    for order in orders.values() {
        for attempt in &order.attempts {
            if let Some(logged) = logged.get(&attempt.sale_id) {
                compare_attempt(reporter, order, attempt, logged);
            }
        }
        compare_order(reporter, order);
    }
    for (sale_id, business_id) in without_attempt {
        let reporter = reporter.set_business(Some(business_id));
        reporter.finding(Subject::OrderAttempt, sale_id, "an attempt of an order", "no row");
    }
    Ok(())
}

fn attempts_of(orders: &BTreeMap<Uuid, OrderRow>) -> impl Iterator<Item = &AttemptRow> {
    orders.values().flat_map(|order| &order.attempts)
}

fn read(rows: &[Row]) -> BTreeMap<Uuid, OrderRow> {
    let mut orders = BTreeMap::new();
    for row in rows {
        let order = orders.entry(row.get(0)).or_insert_with(|| OrderRow {
            business_id: BusinessId::from_uuid(row.get(1)),
            reference: row.get(2),
            status: row.get(3),
            link_code: row.get(4),
            is_idle: row.get(5),
            amount: row.get(15),
            attempts: vec![],
        });
        if let Some(sale_id) = row.get::<_, Option<Uuid>>(6) {
            order.attempts.push(AttemptRow {
                sale_id: SaleId::from_uuid(sale_id),
                business_id: BusinessId::from_uuid(row.get(7)),
                provider: row.get(8),
                payment_type: row.get(9),
                installments: row.get(10),
                total: row.get(11),
                status: row.get(12),
                was_paid: row.get(13),
                is_open: row.get(14),
                paid_brand: row.get(16),
                paid_last_four: row.get(17),
                authorization_code: row.get(18),
            });
        }
    }
    orders
}

/// Takes an event of an attempt's sale. Returns a sale that was created for an order but has no attempt, if the handler
/// had read the creation. An attempt is stored before its sale is created, so the row must exist. The audit of the log
/// reports events that cannot be read.
fn take(logged: &mut HashMap<SaleId, SaleInLog>, stored: &StoredEvent, is_read: bool) -> Option<SaleId> {
    let BusinessEvent::Sale(event) = stored.decode().ok()? else {
        return None;
    };
    let mut payment = None;
    let (sale_id, facts, end) = match event {
        SaleEvent::SaleCreated(created) => (created.sale.sale_id, Some(created.sale), None),
        SaleEvent::SaleCaptured(captured) => {
            payment = Some((captured.sale.clone(), captured.net.get()));
            (captured.sale.sale_id, Some(captured.sale), Some(End::Paid))
        }
        SaleEvent::SaleFailed(failed) => (failed.sale.sale_id, Some(failed.sale), Some(End::Unpaid)),
        SaleEvent::SaleVoided(voided) => (voided.sale_id, None, Some(End::Unpaid)),
        SaleEvent::SaleCanceled(canceled) => (canceled.sale_id, None, Some(End::Returned)),
        _ => return None,
    };
    let Some(sale) = logged.get_mut(&sale_id) else {
        let is_of_order = end.is_none()
            && is_read
            && stored
                .metadata()
                .is_ok_and(|metadata| metadata.actor == Actor::Job(Job::Checkout));
        return is_of_order.then_some(sale_id);
    };
    sale.business_id = Some(stored.business_id);
    sale.captured = sale.captured.take().or(payment);
    if sale.facts.is_none() {
        sale.facts = facts;
    }
    match end {
        Some(end) if is_read => sale.end = Some(end),
        Some(end) => sale.unread_ends.push(end),
        None => {}
    }
    None
}

fn compare_attempt(reporter: &mut Reporter<'_>, order: &OrderRow, attempt: &AttemptRow, logged: &SaleInLog) {
    reporter.set_business(Some(attempt.business_id));
    let sale_id = attempt.sale_id;
    let status = attempt.status.as_str();
    let Some(facts) = &logged.facts else {
        // The sale comes before the charge, and an attempt may end before both.
        if matches!(status, "sent" | "paid" | "declined") {
            reporter.finding(Subject::OrderAttempt, sale_id, "a sale", "no sale");
        }
        return;
    };
    let mut ends = logged.end.iter().chain(&logged.unread_ends);
    let may_be_open = logged.end.is_none() && attempt.is_open;
    if !may_be_open && !ends.any(|end| end.allows(status)) {
        let expected = logged.end.map_or("not ended", End::as_str);
        reporter.finding(
            Subject::OrderAttempt,
            format_args!("{sale_id} status"),
            expected,
            status,
        );
    }
    let mut column = |name, expected: String, found: String| {
        let key = format_args!("{sale_id} {name}");
        reporter.equal(Subject::OrderAttempt, key, expected, found);
    };
    if let Some(business_id) = logged.business_id {
        column(
            "business_id",
            business_id.to_string(),
            attempt.business_id.to_string(),
        );
        column(
            "business_id of the order",
            business_id.to_string(),
            order.business_id.to_string(),
        );
    }
    column(
        "provider",
        facts.provider.number().to_string(),
        attempt.provider.to_string(),
    );
    let payment_type = facts.payment_type.as_str().to_owned();
    column("payment_type", payment_type, attempt.payment_type.clone());
    let installments = facts.installments.to_string();
    column("installments", installments, attempt.installments.to_string());
    column("total", facts.amount.get().to_string(), attempt.total.to_string());
    if facts.solution == Solution::PaymentLink {
        let code = facts.payment_link_code.clone().unwrap_or_default();
        column("link", code, order.link_code.clone());
    }
    if let Some((payment, net)) = &logged.captured {
        compare_payment(reporter, order, attempt, payment, *net);
    }
}

/// Compares what the acquirer told about a payment, and the amount of the order.
fn compare_payment(
    reporter: &mut Reporter<'_>,
    order: &OrderRow,
    attempt: &AttemptRow,
    payment: &SaleFacts,
    net: i64,
) {
    let sale_id = attempt.sale_id;
    let mut column = |name: &str, expected: String, found: String| {
        let key = format_args!("{sale_id} {name}");
        reporter.equal(Subject::OrderAttempt, key, expected, found);
    };
    let brand = payment.card_brand.as_ref().map(|brand| brand.as_str().to_owned());
    for (name, expected, found) in [
        ("paid_brand", &brand, &attempt.paid_brand),
        ("paid_last_four", &payment.card_last_four, &attempt.paid_last_four),
        (
            "authorization_code",
            &payment.authorization_code,
            &attempt.authorization_code,
        ),
    ] {
        // A fact that only one of the two has is no contradiction. The row's chain protects it.
        if let (Some(expected), Some(found)) = (expected, found) {
            column(name, expected.clone(), found.clone());
        }
    }
    // Either the seller pays the fees, and the order costs the total. Or the buyer does, and the order is the net:
    // rounding may leave no total that gives exactly this net, but never a smaller one.
    if order.amount != attempt.total && (order.amount > attempt.total || order.amount > net) {
        let expected = format!("the total {} or the net {net}", attempt.total);
        column("amount of the order", expected, order.amount.to_string());
    }
}

/// An order and its attempts change in one transaction, so every snapshot of them must agree.
fn compare_order(reporter: &mut Reporter<'_>, order: &OrderRow) {
    reporter.set_business(Some(order.business_id));
    let reference = &order.reference;
    let mut finding = |name, expected: &str, found: &str| {
        let key = format_args!("{reference} {name}");
        reporter.finding(Subject::Order, key, expected, found);
    };
    let has = |status| order.attempts.iter().any(|attempt| attempt.status == status);
    let was_returned = || {
        let mut attempts = order.attempts.iter();
        attempts.any(|attempt| attempt.status == "canceled" && attempt.was_paid)
    };
    let status = order.status.as_str();
    let (agrees, expected) = if has("paid") {
        (status == "paid", "paid")
    } else if was_returned() {
        (status == "canceled", "canceled")
    } else {
        (matches!(status, "open" | "expired"), "open or expired")
    };
    if !agrees {
        finding("status", expected, status);
    }
    let open = order.attempts.iter().filter(|attempt| attempt.is_open).count();
    if open > 1 {
        finding("attempts", "one open attempt at most", &open.to_string());
    }
    if status == "expired" && open > 0 {
        finding("attempts", "no open attempt", &open.to_string());
    }
    if status == "open" && open == 0 && !order.is_idle {
        finding(
            "attempts",
            "an open attempt, or the time since when none is open",
            "neither",
        );
    }
}
