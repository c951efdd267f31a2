//! The content of a preview, which records nothing.

use serde_json::json;

use super::{Shop, ok, path};
use crate::support::Sale;

#[tokio::test]
async fn a_preview_shows_the_whole_effect_and_records_nothing() {
    let shop = Shop::with(400_00).await;
    let sale = shop.sold(Sale::card()).await;
    let recorded = shop.events_recorded().await;
    let preview = ok(shop.seller.get(&path(&sale, "chargeback/preview")).await).body;
    // Captured on 20 November. Due 30, 60 and 90 days later, moved past Saturdays and Sundays.
    let expected = json!({
        "covered": true, "needed": 285_00, "gross": 300_00, "fees": 15_00, "net": 285_00,
        "balance": {
            "available": 400_00, "released": 0, "covered_on": null,
            "before": { "available": 400_00, "receivable": 285_00, "in_transfer": 0, "blocked": 0, "held_by_staff": 0, "in_dispute": 0 },
            "after": { "available": 400_00, "receivable": 0, "in_transfer": 0, "blocked": 0, "held_by_staff": 0, "in_dispute": 0 },
        },
        "accelerated_total": 285_00,
        "accelerated": [
            { "number": 1, "net": 95_00, "due_date": "2026-12-21" },
            { "number": 2, "net": 95_00, "due_date": "2027-01-19" },
            { "number": 3, "net": 95_00, "due_date": "2027-02-18" },
        ],
    });
    assert_eq!(preview, expected);
    assert_eq!(shop.events_recorded().await, recorded);
}

#[tokio::test]
async fn a_low_balance_is_shown_with_the_day_on_which_the_agenda_covers_it() {
    let shop = Shop::with(100_00).await;
    let sale = shop.sold(Sale::card()).await;
    let cancel = ok(shop.seller.get(&path(&sale, "chargeback/preview")).await).body;
    // 100,00 and two installments of 95,00 are 290,00.
    assert_eq!(
        (
            &cancel["covered"],
            &cancel["balance"]["available"],
            &cancel["balance"]["covered_on"]
        ),
        (&json!(false), &json!(100_00), &json!("2027-01-19"))
    );
    let dispute = ok(shop.seller.get(&path(&sale, "dispute/preview")).await).body;
    assert_eq!(
        (&dispute["needed"], &dispute["balance"]["covered_on"]),
        (&json!(300_00), &json!("2027-02-18"))
    );
    // The preview shows the effect even if the cancel is not allowed.
    assert_eq!(dispute["balance"]["after"]["available"], 85_00);
}

#[tokio::test]
async fn no_day_is_shown_if_the_whole_agenda_is_too_little() {
    let shop = Shop::with(0).await;
    let sale = shop.sold(Sale::card()).await;
    let dispute = ok(shop.seller.get(&path(&sale, "dispute/preview")).await).body;
    assert_eq!(
        (&dispute["covered"], &dispute["balance"]["covered_on"]),
        (&json!(false), &json!(null))
    );
    shop.sold(Sale::pix().days_ago(0)).await;
    let with_more = ok(shop.seller.get(&path(&sale, "dispute/preview")).await).body;
    assert_eq!(with_more["balance"]["covered_on"], "2027-02-18");
}

#[tokio::test]
async fn a_sale_that_cannot_be_canceled_has_no_preview() {
    let shop = Shop::with(400_00).await;
    let sale = Sale::pix();
    shop.app.create_sale(&shop.company, &sale).await;
    for step in ["chargeback/preview", "dispute/preview"] {
        let answer = shop.seller.get(&path(&sale, step)).await;
        assert_eq!(
            (answer.status, answer.text("/state")),
            (409, "pending"),
            "{}",
            answer.body
        );
    }
}
