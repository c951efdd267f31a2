//! The handler of payout effects: an event that it cannot process stops it visibly and is never skipped. Late payouts
//! are shown.

use std::time::Duration;

use gateway::app::Parts;
use gateway_identity::roles::AdminRole;
use ledger_domain::business::{BusinessCommand, PayoutFailed};
use ledger_domain::{PayoutId, TransferId};
use ledger_store::Shard;
use serde_json::json;

use super::Bench;

async fn readiness_stopped(bench: &Bench) -> serde_json::Value {
    bench.app.operations().get("/readyz").await.body["stopped"].clone()
}

#[tokio::test]
async fn an_event_that_cannot_be_processed_stops_its_shard_until_it_can() {
    let bench = Bench::open_with(Parts {
        effects: false,
        ..Parts::ALL
    })
    .await;
    let (good, good_payout) = bench.withdraw(100_00).await;
    let (bad, bad_payout) = bench.withdraw(200_00).await;
    let (after, after_payout) = bench.withdraw(300_00).await;
    // The transfer's state row is missing, so no order can be made from it.
    bench
        .app
        .execute(&format!(
            "CREATE TABLE kept AS SELECT * FROM transfer_state WHERE transfer_id = '{id}';
             DELETE FROM transfer_state WHERE transfer_id = '{id}'",
            id = bad.uuid()
        ))
        .await;
    let bench = bench.restart(Parts::ALL).await;
    bench.payout_becomes(good_payout, "paid").await;
    assert_eq!(bench.transfer_status(good).await, "approved");

    let shard = Shard::of(bench.company.id);
    let sql = format!(
        "SELECT poison_position::text FROM reactor_checkpoint WHERE shard = {shard} AND reactor = 'payouts'"
    );
    let mut stopped_at = None;
    for _ in 0..200 {
        stopped_at = bench.text(&sql, &[]).await;
        if stopped_at.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    let stopped_at = stopped_at.expect("it stopped");
    assert_eq!(
        readiness_stopped(&bench).await,
        json!([format!("payouts of {shard} at {stopped_at}")])
    );
    assert_eq!(bench.app.operations().get("/readyz").await.status, 503);
    let metrics = bench.app.operations().get("/metrics").await.body;
    assert!(
        metrics
            .as_str()
            .expect("text")
            .contains("razao_effects_stopped 1")
    );
    assert_eq!(
        bench.payout_status(after_payout).await,
        None,
        "no event is skipped"
    );

    bench
        .app
        .execute("INSERT INTO transfer_state SELECT * FROM kept; DROP TABLE kept")
        .await;
    let bench = bench.restart(Parts::ALL).await;
    bench.payout_becomes(bad_payout, "paid").await;
    bench.payout_becomes(after_payout, "paid").await;
    assert_eq!(bench.transfer_status(after).await, "approved");
    assert_eq!(readiness_stopped(&bench).await, json!([]));
    bench.books_agree().await;
}

#[tokio::test]
async fn a_payout_that_does_not_end_is_shown_to_operators() {
    let bench = Bench::open_with(Parts {
        effects: false,
        ..Parts::ALL
    })
    .await;
    let (_, payout_id) = bench.withdraw(100_00).await;
    let Bench {
        app,
        company,
        sandbox,
        addr,
    } = bench;
    // The bank is down.
    let (gone, rules) = (sandbox.addr, super::variables(&sandbox, addr));
    drop(sandbox);
    let app = app.restart(&rules.each(), super::parts_beside(Parts::ALL)).await;
    let sql = "SELECT last_error FROM payout WHERE last_error IS NOT NULL";
    let client = app.database.client().await;
    for _ in 0..200 {
        if let Some(row) = client.query_opt(sql, &[]).await.expect("payouts") {
            assert_eq!(row.get::<_, &str>(0), "unreachable");
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    app.execute("UPDATE payout SET created_at = now() - interval '31 minutes'")
        .await;
    let ready = app.operations().get("/readyz").await;
    assert_eq!(
        (ready.status, ready.at("/payouts_late"), ready.at("/payouts_open")),
        (200, &json!(1), &json!(1))
    );
    let metrics = app.operations().get("/metrics").await.body;
    let late = r#"razao_payouts{state="late"} 1"#;
    assert!(metrics.as_str().expect("text").contains(late), "{metrics}");

    // The same bank is back at the same address.
    let sandbox = super::sandbox_at(gone, addr).await;
    let bench = Bench {
        app,
        company,
        sandbox,
        addr,
    };
    bench.payout_becomes(payout_id, "paid").await;
    bench.books_agree().await;
}

/// The row is made unreadable before any bank gets the payout: the trigger stands for a row that another version
/// wrote.
async fn unreadable_payout(bench: &Bench) -> (TransferId, PayoutId) {
    bench
        .app
        .execute(
            "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$
             BEGIN NEW.destination := '{\"moon\": 1}'; RETURN NEW; END $$;
             CREATE TRIGGER spoil BEFORE INSERT ON payout FOR EACH ROW EXECUTE FUNCTION spoil()",
        )
        .await;
    let (transfer_id, payout_id) = bench.withdraw(100_00).await;
    bench.payout_becomes(payout_id, "unreadable").await;
    (transfer_id, payout_id)
}

#[tokio::test]
async fn an_unreadable_payout_leaves_the_queue_once_its_result_is_recorded() {
    let bench = Bench::open().await;
    let (transfer_id, payout_id) = unreadable_payout(&bench).await;
    let failed = BusinessCommand::PayoutFailed(PayoutFailed {
        transfer_id,
        payout_id,
        reason: None,
        occurred_at: bench.app.app.state.clock.now(),
    });
    bench.recorded(bench.company.id, failed).await;
    bench.payout_becomes(payout_id, "failed").await;
    assert_eq!(bench.app.waiting().await, json!([]));
    let resolved = "SELECT count(*) FROM exception WHERE status = 'resolved' AND resolution = 'ended'";
    assert_eq!(bench.app.count(resolved).await, 1);
}

#[tokio::test]
async fn an_unreadable_payout_waits_for_staff_who_have_it_paid() {
    let bench = Bench::open().await;
    let Bench { app, .. } = &bench;
    let (transfer_id, payout_id) = unreadable_payout(&bench).await;
    assert!(bench.book().await.is_empty(), "nothing reached the bank");
    let person = app.admin(&[AdminRole::Admin]).await;
    let staff = app.sign_in(&person).await;
    let waiting = staff.get("/api/admin/exceptions").await;
    assert_eq!(waiting.at("/meta/total"), 1, "{}", waiting.body);
    for (field, value) in [
        ("type", json!("payout.unreadable")),
        ("reason", json!("unreadable_payout")),
        ("provider", json!(null)),
        ("business_id", json!(bench.company.id)),
        ("next_try_at", json!(null)),
        ("assignable", json!(false)),
    ] {
        assert_eq!(waiting.at(&format!("/data/0/{field}")), &value, "{field}");
    }
    let id = waiting.text("/data/0/id");
    let act = |action: &str| format!("/api/admin/exceptions/{id}/{action}");
    let assign = staff
        .post(&act("assign"), json!({ "business_id": bench.company.id }))
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
    bench.payout_becomes(payout_id, "paid").await;
    assert_eq!(bench.transfer_status(transfer_id).await, "approved");
    bench.books_agree().await;
}
