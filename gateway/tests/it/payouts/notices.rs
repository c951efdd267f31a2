//! A bank's notices of payouts, as they come in: known ones, unknown ones, and those that contradict.

use ledger_domain::{PayoutId, TransferId};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Bench, FEE};
use crate::support::Answer;
use gateway::app::Parts;

/// A gateway that sends nothing by itself.
async fn open() -> Bench {
    Bench::open_with(Parts {
        effects: false,
        ..Parts::ALL
    })
    .await
}

fn told(id: &str, r#type: &str, transfer_id: TransferId, payout_id: PayoutId) -> Value {
    json!({"id": id, "type": r#type, "occurred_at": "2026-11-21T15:00:00Z",
           "data": {"transfer_id": transfer_id, "payout_id": payout_id, "reason": null}})
}

fn result(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.text("/result"))
}

#[tokio::test]
async fn a_payout_told_paid_approves_and_told_again_adds_nothing() {
    let bench = open().await;
    let (transfer_id, payout_id) = bench.withdraw(100_00).await;
    let notice = told("evt-1", "payout.paid", transfer_id, payout_id);
    assert_eq!(result(&bench.app.tell_json(&notice).await), (200, "recorded"));
    assert_eq!(result(&bench.app.tell_json(&notice).await).0, 200);
    let again = told("evt-2", "payout.paid", transfer_id, payout_id);
    assert_eq!(result(&bench.app.tell_json(&again).await), (200, "already"));
    assert_eq!(bench.app.events("TransferApproved").await, 1);
}

#[tokio::test]
async fn a_payout_told_failed_gives_the_money_back_with_the_banks_reason() {
    let bench = open().await;
    let before = bench.available(&bench.company).await;
    let (transfer_id, payout_id) = bench.withdraw(100_00).await;
    let mut notice = told("evt-1", "payout.failed", transfer_id, payout_id);
    notice["data"]["reason"] = json!("Conta encerrada");
    assert_eq!(result(&bench.app.tell_json(&notice).await), (200, "recorded"));
    notice["id"] = json!("evt-2");
    assert_eq!(result(&bench.app.tell_json(&notice).await), (200, "already"));
    assert_eq!(bench.available(&bench.company).await, before);
    let sql = "SELECT payload->'TransferFailed'->>'reason' FROM event WHERE event_type = 'TransferFailed'";
    assert_eq!(bench.text(sql, &[]).await.as_deref(), Some("Conta encerrada"));
}

#[tokio::test]
async fn paid_after_failed_is_a_fact_that_takes_the_money_again() {
    let bench = open().await;
    let before = bench.available(&bench.company).await;
    let (transfer_id, payout_id) = bench.withdraw(100_00).await;
    for (id, r#type) in [("evt-1", "payout.failed"), ("evt-2", "payout.paid")] {
        let notice = told(id, r#type, transfer_id, payout_id);
        assert_eq!(result(&bench.app.tell_json(&notice).await), (200, "recorded"));
    }
    assert_eq!(bench.transfer_status(transfer_id).await, "approved");
    assert_eq!(bench.available(&bench.company).await, before - 100_00 - FEE);
}

#[tokio::test]
async fn what_cannot_be_taken_waits_whole_with_its_reason() {
    let bench = open().await;
    let nobody = (
        TransferId::from_uuid(Uuid::now_v7()),
        PayoutId::from_uuid(Uuid::now_v7()),
    );
    let unknown = told("evt-1", "payout.paid", nobody.0, nobody.1);
    assert_eq!(result(&bench.app.tell_json(&unknown).await), (202, "waiting"));
    // Another payout than the one in flight.
    let (in_flight, _) = bench.withdraw(100_00).await;
    let other = told("evt-2", "payout.paid", in_flight, nobody.1);
    assert_eq!(result(&bench.app.tell_json(&other).await), (202, "waiting"));
    // Paid by one, told paid by another.
    let (paid, by) = bench.withdraw(200_00).await;
    bench.app.tell_json(&told("evt-3", "payout.paid", paid, by)).await;
    let twice = told("evt-4", "payout.paid", paid, nobody.1);
    assert_eq!(result(&bench.app.tell_json(&twice).await), (202, "waiting"));
    // Failed, of what is paid.
    let contradiction = told("evt-5", "payout.failed", paid, by);
    assert_eq!(
        result(&bench.app.tell_json(&contradiction).await),
        (202, "waiting")
    );
    // Of a company that has no such transfer.
    let stranger = bench.app.company("Livraria").await;
    let mut elsewhere = told("evt-6", "payout.paid", in_flight, nobody.1);
    elsewhere["data"]["business_id"] = json!(stranger.id);
    assert_eq!(result(&bench.app.tell_json(&elsewhere).await), (202, "waiting"));
    assert_eq!(
        bench.app.waiting().await,
        json!([
            ["evt-1", "unknown_transfer"],
            ["evt-2", "another_payout_in_flight"],
            ["evt-4", "paid_twice"],
            ["evt-5", "transfer_status_forbids"],
            ["evt-6", "transfer_of_another_business"],
        ])
    );
    let parameters = "SELECT reason_parameters->>'transfer_id' FROM exception WHERE notice_id = 'evt-1'";
    assert_eq!(
        bench.text(parameters, &[]).await,
        Some(nobody.0.to_string()),
        "whom it is about"
    );
}

#[tokio::test]
async fn a_notice_of_an_earlier_payout_is_taken_once_the_later_one_has_ended() {
    let bench = open().await;
    let (transfer_id, first) = bench.withdraw(100_00).await;
    bench
        .app
        .tell_json(&told("evt-1", "payout.failed", transfer_id, first))
        .await;
    bench.reopen(&bench.company, transfer_id).await;
    let second = bench.pay(&bench.company, transfer_id).await;
    let late = told("evt-2", "payout.paid", transfer_id, first);
    assert_eq!(result(&bench.app.tell_json(&late).await), (202, "waiting"));
    bench
        .app
        .tell_json(&told("evt-3", "payout.failed", transfer_id, second))
        .await;
    bench
        .app
        .execute("UPDATE exception SET next_try_at = now()")
        .await;
    let state = &bench.app.app.state;
    let resolved = gateway::exceptions::sweep_once(&state.pool, &state.notices)
        .await
        .expect("a sweep");
    assert_eq!(resolved, 1);
    assert_eq!(bench.transfer_status(transfer_id).await, "approved");
}

#[tokio::test]
async fn an_array_takes_the_notices_of_a_transfer_in_their_order() {
    let bench = open().await;
    let (transfer_id, payout_id) = bench.withdraw(100_00).await;
    let answer = bench
        .app
        .tell_json(&json!([
            told("evt-1", "payout.failed", transfer_id, payout_id),
            told("evt-2", "payout.paid", transfer_id, payout_id),
        ]))
        .await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.text("/results/0/result"), "recorded");
    assert_eq!(answer.text("/results/1/result"), "recorded");
    assert_eq!(bench.app.events("TransferFailed").await, 1);
    assert_eq!(bench.transfer_status(transfer_id).await, "approved");
}

#[tokio::test]
async fn a_notice_that_names_no_payout_is_unreadable() {
    let bench = open().await;
    let notice = json!({"id": "evt-1", "type": "payout.paid", "occurred_at": "2026-11-21T15:00:00Z",
                        "data": {"transfer_id": "trf_x"}});
    let answer = bench.app.tell_json(&notice).await;
    assert_eq!(answer.status, 422);
    let places: Vec<_> = answer.at("/errors").as_object().expect("places").keys().collect();
    assert_eq!(places, ["/data/payout_id", "/data/transfer_id"]);
}
