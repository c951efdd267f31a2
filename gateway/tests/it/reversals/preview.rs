//! The content of a preview, which records nothing.

use serde_json::json;

use super::{ReversalFixture, ok, path};
use crate::support::Sale;

#[tokio::test]
async fn a_preview_shows_the_whole_effect_and_records_nothing() {
    let fixture = ReversalFixture::with(400_00).await;
    let sale = fixture.sold(Sale::card()).await;
    let recorded = fixture.events_recorded().await;
    let preview = ok(fixture.seller.get(&path(&sale, "chargeback/preview")).await).body;
    // Captured on 20 November. Due 30, 60 and 90 days later, moved past Saturdays and Sundays.
    let expected = json!({
        "covered": true, "needed": 285_00, "amount": 300_00, "fees_returned": 15_00, "left": 300_00, "parts_refused": null,
        "gross": 300_00, "fees": 15_00, "net": 285_00,
        "balance": {
            "available": 400_00, "released": 0, "covered_on": null,
            "before": { "available": 400_00, "receivable": 285_00, "in_transfer": 0, "blocked": 0, "held_by_staff": 0, "in_dispute": 0 },
            "after": { "available": 400_00, "receivable": 0, "in_transfer": 0, "blocked": 0, "held_by_staff": 0, "in_dispute": 0 },
        },
        "taken": [], "taken_total": 0,
        "accelerated_total": 285_00,
        "accelerated": [
            { "number": 1, "net": 95_00, "due_date": "2026-12-21" },
            { "number": 2, "net": 95_00, "due_date": "2027-01-19" },
            { "number": 3, "net": 95_00, "due_date": "2027-02-18" },
        ],
    });
    assert_eq!(preview, expected);
    assert_eq!(fixture.events_recorded().await, recorded);
}

#[tokio::test]
async fn a_low_balance_is_shown_with_the_day_on_which_receivables_cover_it() {
    let fixture = ReversalFixture::with(100_00).await;
    let sale = fixture.sold(Sale::card()).await;
    let cancel = ok(fixture.seller.get(&path(&sale, "chargeback/preview")).await).body;
    // The cancel needs 285,00: 100,00 and two installments of 95,00 are 290,00.
    assert_eq!(
        (
            &cancel["covered"],
            &cancel["balance"]["available"],
            &cancel["balance"]["covered_on"]
        ),
        (&json!(false), &json!(100_00), &json!("2027-01-19"))
    );
    let dispute = ok(fixture.seller.get(&path(&sale, "dispute/preview")).await).body;
    assert_eq!(
        (&dispute["needed"], &dispute["balance"]["covered_on"]),
        (&json!(300_00), &json!("2027-02-18"))
    );
    // The preview shows the effect even if the balance does not cover the dispute.
    assert_eq!(dispute["balance"]["after"]["available"], 100_00 + 285_00 - 300_00);
}

#[tokio::test]
async fn no_day_is_shown_if_all_receivables_together_are_too_little() {
    let fixture = ReversalFixture::with(0).await;
    let sale = fixture.sold(Sale::card()).await;
    // A dispute needs 300,00. The receivables are 285,00, and later 49,50 more.
    let dispute = ok(fixture.seller.get(&path(&sale, "dispute/preview")).await).body;
    assert_eq!(
        (&dispute["covered"], &dispute["balance"]["covered_on"]),
        (&json!(false), &json!(null))
    );
    fixture.sold(Sale::pix().days_ago(0)).await;
    let with_more = ok(fixture.seller.get(&path(&sale, "dispute/preview")).await).body;
    assert_eq!(with_more["balance"]["covered_on"], "2027-02-18");
}

#[tokio::test]
async fn a_sale_that_cannot_be_canceled_has_no_preview() {
    let fixture = ReversalFixture::with(400_00).await;
    let sale = Sale::pix();
    fixture.app.create_sale(&fixture.company, &sale).await;
    for step in ["chargeback/preview", "dispute/preview"] {
        let answer = fixture.seller.get(&path(&sale, step)).await;
        assert_eq!(
            (answer.status, answer.text("/state")),
            (409, "pending"),
            "{}",
            answer.body
        );
    }
}
