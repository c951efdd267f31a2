//! A card whose acquirer answers after the buyer's request stopped waiting: the order's status shows the outcome.

use serde_json::{Value, json};

use super::{OrderFixture, PAID_CARD, credit};
use crate::support::PARTS_AND_SANDBOX;
use crate::support::wait::until;

/// The cents make the sandbox hold the order, without a charge, until the test releases it.
const HELD: i64 = 100_30;
/// A test card of the sandbox.
const CARD_WITHOUT_FUNDS: &str = "4000000000009995";

/// Longer than the test takes: the platform still waits for the acquirer when the sandbox answers.
const LONG_TIMEOUT: [(&str, &str); 1] = [("RAZAO_ACQUIRER_VALORI_TIMEOUT_MS", "60000")];

#[tokio::test]
async fn the_status_shows_a_late_answer_of_a_card_and_each_card_is_charged_once() {
    let fixture = OrderFixture::open_with(&LONG_TIMEOUT, PARTS_AND_SANDBOX).await;
    let link = fixture.link(json!({ "amount": HELD })).await;
    let placed = async |number: &str| {
        let card = fixture.card(number, 1).await;
        fixture.placed(&link, credit(HELD, card)).await
    };
    let (paid, declined) = tokio::join!(placed(PAID_CARD), placed(CARD_WITHOUT_FUNDS));

    for order in [&paid, &declined] {
        for answer in [order, &fixture.status(order).await] {
            assert_eq!(
                (
                    answer.at("/status"),
                    answer.at("/final"),
                    answer.at("/attempt/status"),
                    answer.at("/attempt/paid_at"),
                    answer.at("/can_retry"),
                ),
                (
                    &json!("open"),
                    &json!(false),
                    &json!("processing"),
                    &Value::Null,
                    &json!(false),
                ),
                "{}",
                answer.body
            );
        }
    }
    assert_eq!(fixture.charges().await, [Value::Null; 0]);

    let events = format!("/api/transactions/{}/events", paid.text("/id"));
    let client = fixture.links.app.client();
    let followed = tokio::spawn(async move { client.download(&events).await });
    let mut released = 0;
    until("the release of both held orders", async || {
        let answer = fixture
            .sandbox
            .post("/sandbox/held-orders/release", json!({}))
            .await;
        released += answer.at("/released").as_u64().expect("a number");
        released == 2
    })
    .await;

    let answer = fixture.until_attempt_is(&paid, "paid").await;
    assert_eq!(
        (answer.at("/status"), answer.at("/final")),
        (&json!("paid"), &json!(true))
    );
    let (_, _, body) = followed.await.expect("a stream");
    let text = String::from_utf8(body).expect("a text");
    assert!(text.contains(r#""status":"paid""#), "{text}");
    let answer = fixture.until_attempt_is(&declined, "declined").await;
    assert_eq!(
        (
            answer.at("/status"),
            answer.at("/attempt/decline/code"),
            answer.at("/can_retry")
        ),
        (&json!("open"), &json!("insufficient_funds"), &json!(true))
    );
    assert_eq!(fixture.charges().await.len(), 2);
    fixture.assert_books_agree().await;
}
