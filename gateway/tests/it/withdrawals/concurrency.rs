//! Concurrent requests: the balance is spent once.

use futures::future::join_all;
use gateway_identity::roles::SellerRole;
use serde_json::json;

use super::{Till, request, seller_of, step_by};

#[tokio::test]
async fn of_twenty_concurrent_withdrawals_of_the_whole_balance_exactly_one_passes() {
    let till = Till::open().await;
    let mut people = vec![];
    for _ in 0..20 {
        people.push(seller_of(&till.app, &till.company, SellerRole::Admin).await);
    }
    let asked = join_all(
        people
            .iter()
            .map(|person| person.post("/api/balance/transfers", request(1_000_00))),
    )
    .await;
    let won = asked.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(won, 1);
    for lost in asked.iter().filter(|answer| answer.status != 201) {
        assert_eq!(lost.status, 422, "{}", lost.body);
        assert_eq!(
            lost.at("/errors"),
            &json!({ "amount": ["Valor não pode ser maior que o saldo"] })
        );
    }
    assert_eq!(till.balances().await, [0, 1_000_00, 0]);
}

#[tokio::test]
async fn seven_concurrent_requests_under_one_key_get_the_same_transfer() {
    let till = Till::open().await;
    let keyed = till.seller.clone().with("idempotency-key", "once");
    // Fewer than the allowed password tries.
    let asked = join_all((0..7).map(|_| keyed.post("/api/balance/transfers", request(300_00)))).await;
    let ids: std::collections::BTreeSet<_> = asked
        .iter()
        .map(|answer| {
            assert_eq!(answer.status, 201, "{}", answer.body);
            answer.text("/id")
        })
        .collect();
    assert_eq!(ids.len(), 1);
    assert_eq!(till.balances().await, [700_00, 300_00, 0]);
}

#[tokio::test]
async fn of_ten_concurrent_answers_to_one_withdrawal_exactly_one_passes() {
    let till = Till::open().await;
    let id = till.asked_for(300_00).await;
    let steps = ["approve", "refuse"].repeat(5);
    let answers = join_all(steps.iter().map(|step| step_by(&till.staff, &id, step))).await;
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(
        statuses.iter().filter(|status| **status == 200).count(),
        1,
        "{statuses:?}"
    );
    assert!(
        statuses.iter().all(|status| matches!(status, 200 | 409)),
        "{statuses:?}"
    );
    let ends = till.app.events("TransferApproved").await + till.app.events("TransferRefused").await;
    assert_eq!(ends, 1);
}
