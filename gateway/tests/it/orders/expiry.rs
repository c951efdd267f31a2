//! Unpaid orders expire; a late payment is still recorded.

use std::time::Duration;

use chrono::TimeDelta;
use gateway_platform::orders::{HintOutcome, IDLE_LIFE};
use serde_json::{Value, json};

use super::{OrderFixture, PAST_ATTEMPT_LIFE, PRICE, boleto, pix};
use crate::support::Answer;
use crate::support::log::ThreadLog;

pub async fn uses(fixture: &OrderFixture, link: &Value) -> Value {
    let read = fixture.links.seller.get(&crate::links::path(link)).await;
    read.at("/uses").clone()
}

/// No attempt is expiring. An expiry asks its acquirer for a cancel, and the attempt's status changes later.
async fn assert_no_cancel_is_requested(fixture: &OrderFixture) {
    let requested = "SELECT count(*) FROM order_attempt WHERE cancel_asked_at IS NOT NULL";
    assert_eq!(fixture.count(requested).await, 0);
}

#[tokio::test]
async fn an_unpaid_order_gives_its_use_back_and_another_attempt_or_a_late_payment_takes_it_again() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({ "use_limit": 1 })).await;
    let order = fixture.placed(&link, pix(PRICE)).await;
    fixture.expire_after(TimeDelta::minutes(29), Duration::ZERO).await;
    assert_no_cancel_is_requested(&fixture).await;
    assert_eq!(fixture.status(&order).await.at("/attempt/status"), "to_pay");
    fixture.expire_after(PAST_ATTEMPT_LIFE, IDLE_LIFE).await;
    let expired = fixture.until_attempt_is(&order, "expired").await;
    assert_eq!(
        (
            expired.at("/status"),
            expired.at("/can_retry"),
            expired.at("/attempt/pix")
        ),
        (&json!("open"), &json!(true), &Value::Null)
    );
    assert_eq!(
        uses(&fixture, &link).await,
        0,
        "the order is open and holds no use"
    );
    let renewed = fixture
        .attempt(&order, json!({ "payment_type": "pix", "total": PRICE }))
        .await;
    assert_eq!(renewed.at("/attempt/status"), "to_pay", "{}", renewed.body);
    assert_eq!(uses(&fixture, &link).await, 1);
    fixture.expire_after(PAST_ATTEMPT_LIFE, Duration::ZERO).await;
    fixture.until_attempt_is(&order, "expired").await;
    let ended = fixture.expire_idle(&order).await;
    assert_eq!(ended.at("/final"), true);
    assert_eq!(uses(&fixture, &link).await, 0);
    assert_eq!(fixture.links.app.count_events("SaleVoided").await, 2);
    // The buyer pays the first code at a bank that still takes it.
    let first = fixture.sale(&order, 1).await;
    assert_eq!(fixture.change_charge(first, "pay").await.status, 200);
    assert_eq!(fixture.hint(first).await, HintOutcome::Handled);
    let paid = fixture.until_attempt_is(&order, "paid").await;
    assert_eq!(
        (paid.at("/status"), paid.at("/attempt/number")),
        (&json!("paid"), &json!(1))
    );
    assert_eq!(uses(&fixture, &link).await, 1);
    // The buyer pays the second code too. Both payments are recorded, and staff are asked to refund one.
    let second = fixture.sale(&order, 2).await;
    fixture.change_charge(second, "pay").await;
    assert_eq!(fixture.hint(second).await, HintOutcome::Handled);
    let twice = "SELECT count(*) FROM exception WHERE by_hand AND reason = 'order_paid_twice'";
    fixture.links.app.until_count(twice, 1).await;
    assert_eq!(fixture.links.app.count_events("SaleCaptured").await, 2);
    assert_eq!(uses(&fixture, &link).await, 1);
    fixture.assert_books_agree().await;
}

#[tokio::test]
async fn each_further_payment_of_an_order_is_reported_to_staff() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({})).await;
    let order = fixture.placed(&link, pix(PRICE)).await;
    for attempts in 1..=3 {
        if attempts > 1 {
            let body = json!({ "payment_type": "pix", "total": PRICE });
            let renewed = fixture.attempt(&order, body).await;
            assert_eq!(renewed.at("/attempt/status"), "to_pay", "{}", renewed.body);
        }
        fixture.expire_after(PAST_ATTEMPT_LIFE, IDLE_LIFE).await;
        fixture.until_attempt_is(&order, "expired").await;
    }
    for (number, reports) in [(1, 0), (2, 1), (3, 2)] {
        let sale = fixture.sale(&order, number).await;
        assert_eq!(fixture.change_charge(sale, "pay").await.status, 200);
        assert_eq!(fixture.hint(sale).await, HintOutcome::Handled);
        let paid = "SELECT count(*) FROM order_attempt WHERE status = 'paid'";
        fixture.links.app.until_count(paid, number.into()).await;
        let reported = "SELECT count(*) FROM exception WHERE by_hand AND reason = 'order_paid_twice'";
        assert_eq!(fixture.count(reported).await, reports, "{number} payments");
    }
    // Each report names an attempt's sale, with the acquirer and the company of that attempt.
    let consistent =
        "SELECT count(*) FROM exception JOIN order_attempt USING (sale_id, provider, business_id)";
    assert_eq!(fixture.count(consistent).await, 2);
    fixture.assert_books_agree().await;
}

#[tokio::test]
async fn a_late_payment_locks_the_open_attempt_before_the_order() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({})).await;
    let order = fixture.placed(&link, pix(PRICE)).await;
    fixture.expire_after(PAST_ATTEMPT_LIFE, IDLE_LIFE).await;
    fixture.until_attempt_is(&order, "expired").await;
    let body = json!({ "payment_type": "pix", "total": PRICE });
    let renewed = fixture.attempt(&order, body).await;
    assert_eq!(renewed.at("/attempt/status"), "to_pay", "{}", renewed.body);
    let (first, open) = (fixture.sale(&order, 1).await, fixture.sale(&order, 2).await);
    // The worker locks the open attempt to end it, and then the order.
    let mut connection = fixture.links.app.database.client().await;
    let worker = connection.transaction().await.expect("a transaction");
    let attempt = "SELECT FROM order_attempt WHERE sale_id = $1 FOR NO KEY UPDATE";
    let locked = worker.execute(attempt, &[&open.uuid()]).await;
    assert_eq!(locked.expect("the attempt"), 1);
    assert_eq!(fixture.change_charge(first, "pay").await.status, 200);
    assert_eq!(fixture.hint(first).await, HintOutcome::Handled);
    fixture.links.app.until_sessions_wait_for_locks(1).await;
    let row = "SELECT FROM link_order WHERE reference = $1 FOR NO KEY UPDATE NOWAIT";
    let locked = worker.execute(row, &[&order.text("/id")]).await;
    assert_eq!(locked.expect("the late payment does not hold the order"), 1);
    worker.commit().await.expect("the late payment goes on");
    fixture.until_attempt_is(&order, "paid").await;
    fixture.assert_books_agree().await;
}

#[tokio::test]
async fn an_order_that_gives_back_a_use_its_link_does_not_have_is_logged() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({ "use_limit": 2 })).await;
    let order = fixture.placed(&link, pix(PRICE)).await;
    let app = &fixture.links.app;
    app.execute("UPDATE payment_link SET uses = 0").await;
    let log = ThreadLog::start();
    fixture.expire_after(PAST_ATTEMPT_LIFE, IDLE_LIFE).await;
    fixture.until_attempt_is(&order, "expired").await;
    fixture.expire_idle(&order).await;
    assert_eq!(log.lines_with("link_use_missing").len(), 1);
}

#[tokio::test]
async fn a_boleto_expires_after_its_due_date_and_its_page_says_so() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({})).await;
    let order = fixture.placed(&link, boleto(PRICE)).await;
    // Ordered on Saturday, 2026-11-21. The third business day is Wednesday.
    assert_eq!(order.at("/attempt/boleto/due_on"), "2026-11-25");
    let pdf = order.text("/attempt/boleto/pdf_url");
    // It can be paid until the end of the next business day, Thursday, 2026-11-26.
    fixture.expire_after(TimeDelta::days(5), Duration::ZERO).await;
    assert_no_cancel_is_requested(&fixture).await;
    assert_eq!(fixture.links.app.client().get(pdf).await.status, 200);
    fixture.expire_after(TimeDelta::days(6), Duration::ZERO).await;
    fixture.until_attempt_is(&order, "expired").await;
    let gone = fixture.links.app.client().get(pdf).await;
    assert_eq!(
        (gone.status, gone.text("/message")),
        (410, "Este boleto venceu. Peça outro a quem o enviou.")
    );
    fixture.assert_books_agree().await;
}

#[tokio::test]
async fn an_unknown_order_is_a_404() {
    let fixture = OrderFixture::open().await;
    let client = fixture.links.app.client();
    for unknown in ["7Q2M4Z9XKD", "x", "sal_00000000-0000-0000-0000-000000000000"] {
        for call in ["boleto", "status", "events"] {
            let answer = client.get(&format!("/api/transactions/{unknown}/{call}")).await;
            assert_eq!(answer.status, 404, "{unknown} {call}");
        }
    }
}

#[tokio::test]
async fn an_order_that_was_paid_without_a_notice_does_not_expire() {
    let fixture = OrderFixture::without_notices().await;
    let link = fixture.link(json!({})).await;
    let order = fixture.placed(&link, pix(PRICE)).await;
    // The look-up before the cancel finds the payment.
    fixture.change_charge(fixture.sale(&order, 1).await, "pay").await;
    fixture.expire_after(PAST_ATTEMPT_LIFE, Duration::ZERO).await;
    let paid = fixture.until_attempt_is(&order, "paid").await;
    assert_eq!(paid.at("/status"), "paid");
    assert_eq!(fixture.links.app.count_events("SaleVoided").await, 0);
}

#[tokio::test]
async fn an_attempt_that_its_acquirer_does_not_answer_is_shown_to_operators_as_late() {
    let fixture = OrderFixture::open().await;
    let app = &fixture.links.app;
    let link = fixture.link(json!({})).await;
    for _ in 0..2 {
        let shown = fixture.placed(&link, pix(PRICE)).await;
        fixture.until_attempt_is(&shown, "to_pay").await;
    }
    // An attempt that waits for its acquirer is late after 30 minutes (`RAZAO_ORDER_LATE_MINUTES`).
    app.execute("UPDATE order_attempt SET created_at = now() - interval '31 minutes'")
        .await;
    let ready = app.operations().get("/readyz").await;
    let late = |ready: &Answer| {
        (
            ready.status,
            ready.at("/orders_late").clone(),
            ready.at("/orders_open").clone(),
        )
    };
    assert_eq!(
        late(&ready),
        (200, json!(0), json!(2)),
        "they wait for their buyers"
    );
    // The look-ups of one fail. The change of `tries` keeps a try that is under way from postponing the attempt.
    app.execute(
        "UPDATE order_attempt SET last_error = 'timeout', next_try_at = 'infinity', tries = tries + 1
          WHERE sale_id = (SELECT min(sale_id::text)::uuid FROM order_attempt)",
    )
    .await;
    let ready = app.operations().get("/readyz").await;
    assert_eq!(late(&ready), (200, json!(1), json!(2)));
    let metrics = app.operations().get("/metrics").await.body;
    let gauge = r#"razao_order_attempts{state="late"} 1"#;
    assert!(metrics.as_str().expect("text").contains(gauge), "{metrics}");
}
