//! An event that the effect handler of payouts cannot process stops it visibly and is never skipped. Payouts that are
//! late or unreadable are shown.

use gateway_identity::roles::AdminRole;
use ledger_domain::business::{BusinessCommand, PayoutFailed, ReturnedFee};
use ledger_domain::{PayoutId, TransferId};
use ledger_store::Shard;
use serde_json::json;

use super::PayoutFixture;
use crate::support::wait::until_some;
use crate::support::{PARTS, PARTS_WITHOUT_EFFECTS};

async fn readiness_stopped(fixture: &PayoutFixture) -> serde_json::Value {
    fixture.app.operations().get("/readyz").await.body["stopped"].clone()
}

#[tokio::test]
async fn an_event_that_cannot_be_processed_stops_its_shard_until_it_can() {
    let fixture = PayoutFixture::open_with(PARTS_WITHOUT_EFFECTS).await;
    let (good, good_payout) = fixture.withdraw(100_00).await;
    let (bad, bad_payout) = fixture.withdraw(200_00).await;
    let (after, after_payout) = fixture.withdraw(300_00).await;
    // The transfer's state row is missing, so no order can be made from it.
    fixture
        .app
        .execute(&format!(
            "CREATE TABLE kept AS SELECT * FROM transfer_state WHERE transfer_id = '{id}';
             DELETE FROM transfer_state WHERE transfer_id = '{id}'",
            id = bad.uuid()
        ))
        .await;
    let fixture = fixture.restart(PARTS).await;
    fixture.until_payout_is(good_payout, "paid").await;
    assert_eq!(fixture.transfer_status(good).await, "approved");

    let shard = Shard::of(fixture.company.id);
    let sql = format!(
        "SELECT poison_position::text FROM effect_checkpoint WHERE shard = {shard} AND effect = 'payouts'"
    );
    let stopped_at = until_some("a stopped handler", async || fixture.text(&sql, &[]).await).await;
    assert_eq!(
        readiness_stopped(&fixture).await,
        json!([format!("payouts of shard {shard} at position {stopped_at}")])
    );
    assert_eq!(fixture.app.operations().get("/readyz").await.status, 503);
    let metrics = fixture.app.operations().get("/metrics").await.body;
    assert!(
        metrics
            .as_str()
            .expect("text")
            .contains("razao_effects_stopped 1")
    );
    assert_eq!(
        fixture.payout_status(after_payout).await,
        None,
        "no event is skipped"
    );

    fixture
        .app
        .execute("INSERT INTO transfer_state SELECT * FROM kept; DROP TABLE kept")
        .await;
    let fixture = fixture.restart(PARTS).await;
    fixture.until_payout_is(bad_payout, "paid").await;
    fixture.until_payout_is(after_payout, "paid").await;
    assert_eq!(fixture.transfer_status(after).await, "approved");
    assert_eq!(readiness_stopped(&fixture).await, json!([]));
    fixture.assert_books_agree().await;
}

#[tokio::test]
async fn a_payout_that_does_not_end_is_shown_to_operators_as_late() {
    let fixture = PayoutFixture::open_with(PARTS_WITHOUT_EFFECTS).await;
    let (_, payout_id) = fixture.withdraw(100_00).await;
    let PayoutFixture {
        app,
        company,
        sandbox,
        addr,
    } = fixture;
    // The bank is down.
    let (bank_addr, variables) = (sandbox.addr, super::variables(&sandbox, addr));
    drop(sandbox);
    let app = app.restart(&variables.each(), PARTS).await;
    let sql = "SELECT last_error FROM payout WHERE last_error IS NOT NULL";
    let client = app.database.client().await;
    let error: String = until_some("a failed call", async || {
        let row = client.query_opt(sql, &[]).await.expect("payouts");
        row.map(|row| row.get(0))
    })
    .await;
    assert_eq!(error, "unreachable");
    // A payout is late after 30 minutes (`RAZAO_PAYOUT_LATE_MINUTES`).
    for (minutes, late) in [(29, 0), (31, 1)] {
        let age = format!("UPDATE payout SET created_at = now() - interval '{minutes} minutes'");
        app.execute(&age).await;
        let ready = app.operations().get("/readyz").await;
        assert_eq!(
            (ready.status, ready.at("/payouts_late"), ready.at("/payouts_open")),
            (200, &json!(late), &json!(1)),
            "{minutes} minutes"
        );
    }
    let metrics = app.operations().get("/metrics").await.body;
    let late = r#"razao_payouts{state="late"} 1"#;
    assert!(metrics.as_str().expect("text").contains(late), "{metrics}");

    // The same bank is back at the same address.
    let sandbox = super::sandbox_at(bank_addr, addr).await;
    let fixture = PayoutFixture {
        app,
        company,
        sandbox,
        addr,
    };
    fixture.until_payout_is(payout_id, "paid").await;
    fixture.assert_books_agree().await;
}

/// Withdraws an amount whose payout's row is unreadable from the start. The trigger stands for another version of the
/// program, which wrote the row.
async fn unreadable_payout(fixture: &PayoutFixture) -> (TransferId, PayoutId) {
    fixture
        .app
        .execute(
            "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$
             BEGIN NEW.destination := '{\"moon\": 1}'; RETURN NEW; END $$;
             CREATE TRIGGER spoil BEFORE INSERT ON payout FOR EACH ROW EXECUTE FUNCTION spoil()",
        )
        .await;
    let (transfer_id, payout_id) = fixture.withdraw(100_00).await;
    fixture.until_payout_is(payout_id, "unreadable").await;
    (transfer_id, payout_id)
}

#[tokio::test]
async fn an_unreadable_payout_leaves_the_queue_once_its_result_is_recorded() {
    let fixture = PayoutFixture::open().await;
    let (transfer_id, payout_id) = unreadable_payout(&fixture).await;
    let failed = BusinessCommand::PayoutFailed(PayoutFailed {
        transfer_id,
        payout_id,
        reason: None,
        occurred_at: fixture.app.app.state.clock.now(),
        fee: ReturnedFee::Kept,
    });
    fixture.record(fixture.company.id, failed).await;
    fixture.until_payout_is(payout_id, "failed").await;
    assert_eq!(fixture.app.waiting_exceptions().await, json!([]));
    let resolved = "SELECT count(*) FROM exception WHERE status = 'resolved' AND resolution = 'ended'";
    assert_eq!(fixture.app.count(resolved).await, 1);
}

#[tokio::test]
async fn an_unreadable_payout_waits_for_staff_who_have_it_paid() {
    let fixture = PayoutFixture::open().await;
    let PayoutFixture { app, .. } = &fixture;
    let (transfer_id, payout_id) = unreadable_payout(&fixture).await;
    assert!(fixture.book().await.is_empty(), "nothing reached the bank");
    let user = app.admin(&[AdminRole::Admin]).await;
    let staff = app.sign_in(&user).await;
    let waiting = staff.get("/api/admin/exceptions").await;
    assert_eq!(waiting.at("/meta/total"), 1, "{}", waiting.body);
    for (field, value) in [
        ("type", json!("payout.unreadable")),
        ("reason", json!("unreadable_payout")),
        ("provider", json!(null)),
        ("business_id", json!(fixture.company.id)),
        ("next_try_at", json!(null)),
        ("assignable", json!(false)),
    ] {
        assert_eq!(waiting.at(&format!("/data/0/{field}")), &value, "{field}");
    }
    let id = waiting.text("/data/0/id");
    let act = |action: &str| format!("/api/admin/exceptions/{id}/{action}");
    let assign = staff
        .post(&act("assign"), json!({ "business_id": fixture.company.id }))
        .await;
    assert_eq!(assign.status, 409);
    let tries = format!(
        "SELECT tries::int8 FROM payout WHERE payout_id = '{}'",
        payout_id.uuid()
    );
    assert_eq!(app.count(&tries).await, 1, "it is not claimed again");

    let retried = staff.post(&act("retry"), json!({})).await;
    assert_eq!(
        (retried.status, retried.text("/resolution")),
        (200, "tried_again"),
        "{}",
        retried.body
    );
    fixture.until_payout_is(payout_id, "paid").await;
    assert_eq!(fixture.transfer_status(transfer_id).await, "approved");
    fixture.assert_books_agree().await;
}
