//! The staff's side: each step, its postings, the statuses that allow it, two approvals, and payouts in flight.

use gateway_identity::roles::AdminRole;
use ledger_domain::business::{BusinessCommand, PayoutFailed, PayoutPaid};
use ledger_domain::{PayoutId, TransferId};
use ledger_store::Outcome;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Till, step_by};
use crate::support::Answer;

const SANDBOX: (&str, &str) = ("RAZAO_PAYOUTS", "sandbox");
const TWO: (&str, &str) = ("RAZAO_WITHDRAWAL_APPROVALS", "2");

fn status(answer: &Answer) -> i64 {
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.at("/status").as_i64().expect("a status")
}

#[track_caller]
fn refused_in(answer: &Answer, state: &str) {
    assert_eq!(answer.status, 409, "{}", answer.body);
    assert!(
        answer.text("/message").contains(&format!("({state})")),
        "{}",
        answer.body
    );
}

fn refused_in_flight(answer: &Answer) {
    assert_eq!(
        (answer.status, answer.text("/message")),
        (
            409,
            "O pagamento está com o banco. Aguarde a resposta para fazer esta operação."
        )
    );
}

fn paid(id: &str, payout: PayoutId, till: &Till) -> BusinessCommand {
    BusinessCommand::PayoutPaid(PayoutPaid {
        transfer_id: id.parse().expect("a transfer's id"),
        payout_id: payout,
        occurred_at: till.app.app.state.clock.now(),
    })
}

#[tokio::test]
async fn a_manual_approval_pays_the_net_and_keeps_the_fee() {
    let till = Till::open().await;
    let id = till.asked_for(400_00).await;
    let approved = till.step(&id, "approve").await;
    assert_eq!(status(&approved), 1);
    assert_eq!(
        (approved.at("/by_hand"), approved.at("/approvals")),
        (&json!(true), &json!(1))
    );
    assert!(approved.header("ledger-position").is_some());
    assert_eq!(till.balances().await, [600_00, 0, 0]);
    let fees = "SELECT platform_fees FROM business_head";
    assert_eq!(till.app.count(fees).await, 3_50);
    let seen = till.seller.get("/api/balance/transfers?status=1").await;
    assert_eq!(seen.text("/data/0/id"), id);
    assert_eq!(till.audit_log("approve", &id).await, 1);
    let by_staff = "SELECT count(*) FROM event WHERE event_type = 'TransferApproved'
                     AND metadata->>'audience' = 'admin' AND metadata->>'actor' LIKE 'usr_%'
                     AND metadata->>'request_id' <> ''";
    assert_eq!(till.app.count(by_staff).await, 1);
}

#[tokio::test]
async fn a_refusal_returns_the_money_and_the_seller_sees_the_reason() {
    let till = Till::open().await;
    let id = till.asked_for(400_00).await;
    let path = format!("/api/admin/balance/transfers/{id}/refuse");
    for body in [json!({}), json!({ "reason": "  " }), json!({ "reason": null })] {
        let missing = till.staff.post(&path, body).await;
        assert_eq!(
            (missing.status, missing.at("/errors/reason")),
            (422, &json!(["Informe o motivo."]))
        );
    }
    let reason = json!({ "reason": "Documento\nvencido " });
    let refused = till.staff.post(&path, reason).await;
    assert_eq!(status(&refused), 3);
    assert_eq!(refused.text("/reason"), "Documento vencido", "in one line");
    assert_eq!(
        refused.at("/updated_by"),
        &json!({ "kind": "staff", "name": "Bruno Lima" })
    );
    assert_eq!(till.balances().await, [1_000_00, 0, 0]);
    let seen = till.seller.get("/api/balance/transfers").await;
    assert_eq!(
        (seen.at("/data/0/updated_by"), seen.at("/data/0/author")),
        (
            &json!({ "kind": "staff", "name": null }),
            &json!({ "kind": "seller", "name": "Ana Souza" })
        )
    );
    let seen = till.seller.get("/api/balance/transfers").await;
    assert_eq!(seen.text("/data/0/reason"), "Documento vencido");
    assert_eq!(till.audit_log("refuse", &id).await, 1);
}

#[tokio::test]
async fn a_withdrawal_in_manual_processing_can_be_approved() {
    let till = Till::open().await;
    let id = till.asked_for(400_00).await;
    let processing = till.step(&id, "process").await;
    assert_eq!(
        (status(&processing), processing.at("/by_hand")),
        (2, &json!(true))
    );
    assert_eq!(till.balances().await, [600_00, 400_00, 0]);
    assert_eq!(status(&till.step(&id, "approve").await), 1);
    assert_eq!(till.balances().await, [600_00, 0, 0]);
    assert_eq!(
        (
            till.audit_log("process", &id).await,
            till.audit_log("approve", &id).await
        ),
        (1, 1)
    );
}

#[tokio::test]
async fn a_failure_returns_the_money_and_a_reopening_debits_it_again() {
    let till = Till::open().await;
    let id = till.asked_for(400_00).await;
    assert_eq!(status(&till.step(&id, "process").await), 2);
    let failed = till.step(&id, "fail").await;
    assert_eq!(
        (status(&failed), failed.text("/reason")),
        (4, "Conta encerrada no banco.")
    );
    assert_eq!(till.balances().await, [1_000_00, 0, 0]);
    let reopened = till.reopen(&id).await;
    assert_eq!((status(&reopened), reopened.at("/reason")), (0, &Value::Null));
    assert_eq!(till.balances().await, [600_00, 400_00, 0]);
    assert_eq!(status(&till.step(&id, "process").await), 2);
    assert_eq!(status(&till.reopen(&id).await), 0, "also from manual processing");
    assert_eq!(till.balances().await, [600_00, 400_00, 0]);
    assert_eq!(till.audit_log("reopen", &id).await, 2);
}

#[tokio::test]
async fn a_failed_withdrawal_does_not_reopen_if_the_balance_is_too_low() {
    let till = Till::open().await;
    let id = till.asked_for(800_00).await;
    till.step(&id, "process").await;
    till.step(&id, "fail").await;
    till.asked_for(500_00).await;
    let short = till.reopen(&id).await;
    assert_eq!(
        (short.status, short.text("/message")),
        (409, "Valor não pode ser maior que o saldo")
    );
    assert_eq!(till.balances().await, [500_00, 500_00, 0]);
}

#[tokio::test]
async fn each_status_refuses_the_steps_that_it_does_not_allow_and_is_named() {
    let till = Till::open().await;
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
        let id = till.asked_for(50_00).await;
        for step in leading {
            assert_eq!(till.step(&id, step).await.status, 200);
        }
        for step in refused {
            let answer = match step {
                "pending" => till.reopen(&id).await,
                _ => till.step(&id, step).await,
            };
            refused_in(&answer, state);
        }
    }
}

#[tokio::test]
async fn unknown_transfers_steps_and_companies_are_a_404() {
    let till = Till::open().await;
    let id = till.asked_for(50_00).await;
    assert_eq!(till.step(&id, "burn").await.status, 404);
    let nobody = TransferId::from_uuid(Uuid::now_v7()).to_string();
    assert_eq!(till.step(&nobody, "approve").await.status, 404);
    assert_eq!(till.step("sal_1", "approve").await.status, 404);
    let path = format!("/api/admin/balance/transfers/{id}/pending");
    let unnamed = till.staff.post(&path, json!({})).await;
    assert_eq!(
        (unnamed.status, unnamed.at("/errors/business_id")),
        (422, &json!(["Informe a empresa."]))
    );
    let other = json!({ "business_id": "biz_00000000-0000-4000-8000-000000000001" });
    assert_eq!(till.staff.post(&path, other).await.status, 404);
}

#[tokio::test]
async fn a_step_under_the_same_key_is_taken_once() {
    let till = Till::open().await;
    let id = till.asked_for(50_00).await;
    let keyed = till.staff.clone().with("idempotency-key", "k1");
    let first = step_by(&keyed, &id, "refuse").await;
    let again = step_by(&keyed, &id, "refuse").await;
    assert_eq!(
        (first.status, again.status, again.header("idempotent-replayed")),
        (200, 200, Some("true"))
    );
    assert_eq!(till.app.events("TransferRefused").await, 1);
    assert_eq!(till.audit_log("refuse", &id).await, 1, "one row in the audit log");
    let path = format!("/api/admin/balance/transfers/{id}/refuse");
    let other = keyed.post(&path, json!({ "reason": "Outro motivo" })).await;
    assert_eq!(other.status, 409);
}

#[tokio::test]
async fn a_step_whose_answer_fails_is_in_the_audit_log_too() {
    let till = Till::open().await;
    let id = till.asked_for(50_00).await;
    till.balances().await;
    let client = till.app.app.state.pool.get().await.expect("a connection");
    client
        .batch_execute("DELETE FROM transfer")
        .await
        .expect("no row");
    drop(client);
    assert_eq!(till.step(&id, "approve").await.status, 503);
    assert_eq!(till.app.events("TransferApproved").await, 1);
    let reported = "SELECT count(*) FROM audit_trail WHERE after->'recorded'->>0 = 'TransferApproved'";
    assert_eq!(
        (
            till.audit_log("approve", &id).await,
            till.app.count(reported).await
        ),
        (1, 1)
    );
}

#[tokio::test]
async fn two_approvals_need_two_users() {
    for step in ["approve", "process"] {
        let till = Till::open_with(&[TWO]).await;
        let id = till.asked_for(400_00).await;
        let first = till.step(&id, step).await;
        assert_eq!(status(&first), 0, "still pending");
        assert_eq!(
            (first.at("/approvals"), first.at("/approvals_needed")),
            (&json!(1), &json!(2))
        );
        let same = till.step(&id, step).await;
        assert_eq!(
            (same.status, same.text("/message")),
            (409, "A segunda aprovação precisa ser de outra pessoa.")
        );
        let other = till.app.sign_in(&till.app.admin(&[AdminRole::Owner]).await).await;
        let second = step_by(&other, &id, step).await;
        assert_eq!(status(&second), if step == "approve" { 1 } else { 2 });
        assert_eq!(second.at("/approvals"), 2);
        assert_eq!(till.app.events("TransferApprovalGiven").await, 1);
        assert_eq!(till.audit_log(step, &id).await, 2);
    }
}

/// Both requests see that the first approval is missing, and both would give it.
#[tokio::test]
async fn two_users_who_approve_at_once_are_two_approvals() {
    let till = Till::open_with(&[TWO]).await;
    let other = till.app.sign_in(&till.app.admin(&[AdminRole::Owner]).await).await;
    for round in 0..20 {
        let id = till.asked_for(10_00 + round).await;
        let (one, another) = tokio::join!(till.step(&id, "approve"), step_by(&other, &id, "approve"));
        let mut both = [status(&one), status(&another)];
        both.sort_unstable();
        assert_eq!(both[1], 1, "round {round}: {} {}", one.body, another.body);
    }
    assert_eq!(till.app.events("TransferApproved").await, 20);
}

#[tokio::test]
async fn one_user_can_refuse_a_withdrawal_that_waits_for_a_second_approval() {
    let till = Till::open_with(&[TWO]).await;
    let id = till.asked_for(400_00).await;
    till.step(&id, "approve").await;
    assert_eq!(status(&till.step(&id, "refuse").await), 3);
    assert_eq!(till.balances().await, [1_000_00, 0, 0]);
}

#[tokio::test]
async fn only_the_bank_can_end_a_payout_in_flight() {
    let till = Till::open_with(&[SANDBOX]).await;
    let id = till.asked_for(400_00).await;
    let sent = till.step(&id, "approve").await;
    assert_eq!((status(&sent), sent.at("/by_hand")), (2, &json!(false)));
    let payout: PayoutId = sent.text("/payout_id").parse().expect("a payout's id");
    for step in ["approve", "process", "refuse", "fail"] {
        refused_in_flight(&till.step(&id, step).await);
    }
    refused_in_flight(&till.reopen(&id).await);
    assert_eq!(till.balances().await, [600_00, 400_00, 0]);
    for _ in 0..2 {
        let reported = till.submit(paid(&id, payout, &till)).await;
        assert!(
            matches!(reported, Outcome::Recorded(_) | Outcome::Duplicate { .. }),
            "{reported:?}"
        );
    }
    assert_eq!(
        till.app.events("TransferApproved").await,
        1,
        "reported twice, paid once"
    );
    assert_eq!(till.balances().await, [600_00, 0, 0]);
}

#[tokio::test]
async fn after_a_failed_payout_the_next_attempt_has_a_new_id() {
    let till = Till::open_with(&[SANDBOX]).await;
    let id = till.asked_for(400_00).await;
    let first = till.step(&id, "approve").await.text("/payout_id").to_owned();
    let failed = BusinessCommand::PayoutFailed(PayoutFailed {
        transfer_id: id.parse().expect("an id"),
        payout_id: first.parse().expect("an id"),
        reason: Some("Conta inexistente".to_owned()),
        occurred_at: till.app.app.state.clock.now(),
    });
    assert!(matches!(till.submit(failed).await, Outcome::Recorded(_)));
    assert_eq!(till.balances().await, [1_000_00, 0, 0]);
    assert_eq!(status(&till.reopen(&id).await), 0);
    let second = till.step(&id, "approve").await;
    assert_eq!(status(&second), 2);
    assert_ne!(second.text("/payout_id"), first);
}

#[tokio::test]
async fn a_manual_payment_is_approved_manually_although_there_is_a_provider() {
    let till = Till::open_with(&[SANDBOX]).await;
    let id = till.asked_for(400_00).await;
    till.step(&id, "process").await;
    let approved = till.step(&id, "approve").await;
    assert_eq!(
        (status(&approved), approved.at("/payout_id")),
        (1, &Value::Null),
        "no payout is sent as well"
    );
}

#[tokio::test]
async fn a_late_payment_is_debited_again_and_shown_to_staff() {
    let till = Till::open().await;
    let id = till.asked_for(900_00).await;
    till.step(&id, "refuse").await;
    till.asked_for(500_00).await;
    let reported = till
        .submit(paid(&id, PayoutId::from_uuid(Uuid::now_v7()), &till))
        .await;
    assert!(matches!(reported, Outcome::Recorded(_)), "{reported:?}");
    assert_eq!(
        till.balances().await,
        [-400_00, 500_00, 0],
        "negative, because the bank paid the money"
    );
    let listed = till.staff.get("/api/admin/balance/transfers?status=1").await;
    let late = listed.body["data"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|row| row["id"] == json!(id));
    assert_eq!(late.map(|row| &row["needs_attention"]), Some(&json!(true)));
    let refused = till
        .seller
        .post("/api/balance/transfers", super::request(10_00))
        .await;
    assert_eq!(
        refused.status, 422,
        "no further withdrawal until the balance is positive"
    );
}
