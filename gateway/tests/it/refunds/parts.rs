//! Refunds of parts of a sale: each is requested once under its own id, and the acquirer's notices of them add nothing.

use gateway_platform::effects::refunds::RefundStatus;
use ledger_domain::business::{BusinessCommand, RefundPart};
use ledger_domain::sale::RefundReference;
use ledger_domain::{Cents, SaleId};
use serde_json::{Value, json};

use super::RefundFixture;
use crate::support::PARTS;

impl RefundFixture {
    async fn refund_part(&self, sale_id: SaleId, amount: i64) {
        let part = BusinessCommand::RefundPart(RefundPart {
            sale_id,
            refund: RefundReference::parse(&format!("panel_{amount}")).expect("an id"),
            amount: Cents::new(amount),
            occurred_at: self.app.app.state.clock.now(),
            reason: None,
        });
        self.record(part).await;
    }

    async fn until_done(&self, refunds: i64) {
        let done = "SELECT count(*) FROM refund WHERE status = 'done'";
        self.app.until_count(done, refunds).await;
    }
}

/// The acquirer's notice of a refund that somebody made in its own panel.
async fn notice(fixture: &RefundFixture, id: &str, amount: i64, refund_id: &str) -> Value {
    let external_id = fixture.app.text("SELECT external_id FROM refund LIMIT 1").await;
    json!({
        "id": id, "type": "sale.refunded", "occurred_at": "2026-11-21T15:00:00Z",
        "data": { "external_id": external_id, "amount": amount, "refund_id": refund_id },
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_part_is_refunded_once_whatever_happens_to_its_call_and_its_notice() {
    let fixture = RefundFixture::open().await;
    let sale = fixture.sell(500_00).await;
    // 12: the call times out, and no notice comes. 13: the call answers 500. 14: the request is lost. 16: the notice
    // comes twice. 18: the refund is made later.
    let parts = [0, 12, 13, 14, 16, 18].map(|cents| 50_00 + cents);
    for part in parts {
        fixture.refund_part(sale, part).await;
    }
    fixture.until_done(6).await;
    fixture.cancel_rest(sale).await;
    fixture.until_done(7).await;
    let book = fixture.book().await;
    let refunded: Vec<_> = book[&sale.to_string()]
        .iter()
        .map(|refund| {
            assert_eq!(refund["status"], "done");
            refund["amount"].as_i64().expect("cents")
        })
        .collect();
    assert_eq!((refunded.len(), refunded.iter().sum::<i64>()), (7, 500_00));
    // 12 has no notice, 16 has two, and the others have one each.
    fixture.until_delivered(7).await;
    fixture.app.until_no_exception_waits().await;
    assert_eq!(fixture.app.count_events("SalePartRefunded").await, 6);
    assert_eq!(fixture.app.count_events("RefundAnswered").await, 6);
    assert_eq!(fixture.app.count_events("SaleCanceled").await, 1);
    fixture.app.until_effect_handlers_read_all().await;
    fixture.app.assert_audit_finds("refund", &[]).await;
}

#[tokio::test]
async fn a_part_that_staff_refund_at_the_acquirer_is_answered_by_its_notice() {
    let fixture = RefundFixture::open().await;
    let fixture = fixture.restart_with(&[("RAZAO_REFUNDS", "none")], PARTS).await;
    let sale = fixture.sell(300_00).await;
    fixture.refund_part(sale, 100_00).await;
    fixture.becomes(sale, RefundStatus::Asked).await;
    // Another amount is another refund.
    let other = notice(&fixture, "evt-1", 50_00, "rf-1").await;
    assert_eq!(fixture.app.send_json(&other).await.text("/result"), "recorded");
    fixture.becomes(sale, RefundStatus::Asked).await;
    for (id, result) in [("evt-2", "recorded"), ("evt-2", "already"), ("evt-3", "already")] {
        let echo = notice(&fixture, id, 100_00, "rf-2").await;
        assert_eq!(fixture.app.send_json(&echo).await.text("/result"), result, "{id}");
        fixture.becomes(sale, RefundStatus::Done).await;
    }
    assert_eq!(fixture.app.count_events("SalePartRefunded").await, 2);
}

#[tokio::test]
async fn a_refused_part_ends_when_its_acquirer_reports_it_after_all() {
    let fixture = RefundFixture::open().await;
    let sale = fixture.sell(300_00).await;
    // The cents 11 select a refusal.
    fixture.refund_part(sale, 100_11).await;
    fixture.becomes(sale, RefundStatus::Refused).await;
    let waiting = "SELECT count(*) FROM exception WHERE reason = 'refund_refused' AND status = 'waiting'";
    assert_eq!(fixture.app.count(waiting).await, 1);
    let reported = notice(&fixture, "evt-1", 100_11, "rf-1").await;
    assert_eq!(fixture.app.send_json(&reported).await.text("/result"), "recorded");
    fixture.becomes(sale, RefundStatus::Done).await;
    assert_eq!(fixture.app.count(waiting).await, 0);
    assert_eq!(fixture.app.count_events("SalePartRefunded").await, 1);
}
