//! A company cancels its own withdrawal: who may, in which state, and against a decision of staff at the same time.

use futures::future::{BoxFuture, join_all};
use gateway_identity::roles::SellerRole;
use ledger_domain::transfer::TransferStatus;
use serde_json::{Value, json};

use super::steps::status;
use super::{Balances, WithdrawalFixture, seller_of, step_by};
use crate::support::concurrency::assert_one_passes;
use crate::support::{Answer, Client};

async fn cancel(seller: &Client, id: &str) -> Answer {
    let path = format!("/api/balance/transfers/{id}/cancel");
    seller.post(&path, json!({})).await
}

#[tokio::test]
async fn a_canceled_withdrawal_is_refused_by_the_company_and_its_amount_is_available() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(400_00).await;
    let canceled = cancel(&fixture.seller, &id).await;
    assert_eq!(status(&canceled), TransferStatus::Refused);
    assert_eq!(canceled.text("/reason"), "Cancelado pelo vendedor");
    assert_eq!(canceled.at("/expected_on"), &Value::Null);
    assert_eq!(
        canceled.at("/updated_by"),
        &json!({ "kind": "seller", "name": "Ana Souza" })
    );
    assert!(canceled.header("ledger-position").is_some());
    assert_eq!(fixture.balances().await, Balances::available(1_000_00));
    let of_staff = fixture
        .staff
        .get(&format!("/api/admin/balance/transfers/{id}"))
        .await;
    assert_eq!(
        of_staff.at("/updated_by"),
        &json!({ "kind": "seller", "name": "Ana Souza" })
    );
    let entries = format!(
        "SELECT count(*) FROM audit_log WHERE action = 'cancel' AND subject_id = '{id}' AND audience = 'seller'"
    );
    assert_eq!(fixture.app.count(&entries).await, 1);
}

#[tokio::test]
async fn a_second_cancel_and_one_of_a_withdrawal_in_payment_record_nothing() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(100_00).await;
    let keyed = fixture.seller.clone().with("idempotency-key", "once");
    assert_eq!(cancel(&keyed, &id).await.status, 200);
    let repeated = cancel(&keyed, &id).await;
    assert_eq!(
        (repeated.status, repeated.header("idempotent-replayed")),
        (200, Some("true"))
    );
    assert_eq!(cancel(&fixture.seller, &id).await.status, 409);
    for step in ["process", "approve"] {
        let id = fixture.pending_withdrawal(200_00).await;
        assert_eq!(fixture.step(&id, step).await.status, 200);
        assert_eq!(cancel(&fixture.seller, &id).await.status, 409, "{step}");
    }
    assert_eq!(fixture.app.count_events("TransferRefused").await, 1);
    assert_eq!(
        fixture.balances().await,
        Balances::available(600_00).in_transfer(200_00)
    );
}

#[tokio::test]
async fn a_payment_with_the_bank_and_a_transfer_of_another_company_are_not_canceled() {
    let fixture = WithdrawalFixture::open_with(&[("RAZAO_PAYOUTS", "sandbox")]).await;
    let id = fixture.pending_withdrawal(400_00).await;
    let other = fixture.app.company("Mercado").await;
    let stranger = seller_of(&fixture.app, &other, SellerRole::Owner).await;
    assert_eq!(cancel(&stranger, &id).await.status, 404);
    let operator = seller_of(&fixture.app, &fixture.company, SellerRole::Operator).await;
    assert_eq!(cancel(&operator, &id).await.status, 403);
    assert_eq!(fixture.step(&id, "approve").await.status, 200);
    let refused = cancel(&fixture.seller, &id).await;
    assert_eq!(
        (refused.status, refused.text("/message")),
        (
            409,
            "O pagamento está com o banco. Aguarde a resposta para fazer esta operação."
        )
    );
}

#[tokio::test]
async fn of_cancels_and_approvals_at_the_same_time_exactly_one_passes() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(300_00).await;
    let mut requests: Vec<BoxFuture<'_, Answer>> = vec![];
    for _ in 0..5 {
        requests.push(Box::pin(step_by(&fixture.staff, &id, "approve")));
        requests.push(Box::pin(cancel(&fixture.seller, &id)));
    }
    assert_one_passes(&join_all(requests).await);
    let ends = fixture.app.count_events("TransferApproved").await
        + fixture.app.count_events("TransferRefused").await;
    assert_eq!(ends, 1);
    let Balances {
        available,
        in_transfer,
        ..
    } = fixture.balances().await;
    assert!([700_00, 1_000_00].contains(&available) && in_transfer == 0);
}
