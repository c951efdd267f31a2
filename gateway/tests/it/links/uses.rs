//! The use limit under concurrent orders, and the changes of links that the table refuses.

use gateway_platform::links::{link_use_release, link_use_take};
use serde_json::json;
use tokio_postgres::error::SqlState;

use super::{LinkFixture, id};

const ONE_CHANGE: &str = "a payment link changes one version or one use at a time";

#[tokio::test]
async fn a_hundred_attempts_on_ten_connections_take_exactly_the_limit_of_uses() {
    let fixture = LinkFixture::open().await;
    let link = fixture.link(json!({ "use_limit": 10 })).await;
    let (link_id, today) = (id(&link), fixture.app.today());
    let mut connections = vec![];
    for _ in 0..10 {
        let client = fixture.app.database.client().await;
        connections.push(tokio::spawn(async move {
            let mut taken = 0;
            for _ in 0..10 {
                taken += i32::from(link_use_take(&client, link_id, today).await.expect("an answer"));
            }
            taken
        }));
    }
    let mut taken = 0;
    for connection in connections {
        taken += connection.await.expect("its uses");
    }
    assert_eq!(taken, 10);
    let client = fixture.app.database.client().await;
    link_use_release(&client, link_id).await.expect("a release");
    assert!(link_use_take(&client, link_id, today).await.expect("an answer"));
    assert!(!link_use_take(&client, link_id, today).await.expect("an answer"));
    let read = fixture.seller.get(&super::path(&link)).await;
    assert_eq!(
        (read.at("/uses"), read.at("/status"), read.at("/version")),
        (&json!(10), &json!("exhausted"), &json!(1)),
        "uses are no change of the link"
    );
    let lower = fixture.change(&link, json!({ "use_limit": 9 })).await;
    super::assert_errors(
        &lower,
        json!({ "use_limit": ["O limite deve ser de pelo menos 10, porque o link já tem 10 usos."] }),
    );
}

#[tokio::test]
async fn a_link_that_is_off_or_expired_gives_no_use() {
    let fixture = LinkFixture::open().await;
    let off = fixture.link(json!({ "active": false })).await;
    let old = fixture.link(json!({ "expires_on": "2026-11-21" })).await;
    let (client, today) = (fixture.app.database.client().await, fixture.app.today());
    let take = async |link, day| link_use_take(&client, id(link), day).await.expect("an answer");
    assert!(!take(&off, today).await);
    assert!(take(&old, today).await, "the last day counts");
    assert!(!take(&old, today + chrono::TimeDelta::days(1)).await);
    link_use_release(&client, id(&off)).await.expect("a release");
    let read = fixture.seller.get(&super::path(&off)).await;
    assert_eq!(read.at("/uses"), 0, "a link without uses has none to give back");
}

#[tokio::test]
async fn the_table_refuses_deletions_and_changes_that_break_a_rule() {
    let fixture = LinkFixture::open().await;
    fixture.link(json!({ "use_limit": 2 })).await;
    let client = fixture.app.database.client().await;
    for (forbidden, refusal) in [
        (
            "DELETE FROM payment_link",
            "rows of payment_link are added, never changed",
        ),
        (
            "UPDATE payment_link SET code = '000000000000', version = version + 1",
            "a payment link keeps its company and its code",
        ),
        ("UPDATE payment_link SET uses = 2", ONE_CHANGE),
        (
            "UPDATE payment_link SET uses = 1, version = version + 1",
            ONE_CHANGE,
        ),
        ("UPDATE payment_link SET description = 'Torta'", ONE_CHANGE),
        // Only a link without an amount has bounds for it.
        (
            "UPDATE payment_link SET amount_min = 1, version = version + 1",
            "payment_link_check",
        ),
        // The link has three installments, which only cards have.
        (
            "UPDATE payment_link SET payment_types = '{pix}', version = version + 1",
            "payment_link_check",
        ),
        (
            "UPDATE payment_link SET payment_types = '{debit}', installments_max = 1, version = version + 1",
            "payment_link_payment_types_check",
        ),
    ] {
        let error = client.batch_execute(forbidden).await.expect_err(forbidden);
        let error = error.as_db_error().expect("a refusal of the database");
        assert_eq!(error.code(), &SqlState::CHECK_VIOLATION, "{forbidden}: {error}");
        assert!(error.message().contains(refusal), "{forbidden}: {error}");
    }
}
