//! Payouts in flight: only the bank can end them, and a late payment is debited again.

use ledger_domain::PayoutId;
use ledger_domain::business::{BusinessCommand, PayoutFailed, PayoutPaid, ReturnedFee};
use ledger_domain::transfer::{PayoutNames, TransferStatus};
use ledger_store::Outcome;
use serde_json::{Value, json};
use uuid::Uuid;

use super::steps::status;
use super::{Balances, WithdrawalFixture};
use crate::support::Answer;

const SANDBOX: (&str, &str) = ("RAZAO_PAYOUTS", "sandbox");

#[track_caller]
fn assert_refused_in_flight(answer: &Answer) {
    assert_eq!(
        (answer.status, answer.text("/message")),
        (
            409,
            "O pagamento está com o banco. Aguarde a resposta para fazer esta operação."
        )
    );
}

fn paid(id: &str, payout: PayoutId, fixture: &WithdrawalFixture) -> BusinessCommand {
    BusinessCommand::PayoutPaid(PayoutPaid {
        transfer_id: id.parse().expect("a transfer's id"),
        payout_id: payout,
        occurred_at: fixture.app.app.state.clock.now(),
        names: PayoutNames::default(),
    })
}

#[tokio::test]
async fn only_the_bank_can_end_a_payout_in_flight() {
    let fixture = WithdrawalFixture::open_with(&[SANDBOX]).await;
    let id = fixture.pending_withdrawal(400_00).await;
    let sent = fixture.step(&id, "approve").await;
    assert_eq!(
        (status(&sent), sent.at("/by_hand")),
        (TransferStatus::Processing, &json!(false))
    );
    let payout: PayoutId = sent.text("/payout_id").parse().expect("a payout's id");
    for step in ["approve", "process", "refuse", "fail"] {
        assert_refused_in_flight(&fixture.step(&id, step).await);
    }
    assert_refused_in_flight(&fixture.reopen(&id).await);
    assert_eq!(
        fixture.balances().await,
        Balances::available(600_00).in_transfer(400_00)
    );
    for _ in 0..2 {
        let reported = fixture.submit(paid(&id, payout, &fixture)).await;
        assert!(
            matches!(reported, Outcome::Recorded(_) | Outcome::Duplicate { .. }),
            "{reported:?}"
        );
    }
    assert_eq!(
        fixture.app.count_events("TransferApproved").await,
        1,
        "reported twice, paid once"
    );
    assert_eq!(fixture.balances().await, Balances::available(600_00));
}

#[tokio::test]
async fn after_a_failed_payout_the_next_attempt_has_a_new_id() {
    let fixture = WithdrawalFixture::open_with(&[SANDBOX]).await;
    let id = fixture.pending_withdrawal(400_00).await;
    let first = fixture.step(&id, "approve").await.text("/payout_id").to_owned();
    let failed = BusinessCommand::PayoutFailed(PayoutFailed {
        transfer_id: id.parse().expect("an id"),
        payout_id: first.parse().expect("an id"),
        reason: Some("Conta inexistente".to_owned()),
        occurred_at: fixture.app.app.state.clock.now(),
        fee: ReturnedFee::Kept,
    });
    assert!(matches!(fixture.submit(failed).await, Outcome::Recorded(_)));
    assert_eq!(fixture.balances().await, Balances::available(1_000_00));
    assert_eq!(status(&fixture.reopen(&id).await), TransferStatus::Pending);
    let second = fixture.step(&id, "approve").await;
    assert_eq!(status(&second), TransferStatus::Processing);
    assert_ne!(second.text("/payout_id"), first);
}

#[tokio::test]
async fn a_manual_payment_is_approved_manually_although_there_is_a_provider() {
    let fixture = WithdrawalFixture::open_with(&[SANDBOX]).await;
    let id = fixture.pending_withdrawal(400_00).await;
    fixture.step(&id, "process").await;
    let approved = fixture.step(&id, "approve").await;
    assert_eq!(
        (status(&approved), approved.at("/payout_id")),
        (TransferStatus::Approved, &Value::Null),
        "no payout is sent as well"
    );
}

#[tokio::test]
async fn a_late_payment_is_debited_again_and_shown_to_staff() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(900_00).await;
    fixture.step(&id, "refuse").await;
    fixture.pending_withdrawal(500_00).await;
    let reported = fixture
        .submit(paid(&id, PayoutId::from_uuid(Uuid::now_v7()), &fixture))
        .await;
    assert!(matches!(reported, Outcome::Recorded(_)), "{reported:?}");
    assert_eq!(
        fixture.balances().await,
        Balances::available(1_000_00 - 900_00 - 500_00).in_transfer(500_00),
        "negative, because the bank paid the money"
    );
    let of_status = format!(
        "/api/admin/balance/transfers?status={}",
        TransferStatus::Approved.number()
    );
    let listed = fixture.staff.get(&of_status).await;
    let late = listed.body["data"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|row| row["id"] == json!(id));
    assert_eq!(late.map(|row| &row["needs_attention"]), Some(&json!(true)));
    let refused = fixture
        .seller
        .post("/api/balance/transfers", super::request(10_00))
        .await;
    assert_eq!(
        refused.status, 422,
        "no further withdrawal until the balance is positive"
    );
}
