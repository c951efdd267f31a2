//! Answers while the read model of sales is behind.

use serde_json::json;

use super::{ReversalFixture, path};
use crate::support::database::only_with_tables;
use crate::support::wait::until;
use crate::support::{Answer, Sale};

#[tokio::test]
async fn a_cancel_of_a_sale_that_no_list_has_yet_is_answered_as_recorded() {
    only_with_tables!();
    let fixture = ReversalFixture::with(400_00).await;
    fixture.app.stop_read_model("sales").await;
    let sale = fixture.sold(Sale::card()).await;
    let id = sale.facts.sale_id.to_string();
    let found = fixture.seller.get(&format!("/api/transactions/{id}")).await;
    assert_eq!((found.status, found.text("/id")), (200, id.as_str()));
    let canceled = fixture.seller.post(&path(&sale, "chargeback"), json!({})).await;
    assert_eq!(
        (canceled.status, canceled.header("ledger-stale")),
        (200, Some("true"))
    );
    assert_eq!(canceled.text("/status"), "canceled");
    let parts = canceled.at("/receivables").as_array().expect("the schedule");
    assert!(
        parts.iter().all(|part| part["status"] == "accelerated"),
        "{parts:?}"
    );
    let events = canceled.at("/events").as_array().expect("the timeline");
    assert_eq!(events.len(), 2, "{events:?}");
    assert_eq!(
        fixture.events_recorded().await,
        3,
        "the credit, the sale, the cancel"
    );
}

#[tokio::test]
async fn lists_are_marked_as_stale_while_a_read_model_is_stopped_or_far_behind() {
    only_with_tables!();
    let fixture = ReversalFixture::with(0).await;
    let stale = async || {
        let list = fixture.seller.get("/api/transactions").await;
        assert_eq!(list.status, 200);
        list.header("ledger-stale").is_some()
    };
    // The header is up to a second behind the checkpoints.
    let until_stale = async |expected: bool, why: &str| until(why, async || stale().await == expected).await;
    assert!(!stale().await);
    fixture.app.stop_read_model("sales").await;
    until_stale(true, "a model has stopped").await;
    fixture.app.continue_read_models().await;
    until_stale(false, "the model has continued").await;
    // Lists are stale while a model is more than 2,000 events behind in a shard.
    fixture
        .app
        .execute("UPDATE log_shard SET position = position + 5000")
        .await;
    until_stale(true, "a model is far behind").await;
}

#[tokio::test]
async fn a_preview_names_no_covering_day_while_the_schedule_is_behind() {
    only_with_tables!();
    let fixture = ReversalFixture::with(0).await;
    let sale = fixture.sold(Sale::card()).await;
    fixture.sold(Sale::card()).await;
    fixture.settle().await;
    let covered_on = |answer: &Answer| answer.at("/balance/covered_on").clone();
    let known = fixture.seller.get(&path(&sale, "dispute/preview")).await;
    assert!(!covered_on(&known).is_null(), "{}", known.body);
    fixture.app.stop_read_model("sales").await;
    fixture.sold(Sale::card()).await;
    let unknown = fixture.seller.get(&path(&sale, "dispute/preview")).await;
    assert!(covered_on(&unknown).is_null(), "{}", unknown.body);
}
