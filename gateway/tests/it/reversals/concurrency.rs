//! Concurrent requests: the available balance is spent once.

use futures::future::join_all;
use serde_json::json;

use super::{ReversalFixture, admin_path, path};
use crate::support::Sale;
use crate::support::concurrency::assert_one_passes;

#[tokio::test]
async fn of_twenty_concurrent_cancels_only_those_that_the_balance_covers_pass() {
    let fixture = ReversalFixture::with(0).await;
    // All sales are settled, so a cancel accelerates nothing.
    let mut sales = vec![];
    for _ in 0..20 {
        sales.push(fixture.sold(Sale::pix().days_ago(10)).await);
    }
    fixture.settle().await;
    // The balance covers only five of the 20 × 49,50.
    fixture.withdraw_all_but(5 * 49_50).await;
    let answers = join_all(
        sales
            .iter()
            .map(|sale| async { fixture.seller.post(&path(sale, "chargeback"), json!({})).await }),
    )
    .await;
    let passed = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(passed, 5);
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        assert_eq!(refused.status, 406, "{}", refused.body);
        assert_eq!(refused.at("/balance/covered_on"), &json!(null));
    }
    assert_eq!(fixture.balances().await["available"], 0);
    assert_eq!(fixture.app.count_events("SaleCanceled").await, 5);
}

#[tokio::test]
async fn of_ten_concurrent_cancels_and_disputes_of_one_sale_exactly_one_passes() {
    let fixture = ReversalFixture::with(1_000_00).await;
    let sale = fixture.sold(Sale::card()).await;
    let steps = ["chargeback", "dispute"].repeat(5);
    let answers = join_all(
        steps
            .iter()
            .map(|step| async { fixture.seller.post(&path(&sale, step), json!({})).await }),
    )
    .await;
    assert_one_passes(&answers);
    let reversals =
        fixture.app.count_events("SaleCanceled").await + fixture.app.count_events("SaleDisputed").await;
    assert_eq!(reversals, 1);
}

/// Staff lose the role after the guard has read it, and before the ledger's command.
#[tokio::test]
async fn a_role_that_is_lost_during_the_request_prevents_the_reversal() {
    let fixture = ReversalFixture::with(1_000_00).await;
    let sale = fixture.sold(Sale::card()).await;
    let recorded = fixture.events_recorded().await;
    for step in ["chargeback", "dispute"] {
        let path = admin_path(&sale, step);
        let request = fixture.staff.post(&path, json!({}));
        let answer = fixture.app.answer_while_role_is_lost(request).await;
        assert_eq!(answer.status, 403, "{}", answer.body);
    }
    assert_eq!(fixture.events_recorded().await, recorded);
}
