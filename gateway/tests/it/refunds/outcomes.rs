//! The acquirer's behavior, selected by the cents of the sale's amount, and the resulting state of the refund.
//! `RefundBehavior::RULES` of the sandbox has the cents.

use gateway_platform::effects::refunds::RefundStatus;
use serde_json::json;

use super::RefundFixture;
use crate::support::acquirer::{capture, with_type};
use crate::support::sandbox::{free_address, sandbox, sandbox_at};
use crate::support::{PARTS, PARTS_WITHOUT_EFFECTS};

#[tokio::test]
async fn a_cancel_in_a_panel_is_refunded_and_its_notice_adds_nothing() {
    let fixture = RefundFixture::open().await;
    let sale = fixture.cancel(300_00).await;
    let refund = fixture.becomes(sale, RefundStatus::Done).await;
    assert_eq!((refund.tries, refund.reason), (1, None));
    fixture.until_delivered(1).await;
    assert_eq!(fixture.app.count_events("SaleCanceled").await, 1);
    let book = fixture.book().await;
    assert_eq!(
        book[&sale.to_string()][0]["amount"],
        300_00,
        "the buyer gets back the gross"
    );
    assert_eq!(fixture.app.count("SELECT count(*) FROM exception").await, 0);
}

#[tokio::test]
async fn each_refund_is_made_once_whatever_happens_to_its_call_and_its_notice() {
    let fixture = RefundFixture::open().await;
    let mut sales = vec![];
    // 12: the call times out, and no notice comes. 13: the call answers 500. 14: the request is lost. 16: the notice
    // comes twice. 18: the refund is made later.
    for cents in [12, 13, 14, 16, 18] {
        sales.push((cents, fixture.cancel(200_00 + cents).await));
    }
    for (cents, sale) in sales {
        let refund = fixture.becomes(sale, RefundStatus::Done).await;
        // No notice reports these two after the first call, so each needs a second call.
        if matches!(cents, 12 | 14) {
            assert!(refund.tries > 1, "{cents}: {refund:?}");
        }
        assert_eq!(fixture.statuses_in_book(sale).await, ["done"], "{cents}");
    }
    // 12 has no notice, 16 has two, and the other three have one each.
    fixture.until_delivered(5).await;
    assert_eq!(fixture.app.count_events("SaleCanceled").await, 5);
    assert_eq!(fixture.app.count("SELECT count(*) FROM exception").await, 0);
}

/// After a long outage each request would wait for up to a quarter of an hour.
#[tokio::test]
async fn all_refunds_that_wait_for_a_silent_acquirer_are_made_soon_after_it_answers() {
    let (gateway, acquirer) = (free_address(), free_address());
    // The gateway does not know this one, and nothing listens at the acquirer's address.
    let other = sandbox(gateway).await;
    let mut fixture = RefundFixture::open_at(gateway, other, acquirer, PARTS).await;
    let mut sales = vec![];
    for reais in 0..5 {
        sales.push(fixture.cancel(200_00 + reais * 1_00).await);
    }
    fixture.app.until_long_pauses("refund", 5).await;
    fixture.sandbox = sandbox_at(acquirer, gateway).await;
    for sale in sales {
        fixture.becomes(sale, RefundStatus::Done).await;
        assert_eq!(fixture.statuses_in_book(sale).await, ["done"]);
    }
}

#[tokio::test]
async fn a_refund_that_the_acquirer_reports_is_not_requested() {
    let fixture = RefundFixture::open().await;
    let captured = capture(&fixture.company, "nsu-1");
    fixture.app.send(&captured).await;
    let refunded = with_type(&captured, "sale.refunded");
    assert_eq!(fixture.app.send(&refunded).await.text("/result"), "recorded");
    // A later cancel in a panel is refunded, so the effect handler has passed both events.
    let sale = fixture.cancel(100_00).await;
    fixture.becomes(sale, RefundStatus::Done).await;
    assert_eq!(fixture.app.count("SELECT count(*) FROM refund").await, 1);
}

#[tokio::test]
async fn a_refund_that_is_reported_before_its_request_is_sent_is_not_requested() {
    let parts = PARTS_WITHOUT_EFFECTS;
    let fixture = RefundFixture::open_with(parts).await;
    let sale = fixture.cancel(100_00).await;
    assert_eq!(fixture.refund(sale).await, None);
    // Without an acquirer, the effect handler stores the request and no worker sends it.
    let fixture = fixture.restart_with(&[("RAZAO_REFUNDS", "none")], PARTS).await;
    fixture.becomes(sale, RefundStatus::Asked).await;
    let external_id = fixture.app.text("SELECT external_id FROM refund").await;
    let reported = json!({"id": "evt-1", "type": "sale.refunded", "occurred_at": "2026-11-21T15:00:00Z",
                      "data": {"external_id": external_id}});
    assert_eq!(fixture.app.send_json(&reported).await.text("/result"), "already");
    let refund = fixture.becomes(sale, RefundStatus::Done).await;
    assert_eq!(refund.tries, 0);
    let fixture = fixture.restart(PARTS).await;
    let next = fixture.cancel(100_00).await;
    fixture.becomes(next, RefundStatus::Done).await;
    assert!(
        fixture.statuses_in_book(sale).await.is_empty(),
        "no refund was requested"
    );
}

#[tokio::test]
async fn a_refund_that_is_open_for_half_an_hour_is_late_for_operators() {
    let mut fixture = RefundFixture::open().await;
    // The gateway keeps the address of an acquirer that is down. The new one listens on another port.
    fixture.sandbox = sandbox(fixture.gateway_addr).await;
    fixture.cancel(100_00).await;
    let unreachable = "SELECT count(*) FROM refund WHERE last_error = 'unreachable' AND status = 'unknown'";
    fixture.app.until_count(unreachable, 1).await;
    for (minutes, late) in [(29, 0), (31, 1)] {
        let age = format!("UPDATE refund SET created_at = now() - interval '{minutes} minutes'");
        fixture.app.execute(&age).await;
        let ready = fixture.app.operations().get("/readyz").await;
        assert_eq!(
            (ready.status, ready.at("/refunds_late"), ready.at("/refunds_open")),
            (200, &json!(late), &json!(1)),
            "{minutes} minutes"
        );
    }
    let metrics = fixture.app.operations().get("/metrics").await.body;
    let late = r#"razao_refunds{state="late"} 1"#;
    assert!(metrics.as_str().expect("text").contains(late), "{metrics}");
}
