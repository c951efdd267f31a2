//! Answers while the read model of sales is behind: after a migration emptied it, or at a poison event.

use serde_json::json;

use super::{ReversalFixture, path};
use crate::support::{Answer, Sale};

/// Nothing is folded into the sales from here on.
async fn stop_sales(shop: &ReversalFixture) {
    shop.app
        .execute(
            "UPDATE projection_checkpoint SET poison = 'a test', poison_position = position + 1
              WHERE model = 'sales'",
        )
        .await;
}

#[tokio::test]
async fn a_cancel_of_a_sale_that_no_list_has_yet_is_answered_as_recorded() {
    let shop = ReversalFixture::with(400_00).await;
    stop_sales(&shop).await;
    let sale = shop.sold(Sale::card()).await;
    let canceled = shop.seller.post(&path(&sale, "chargeback"), json!({})).await;
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
        shop.events_recorded().await,
        3,
        "the credit, the sale, the cancel"
    );
}

#[tokio::test]
async fn lists_are_marked_as_stale_while_a_read_model_is_incomplete() {
    let shop = ReversalFixture::with(0).await;
    let stale = async || {
        let list = shop.seller.get("/api/transactions").await;
        assert_eq!(list.status, 200);
        list.header("ledger-stale").is_some()
    };
    // The answer is up to a second behind the checkpoints.
    let until = async |expected: bool| {
        for _ in 0..60 {
            if stale().await == expected {
                return true;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        false
    };
    assert!(!stale().await);
    stop_sales(&shop).await;
    assert!(until(true).await, "a model has stopped");
    let go_on = "UPDATE projection_checkpoint SET poison = NULL, poison_position = NULL";
    shop.app.execute(go_on).await;
    assert!(until(false).await, "it goes on");
    shop.app
        .execute("UPDATE log_shard SET position = position + 5000")
        .await;
    assert!(until(true).await, "a model has far to go");
}

#[tokio::test]
async fn no_day_is_shown_on_which_a_schedule_that_is_behind_covers_the_amount() {
    let shop = ReversalFixture::with(0).await;
    let sale = shop.sold(Sale::card()).await;
    shop.sold(Sale::card()).await;
    shop.settle().await;
    let disputed = |answer: &Answer| answer.at("/balance/covered_on").clone();
    let known = shop.seller.get(&path(&sale, "dispute/preview")).await;
    assert!(!disputed(&known).is_null(), "{}", known.body);
    stop_sales(&shop).await;
    shop.sold(Sale::card()).await;
    let unknown = shop.seller.get(&path(&sale, "dispute/preview")).await;
    assert!(disputed(&unknown).is_null(), "{}", unknown.body);
}
