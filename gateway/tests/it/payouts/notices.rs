//! A bank's notices of payouts: known ones, unknown ones, and contradictions.

use chrono::Utc;
use gateway_platform::providers::sign;
use ledger_domain::business::{
    Approvals, BusinessCommand, ChargeTerminalRental, MakeManualTransfer, ProcessTransfer,
};
use ledger_domain::ids::UserId;
use ledger_domain::sale::SaleTerminal;
use ledger_domain::transfer::Direction;
use ledger_domain::{Cents, PayoutId, TerminalId, TransferId};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{ANOTHER_SECRET, FEE, PayoutFixture};
use crate::support::database::only_with_tables;
use crate::support::{Answer, PARTS_WITHOUT_EFFECTS};

/// A gateway that sends no payouts. The test inserts their rows.
pub(super) async fn open_without_effects() -> PayoutFixture {
    PayoutFixture::open_with(PARTS_WITHOUT_EFFECTS).await
}

pub(super) fn payout_notice(id: &str, r#type: &str, transfer_id: TransferId, payout_id: PayoutId) -> Value {
    json!({"id": id, "type": r#type, "occurred_at": "2026-11-21T15:00:00Z",
           "data": {"transfer_id": transfer_id, "payout_id": payout_id, "reason": null}})
}

/// Adds the row of a payout that was sent to the bank. Its status is `failed` because a transfer may have one open
/// payout only; the check of a notice reads the provider, not the status.
pub(super) async fn insert_payout(fixture: &PayoutFixture, transfer_id: TransferId, payout_id: PayoutId) {
    let row = format!(
        "INSERT INTO payout (payout_id, transfer_id, business_id, provider, amount, destination, status, ended_at,
                             next_try_at)
         VALUES ('{}', '{}', '{}', 'sandbox', 10000, '{{}}', 'failed', now(), NULL)",
        payout_id.uuid(),
        transfer_id.uuid(),
        fixture.company.id.uuid()
    );
    fixture.app.execute(&row).await;
}

pub(super) async fn withdraw_and_insert_payout(fixture: &PayoutFixture, net: i64) -> (TransferId, PayoutId) {
    let (transfer_id, payout_id) = fixture.withdraw(net).await;
    insert_payout(fixture, transfer_id, payout_id).await;
    (transfer_id, payout_id)
}

/// The HTTP status, and the notice's result: `recorded`, `already` or `waiting`.
pub(super) fn result(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.text("/result"))
}

#[tokio::test]
async fn a_paid_notice_approves_and_its_repeat_adds_nothing() {
    let fixture = open_without_effects().await;
    let (transfer_id, payout_id) = withdraw_and_insert_payout(&fixture, 100_00).await;
    let notice = payout_notice("evt-1", "payout.paid", transfer_id, payout_id);
    assert_eq!(result(&fixture.app.send_json(&notice).await), (200, "recorded"));
    assert_eq!(result(&fixture.app.send_json(&notice).await), (200, "already"));
    let again = payout_notice("evt-2", "payout.paid", transfer_id, payout_id);
    assert_eq!(result(&fixture.app.send_json(&again).await), (200, "already"));
    assert_eq!(fixture.app.count_events("TransferApproved").await, 1);
}

#[tokio::test]
async fn a_failed_notice_returns_the_money_with_the_banks_reason() {
    let fixture = open_without_effects().await;
    let before = fixture.available(&fixture.company).await;
    let (transfer_id, payout_id) = withdraw_and_insert_payout(&fixture, 100_00).await;
    let mut notice = payout_notice("evt-1", "payout.failed", transfer_id, payout_id);
    notice["data"]["reason"] = json!("Conta encerrada");
    assert_eq!(result(&fixture.app.send_json(&notice).await), (200, "recorded"));
    notice["id"] = json!("evt-2");
    assert_eq!(result(&fixture.app.send_json(&notice).await), (200, "already"));
    assert_eq!(fixture.available(&fixture.company).await, before);
    let sql = "SELECT payload->'TransferFailed'->>'reason' FROM event WHERE event_type = 'TransferFailed'";
    assert_eq!(fixture.text(sql, &[]).await.as_deref(), Some("Conta encerrada"));
}

#[tokio::test]
async fn a_paid_notice_after_a_failed_one_debits_the_money_again() {
    let fixture = open_without_effects().await;
    let before = fixture.available(&fixture.company).await;
    let (transfer_id, payout_id) = withdraw_and_insert_payout(&fixture, 100_00).await;
    for (id, r#type) in [("evt-1", "payout.failed"), ("evt-2", "payout.paid")] {
        let notice = payout_notice(id, r#type, transfer_id, payout_id);
        assert_eq!(result(&fixture.app.send_json(&notice).await), (200, "recorded"));
    }
    assert_eq!(fixture.transfer_status(transfer_id).await, "approved");
    assert_eq!(fixture.available(&fixture.company).await, before - 100_00 - FEE);
}

#[tokio::test]
async fn a_notice_that_cannot_be_recorded_waits_with_its_reason() {
    only_with_tables!();
    let fixture = open_without_effects().await;
    let unknown_transfer = TransferId::from_uuid(Uuid::now_v7());
    let unknown_payout = PayoutId::from_uuid(Uuid::now_v7());
    let unknown = payout_notice("evt-1", "payout.paid", unknown_transfer, unknown_payout);
    assert_eq!(result(&fixture.app.send_json(&unknown).await), (202, "waiting"));
    // The notice reports another payout than the one in flight.
    let (in_flight, _) = withdraw_and_insert_payout(&fixture, 100_00).await;
    let earlier = PayoutId::from_uuid(Uuid::now_v7());
    insert_payout(&fixture, in_flight, earlier).await;
    let other = payout_notice("evt-2", "payout.paid", in_flight, earlier);
    assert_eq!(result(&fixture.app.send_json(&other).await), (202, "waiting"));
    // The transfer is paid by one payout, then another payout is reported as paid.
    let (paid, paid_by) = withdraw_and_insert_payout(&fixture, 200_00).await;
    fixture
        .app
        .send_json(&payout_notice("evt-3", "payout.paid", paid, paid_by))
        .await;
    let second = PayoutId::from_uuid(Uuid::now_v7());
    insert_payout(&fixture, paid, second).await;
    let twice = payout_notice("evt-4", "payout.paid", paid, second);
    assert_eq!(result(&fixture.app.send_json(&twice).await), (202, "waiting"));
    // The payout that is paid is reported as failed.
    let contradiction = payout_notice("evt-5", "payout.failed", paid, paid_by);
    assert_eq!(
        result(&fixture.app.send_json(&contradiction).await),
        (202, "waiting")
    );
    // The notice names a company that has no such transfer.
    let other_company = fixture.app.company("Livraria").await;
    let mut of_other_company = payout_notice("evt-6", "payout.paid", in_flight, earlier);
    of_other_company["data"]["business_id"] = json!(other_company.id);
    assert_eq!(
        result(&fixture.app.send_json(&of_other_company).await),
        (202, "waiting")
    );
    assert_eq!(
        fixture.app.waiting_exceptions().await,
        json!([
            ["evt-1", "unknown_transfer"],
            ["evt-2", "another_payout_in_flight"],
            ["evt-4", "paid_twice"],
            ["evt-5", "transfer_status_forbids"],
            ["evt-6", "transfer_of_another_business"],
        ])
    );
    let transfer = "SELECT reason_parameters->>'transfer_id' FROM exception WHERE notice_id = 'evt-1'";
    assert_eq!(
        fixture.text(transfer, &[]).await,
        Some(unknown_transfer.to_string()),
        "the reason names the transfer of the notice"
    );
}

#[tokio::test]
async fn a_notice_of_a_transfer_that_no_bank_pays_waits_for_staff() {
    let fixture = open_without_effects().await;
    let manual = TransferId::from_uuid(Uuid::now_v7());
    let removal = BusinessCommand::MakeManualTransfer(MakeManualTransfer {
        transfer_id: manual,
        direction: Direction::Out,
        amount: Cents::new(10_00),
        description: "Segunda via".to_owned(),
        allow_negative: false,
        occurred_at: fixture.app.app.state.clock.now(),
    });
    fixture.record(fixture.company.id, removal).await;
    let rental = TransferId::from_uuid(Uuid::now_v7());
    let charge = BusinessCommand::ChargeTerminalRental(ChargeTerminalRental {
        transfer_id: rental,
        terminal: SaleTerminal {
            id: TerminalId::from_uuid(Uuid::now_v7()),
            serial_number: "PB-1".to_owned(),
        },
        due_date: "2026-11-01".parse().expect("a date"),
        amount: Cents::new(49_90),
        occurred_at: fixture.app.app.state.clock.now(),
    });
    fixture.record(fixture.company.id, charge).await;
    let before = fixture.available(&fixture.company).await;
    for (id, r#type, transfer_id) in [
        ("evt-1", "payout.paid", manual),
        ("evt-2", "payout.failed", manual),
        ("evt-3", "payout.paid", rental),
        ("evt-4", "payout.failed", rental),
    ] {
        let payout_id = PayoutId::from_uuid(Uuid::now_v7());
        insert_payout(&fixture, transfer_id, payout_id).await;
        let notice = payout_notice(id, r#type, transfer_id, payout_id);
        assert_eq!(
            result(&fixture.app.send_json(&notice).await),
            (202, "waiting"),
            "{id}"
        );
    }
    assert_eq!(
        fixture.app.waiting_exceptions().await,
        json!([
            ["evt-1", "not_a_withdrawal"],
            ["evt-2", "not_a_withdrawal"],
            ["evt-3", "not_a_withdrawal"],
            ["evt-4", "not_a_withdrawal"],
        ])
    );
    assert_eq!(fixture.available(&fixture.company).await, before);
    assert_eq!(fixture.transfer_status(rental).await, "approved");
}

#[tokio::test]
async fn only_the_provider_that_got_a_payout_reports_its_result() {
    let fixture = open_without_effects().await;
    let (transfer_id, payout_id) = fixture.withdraw(100_00).await;
    let sent = format!(
        "INSERT INTO payout (payout_id, transfer_id, business_id, provider, amount, destination, status)
         VALUES ('{}', '{}', '{}', 'sandbox', 10000, '{{}}', 'sent')",
        payout_id.uuid(),
        transfer_id.uuid(),
        fixture.company.id.uuid()
    );
    fixture.app.execute(&sent).await;
    for (id, r#type) in [("evt-1", "payout.failed"), ("evt-2", "payout.paid")] {
        let body = payout_notice(id, r#type, transfer_id, payout_id).to_string();
        let signature = sign(ANOTHER_SECRET.as_bytes(), Utc::now().timestamp(), body.as_bytes());
        let answer = fixture.app.send_signed("iugu", &signature, &body).await;
        assert_eq!(result(&answer), (202, "waiting"));
    }
    assert_eq!(
        fixture.app.waiting_exceptions().await,
        json!([
            ["evt-1", "payout_of_another_provider"],
            ["evt-2", "payout_of_another_provider"],
        ])
    );
    assert_eq!(fixture.transfer_status(transfer_id).await, "processing");
    // No provider can report the result of a payout that was never sent.
    fixture
        .app
        .execute("UPDATE payout SET provider = NULL, status = 'waiting'")
        .await;
    let unsent = payout_notice("evt-3", "payout.paid", transfer_id, payout_id);
    let answer = fixture.app.send_json(&unsent).await;
    assert_eq!(
        (answer.status, answer.text("/reason")),
        (202, "payout_of_another_provider")
    );
    fixture
        .app
        .execute("UPDATE payout SET provider = 'sandbox', status = 'sent'")
        .await;
    let own = payout_notice("evt-4", "payout.paid", transfer_id, payout_id);
    assert_eq!(result(&fixture.app.send_json(&own).await), (200, "recorded"));
}

#[tokio::test]
async fn an_invented_payout_neither_approves_nor_fails_a_transfer() {
    let fixture = open_without_effects().await;
    let before = fixture.available(&fixture.company).await;
    let (in_flight, its_payout) = withdraw_and_insert_payout(&fixture, 100_00).await;
    let pending = fixture.request(&fixture.company, 200_00).await;
    let by_hand = fixture.request(&fixture.company, 300_00).await;
    let process = BusinessCommand::ProcessTransfer(ProcessTransfer {
        transfer_id: by_hand,
        payout_id: None,
        by: UserId::from_uuid(Uuid::now_v7()),
        approvals: Approvals::One,
        occurred_at: fixture.app.app.state.clock.now(),
    });
    fixture.record(fixture.company.id, process).await;
    let invented = PayoutId::from_uuid(Uuid::now_v7());
    for (case, (transfer_id, payout_id)) in [
        (in_flight, invented),
        (pending, invented),
        (by_hand, invented),
        // The payout of one transfer cannot pay another transfer.
        (pending, its_payout),
        (by_hand, its_payout),
    ]
    .into_iter()
    .enumerate()
    {
        for r#type in ["payout.paid", "payout.failed"] {
            let notice = payout_notice(&format!("{type}-{case}"), r#type, transfer_id, payout_id);
            let answer = fixture.app.send_json(&notice).await;
            assert_eq!(
                (answer.status, answer.text("/reason")),
                (202, "unknown_payout"),
                "{case}"
            );
        }
    }
    assert_eq!(fixture.transfer_status(in_flight).await, "processing");
    assert_eq!(fixture.transfer_status(pending).await, "pending");
    assert_eq!(fixture.transfer_status(by_hand).await, "processing");
    let requested = 100_00 + 200_00 + 300_00 + 3 * FEE;
    assert_eq!(fixture.available(&fixture.company).await, before - requested);
}

#[tokio::test]
async fn an_array_records_the_notices_of_a_transfer_in_order() {
    let fixture = open_without_effects().await;
    let (transfer_id, payout_id) = withdraw_and_insert_payout(&fixture, 100_00).await;
    let answer = fixture
        .app
        .send_json(&json!([
            payout_notice("evt-1", "payout.failed", transfer_id, payout_id),
            payout_notice("evt-2", "payout.paid", transfer_id, payout_id),
        ]))
        .await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.text("/results/0/result"), "recorded");
    assert_eq!(answer.text("/results/1/result"), "recorded");
    assert_eq!(fixture.app.count_events("TransferFailed").await, 1);
    assert_eq!(fixture.transfer_status(transfer_id).await, "approved");
}

#[tokio::test]
async fn a_notice_without_a_payout_and_with_an_invalid_transfer_is_a_422() {
    let fixture = open_without_effects().await;
    let notice = json!({"id": "evt-1", "type": "payout.paid", "occurred_at": "2026-11-21T15:00:00Z",
                        "data": {"transfer_id": "trf_x"}});
    let answer = fixture.app.send_json(&notice).await;
    assert_eq!(answer.status, 422);
    let places: Vec<_> = answer.at("/errors").as_object().expect("places").keys().collect();
    assert_eq!(places, ["/data/payout_id", "/data/transfer_id"]);
}
