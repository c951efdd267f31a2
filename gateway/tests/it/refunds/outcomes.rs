//! The acquirer's behavior, selected by the cents of the sale's amount, and the resulting state of the refund.

use std::time::Duration;

use gateway::app::Parts;
use gateway_platform::effects::refunds::RefundStatus;
use serde_json::json;

use super::Bench;
use crate::support::acquirer::{capture, told_as};

#[tokio::test]
async fn a_cancel_in_a_panel_is_refunded_and_its_notice_adds_nothing() {
    let bench = Bench::open().await;
    let sale = bench.cancel(300_00).await;
    let refund = bench.becomes(sale, RefundStatus::Done).await;
    assert_eq!((refund.tries, refund.reason), (1, None));
    bench.reported(1).await;
    assert_eq!(bench.app.events("SaleCanceled").await, 1);
    let book = bench.book().await;
    assert_eq!(
        book[&sale.to_string()][0]["amount"],
        300_00,
        "the buyer gets back the gross"
    );
    assert_eq!(bench.app.count("SELECT count(*) FROM exception").await, 0);
}

#[tokio::test]
async fn after_a_failed_call_the_refund_is_looked_up_and_made_once() {
    let bench = Bench::open().await;
    let mut sales = vec![];
    for cents in [12, 13, 14, 16, 18] {
        sales.push((cents, bench.cancel(200_00 + cents).await));
    }
    for (cents, sale) in sales {
        let refund = bench.becomes(sale, RefundStatus::Done).await;
        // For these two, no notice arrives in time.
        if matches!(cents, 12 | 14) {
            assert!(refund.tries > 1, "{cents}: {refund:?}");
        }
        assert_eq!(bench.statuses_in_book(sale).await, ["done"], "{cents}");
    }
    // The notice of one never arrives, and that of another arrives twice.
    bench.reported(5).await;
    assert_eq!(bench.app.events("SaleCanceled").await, 5);
    assert_eq!(bench.app.count("SELECT count(*) FROM exception").await, 0);
}

#[tokio::test]
async fn a_refund_that_the_acquirer_reports_is_not_requested() {
    let bench = Bench::open().await;
    let captured = capture(&bench.company, "nsu-1");
    bench.app.tell(&captured).await;
    let refunded = told_as(&captured, "sale.refunded");
    assert_eq!(bench.app.tell(&refunded).await.text("/result"), "recorded");
    // A later cancel in a panel has its request, so the effect handler has passed both events.
    let sale = bench.cancel(100_00).await;
    bench.becomes(sale, RefundStatus::Done).await;
    assert_eq!(bench.app.count("SELECT count(*) FROM refund").await, 1);
}

#[tokio::test]
async fn a_refund_that_is_reported_before_its_request_is_not_requested() {
    let parts = Parts {
        effects: false,
        ..Parts::ALL
    };
    let bench = Bench::open_with(parts).await;
    let sale = bench.cancel(100_00).await;
    assert_eq!(bench.refund(sale).await, None);
    // Only the effect handler runs: no acquirer is configured.
    let super::Bench {
        app,
        company,
        sandbox,
        addr,
    } = bench;
    let rules = super::variables(&sandbox, addr);
    let mut alone = rules.each().to_vec();
    alone.push(("RAZAO_REFUNDS", "none"));
    let app = app.restart(&alone, super::parts_beside(Parts::ALL)).await;
    let bench = Bench {
        app,
        company,
        sandbox,
        addr,
    };
    bench.becomes(sale, RefundStatus::Asked).await;
    let external_id = "SELECT external_id FROM refund";
    let client = bench.app.database.client().await;
    let external_id: String = client.query_one(external_id, &[]).await.expect("a refund").get(0);
    let reported = json!({"id": "evt-1", "type": "sale.refunded", "occurred_at": "2026-11-21T15:00:00Z",
                      "data": {"external_id": external_id}});
    assert_eq!(bench.app.tell_json(&reported).await.text("/result"), "already");
    let refund = bench.becomes(sale, RefundStatus::Done).await;
    assert_eq!(refund.tries, 0);
    let bench = bench.restart(Parts::ALL).await;
    let next = bench.cancel(100_00).await;
    bench.becomes(next, RefundStatus::Done).await;
    assert!(
        bench.statuses_in_book(sale).await.is_empty(),
        "no refund was requested"
    );
}

#[tokio::test]
async fn a_refund_that_does_not_end_is_shown_to_operators() {
    let bench = Bench::open().await;
    let super::Bench {
        app,
        company,
        sandbox,
        addr,
    } = bench;
    // The acquirer is down; its address is kept.
    let rules = super::variables(&sandbox, addr);
    drop(sandbox);
    let app = app.restart(&rules.each(), super::parts_beside(Parts::ALL)).await;
    let bench = Bench {
        app,
        company,
        sandbox: crate::support::sandbox::sandbox(addr).await,
        addr,
    };
    bench.cancel(100_00).await;
    let unreachable = "SELECT count(*) FROM refund WHERE last_error = 'unreachable' AND status = 'unknown'";
    for _ in 0..400 {
        if bench.app.count(unreachable).await == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    assert_eq!(bench.app.count(unreachable).await, 1);
    bench
        .app
        .execute("UPDATE refund SET created_at = now() - interval '31 minutes'")
        .await;
    let ready = bench.app.operations().get("/readyz").await;
    assert_eq!(
        (ready.status, ready.at("/refunds_late"), ready.at("/refunds_open")),
        (200, &json!(1), &json!(1))
    );
    let metrics = bench.app.operations().get("/metrics").await.body;
    let late = r#"razao_refunds{state="late"} 1"#;
    assert!(metrics.as_str().expect("text").contains(late), "{metrics}");
}
