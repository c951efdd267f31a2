//! The staff's side: each step, its postings, and the statuses that allow it.

use ledger_domain::TransferId;
use ledger_domain::transfer::TransferStatus;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Balances, FEE, WithdrawalFixture, step_by};
use crate::support::Answer;
use crate::support::tampering::rename_everywhere;

/// The transfer's status in the answer to a step.
pub(super) fn status(answer: &Answer) -> TransferStatus {
    assert_eq!(answer.status, 200, "{}", answer.body);
    TransferStatus::deserialize(answer.at("/status")).expect("a status")
}

#[track_caller]
fn assert_refused_in(answer: &Answer, state: &str) {
    assert_eq!(answer.status, 409, "{}", answer.body);
    assert!(
        answer.text("/message").contains(&format!("({state})")),
        "{}",
        answer.body
    );
}

#[tokio::test]
async fn a_manual_approval_pays_the_net_and_keeps_the_fee() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(400_00).await;
    let approved = fixture.step(&id, "approve").await;
    assert_eq!(status(&approved), TransferStatus::Approved);
    assert_eq!(
        (approved.at("/by_hand"), approved.at("/approvals")),
        (&json!(true), &json!(1))
    );
    assert!(approved.header("ledger-position").is_some());
    assert_eq!(fixture.balances().await, Balances::available(600_00));
    let fees = "SELECT platform_fees FROM business_head";
    assert_eq!(fixture.app.count(fees).await, FEE);
    let of_status = format!(
        "/api/balance/transfers?status={}",
        TransferStatus::Approved.number()
    );
    let seen = fixture.seller.get(&of_status).await;
    assert_eq!(seen.text("/data/0/id"), id);
    assert_eq!(fixture.audit_entries_count("approve", &id).await, 1);
    let by_staff = "SELECT count(*) FROM event WHERE event_type = 'TransferApproved'
                     AND metadata->>'audience' = 'admin' AND metadata->>'actor' LIKE 'usr_%'
                     AND metadata->>'request_id' <> ''";
    assert_eq!(fixture.app.count(by_staff).await, 1);
}

#[tokio::test]
async fn a_refusal_returns_the_money_and_the_seller_sees_the_reason() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(400_00).await;
    let path = format!("/api/admin/balance/transfers/{id}/refuse");
    for body in [json!({}), json!({ "reason": "  " }), json!({ "reason": null })] {
        let missing = fixture.staff.post(&path, body).await;
        assert_eq!(
            (missing.status, missing.at("/errors/reason")),
            (422, &json!(["Informe o motivo."]))
        );
    }
    let reason = json!({ "reason": "Documento\nvencido " });
    let refused = fixture.staff.post(&path, reason).await;
    assert_eq!(status(&refused), TransferStatus::Refused);
    assert_eq!(refused.text("/reason"), "Documento vencido", "in one line");
    assert_eq!(
        refused.at("/updated_by"),
        &json!({ "kind": "staff", "name": "Bruno Lima" })
    );
    assert_eq!(fixture.balances().await, Balances::available(1_000_00));
    let seen = fixture.seller.get("/api/balance/transfers").await;
    assert_eq!(
        (seen.at("/data/0/updated_by"), seen.at("/data/0/author")),
        (
            &json!({ "kind": "staff", "name": null }),
            &json!({ "kind": "seller", "name": "Ana Souza" })
        )
    );
    assert_eq!(seen.text("/data/0/reason"), "Documento vencido");
    assert_eq!(fixture.audit_entries_count("refuse", &id).await, 1);
}

#[tokio::test]
async fn a_withdrawal_in_manual_processing_can_be_approved() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(400_00).await;
    let processing = fixture.step(&id, "process").await;
    assert_eq!(
        (status(&processing), processing.at("/by_hand")),
        (TransferStatus::Processing, &json!(true))
    );
    assert_eq!(
        fixture.balances().await,
        Balances::available(600_00).in_transfer(400_00)
    );
    assert_eq!(
        status(&fixture.step(&id, "approve").await),
        TransferStatus::Approved
    );
    assert_eq!(fixture.balances().await, Balances::available(600_00));
    assert_eq!(
        (
            fixture.audit_entries_count("process", &id).await,
            fixture.audit_entries_count("approve", &id).await
        ),
        (1, 1)
    );
}

#[tokio::test]
async fn a_failure_returns_the_money_and_a_reopening_debits_it_again() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(400_00).await;
    assert_eq!(
        status(&fixture.step(&id, "process").await),
        TransferStatus::Processing
    );
    let failed = fixture.step(&id, "fail").await;
    assert_eq!(
        (status(&failed), failed.text("/reason")),
        (TransferStatus::Failed, "Conta encerrada no banco.")
    );
    assert_eq!(fixture.balances().await, Balances::available(1_000_00));
    let reopened = fixture.reopen(&id).await;
    assert_eq!(
        (status(&reopened), reopened.at("/reason")),
        (TransferStatus::Pending, &Value::Null)
    );
    assert_eq!(
        fixture.balances().await,
        Balances::available(600_00).in_transfer(400_00)
    );
    assert_eq!(
        status(&fixture.step(&id, "process").await),
        TransferStatus::Processing
    );
    assert_eq!(
        status(&fixture.reopen(&id).await),
        TransferStatus::Pending,
        "also from manual processing"
    );
    assert_eq!(
        fixture.balances().await,
        Balances::available(600_00).in_transfer(400_00)
    );
    assert_eq!(fixture.audit_entries_count("reopen", &id).await, 2);
}

#[tokio::test]
async fn a_failed_withdrawal_does_not_reopen_if_the_balance_is_too_low() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(800_00).await;
    fixture.step(&id, "process").await;
    fixture.step(&id, "fail").await;
    fixture.pending_withdrawal(500_00).await;
    let short = fixture.reopen(&id).await;
    assert_eq!(
        (short.status, short.text("/message")),
        (409, "Valor não pode ser maior que o saldo")
    );
    assert_eq!(
        fixture.balances().await,
        Balances::available(500_00).in_transfer(500_00)
    );
}

#[tokio::test]
async fn a_step_that_the_status_does_not_allow_is_refused_and_the_status_named() {
    let fixture = WithdrawalFixture::open().await;
    let refused_steps = [
        (vec![], "Pendente", vec!["fail", "pending"]),
        (vec!["process"], "Em processamento", vec!["process", "refuse"]),
        (
            vec!["approve"],
            "Concluído",
            vec!["approve", "process", "refuse", "fail", "pending"],
        ),
        (
            vec!["refuse"],
            "Recusado",
            vec!["approve", "process", "refuse", "fail", "pending"],
        ),
        (
            vec!["process", "fail"],
            "Falha",
            vec!["approve", "process", "refuse", "fail"],
        ),
    ];
    for (leading, state, refused) in refused_steps {
        let id = fixture.pending_withdrawal(50_00).await;
        for step in leading {
            assert_eq!(fixture.step(&id, step).await.status, 200);
        }
        for step in refused {
            let answer = match step {
                "pending" => fixture.reopen(&id).await,
                _ => fixture.step(&id, step).await,
            };
            assert_refused_in(&answer, state);
        }
    }
}

#[tokio::test]
async fn unknown_transfers_steps_and_companies_are_a_404() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(50_00).await;
    assert_eq!(fixture.step(&id, "burn").await.status, 404);
    let unknown = TransferId::from_uuid(Uuid::now_v7()).to_string();
    assert_eq!(fixture.step(&unknown, "approve").await.status, 404);
    assert_eq!(fixture.step("sal_1", "approve").await.status, 404);
    let path = format!("/api/admin/balance/transfers/{id}/pending");
    let unnamed = fixture.staff.post(&path, json!({})).await;
    assert_eq!(
        (unnamed.status, unnamed.at("/errors/business_id")),
        (422, &json!(["Informe a empresa."]))
    );
    let other = json!({ "business_id": "biz_00000000-0000-4000-8000-000000000001" });
    assert_eq!(fixture.staff.post(&path, other).await.status, 404);
}

#[tokio::test]
async fn a_step_under_the_same_key_is_taken_once() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(50_00).await;
    let keyed = fixture.staff.clone().with("idempotency-key", "k1");
    let first = step_by(&keyed, &id, "refuse").await;
    let again = step_by(&keyed, &id, "refuse").await;
    assert_eq!(
        (first.status, again.status, again.header("idempotent-replayed")),
        (200, 200, Some("true"))
    );
    assert_eq!(fixture.app.count_events("TransferRefused").await, 1);
    assert_eq!(
        fixture.audit_entries_count("refuse", &id).await,
        1,
        "one row in the audit log"
    );
    let path = format!("/api/admin/balance/transfers/{id}/refuse");
    let other = keyed.post(&path, json!({ "reason": "Outro motivo" })).await;
    assert_eq!(other.status, 409);
}

#[tokio::test]
async fn a_step_whose_answer_fails_is_in_the_audit_log_too() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(50_00).await;
    // Waits until the read models show the withdrawal.
    fixture.balances().await;
    let client = fixture.app.app.state.pool.get().await.expect("a connection");
    client
        .batch_execute(&rename_everywhere("transfer", "unreadable_transfer"))
        .await
        .expect("no table to answer from");
    drop(client);
    assert_eq!(fixture.step(&id, "approve").await.status, 500);
    assert_eq!(fixture.app.count_events("TransferApproved").await, 1);
    let sql = "SELECT count(*) FROM audit_log WHERE after->'recorded'->>0 = 'TransferApproved'";
    assert_eq!(
        (
            fixture.audit_entries_count("approve", &id).await,
            fixture.app.count(sql).await
        ),
        (1, 1)
    );
}
