//! An acquirer that does not answer for a while.

use serde_json::{Value, json};

use super::{OrderFixture, PRICE, pix};
use crate::links::LinkFixture;
use crate::support::acquirer::SECRETS;
use crate::support::sandbox::{free_address, sandbox_at};
use crate::support::{Client, PARTS};

const LIST: &str = "/api/admin/operations/charges";

/// After a long outage each charge would wait for up to a quarter of an hour.
#[tokio::test]
async fn all_charges_that_wait_for_a_silent_acquirer_are_made_soon_after_it_answers() {
    let (gateway, acquirer) = (free_address(), free_address());
    let (addr, at) = (gateway.to_string(), acquirer.to_string());
    // Nothing listens at the acquirer's address.
    let variables = [SECRETS, ("RAZAO_ADDR", &addr), ("RAZAO_SANDBOX_ADDR", &at)];
    let fixture = OrderFixture {
        links: LinkFixture::open_with(&variables, PARTS).await,
        sandbox: Client::new(acquirer),
    };
    let (app, staff) = (&fixture.links.app, &fixture.links.staff);
    let link = fixture.link(json!({})).await;
    let mut orders = vec![];
    for _ in 0..5 {
        orders.push(fixture.placed(&link, pix(PRICE)).await);
    }
    app.until_long_pauses("order_attempt", 5).await;

    assert_eq!(staff.get(LIST).await.at("/meta/total"), 0, "none is late yet");
    app.execute("UPDATE order_attempt SET created_at = created_at - interval '31 minutes'")
        .await;
    let late = staff.get(LIST).await;
    assert_eq!(late.at("/meta/total"), 5, "{}", late.body);
    let row = |row: &Value| {
        let fields = ["amount", "business_name", "status", "last_error"];
        fields.map(|field| row[field].clone())
    };
    let expected = [
        json!(PRICE),
        json!("Padaria"),
        json!("unknown"),
        json!("unreachable"),
    ];
    assert!(
        late.at("/data")
            .as_array()
            .expect("rows")
            .iter()
            .all(|late| row(late) == expected),
        "{}",
        late.body
    );
    let retried = staff.post(&format!("{LIST}/retry"), json!({})).await;
    assert_eq!(retried.status, 200, "{}", retried.body);
    // One may be tried at this moment: a silent acquirer is asked about one every few seconds.
    assert!(retried.at("/due").as_i64() >= Some(4), "{}", retried.body);

    app.until_long_pauses("order_attempt", 5).await;
    let _acquirer = sandbox_at(acquirer, gateway).await;
    for order in &orders {
        fixture.until_attempt_is(order, "to_pay").await;
    }
    assert_eq!(
        staff.get(LIST).await.at("/meta/total"),
        0,
        "they wait for their buyers"
    );
    assert_eq!(fixture.charges().await.len(), 5);
    fixture.assert_books_agree().await;
}
