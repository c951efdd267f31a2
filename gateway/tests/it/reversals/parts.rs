//! Cancels of a part of a sale: what goes back, several times, until nothing is left.

use gateway_identity::roles::SellerRole;
use serde_json::{Value, json};

use super::{ReversalFixture, admin_path, ok, path};
use crate::support::{Answer, Client, Sale};

async fn preview_of(fixture: &ReversalFixture, sale: &Sale, amount: i64) -> Value {
    let path = path(sale, &format!("chargeback/preview?amount={amount}"));
    ok(fixture.seller.get(&path).await).body
}

async fn refund(client: &Client, sale: &Sale, amount: i64) -> Answer {
    let body = json!({ "amount": amount, "reason": "Um item devolvido" });
    client.post(&path(sale, "chargeback"), body).await
}

#[tokio::test]
async fn a_part_posts_exactly_its_preview_and_the_sale_stays_approved() {
    let fixture = ReversalFixture::with(400_00).await;
    let sale = fixture.sold(Sale::card()).await;
    let recorded = fixture.events_recorded().await;
    let preview = preview_of(&fixture, &sale, 150_00).await;
    let expected = json!({
        "covered": true, "needed": 142_50, "amount": 150_00, "fees_returned": 7_50, "left": 300_00, "parts_refused": null,
        "gross": 300_00, "fees": 15_00, "net": 285_00,
        "accelerated": [], "accelerated_total": 0,
        "taken": [
            { "number": 3, "net": 95_00, "left": 0, "due_date": "2027-02-18" },
            { "number": 2, "net": 47_50, "left": 47_50, "due_date": "2027-01-19" },
        ],
        "taken_total": 142_50,
        "balance": {
            "available": 400_00, "released": 0, "covered_on": null,
            "before": { "available": 400_00, "receivable": 285_00, "in_transfer": 0, "blocked": 0, "held_by_staff": 0, "in_dispute": 0 },
            "after": { "available": 400_00, "receivable": 142_50, "in_transfer": 0, "blocked": 0, "held_by_staff": 0, "in_dispute": 0 },
        },
    });
    assert_eq!(preview, expected);
    assert_eq!(fixture.events_recorded().await, recorded);

    let refunded = ok(refund(&fixture.seller, &sale, 150_00).await);
    assert_eq!(fixture.balances().await, preview["balance"]["after"]);
    assert_eq!(
        (
            refunded.text("/status"),
            refunded.at("/refunded"),
            refunded.at("/refunded_net")
        ),
        ("succeeded", &json!(150_00), &json!(142_50))
    );
    let last = refunded.at("/events").as_array().and_then(|events| events.last());
    let last = last.expect("a timeline");
    assert_eq!(
        (
            &last["label"],
            &last["initiator"],
            &last["amount"],
            &last["reason"]
        ),
        (
            &json!("part_refunded"),
            &json!("platform"),
            &json!(150_00),
            &json!("Um item devolvido")
        )
    );
}

#[tokio::test]
async fn parts_end_in_a_cancel_that_leaves_every_balance_as_before_the_sale() {
    for rest in [json!({}), json!({ "amount": 199_99 })] {
        let fixture = ReversalFixture::with(400_00).await;
        // The first installment is settled, so the balance pays for the last cents.
        let sale = fixture.sold(Sale::card().days_ago(40)).await;
        fixture.settle().await;
        ok(refund(&fixture.seller, &sale, 100_00).await);
        ok(fixture
            .staff
            .post(&admin_path(&sale, "chargeback"), json!({ "amount": 1 }))
            .await);
        let preview = ok(fixture.seller.get(&path(&sale, "chargeback/preview")).await);
        assert_eq!(preview.at("/left"), 199_99);
        let canceled = ok(fixture.seller.post(&path(&sale, "chargeback"), rest).await);
        assert_eq!(canceled.text("/status"), "canceled");
        assert_eq!(&fixture.balances().await, preview.at("/balance/after"));
        assert_eq!(
            fixture.balances().await,
            json!({ "available": 400_00, "receivable": 0, "in_transfer": 0, "blocked": 0, "held_by_staff": 0, "in_dispute": 0 })
        );
        let with_fees = "SELECT count(*) FROM business_head WHERE platform_fees <> 0";
        assert_eq!(fixture.app.count(with_fees).await, 0);
    }
}

#[tokio::test]
async fn a_part_above_the_rest_of_nothing_or_of_a_disputed_sale_is_refused() {
    let fixture = ReversalFixture::with(1_000_00).await;
    let sale = fixture.sold(Sale::card()).await;
    ok(refund(&fixture.seller, &sale, 100_00).await);
    let disputed = fixture.sold(Sale::pix()).await;
    ok(fixture.seller.post(&path(&disputed, "dispute"), json!({})).await);
    let (recorded, before) = (fixture.events_recorded().await, fixture.balances().await);
    for amount in [json!(200_01), json!(0), json!(-1), json!("dez"), json!(10.5)] {
        let body = json!({ "amount": amount });
        let answer = fixture.seller.post(&path(&sale, "chargeback"), body).await;
        assert_eq!(answer.status, 422, "{amount}: {}", answer.body);
        assert!(answer.at("/errors/amount").is_array(), "{amount}");
    }
    for amount in ["20001", "0", "-1", "dez"] {
        let preview = path(&sale, &format!("chargeback/preview?amount={amount}"));
        let answer = fixture.seller.get(&preview).await;
        assert_eq!(answer.status, 422, "{amount}: {}", answer.body);
        assert!(answer.at("/errors/amount").is_array(), "{amount}");
    }
    let answer = refund(&fixture.seller, &disputed, 10_00).await;
    assert_eq!((answer.status, answer.text("/state")), (409, "dispute"));
    assert_eq!(fixture.events_recorded().await, recorded);
    assert_eq!(fixture.balances().await, before);
}

#[tokio::test]
async fn the_balance_must_cover_the_part_before_installments_pay_for_it() {
    let fixture = ReversalFixture::with(47_49).await;
    let sale = fixture.sold(Sale::card()).await;
    let recorded = fixture.events_recorded().await;
    let preview = preview_of(&fixture, &sale, 50_00).await;
    assert_eq!(
        (&preview["covered"], &preview["needed"]),
        (&json!(false), &json!(47_50))
    );
    let answer = refund(&fixture.seller, &sale, 50_00).await;
    assert_eq!(answer.status, 406, "{}", answer.body);
    assert_eq!(
        answer.at("/balance"),
        &json!({ "needed": 47_50, "available": 47_49, "covered_on": "2026-12-21" })
    );
    assert_eq!(fixture.events_recorded().await, recorded);
    ok(refund(&fixture.seller, &sale, 49_99).await);
}

#[tokio::test]
async fn one_key_of_one_user_is_one_refund() {
    let fixture = ReversalFixture::with(400_00).await;
    let sale = fixture.sold(Sale::card()).await;
    let keyed = fixture.seller.clone().with("idempotency-key", "uma-vez");
    let first = ok(refund(&keyed, &sale, 50_00).await);
    let again = ok(refund(&keyed, &sale, 50_00).await);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.body, first.body);
    for other in [
        json!({ "amount": 60_00 }),
        json!({ "reason": "Um item devolvido" }),
    ] {
        let answer = keyed.post(&path(&sale, "chargeback"), other).await;
        assert_eq!(answer.status, 409, "{}", answer.body);
    }
    assert_eq!(fixture.app.count_events("SalePartRefunded").await, 1);

    // Another user's request, and requests without a key, are further refunds.
    let owner = fixture.app.seller(&[(&fixture.company, SellerRole::Owner)]).await;
    let other = fixture
        .app
        .sign_in(&owner)
        .await
        .with("idempotency-key", "uma-vez");
    ok(refund(&other, &sale, 50_00).await);
    ok(refund(&fixture.seller, &sale, 50_00).await);
    ok(refund(&fixture.seller, &sale, 50_00).await);
    assert_eq!(fixture.app.count_events("SalePartRefunded").await, 4);
}

#[tokio::test]
async fn a_part_of_a_pix_goes_back_within_ninety_days() {
    let fixture = ReversalFixture::with(400_00).await;
    for (days, allowed) in [(89, true), (91, false)] {
        let sale = fixture.sold(Sale::pix().days_ago(days)).await;
        fixture.settle().await;
        let preview = ok(fixture.seller.get(&path(&sale, "chargeback/preview")).await);
        assert_eq!(preview.at("/parts_refused").is_null(), allowed, "{days} days");
        let answer = refund(&fixture.seller, &sale, 1_00).await;
        assert_eq!(answer.status, if allowed { 200 } else { 422 }, "{}", answer.body);
    }
}
