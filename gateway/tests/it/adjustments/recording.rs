//! An approved adjustment is recorded once: after a crash between the yes and the record, and after one between the
//! record and its note.

use serde_json::json;

use super::{MANUAL, REQUESTS, decide, transfer};
use crate::withdrawals::{Balances, WithdrawalFixture};

impl WithdrawalFixture {
    /// Puts the requests into a state as a crash leaves it.
    async fn set_requests(&self, assignment: &str) {
        let sql = format!(
            "ALTER TABLE adjustment_request DISABLE TRIGGER USER;
             UPDATE adjustment_request SET {assignment};
             ALTER TABLE adjustment_request ENABLE TRIGGER USER"
        );
        self.app.execute(&sql).await;
    }
}

#[tokio::test]
async fn after_a_crash_between_the_yes_and_the_record_the_job_records_it_once() {
    let fixture = WithdrawalFixture::open().await;
    fixture.requested(5_000_00).await;
    // The process died right after the commit of the yes.
    fixture
        .set_requests("status = 'approved', decided_by = gen_random_uuid(), decided_at = now()")
        .await;
    assert_eq!(fixture.transfers_made().await, 0);
    let job = fixture.app.app.adjustments();
    let runs = futures::future::join_all((0..3).map(|_| job.run())).await;
    assert!(
        runs.iter()
            .all(|run| run.as_ref().is_ok_and(|run| run.failed == 0)),
        "{runs:?}"
    );
    assert_eq!(fixture.transfers_made().await, 1);
    assert_eq!(fixture.balances().await, Balances::available(6_000_00));
    let listed = fixture.staff.get(&format!("{REQUESTS}?status=recorded")).await;
    assert_eq!(listed.at("/meta/total"), &json!(1));
    assert_eq!(
        fixture.audit_rows("record").await,
        1,
        "the record is in the audit log once"
    );
}

#[tokio::test]
async fn after_a_crash_between_the_record_and_its_note_nothing_is_recorded_again() {
    let fixture = WithdrawalFixture::open().await;
    let keyed = fixture.staff.clone().with("idempotency-key", "k");
    for staff in [&fixture.staff, &keyed] {
        let asked = fixture.credit_by(staff, 5_000_00).await;
        let second = fixture.second().await;
        assert_eq!(
            decide(&second, &asked.body, "approve", json!({}))
                .await
                .text("/status"),
            "recorded"
        );
    }
    fixture.set_requests("status = 'approved'").await;
    let run = fixture.app.app.adjustments().run().await.expect("a run");
    assert_eq!((run.recorded, run.failed), (2, 0));
    assert_eq!(fixture.transfers_made().await, 2);
    assert_eq!(fixture.balances().await, Balances::available(11_000_00));
    // The repeat of the first request gets its request, and no new transfer.
    let again = fixture.credit_by(&keyed, 5_000_00).await;
    assert_eq!((again.status, again.text("/status")), (202, "recorded"));
    assert_eq!(fixture.transfers_made().await, 2);
}

#[tokio::test]
async fn the_record_has_the_key_the_reason_and_the_name_of_the_first_person() {
    let fixture = WithdrawalFixture::open().await;
    let keyed = fixture.staff.clone().with("idempotency-key", "k");
    let asked = fixture.credit_by(&keyed, 5_000_00).await;
    let approved = decide(&fixture.second().await, &asked.body, "approve", json!({})).await;
    assert_eq!(approved.text("/status"), "recorded", "{}", approved.body);
    let id = asked.text("/id");
    let found = fixture
        .app
        .count(&format!(
            "SELECT count(*) FROM event e JOIN adjustment_request r ON r.id = (e.metadata ->> 'cause')::uuid
              WHERE e.event_type = 'ManualTransferMade' AND r.id = '{id}'
                AND e.metadata ->> 'idempotency_key' = encode(r.idempotency_key, 'hex')
                AND e.metadata ->> 'actor' LIKE '%' || r.requested_by
                AND e.payload -> 'ManualTransferMade' ->> 'description' = 'Estorno de tarifas'"
        ))
        .await;
    assert_eq!(found, 1);
}

#[tokio::test]
async fn what_the_ledger_refuses_after_the_yes_ends_with_its_reason() {
    let fixture = WithdrawalFixture::open().await;
    fixture.set("removals_alone_up_to", json!(0)).await;
    let company = fixture.company.id.to_string();
    let body = transfer(&company, "out", 800_00);
    let first = fixture.staff.post(MANUAL, body.clone()).await;
    let other = fixture.staff.post(MANUAL, body).await;
    assert_eq!((first.status, other.status), (202, 202));
    let second = fixture.second().await;
    assert_eq!(
        decide(&second, &first.body, "approve", json!({}))
            .await
            .text("/status"),
        "recorded"
    );
    let refused = decide(&second, &other.body, "approve", json!({})).await;
    assert_eq!(
        (refused.status, refused.text("/status")),
        (200, "refused"),
        "{}",
        refused.body
    );
    assert_eq!(refused.text("/refusal"), "Valor não pode ser maior que o saldo");
    assert_eq!(fixture.balances().await, Balances::available(200_00));
    assert_eq!(fixture.audit_rows("refuse").await, 1);
}

#[tokio::test]
async fn a_request_goes_forward_only_and_is_never_deleted() {
    let fixture = WithdrawalFixture::open().await;
    let request = fixture.requested(5_000_00).await;
    let rejected = decide(
        &fixture.second().await,
        &request,
        "reject",
        json!({ "reason": "Não." }),
    )
    .await;
    assert_eq!(rejected.status, 200, "{}", rejected.body);
    let client = fixture.app.app.state.pool.get().await.expect("a connection");
    for sql in [
        "DELETE FROM adjustment_request",
        "TRUNCATE adjustment_request",
        "UPDATE adjustment_request SET status = 'pending', decided_by = NULL, decided_at = NULL, decision_reason = NULL",
        "UPDATE adjustment_request SET status = 'recorded'",
        "UPDATE adjustment_request SET amount = 1",
    ] {
        assert!(client.batch_execute(sql).await.is_err(), "{sql}");
    }
}
