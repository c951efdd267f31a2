//! The use limit of a link: under many orders at once, and how long an unpaid order holds a use.

use futures::future::join_all;
use gateway_platform::orders::HintOutcome;
use serde_json::{Value, json};
use std::time::Duration;

use super::expiry::uses;
use super::{OrderFixture, PAST_ATTEMPT_LIFE, PRICE, boleto, pix};
use crate::links::public;

/// The body with another buyer's document.
pub fn of_buyer(number: u32, mut body: Value) -> Value {
    let mut digits: Vec<u32> = format!("{:09}", 200_000_000 + number)
        .chars()
        .filter_map(|digit| digit.to_digit(10))
        .collect();
    for first in [10, 11] {
        let sum: u32 = digits
            .iter()
            .zip((2..=first).rev())
            .map(|(digit, weight)| digit * weight)
            .sum();
        digits.push(sum * 10 % 11 % 10);
    }
    let cpf: String = digits.iter().map(u32::to_string).collect();
    body["buyer"]["document"] = json!(cpf);
    body
}

/// A boleto lives for days. It must not close a link of one use for so long.
#[tokio::test]
async fn an_unpaid_boleto_holds_a_use_for_minutes_and_staff_are_asked_to_refund_its_late_payment() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({ "use_limit": 1 })).await;
    let first = fixture.placed(&link, of_buyer(1, boleto(PRICE))).await;
    assert_eq!(first.at("/attempt/status"), "to_pay", "{}", first.body);
    assert!(first.at("/use_held_until").is_string(), "{}", first.body);

    let refused = fixture.place(&link, of_buyer(2, pix(PRICE))).await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    assert!(
        refused.text("/message").contains("aguarda pagamento"),
        "{}",
        refused.body
    );
    let page = fixture.links.app.client().get(&public(&link)).await;
    assert_eq!(page.at("/status"), "exhausted", "{}", page.body);
    assert_eq!(page.at("/held_until"), first.at("/use_held_until"));

    fixture.expire_after(PAST_ATTEMPT_LIFE, Duration::ZERO).await;
    assert_eq!(uses(&fixture, &link).await, 0);
    assert_eq!(fixture.status(&first).await.at("/attempt/status"), "to_pay");

    let second = fixture.placed(&link, of_buyer(2, pix(PRICE))).await;
    for (order, over_limit) in [(&second, 0), (&first, 1)] {
        let sale = fixture.sale(order, 1).await;
        assert_eq!(fixture.change_charge(sale, "pay").await.status, 200);
        assert_eq!(fixture.hint(sale).await, HintOutcome::Handled);
        fixture.until_attempt_is(order, "paid").await;
        let reported = "SELECT count(*) FROM exception WHERE by_hand AND reason = 'link_paid_over_limit'";
        fixture.links.app.until_count(reported, over_limit).await;
    }
    let page = fixture.links.app.client().get(&public(&link)).await;
    assert_eq!(
        (page.at("/status"), page.at("/held_until")),
        (&json!("exhausted"), &Value::Null)
    );
    assert_eq!(uses(&fixture, &link).await, 1);
    assert_eq!(fixture.links.app.count_events("SaleCaptured").await, 2);
    fixture.assert_books_agree().await;
}

#[tokio::test]
async fn a_new_order_of_the_same_buyer_takes_over_the_use_of_the_unpaid_one() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({ "use_limit": 1 })).await;
    let first = fixture.placed(&link, boleto(PRICE)).await;
    let second = fixture.placed(&link, pix(PRICE)).await;
    assert_eq!(second.at("/attempt/status"), "to_pay", "{}", second.body);
    assert_eq!(uses(&fixture, &link).await, 1);
    let canceled = fixture.until_attempt_is(&first, "canceled").await;
    // It holds the link no longer.
    assert!(
        canceled.text("/use_held_until") < first.text("/use_held_until"),
        "{}",
        canceled.body
    );
    // The first order has no use any more, so it cannot be paid in another way.
    let again = fixture
        .attempt(&first, json!({ "payment_type": "pix", "total": PRICE }))
        .await;
    assert_eq!(again.status, 409, "{}", again.body);
    let other = fixture.place(&link, of_buyer(2, pix(PRICE))).await;
    assert_eq!(other.status, 409, "{}", other.body);
    fixture.assert_books_agree().await;
}

#[tokio::test]
async fn a_hundred_buyers_at_once_get_exactly_the_limit() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({ "use_limit": 10 })).await;
    let answers = join_all((0..100).map(|buyer| fixture.place(&link, of_buyer(buyer, pix(PRICE))))).await;
    let count = |status| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!((count(201), count(409)), (10, 90));
    let orders = "SELECT count(*) FROM link_order WHERE holds_use";
    assert_eq!(fixture.count(orders).await, 10);
    let uncharged = "SELECT count(*) FROM order_attempt WHERE pix_code IS NULL";
    fixture.links.app.until_count(uncharged, 0).await;
    assert_eq!(fixture.charges().await.len(), 10);
    fixture.assert_books_agree().await;
}
