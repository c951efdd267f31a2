//! Cancels and disputes that the ledger records. The path of a cancel is `chargeback`.

use ledger_domain::sale::Provider;
use serde_json::{Value, json};

use super::{ReversalFixture, ok, path};
use crate::support::Sale;
use crate::support::acquirer::{capture, with_type};

#[tokio::test]
async fn a_cancel_posts_exactly_its_preview() {
    let fixture = ReversalFixture::with(400_00).await;
    let sale = fixture.sold(Sale::card()).await;
    let preview = ok(fixture.seller.get(&path(&sale, "chargeback/preview")).await).body;
    assert_eq!(preview["balance"]["before"], fixture.balances().await);
    let body = json!({ "reason": "Cliente   desistiu" });
    let canceled = ok(fixture.seller.post(&path(&sale, "chargeback"), body).await);
    assert_eq!(fixture.balances().await, preview["balance"]["after"]);
    // R$ 285,00 net are accelerated and then debited. The balance is the same as before the sale.
    assert_eq!(
        preview["balance"]["after"],
        json!({ "available": 400_00, "receivable": 0, "in_transfer": 0, "blocked": 0, "held_by_staff": 0, "in_dispute": 0 })
    );
    assert_eq!(canceled.text("/status"), "canceled");
    let last = canceled.at("/events").as_array().and_then(|events| events.last());
    let last = last.expect("a timeline");
    assert_eq!(
        (
            &last["type"],
            &last["label"],
            &last["initiator"],
            &last["reason"],
            &last["amount"]
        ),
        (
            &json!("SaleCanceled"),
            &json!("canceled"),
            &json!("platform"),
            &json!("Cliente desistiu"),
            &json!(300_00)
        )
    );
    let parts = canceled.at("/receivables").as_array().expect("the schedule");
    assert_eq!(parts.len(), 3);
    for (part, previewed) in parts
        .iter()
        .zip(preview["accelerated"].as_array().expect("parts"))
    {
        assert_eq!(
            (&part["status"], &part["paid_on"]),
            (&json!("accelerated"), &json!("2026-11-21"))
        );
        for field in ["number", "net", "due_date"] {
            assert_eq!(part[field], previewed[field]);
        }
    }
}

#[tokio::test]
async fn a_dispute_blocks_the_gross_and_the_platform_keeps_its_fee() {
    let fixture = ReversalFixture::with(400_00).await;
    let sale = fixture.sold(Sale::card()).await;
    let preview = ok(fixture.seller.get(&path(&sale, "dispute/preview")).await).body;
    assert_eq!(
        (&preview["needed"], &preview["net"]),
        (&json!(300_00), &json!(285_00))
    );
    let disputed = ok(fixture.seller.post(&path(&sale, "dispute"), json!({})).await);
    assert_eq!(fixture.balances().await, preview["balance"]["after"]);
    // 400,00 + 285,00 accelerated − 300,00 in dispute.
    assert_eq!(
        preview["balance"]["after"],
        json!({ "available": 385_00, "receivable": 0, "in_transfer": 0, "blocked": 300_00, "held_by_staff": 0, "in_dispute": 300_00 })
    );
    let dispute = disputed.at("/dispute");
    assert_eq!(
        (&dispute["initiator"], &dispute["stage"]),
        (&json!("platform"), &json!("open"))
    );
    let id = disputed.text("/dispute/id");
    assert!(id.starts_with("panel_"), "{id}");
    assert_eq!(disputed.text("/status"), "dispute");
    let fees = format!(
        "SELECT platform_fees FROM business_head WHERE business_id = '{}'",
        fixture.company.id.uuid()
    );
    assert_eq!(fixture.app.count(&fees).await, 15_00);
}

#[tokio::test]
async fn the_ledger_and_the_audit_log_name_the_user() {
    let fixture = ReversalFixture::with(400_00).await;
    let sale = fixture.sold(Sale::card()).await;
    let client = fixture
        .seller
        .clone()
        .with("x-request-id", "pedido-de-cancelamento");
    ok(client.post(&path(&sale, "chargeback"), json!({})).await);
    let metadata = fixture.last_metadata().await;
    assert_eq!(metadata["actor"], fixture.seller_id.to_string());
    assert_eq!(metadata["audience"], "seller");
    assert_eq!(metadata["request_id"], "pedido-de-cancelamento");
    let audit_log = format!(
        "SELECT count(*) FROM audit_log
          WHERE action = 'cancel-sale' AND subject_id = '{}' AND audience = 'seller' AND actor_id = '{}'",
        sale.facts.sale_id,
        fixture.seller_id.uuid()
    );
    assert_eq!(fixture.app.count(&audit_log).await, 1);
}

#[tokio::test]
async fn a_repeat_under_its_key_gets_the_first_answer_and_adds_nothing() {
    for step in ["chargeback", "dispute"] {
        let fixture = ReversalFixture::with(400_00).await;
        let sale = fixture.sold(Sale::card()).await;
        let keyed = fixture.seller.clone().with("idempotency-key", "uma-vez");
        let body = json!({ "reason": "Cliente desistiu" });
        let first = ok(keyed.post(&path(&sale, step), body.clone()).await);
        assert_eq!(first.header("idempotent-replayed"), None);
        assert!(first.header("ledger-position").is_some());
        let recorded = fixture.events_recorded().await;
        let again = ok(keyed.post(&path(&sale, step), body).await);
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
        assert_eq!(again.body, first.body, "{step}");
        assert_eq!(fixture.events_recorded().await, recorded);
        let other = keyed.post(&path(&sale, step), json!({ "reason": "Outro" })).await;
        assert_eq!(other.status, 409, "{}", other.body);
    }
}

#[tokio::test]
async fn settled_installments_stay_settled_and_only_the_rest_is_accelerated() {
    let fixture = ReversalFixture::with(100_00).await;
    let sale = fixture.sold(Sale::card().days_ago(40)).await;
    let unsettled = ok(fixture.seller.get(&path(&sale, "chargeback/preview")).await);
    assert_eq!(unsettled.at("/accelerated").as_array().map(Vec::len), Some(3));
    fixture.settle().await;
    let preview = ok(fixture.seller.get(&path(&sale, "chargeback/preview")).await).body;
    assert_eq!(
        preview["balance"]["before"],
        json!({ "available": 195_00, "receivable": 190_00, "in_transfer": 0, "blocked": 0, "held_by_staff": 0, "in_dispute": 0 })
    );
    // 100,00 and the first installment are less than the 285,00 net of the whole sale.
    assert_eq!(preview["covered"], false);
    assert_eq!(preview["accelerated"].as_array().map(Vec::len), Some(2));
    super::credit(&fixture.app, &fixture.company, 90_00).await;
    let canceled = ok(fixture.seller.post(&path(&sale, "chargeback"), json!({})).await);
    let statuses: Vec<&Value> = canceled
        .at("/receivables")
        .as_array()
        .into_iter()
        .flatten()
        .map(|part| &part["status"])
        .collect();
    assert_eq!(statuses, ["settled", "accelerated", "accelerated"]);
    // 195,00 + 90,00 of credit + 190,00 accelerated − 285,00.
    assert_eq!(
        fixture.balances().await,
        json!({ "available": 190_00, "receivable": 0, "in_transfer": 0, "blocked": 0, "held_by_staff": 0, "in_dispute": 0 })
    );
}

#[tokio::test]
async fn a_waiting_notice_of_a_cancel_is_resolved_when_the_seller_cancels() {
    let fixture = ReversalFixture::with(400_00).await;
    let captured = capture(&fixture.company, "nsu-1");
    assert_eq!(fixture.app.send(&captured).await.status, 200);
    // The notice has the capture's instant, so the exceptions queue keeps it until the sale is canceled.
    let undecided = fixture.app.send(&with_type(&captured, "sale.canceled")).await;
    assert_eq!(undecided.text("/reason"), "capture_and_void_at_once");
    let sale = fixture.app.app.state.ids.sale(Provider::Zoop, "nsu-1");
    ok(fixture
        .seller
        .post(&format!("/api/transactions/{sale}/chargeback"), json!({}))
        .await);
    fixture.app.until_no_exception_waits().await;
    assert_eq!(fixture.app.count_events("SaleCanceled").await, 1);
}
