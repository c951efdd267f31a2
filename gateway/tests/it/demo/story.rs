//! The demo story, loaded in the same way as the program loads it.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::task::Poll;

use gateway_dev::demo::DemoError;
use gateway_platform::effects;
use projections::replay;

use crate::support::{PARTS, TestApp};

/// Counts the days that a company closes with a negative available balance.
pub const NEGATIVE_CLOSINGS: &str =
    "SELECT count(*) FROM (SELECT sum(available) OVER (PARTITION BY business_id ORDER BY business_date) AS closing
                             FROM balance_daily) AS day WHERE closing < 0";

/// Counts the installments that are due by today and not settled.
pub fn overdue(app: &TestApp) -> String {
    let today = app.today();
    format!(
        "SELECT count(*) FROM sale, unnest(due_dates, settled_by) AS installment (due_date, settled_by)
          WHERE installment.due_date <= '{today}' AND installment.settled_by IS NULL"
    )
}

pub async fn assert_every_state_occurs(app: &TestApp) {
    app.until_projected().await;
    // Kind 0 is a withdrawal, 1 a manual transfer, 2 a rental. A transfer has one of five statuses.
    for status in 0..5 {
        let of_status = app
            .count(&format!(
                "SELECT count(*) FROM transfer WHERE kind = 0 AND status = {status}"
            ))
            .await;
        assert!(of_status > 0, "no withdrawal has status {status}");
    }
    for (status, least) in [
        ("pending", 1),
        ("succeeded", 3_000),
        ("failed", 100),
        ("canceled", 100),
        ("refunded", 5),
        ("reversed", 3),
        ("dispute", 3),
        ("charged_back", 3),
    ] {
        let of_status = format!("SELECT count(*) FROM sale WHERE status = '{status}'");
        let found = app.count(&of_status).await;
        assert!(found >= least, "{found} sales are {status}");
    }
    for (status, condition) in [
        (
            "active",
            "active AND NOT exhausted AND coalesce(expires_on >= $day, true)",
        ),
        ("inactive", "NOT active"),
        ("expired", "active AND expires_on < $day"),
        (
            "exhausted",
            "active AND exhausted AND coalesce(expires_on >= $day, true)",
        ),
    ] {
        let condition = condition.replace("$day", &format!("'{}'", app.today()));
        let of_status = format!("SELECT count(*) FROM payment_link WHERE {condition}");
        assert!(app.count(&of_status).await > 0, "no payment link is {status}");
    }
    assert_orders_agree(app).await;
    assert_each_outcome_of_orders_and_settlements_occurs(app).await;
    assert!(app.count_events("DisputeWon").await >= 3);
    let by_panel = "SELECT count(*) FROM event WHERE payload->'SaleCanceled'->>'initiator' = 'platform'";
    let by_panel = app.count(by_panel).await;
    assert!(
        (5..40).contains(&by_panel),
        "{by_panel} sales canceled in a panel"
    );
    let accelerated =
        "SELECT count(*) FROM sale WHERE status = 'canceled' AND accelerated_by = ANY (settled_by)";
    assert!(
        app.count(accelerated).await > 0,
        "no canceled sale was paid early"
    );
    let kinds = "SELECT count(DISTINCT direction) FROM transfer WHERE kind = 1";
    assert_eq!(app.count(kinds).await, 2, "a manual transfer in each direction");
    let attention = "SELECT count(*) FROM transfer WHERE needs_attention";
    assert_eq!(app.count(attention).await, 1);
    for (hold, condition) in [
        (
            "an analysis of which a document was sent and one is missing",
            "kind = 'analysis' AND amount = 50000 AND cardinality(documents) = 2 AND ended_at IS NULL
             AND (SELECT count(*) FROM hold_document d WHERE d.hold_id = hold.hold_id AND d.state = 'sent') = 1",
        ),
        ("an analysis that ended", "kind = 'analysis' AND ended_at IS NOT NULL"),
        ("a guarantee", "kind = 'contract' AND amount = 15000 AND ended_at IS NULL"),
        (
            "a court's order that is still missing money",
            "kind = 'judicial' AND ordered - amount BETWEEN 1 AND 25000 AND ended_at IS NULL",
        ),
    ] {
        let holds = format!("SELECT count(*) FROM hold WHERE {condition}");
        assert_eq!(app.count(&holds).await, 1, "{hold}");
    }
    // The story leaves one exception for staff.
    assert_eq!(app.rows("exception").await, 1);
}

/// Disagreements that must not exist, each with the statement that counts them.
const DISAGREEMENTS: [(&str, &str); 8] = [
    (
        "links with other uses than their orders hold",
        "SELECT count(*) FROM payment_link l
          WHERE uses <> (SELECT count(*) FROM link_order o WHERE o.link_id = l.id AND o.holds_use)",
    ),
    (
        "sales by link without an attempt, or of another amount, provider or company",
        "SELECT count(*) FROM sale s
          WHERE s.payment_link_code IS NOT NULL
            AND NOT EXISTS (SELECT FROM order_attempt a
                             WHERE a.sale_id = s.sale_id AND a.total = s.amount AND a.provider = s.provider
                               AND a.business_id = s.business_id)",
    ),
    (
        "attempts without a sale",
        "SELECT count(*) FROM order_attempt a
          WHERE NOT EXISTS (SELECT FROM sale s WHERE s.sale_id = a.sale_id)",
    ),
    (
        "sales of orders that the checkout has not created",
        "SELECT count(*) FROM event e
          WHERE event_type = 'SaleCreated' AND payload->'SaleCreated'->'sale'->>'payment_link_code' IS NOT NULL
            AND NOT EXISTS (SELECT FROM link_order o
                             WHERE e.metadata->>'actor' = 'checkout' AND e.metadata->>'cause' = o.reference)",
    ),
    (
        "paid attempts of sales that were never captured",
        "SELECT count(*) FROM order_attempt a JOIN sale s USING (sale_id)
          WHERE a.status = 'paid' AND s.captured_at IS NULL",
    ),
    (
        "captured sales of attempts that are neither paid nor canceled",
        "SELECT count(*) FROM order_attempt a JOIN sale s USING (sale_id)
          WHERE s.captured_at IS NOT NULL AND a.status NOT IN ('paid', 'canceled')",
    ),
    (
        "links that were ordered on more often than opened",
        "SELECT count(*) FROM payment_link l
          WHERE (SELECT count(*) FROM link_order o WHERE o.link_id = l.id)
              > (SELECT coalesce(sum(opened), 0) FROM payment_link_opening p WHERE p.link_id = l.id)",
    ),
    (
        "e-mails about orders of the past that wait",
        "SELECT count(*) FROM mail WHERE kind <> 'order-to-pay' AND status = 'waiting'",
    ),
];

/// Every sale by link is an attempt of an order, and orders, attempts, uses and openings agree.
async fn assert_orders_agree(app: &TestApp) {
    for (what, sql) in DISAGREEMENTS {
        assert_eq!(app.count(sql).await, 0, "{what}");
    }
}

async fn assert_each_outcome_of_orders_and_settlements_occurs(app: &TestApp) {
    for (status, least) in [("open", 4), ("paid", 250), ("expired", 10)] {
        let found = format!("SELECT count(*) FROM link_order WHERE status = '{status}'");
        assert!(app.count(&found).await >= least, "{status} orders");
    }
    for status in ["paid", "declined", "expired", "canceled"] {
        let found = format!("SELECT count(*) FROM order_attempt WHERE status = '{status}'");
        assert!(app.count(&found).await > 0, "no attempt is {status}");
    }
    let tried_again = "SELECT count(*) FROM order_attempt a JOIN order_attempt b USING (order_id)
                        WHERE a.status = 'declined' AND b.status = 'paid' AND b.number > a.number";
    assert!(app.count(tried_again).await > 0, "no other card was tried");
    let closed = format!(
        "SELECT count(*) FROM card_closure WHERE closed_until > '{}'",
        app.app.state.clock.now().to_rfc3339()
    );
    assert_eq!(app.count(&closed).await, 1, "one link takes no cards");
    for kind in ["missing", "unknown", "amount", "fee", "double"] {
        let open =
            format!("SELECT count(*) FROM settlement_difference WHERE state = 'open' AND kind = '{kind}'");
        assert!(app.count(&open).await > 0, "no difference is {kind}");
    }
    let agreed = "SELECT count(*) FROM settlement_day
                   WHERE is_complete AND expected > 0 AND expected = reported AND open_count = 0";
    assert!(app.count(agreed).await > 0, "no day agrees");
}

/// The gross of the captured sales that was not returned is in the accounts, or was paid out by withdrawals and manual
/// transfers. The accounts include disputes and the platform's fees. A rental only moves money from a seller to the
/// platform.
async fn assert_accounts_hold_the_captured_sales(app: &TestApp) {
    let difference = "SELECT (SELECT sum(amount - refunded - charged_back) FROM sale
                             WHERE status IN ('succeeded', 'dispute'))
                         - (SELECT sum(receivable + available + in_transfer + held_by_staff + in_dispute + platform_fees)
                              FROM business_head)
                         - (SELECT sum(CASE direction WHEN 'in' THEN -amount ELSE amount - fee END)
                              FROM transfer WHERE status = 1 AND kind <> 2)";
    assert_eq!(app.count(&format!("SELECT ({difference})::int8")).await, 0);
}

/// Loads the story in two parts: interrupts it in its third week, at an arbitrary step, and loads the rest.
async fn load_with_interruption(app: &TestApp) {
    let loader = app.app.demo();
    assert!(loader.can_load().await.expect("an answer"));
    let weeks_begun = Cell::new(0);
    // The load reports a step that ends like this before the first week, and after each week.
    let count = |step: String| weeks_begun.set(weeks_begun.get() + usize::from(step.ends_with(" notices")));
    let mut load = Box::pin(loader.load(count));
    let cut = poll_fn(|context| match load.as_mut().poll(context) {
        Poll::Pending if weeks_begun.get() == 3 => Poll::Ready(None),
        Poll::Pending => Poll::Pending,
        Poll::Ready(done) => Poll::Ready(Some(done)),
    });
    assert!(cut.await.is_none(), "the load is interrupted before its end");
    drop(load);
    let recorded = "SELECT count(*) FROM sale_claim";
    let recorded_before = app.count(recorded).await;
    assert!(loader.can_load().await.expect("an answer"));
    loader.load(|_| ()).await.expect("the rest of the story");
    assert!(app.count(recorded).await > recorded_before);
    let twice = "SELECT count(*) FROM (SELECT FROM event WHERE event_type = 'SaleCaptured'
                  GROUP BY payload->'SaleCaptured'->'sale'->>'external_id' HAVING count(*) > 1) AS twice";
    assert_eq!(app.count(twice).await, 0, "nothing is reported twice");
}

#[tokio::test]
async fn the_story_loads_adds_up_and_passes_the_audit_though_its_load_was_interrupted() {
    let app = TestApp::start_with(&[], PARTS).await;
    load_with_interruption(&app).await;
    app.until_projected().await;
    assert_eq!(app.count("SELECT count(*) FROM business").await, 5);
    let unconfirmed = "SELECT (SELECT count(*) FROM seller_user WHERE email_verified_at IS NULL)
                            + (SELECT count(*) FROM admin_user WHERE email_verified_at IS NULL)";
    assert_eq!(app.count(unconfirmed).await, 0);
    // The story leaves one exception for staff.
    let waiting = "SELECT count(*) FROM exception WHERE status = 'waiting' AND reason = 'unknown_terminal'";
    assert_eq!(app.count(waiting).await, 1);
    assert_eq!(app.rows("exception").await, 1);
    let sales = app.count("SELECT count(*) FROM sale_claim").await;
    assert!((6_000..10_000).contains(&sales), "{sales}");
    // The browser tests need a sale with the widest table: canceled, with installments that were paid early. They sign
    // in as a user who is an administrator (role 2) of its company and an operator (role 7) of another.
    let with_accelerated = "SELECT count(*) FROM business_access AS access
        WHERE role_id = 2
          AND EXISTS (SELECT FROM business_access AS other WHERE other.seller_id = access.seller_id AND other.role_id = 7)
          AND EXISTS (
              SELECT FROM sale WHERE sale.business_id = access.business_id AND status = 'canceled'
                 AND payment_type = 'credit' AND accelerated_by = ANY (settled_by))";
    assert_eq!(app.count(with_accelerated).await, 1);
    assert_accounts_hold_the_captured_sales(&app).await;
    assert_every_state_occurs(&app).await;
    let rentals = app
        .count("SELECT count(*) FROM transfer WHERE kind = 2 AND status = 1")
        .await;
    assert_eq!(rentals, 2 * 3, "three months of two terminals");
    assert_eq!(
        app.count(NEGATIVE_CLOSINGS).await,
        1,
        "only the last day of the company that owes a machine closes with a negative balance"
    );
    assert_eq!(
        app.count(&overdue(&app)).await,
        0,
        "everything due by today is settled"
    );

    let pool = &app.app.state.pool;
    let summary = replay::run(
        pool,
        &app.database.connector(),
        |_| (),
        |finding| panic!("{finding:?}"),
    )
    .await
    .expect("a replay");
    assert_eq!((summary.businesses, summary.findings), (5, 0));
    let of_effects = effects::audit::run(pool, &mut |finding| panic!("{finding}")).await;
    assert_eq!(of_effects.expect("an audit"), 0);
    assert_eq!(app.row_findings().await, [""; 0]);

    let loader = app.app.demo();
    assert!(!loader.can_load().await.expect("an answer"));
    assert!(matches!(loader.load(|_| ()).await, Err(DemoError::NotEmpty)));
}

#[tokio::test]
async fn a_database_with_other_records_is_not_changed() {
    let app = TestApp::start().await;
    app.company("Padaria").await;
    assert!(matches!(
        app.app.demo().load(|_| ()).await,
        Err(DemoError::NotEmpty)
    ));
    assert_eq!((app.rows("business").await, app.rows("event").await), (1, 0));
}
