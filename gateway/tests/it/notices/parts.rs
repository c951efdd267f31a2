//! Refunds, disputes and chargebacks of a part of a sale.

use gateway_identity::roles::AdminRole;
use gateway_platform::providers::CanonicalNotice;
use serde_json::{Value, json};

use crate::support::acquirer::{app_and_company, capture, json_of, with_type};
use crate::support::{Company, TestApp};

/// A capture of R$ 100,00 and a refund of R$ 30,00 without an id.
const FIRST_PART: &str = include_str!("../../../../fixtures/notices/partial_refund.jsonl");

/// The only sale, as staff read it.
async fn the_sale(app: &TestApp) -> Value {
    let admin = app.admin(&[AdminRole::Admin]).await;
    let position = app.ledger_position().await.to_string();
    let staff = app.sign_in(&admin).await.with("ledger-position", &position);
    let list = staff.get("/api/admin/transactions").await;
    let id = list.body["data"][0]["id"].as_str().expect("a sale").to_owned();
    staff
        .get(&format!("/api/admin/transactions/{id}?receivables=1"))
        .await
        .body
}

/// A notice about the sale, with an amount and perhaps more fields.
fn notice(captured: &CanonicalNotice, r#type: &'static str, cents: i64, more: Value) -> Value {
    let mut notice = json_of(&with_type(captured, r#type));
    notice["id"] = json!(format!("{type}-{cents}-{more}"));
    notice["data"]["amount"] = json!(cents);
    for (field, value) in more.as_object().expect("fields") {
        notice["data"][field] = value.clone();
    }
    notice
}

async fn captured() -> (TestApp, Company, CanonicalNotice) {
    let (app, company) = app_and_company().await;
    let captured = capture(&company, "nsu-1");
    assert_eq!(app.send(&captured).await.text("/result"), "recorded");
    (app, company, captured)
}

#[tokio::test]
async fn a_first_part_without_an_id_is_recorded_and_the_rest_stays() {
    let (app, company) = app_and_company().await;
    for notice in FIRST_PART.lines() {
        // The tests' companies sell by card machines.
        let notice = notice
            .replace("<company>", &company.id.to_string())
            .replace("\"solution\":2", "\"solution\":1");
        let answer = app.send_text(&notice).await;
        assert_eq!(
            (answer.status, answer.text("/result")),
            (200, "recorded"),
            "{}",
            answer.body
        );
    }
    let sale = the_sale(&app).await;
    assert_eq!(
        (&sale["status"], &sale["amount"], &sale["refunded"]),
        (&json!("succeeded"), &json!(100_00), &json!(30_00)),
        "R$ 70,00 are left"
    );
    let part = &sale["events"].as_array().expect("events")[1];
    assert_eq!(
        (&part["label"], &part["amount"]),
        (&json!("part_refunded"), &json!(30_00))
    );
}

#[tokio::test]
async fn parts_take_the_last_due_installments_and_sum_to_the_net() {
    let (app, _company, captured) = captured().await;
    let parts = [(100_00, "rf-1"), (60_01, "rf-2")];
    for (cents, id) in parts {
        let part = notice(&captured, "sale.refunded", cents, json!({ "refund_id": id }));
        assert_eq!(app.send_json(&part).await.text("/result"), "recorded");
        let again = app.send_json(&part).await;
        assert_eq!((again.status, again.text("/result")), (200, "already"));
    }
    let sale = the_sale(&app).await;
    let receivables = sale["receivables"].as_array().expect("a schedule");
    let sum = |field: &str| -> i64 { receivables.iter().filter_map(|one| one[field].as_i64()).sum() };
    assert_eq!(sale["refunded"], json!(160_01));
    assert_eq!(sum("net"), sale["net_amount"].as_i64().expect("a net"));
    assert_eq!(sum("refunded"), sale["refunded_net"].as_i64().expect("a net"));
    let states: Vec<_> = receivables.iter().map(|one| one["status"].clone()).collect();
    assert_eq!(states, ["scheduled", "scheduled", "refunded"]);

    let rest = notice(&captured, "sale.refunded", 139_99, json!({ "refund_id": "rf-3" }));
    assert_eq!(app.send_json(&rest).await.text("/result"), "recorded");
    let sale = the_sale(&app).await;
    assert_eq!(sale["status"], json!("refunded"));
    let moved = app
        .count("SELECT count(*) FROM balance WHERE available <> 0 OR receivable <> 0 OR platform_fees <> 0")
        .await;
    assert_eq!(moved, 0, "the parts sum to the net and the fees");
}

#[tokio::test]
async fn a_part_that_contradicts_or_may_be_a_repeat_waits_with_its_reason() {
    let (app, _company, captured) = captured().await;
    let first = notice(&captured, "sale.refunded", 100_00, json!({ "refund_id": "rf-1" }));
    assert_eq!(app.send_json(&first).await.text("/result"), "recorded");
    let cases = [
        (
            "sale.refunded",
            200_01,
            json!({ "refund_id": "rf-2" }),
            "more_than_left",
        ),
        (
            "sale.refunded",
            90_00,
            json!({ "refund_id": "rf-1" }),
            "amount_differs",
        ),
        ("sale.refunded", 50_00, json!({}), "refund_unnamed"),
        (
            "dispute.opened",
            200_01,
            json!({ "dispute_id": "dp-1" }),
            "more_than_left",
        ),
        (
            "dispute.lost",
            300_00,
            json!({ "dispute_id": "dp-1" }),
            "more_than_left",
        ),
        ("sale.reversed", 300_00, json!({}), "amount_differs"),
    ];
    for (r#type, cents, more, reason) in cases {
        let answer = app.send_json(&notice(&captured, r#type, cents, more)).await;
        assert_eq!(
            (answer.status, answer.text("/reason")),
            (202, reason),
            "{type} {cents}"
        );
    }
    assert_eq!(the_sale(&app).await["refunded"], json!(100_00));
}

#[tokio::test]
async fn a_dispute_of_a_part_blocks_its_amount_and_a_refund_waits_for_its_end() {
    let (app, _company, captured) = captured().await;
    let dispute = json!({ "dispute_id": "dp-1" });
    let opened = notice(&captured, "dispute.opened", 120_00, dispute.clone());
    assert_eq!(app.send_json(&opened).await.text("/result"), "recorded");
    let sale = the_sale(&app).await;
    assert_eq!(
        (&sale["status"], &sale["disputed"]),
        (&json!("dispute"), &json!(120_00))
    );
    let part = notice(&captured, "sale.refunded", 30_00, json!({ "refund_id": "rf-1" }));
    assert_eq!(
        app.send_json(&part).await.text("/reason"),
        "refund_during_dispute"
    );

    let lost = notice(&captured, "dispute.lost", 120_00, dispute);
    assert_eq!(app.send_json(&lost).await.text("/result"), "recorded");
    app.until_count("SELECT count(*) FROM exception WHERE status = 'waiting'", 0)
        .await;
    let sale = the_sale(&app).await;
    assert_eq!(
        (&sale["status"], &sale["charged_back"], &sale["refunded"]),
        (&json!("succeeded"), &json!(120_00), &json!(30_00))
    );
}
