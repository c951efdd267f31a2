//! Concurrent requests: the balance is spent once.

use futures::future::join_all;
use gateway_identity::roles::SellerRole;
use serde_json::json;

use super::{Balances, WithdrawalFixture, request, seller_of, step_by};
use crate::support::concurrency::assert_one_passes;

const HOLDS: &str = "/api/admin/balance/holds";

#[tokio::test]
async fn of_twenty_concurrent_withdrawals_of_the_whole_balance_exactly_one_passes() {
    let fixture = WithdrawalFixture::open().await;
    let mut users = vec![];
    for _ in 0..20 {
        users.push(seller_of(&fixture.app, &fixture.company, SellerRole::Admin).await);
    }
    let answers = join_all(
        users
            .iter()
            .map(|user| user.post("/api/balance/transfers", request(1_000_00))),
    )
    .await;
    let accepted = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(accepted, 1);
    for refused in answers.iter().filter(|answer| answer.status != 201) {
        assert_eq!(refused.status, 422, "{}", refused.body);
        assert_eq!(
            refused.at("/errors"),
            &json!({ "amount": ["Valor não pode ser maior que o saldo"] })
        );
    }
    assert_eq!(
        fixture.balances().await,
        Balances::available(0).in_transfer(1_000_00)
    );
}

#[tokio::test]
async fn seven_concurrent_requests_under_one_key_get_the_same_transfer() {
    let fixture = WithdrawalFixture::open().await;
    let keyed = fixture.seller.clone().with("idempotency-key", "once");
    // Each checks the password, and a session may try eight at once.
    let answers = join_all((0..7).map(|_| keyed.post("/api/balance/transfers", request(300_00)))).await;
    let ids: std::collections::BTreeSet<_> = answers
        .iter()
        .map(|answer| {
            assert_eq!(answer.status, 201, "{}", answer.body);
            answer.text("/id")
        })
        .collect();
    assert_eq!(ids.len(), 1);
    assert_eq!(
        fixture.balances().await,
        Balances::available(700_00).in_transfer(300_00)
    );
}

#[tokio::test]
async fn of_ten_concurrent_approvals_and_refusals_of_one_withdrawal_exactly_one_passes() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(300_00).await;
    let steps = ["approve", "refuse"].repeat(5);
    let answers = join_all(steps.iter().map(|step| step_by(&fixture.staff, &id, step))).await;
    assert_one_passes(&answers);
    let ends = fixture.app.count_events("TransferApproved").await
        + fixture.app.count_events("TransferRefused").await;
    assert_eq!(ends, 1);
}

/// The user loses the role after the guard has read it, and before the ledger's command.
#[tokio::test]
async fn staff_who_lose_the_role_during_a_request_change_no_balance() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(300_00).await;
    let transfer = format!("/api/admin/balance/transfers/{id}");
    let company = fixture.company.id;
    let held = json!({ "amount": 100, "reason": "Em análise", "business_id": company });
    let placed = fixture.staff.post(HOLDS, held.clone()).await;
    assert_eq!(placed.status, 201, "{}", placed.body);
    let hold = format!("{HOLDS}/{company}/{}", placed.text("/id"));
    for (path, body) in [
        (format!("{transfer}/approve"), json!({})),
        (format!("{transfer}/pending"), json!({ "business_id": company })),
        (HOLDS.to_owned(), held),
        (
            format!("{hold}/change"),
            json!({ "reason": "Faltam as notas fiscais" }),
        ),
        (
            format!("{hold}/release"),
            json!({ "amount": 100, "reason": "Liberado" }),
        ),
    ] {
        let request = fixture.staff.post(&path, body);
        let answer = fixture.app.answer_while_role_is_lost(request).await;
        assert_eq!(answer.status, 403, "{path}: {}", answer.body);
    }
    assert_eq!(
        fixture.balances().await,
        Balances::available(699_00).in_transfer(300_00).blocked(1_00)
    );
}
