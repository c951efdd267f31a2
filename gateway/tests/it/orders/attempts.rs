//! Further attempts of an order, and repeated requests.

use std::time::Duration;

use chrono::{DateTime, Utc};
use gateway::app::Parts;
use gateway_platform::orders::{HintOutcome, IDLE_LIFE};
use ledger_domain::sale::Provider;
use serde_json::json;
use uuid::Uuid;

use super::crashes::{WaitingAcquirer, WaitsAt};
use super::uses::of_buyer;
use super::{DECLINED_CARD, OrderFixture, PAID_CARD, PAST_ATTEMPT_LIFE, PRICE, address, credit, pix};
use crate::support::{Answer, PARTS_AND_SANDBOX, noon};

/// Longer than the test waits for the acquirer.
const LONG_TIMEOUT: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_declined_card_is_followed_by_another_and_each_attempt_is_a_sale() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({})).await;
    let cases = [
        (DECLINED_CARD, "other"),
        ("4000000000009995", "insufficient_funds"),
        ("4000000000000127", "security_code"),
        ("4000000000000069", "expired_card"),
        ("4000000000000119", "temporary"),
    ];
    let (first, code) = cases[0];
    let card = fixture.card(first, 1).await;
    let order = fixture.placed(&link, credit(PRICE, card)).await;
    assert_eq!(order.at("/attempt/decline/code"), code);
    for (number, code) in &cases[1..] {
        let card = fixture.card(number, 1).await;
        let body = json!({ "payment_type": "credit", "total": PRICE, "card": card });
        let declined = fixture.attempt(&order, body).await;
        assert_eq!(declined.status, 201, "{}", declined.body);
        assert_eq!(
            (
                declined.at("/attempt/status"),
                declined.at("/attempt/decline/code")
            ),
            (&json!("declined"), &json!(code))
        );
        assert_eq!(
            (declined.at("/status"), declined.at("/can_retry")),
            (&json!("open"), &json!(true))
        );
        assert_eq!(declined.at("/payment_types"), &json!(["credit", "pix", "boleto"]));
    }
    let card = fixture.card(PAID_CARD, 2).await;
    let body = json!({ "payment_type": "credit", "total": PRICE, "card": card });
    let paid = fixture.attempt(&order, body.clone()).await;
    assert_eq!(
        (paid.at("/status"), paid.at("/attempt/number")),
        (&json!("paid"), &json!(6))
    );
    // A second tab of the browser sends its attempt after the payment.
    let late = fixture.attempt(&order, body).await;
    assert_eq!(
        (late.status, late.text("/message")),
        (409, "Este pedido já foi encerrado.")
    );
    assert_eq!(fixture.links.app.count_events("SaleFailed").await, 5);
    assert_eq!(fixture.links.app.count_events("SaleCaptured").await, 1);
    fixture.assert_books_agree().await;
}

/// A look-up at Iugu shows the invoice of a declined card as canceled.
#[tokio::test]
async fn a_declined_charge_that_is_later_shown_as_canceled_changes_nothing() {
    let variables = [("RAZAO_ACQUIRER_IUGU_URL", "sandbox")];
    let fixture = OrderFixture::open_with(&variables, PARTS_AND_SANDBOX).await;
    let link = fixture.link(json!({})).await;
    let token = format!("tok_visa_9995_{}", Uuid::new_v4().simple());
    let card = json!({ "token": token, "brand": "visa", "last_four": "9995", "installments": 1 });
    let order = fixture.placed(&link, credit(PRICE, card)).await;
    assert_eq!(order.at("/attempt/decline/code"), "insufficient_funds");
    let sale_id = fixture.sale(&order, 1).await;
    assert_eq!(
        fixture.hint_by(Provider::Iugu, sale_id).await,
        HintOutcome::Handled
    );
    let app = &fixture.links.app;
    assert_eq!(app.count_events("SaleFailed").await, 1);
    assert_eq!(app.count("SELECT count(*) FROM exception").await, 0);
}

#[tokio::test]
async fn an_attempt_of_another_payment_type_cancels_the_open_attempt_first() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({ "use_limit": 2 })).await;
    let order = fixture.placed(&link, pix(PRICE)).await;
    let boleto = json!({ "payment_type": "boleto", "total": PRICE, "card": null });
    let refused = fixture.attempt(&order, boleto.clone()).await;
    assert_eq!(
        (refused.status, refused.at("/errors")),
        (422, &json!({ "address": ["O boleto precisa do seu endereço."] }))
    );
    let mut with_address = boleto;
    with_address["address"] = address();
    let changed = fixture.attempt(&order, with_address).await;
    assert_eq!(changed.status, 201, "{}", changed.body);
    assert_eq!(
        (
            changed.at("/attempt/payment_type"),
            changed.at("/attempt/status"),
            changed.at("/attempt/number")
        ),
        (&json!("boleto"), &json!("to_pay"), &json!(2))
    );
    let states: Vec<_> = fixture
        .charges()
        .await
        .iter()
        .map(|charge| charge["state"].clone())
        .collect();
    assert_eq!(states, ["canceled", "pending"]);
    // The boleto is paid before the buyer tries a card. The card is not charged.
    fixture.change_charge(fixture.sale(&order, 2).await, "pay").await;
    let card = fixture.card(PAID_CARD, 1).await;
    let body = json!({ "payment_type": "credit", "total": PRICE, "card": card });
    let answer = fixture.attempt(&order, body).await;
    // A look-up may find the payment before the request does. The order has then ended.
    assert!([201, 409].contains(&answer.status), "{}", answer.body);
    assert_eq!(fixture.status(&order).await.at("/status"), "paid");
    assert_eq!(fixture.charges().await.len(), 2);
    fixture.assert_books_agree().await;
}

#[tokio::test]
async fn a_refunded_order_shows_the_attempt_that_was_paid() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({})).await;
    let order = fixture.placed(&link, pix(PRICE)).await;
    let boleto = json!({ "payment_type": "boleto", "total": PRICE, "card": null, "address": address() });
    let second = fixture.attempt(&order, boleto).await;
    assert_eq!(second.at("/attempt/number"), 2);
    // The buyer pays the first code at a bank that still takes it.
    let sale_id = fixture.sale(&order, 1).await;
    assert_eq!(fixture.change_charge(sale_id, "pay").await.status, 200);
    assert_eq!(fixture.hint(sale_id).await, HintOutcome::Handled);
    fixture.until_attempt_is(&order, "paid").await;
    let canceled = "SELECT count(*) FROM order_attempt WHERE number = 2 AND status = 'canceled'";
    fixture.links.app.until_count(canceled, 1).await;
    assert_eq!(fixture.change_charge(sale_id, "refund").await.status, 200);
    assert_eq!(fixture.hint(sale_id).await, HintOutcome::Handled);
    let refunded = fixture.until_attempt_is(&order, "canceled").await;
    assert_eq!(
        (
            refunded.at("/attempt/number"),
            refunded.at("/attempt/payment_type")
        ),
        (&json!(1), &json!("pix"))
    );
}

#[tokio::test]
async fn two_tabs_that_try_again_at_once_make_one_attempt() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({})).await;
    let order = fixture.placed(&link, pix(PRICE)).await;
    fixture.expire_after(PAST_ATTEMPT_LIFE, IDLE_LIFE).await;
    fixture.until_attempt_is(&order, "expired").await;
    // Both tabs have read that no attempt is open when the order's lock is released.
    let mut locking = fixture.links.app.database.client().await;
    let lock = locking.transaction().await.expect("a transaction");
    lock.execute("SELECT FROM link_order FOR UPDATE", &[])
        .await
        .expect("the lock");
    let body = json!({ "payment_type": "pix", "total": PRICE });
    let release = async {
        fixture.links.app.until_sessions_wait_for_locks(2).await;
        lock.commit().await.expect("a commit");
    };
    let (one, two, ()) = tokio::join!(
        fixture.attempt(&order, body.clone()),
        fixture.attempt(&order, body),
        release
    );
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409], "{} {}", one.body, two.body);
    let attempts = "SELECT count(*) FROM order_attempt";
    assert_eq!(fixture.count(attempts).await, 2);
}

/// The repeat waits for the acquirer without the order's locks. With them, the worker could not store the answer.
#[tokio::test]
async fn an_attempt_repeated_while_its_acquirer_is_asked_does_not_delay_the_answer() {
    let parts = Parts {
        effects: false,
        ..PARTS_AND_SANDBOX
    };
    let fixture = OrderFixture::open_with(&[], parts).await;
    let link = fixture.link(json!({})).await;
    let (_orders, worker) = fixture.worker(Box::new(fixture.acquirer()), LONG_TIMEOUT);
    let order = fixture.placed(&link, pix(PRICE)).await;
    fixture.expire_after(PAST_ATTEMPT_LIFE, IDLE_LIFE).await;
    fixture.until_attempt_is(&order, "expired").await;
    drop(worker);
    let slow = WaitingAcquirer::new(fixture.acquirer(), WaitsAt::BeforeTheCharge);
    let (called, goes_on) = (slow.called(), slow.goes_on());
    let (_orders, _worker) = fixture.worker(Box::new(slow), LONG_TIMEOUT);
    let buyer = fixture.links.app.client().with("idempotency-key", "double");
    let path = format!("/api/transactions/{}/attempts", order.text("/id"));
    let body = json!({ "payment_type": "pix", "total": PRICE });
    let (one, two, ()) = tokio::join!(
        buyer.post(&path, body.clone()),
        async {
            called.notified().await;
            buyer.post(&path, body.clone()).await
        },
        async {
            // PostgreSQL keeps in `xmax` which transaction locked the row last.
            let locked = "SELECT count(*) FROM order_attempt WHERE ended_at IS NULL AND xmax::text <> '0'";
            fixture.links.app.until_count(locked, 1).await;
            goes_on.notify_one();
        }
    );
    assert_eq!((one.status, two.status), (201, 201), "{} {}", one.body, two.body);
    let states = (one.at("/attempt/status"), two.at("/attempt/status"));
    assert_eq!(states, (&json!("to_pay"), &json!("to_pay")));
}

/// The page counts down from the answer's `Date` header, because the clock of a phone may be wrong.
fn assert_date_header_is_business_time(answers: &[&Answer]) {
    for answer in answers {
        let date = answer
            .header("date")
            .and_then(|text| DateTime::parse_from_rfc2822(text).ok());
        let seconds = date.map(|date| (date.with_timezone(&Utc) - noon()).num_seconds());
        assert!(
            seconds.is_some_and(|seconds| (0..60).contains(&seconds)),
            "{:?}",
            answer.headers
        );
    }
}

#[tokio::test]
async fn a_repeated_order_is_the_same_order_and_a_key_belongs_to_one_request() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({ "use_limit": 1 })).await;
    let key = Uuid::new_v4().to_string();
    // A double click: both at once.
    let (one, two) = tokio::join!(
        fixture.place_with_key(&link, pix(PRICE), &key),
        fixture.place_with_key(&link, pix(PRICE), &key),
    );
    assert_eq!((one.status, two.status), (201, 201), "{} {}", one.body, two.body);
    assert_eq!(one.at("/id"), two.at("/id"));
    // The answer was lost: the browser sends the same again, when the link's only use is taken.
    let again = fixture.place_with_key(&link, pix(PRICE), &key).await;
    assert_eq!(
        (again.status, again.header("idempotent-replayed")),
        (201, Some("true"))
    );
    assert_eq!(again.at("/id"), one.at("/id"));
    assert_date_header_is_business_time(&[&again, &fixture.status(&one).await]);
    let mut other = pix(PRICE);
    other["buyer"]["name"] = json!("Outra Pessoa");
    // Another tab of the browser uses the key with its own fields, and learns which order it has.
    let reused = fixture.place_with_key(&link, other, &key).await;
    let path = format!("/api/transactions/{}/status", one.text("/id"));
    assert_eq!(
        (reused.status, reused.header("location")),
        (409, Some(path.as_str()))
    );
    // A page that was loaded again has only the key.
    let reloaded = fixture.place_with_key(&link, json!({}), &key).await;
    assert_eq!(
        (reloaded.status, reloaded.header("location")),
        (409, Some(path.as_str()))
    );
    let unknown = fixture
        .place_with_key(&link, json!({}), &Uuid::new_v4().to_string())
        .await;
    assert_eq!((unknown.status, unknown.header("location")), (422, None));
    let used_up = fixture.place(&link, of_buyer(2, pix(PRICE))).await;
    assert_eq!(used_up.status, 409);
    assert!(
        used_up.text("/message").contains("aguarda pagamento"),
        "{}",
        used_up.body
    );
    assert_eq!(fixture.charges().await.len(), 1);
}

#[tokio::test]
async fn a_repeated_attempt_is_the_same_attempt_and_a_key_belongs_to_one_request() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({ "use_limit": 1 })).await;
    let one = fixture.place(&link, pix(PRICE)).await;
    assert_eq!(one.status, 201, "{}", one.body);
    let order = fixture.links.app.client().with("idempotency-key", "again");
    let path = format!("/api/transactions/{}/attempts", one.text("/id"));
    let body = json!({ "payment_type": "pix", "total": PRICE, "card": null });
    let first = order.post(&path, body.clone()).await;
    let repeated = order.post(&path, body).await;
    assert_eq!((first.status, repeated.status), (201, 201), "{}", first.body);
    assert_eq!(
        (first.at("/attempt"), repeated.header("idempotent-replayed")),
        (repeated.at("/attempt"), Some("true"))
    );
    let reused = order
        .post(
            &path,
            json!({ "payment_type": "pix", "total": 1_00, "card": null }),
        )
        .await;
    assert_eq!(reused.status, 409);
    assert_eq!(
        fixture.charges().await.len(),
        2,
        "one of the order and one of the attempt"
    );
    let without_key = fixture.links.app.client().post(&path, json!({})).await;
    assert_eq!(
        without_key.at("/errors"),
        &json!({ "Idempotency-Key": ["Informe o cabeçalho Idempotency-Key."] })
    );
}

/// Zoop cannot cancel a PIX code. The buyer does not wait until it expires.
#[tokio::test]
async fn a_pix_that_its_acquirer_cannot_cancel_does_not_hold_up_another_way_to_pay() {
    let variables = [("RAZAO_ACQUIRER_ZOOP_URL", "sandbox")];
    let fixture = OrderFixture::open_with(&variables, PARTS_AND_SANDBOX).await;
    let link = fixture.link(json!({})).await;
    let order = fixture.placed(&link, pix(PRICE)).await;
    assert_eq!(order.at("/attempt/status"), "to_pay", "{}", order.body);
    assert_eq!(fixture.charges().await[0]["contract"], "zoop");

    let card = fixture.card(DECLINED_CARD, 1).await;
    let body = json!({ "payment_type": "credit", "total": PRICE, "card": card });
    let declined = fixture.attempt(&order, body).await;
    assert_eq!(declined.status, 201, "{}", declined.body);
    assert_eq!(
        (declined.at("/attempt/number"), declined.at("/attempt/status")),
        (&json!(2), &json!("declined"))
    );
    assert_eq!(declined.at("/earlier_pix/code"), order.at("/attempt/pix/code"));

    let card = fixture.card(PAID_CARD, 1).await;
    let body = json!({ "payment_type": "credit", "total": PRICE, "card": card });
    let paid = fixture.attempt(&order, body).await;
    assert_eq!(paid.at("/status"), "paid", "{}", paid.body);
    assert_eq!(paid.at("/earlier_pix"), &serde_json::Value::Null);

    // The buyer pays the code too. Staff are asked to refund one.
    let first = fixture.sale(&order, 1).await;
    assert_eq!(fixture.change_charge(first, "pay").await.status, 200);
    let twice = "SELECT count(*) FROM exception WHERE by_hand AND reason = 'order_paid_twice'";
    fixture.links.app.until_count(twice, 1).await;
    fixture.assert_books_agree().await;
}
