//! A bank's notices of an earlier payout, while a later one is in flight or paid.

use ledger_domain::{PayoutId, TransferId};
use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::json;
use uuid::Uuid;

use super::notices::{
    insert_payout, open_without_effects, payout_notice, result, withdraw_and_insert_payout,
};
use super::{FEE, PayoutFixture, alarms};
use crate::support::PARTS;

/// Two payouts of one transfer: the first is reported as failed, the second is in flight.
async fn second_in_flight(fixture: &PayoutFixture) -> (TransferId, PayoutId, PayoutId) {
    let (transfer_id, first) = withdraw_and_insert_payout(fixture, 100_00).await;
    let failed = payout_notice("evt-1", "payout.failed", transfer_id, first);
    assert_eq!(result(&fixture.app.send_json(&failed).await), (200, "recorded"));
    fixture.reopen(&fixture.company, transfer_id).await;
    let second = fixture.pay(&fixture.company, transfer_id).await;
    insert_payout(fixture, transfer_id, second).await;
    (transfer_id, first, second)
}

#[tokio::test]
async fn a_late_payment_of_an_earlier_payout_is_recorded_and_the_later_failure_adds_nothing() {
    let fixture = open_without_effects().await;
    let before = fixture.available(&fixture.company).await;
    let (transfer_id, first, second) = second_in_flight(&fixture).await;
    let late = payout_notice("evt-2", "payout.paid", transfer_id, first);
    assert_eq!(result(&fixture.app.send_json(&late).await), (200, "recorded"));
    assert_eq!(fixture.transfer_status(transfer_id).await, "approved");
    let failed = payout_notice("evt-3", "payout.failed", transfer_id, second);
    assert_eq!(result(&fixture.app.send_json(&failed).await), (200, "already"));
    assert_eq!(fixture.transfer_status(transfer_id).await, "approved");
    assert_eq!(fixture.available(&fixture.company).await, before - 100_00 - FEE);
    assert_eq!(fixture.app.waiting_exceptions().await, json!([]));
}

#[tokio::test]
async fn a_waiting_payout_is_not_sent_once_an_earlier_one_is_paid() {
    let fixture = open_without_effects().await;
    let (transfer_id, first, second) = second_in_flight(&fixture).await;
    let late = payout_notice("evt-2", "payout.paid", transfer_id, first);
    assert_eq!(result(&fixture.app.send_json(&late).await), (200, "recorded"));
    // These rows are of the test. After the restart, the effect handler inserts them from the log.
    fixture.app.execute("DELETE FROM payout").await;
    let fixture = fixture.restart(PARTS).await;
    fixture.until_payout_is(second, "failed").await;
    fixture.until_payout_is(first, "paid").await;
    assert!(fixture.book().await.is_empty(), "nothing reached the bank");
    fixture.app.until_effect_handlers_read_all().await;
    assert_eq!(fixture.app.audit_findings().await, [""; 0]);
}

#[tokio::test]
async fn each_second_payment_raises_one_alarm_although_its_notice_is_repeated_and_retried() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let paid_twice_alarms = || alarms(&recorder, "razao_payouts_paid_twice_total");
    let fixture = open_without_effects().await;
    let (transfer_id, payout_id) = withdraw_and_insert_payout(&fixture, 100_00).await;
    let [reported_before, reported_after] = [1, 2].map(|number| PayoutId::from_uuid(Uuid::from_u128(number)));
    insert_payout(&fixture, transfer_id, reported_before).await;
    insert_payout(&fixture, transfer_id, reported_after).await;
    let notice_before = payout_notice("evt-1", "payout.paid", transfer_id, reported_before);
    assert_eq!(
        result(&fixture.app.send_json(&notice_before).await),
        (202, "waiting")
    );
    assert_eq!(paid_twice_alarms(), 0, "another payout is in flight");
    fixture
        .app
        .send_json(&payout_notice("evt-2", "payout.paid", transfer_id, payout_id))
        .await;
    let notice_after = payout_notice("evt-3", "payout.paid", transfer_id, reported_after);
    for _ in 0..2 {
        assert_eq!(
            result(&fixture.app.send_json(&notice_after).await),
            (202, "waiting")
        );
        assert_eq!(paid_twice_alarms(), 1);
    }
    let state = &fixture.app.app.state;
    for _ in 0..3 {
        fixture
            .app
            .execute("UPDATE exception SET next_try_at = now()")
            .await;
        let tried = gateway_platform::resolution::try_due_notices(&state.pool, &state.notices).await;
        assert_eq!(tried.expect("the due notices"), 0);
        assert_eq!(
            paid_twice_alarms(),
            2,
            "also the notice that waited for the payout in flight"
        );
    }
}
