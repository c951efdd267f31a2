//! Concurrent requests: the available balance is spent once.

use futures::future::join_all;
use serde_json::json;

use super::{Shop, path};
use crate::support::Sale;

#[tokio::test]
async fn of_twenty_concurrent_cancels_only_those_that_the_balance_covers_pass() {
    let shop = Shop::with(0).await;
    // All sales are settled long ago, so a cancel accelerates nothing.
    let mut sales = vec![];
    for _ in 0..20 {
        sales.push(shop.sold(Sale::pix().days_ago(10)).await);
    }
    shop.settle().await;
    // The balance covers only five of the 20 × 49,50.
    shop.withdraw_all_but(5 * 49_50).await;
    let asked = join_all(
        sales
            .iter()
            .map(|sale| async { shop.seller.post(&path(sale, "chargeback"), json!({})).await }),
    )
    .await;
    let passed = asked.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(passed, 5);
    for refused in asked.iter().filter(|answer| answer.status != 200) {
        assert_eq!(refused.status, 406, "{}", refused.body);
        assert_eq!(refused.at("/balance/covered_on"), &json!(null));
    }
    assert_eq!(shop.balances().await["available"], 0);
    assert_eq!(shop.app.events("SaleCanceled").await, 5);
}

#[tokio::test]
async fn of_ten_concurrent_cancels_of_one_sale_exactly_one_passes() {
    let shop = Shop::with(1_000_00).await;
    let sale = shop.sold(Sale::card()).await;
    let steps = ["chargeback", "dispute"].repeat(5);
    let asked = join_all(
        steps
            .iter()
            .map(|step| async { shop.seller.post(&path(&sale, step), json!({})).await }),
    )
    .await;
    let statuses: Vec<_> = asked.iter().map(|answer| answer.status).collect();
    assert_eq!(
        statuses.iter().filter(|status| **status == 200).count(),
        1,
        "{statuses:?}"
    );
    assert!(
        statuses.iter().all(|status| matches!(status, 200 | 409)),
        "{statuses:?}"
    );
    let undone = shop.app.events("SaleCanceled").await + shop.app.events("SaleDisputed").await;
    assert_eq!(undone, 1);
}
