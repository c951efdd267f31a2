//! A buyer names the brand of a card, and the acquirer knows it: no card is charged at the price of another brand.

use ledger_domain::SaleId;
use serde_json::{Value, json};

use super::{OrderFixture, credit};
use crate::links::public;
use crate::plans::mdr_form;
use crate::support::{Answer, PARTS_AND_SANDBOX};

const ELO_CARD: &str = "5067310000000010";
const AMEX_CARD: &str = "340000000000009";
/// Cards of the sandbox whose brand is told with the charge only, or never.
const ELO_TOLD_WITH_CHARGE: &str = "5067310000000457";
const ELO_NEVER_TOLD: &str = "5067310000000440";

/// The bakery's plan: 5 % for Visa and Mastercard, 6 % for the other brands.
async fn with_plan(fixture: &OrderFixture) {
    let mut form = mdr_form("Bandeiras", "5", "0");
    form["solution_id"] = json!(4);
    for band in ["credit_1", "credit_2to6"] {
        form[format!("mdr_{band}_fee_others")] = json!("6");
    }
    let plan = fixture.links.staff.post("/api/admin/plans", form).await;
    assert_eq!(plan.status, 201, "{}", plan.body);
    let choice = json!({ "plans": [{ "solution_id": 4, "plan_id": plan.at("/id") }] });
    let path = format!("/api/admin/businesses/{}/plans", fixture.links.bakery.id);
    assert_eq!(fixture.links.staff.post(&path, choice).await.status, 200);
}

/// The total of a brand by the link's public prices.
async fn total(fixture: &OrderFixture, link: &Value, brand: &str, installments: u64) -> i64 {
    let page = fixture.links.app.client().get(&public(link)).await;
    let groups = page.at("/prices/credit").as_array().expect("groups").clone();
    let group = groups.iter().find(|group| {
        group["brands"]
            .as_array()
            .expect("brands")
            .contains(&json!(brand))
    });
    let offers = group.expect("a group")["installments"]
        .as_array()
        .expect("offers");
    let offer = offers.iter().find(|offer| offer["count"] == installments);
    offer.expect("an offer")["total"].as_i64().expect("cents")
}

async fn recorded_brand(fixture: &OrderFixture, sale_id: SaleId) -> String {
    let client = fixture.links.app.database.client().await;
    let row = client
        .query_one(
            "SELECT payload -> 'SaleCaptured' -> 'sale' ->> 'card_brand' FROM event
              WHERE event_type = 'SaleCaptured' AND payload::text LIKE '%' || $1 || '%'",
            &[&sale_id.to_string()],
        )
        .await
        .expect("a capture");
    row.get(0)
}

async fn brand_source(fixture: &OrderFixture, sale_id: SaleId) -> Value {
    let sale = format!("/api/admin/transactions/{sale_id}");
    let position = fixture.links.app.ledger_position().await.to_string();
    let staff = fixture.links.staff.clone().with("ledger-position", &position);
    let answer = staff.get(&sale).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.at("/card_brand_source").clone()
}

/// The cards that are saved at Iugu.
async fn saved_cards(fixture: &OrderFixture) -> Value {
    fixture.sandbox.get("/sandbox/iugu/saved-cards").await.body
}

fn assert_refused(refused: &Answer, brand: &str, text: &str) {
    assert_eq!(refused.status, 422, "{}", refused.body);
    assert_eq!(refused.at("/card_brand"), brand);
    let message = refused.text("/errors/card.brand/0");
    assert!(message.contains(text), "{message}");
}

#[tokio::test]
async fn a_card_is_priced_by_the_brand_that_its_acquirer_tells() {
    let fixture = OrderFixture::open().await;
    with_plan(&fixture).await;
    for (number, brand, name) in [(ELO_CARD, "elo", "Elo"), (AMEX_CARD, "amex", "Amex")] {
        for installments in [1, 3] {
            // The browser, or whoever writes the request, calls every card a Visa.
            let link = fixture.link(json!({ "payer": "buyer" })).await;
            let card = fixture.card(number, installments).await;
            let as_visa = total(&fixture, &link, "visa", installments.into()).await;
            let refused = fixture.place(&link, credit(as_visa, card)).await;
            assert_refused(&refused, brand, &format!("O cartão é {name}, e não Visa"));
            let mut card = fixture.card(number, installments).await;
            card["brand"] = json!(brand);
            let own = total(&fixture, &link, brand, installments.into()).await;
            assert!(own > as_visa);
            let paid = fixture.placed(&link, credit(own, card)).await;
            assert_eq!(paid.at("/status"), "paid", "{}", paid.body);
            assert_eq!(
                recorded_brand(&fixture, fixture.sale(&paid, 1).await).await,
                brand
            );

            // All brands have one total, and the sale has the fees of the card's own.
            let link = fixture.link(json!({ "payer": "seller" })).await;
            let card = fixture.card(number, installments).await;
            let paid = fixture.placed(&link, credit(180_00, card)).await;
            let sale_id = fixture.sale(&paid, 1).await;
            assert_eq!(recorded_brand(&fixture, sale_id).await, brand);
            assert_eq!(brand_source(&fixture, sale_id).await, "charge");
        }
    }
    let refused_cards = "SELECT count(*) FROM order_attempt WHERE status <> 'paid'";
    assert_eq!(
        fixture.count(refused_cards).await,
        0,
        "a refused card places no order"
    );
    assert_eq!(fixture.charges().await.len(), 8, "and charges nothing");
    fixture.assert_books_agree().await;
}

#[tokio::test]
async fn another_try_of_an_order_checks_the_brand_too() {
    let fixture = OrderFixture::open().await;
    with_plan(&fixture).await;
    let link = fixture.link(json!({ "payer": "buyer" })).await;
    let as_visa = total(&fixture, &link, "visa", 1).await;
    let declined = fixture.card(super::DECLINED_CARD, 1).await;
    let order = fixture.placed(&link, credit(as_visa, declined)).await;
    let card = fixture.card(ELO_CARD, 1).await;
    let body = json!({ "payment_type": "credit", "total": as_visa, "card": card });
    assert_refused(&fixture.attempt(&order, body).await, "elo", "o total é R$ ");
    let mut card = fixture.card(ELO_CARD, 1).await;
    card["brand"] = json!("elo");
    let own = total(&fixture, &link, "elo", 1).await;
    let body = json!({ "payment_type": "credit", "total": own, "card": card });
    let paid = fixture.attempt(&order, body).await;
    assert_eq!(paid.at("/status"), "paid", "{}", paid.body);
}

#[tokio::test]
async fn iugu_tells_the_brand_of_a_saved_card_before_it_is_charged() {
    let fixture = OrderFixture::of_iugu().await;
    with_plan(&fixture).await;
    let link = fixture.link(json!({ "payer": "buyer" })).await;
    let as_visa = total(&fixture, &link, "visa", 1).await;
    let card = fixture.iugu_card(ELO_CARD).await;
    assert_refused(
        &fixture.place(&link, credit(as_visa, card)).await,
        "elo",
        "Com Elo",
    );
    assert_eq!(fixture.charges().await.len(), 0);
    assert_eq!(
        saved_cards(&fixture).await,
        json!([]),
        "a refused card is not kept"
    );
    let mut card = fixture.iugu_card(ELO_CARD).await;
    card["brand"] = json!("elo");
    let own = total(&fixture, &link, "elo", 1).await;
    let paid = fixture.placed(&link, credit(own, card)).await;
    assert_eq!(paid.at("/status"), "paid", "{}", paid.body);
    assert_eq!(
        recorded_brand(&fixture, fixture.sale(&paid, 1).await).await,
        "elo"
    );
    assert_eq!(saved_cards(&fixture).await, json!([]), "nor is a charged one");
    let card = fixture.iugu_card(super::DECLINED_CARD).await;
    let declined = fixture.placed(&link, credit(as_visa, card)).await;
    let card = fixture.iugu_card(ELO_CARD).await;
    let body = json!({ "payment_type": "credit", "total": as_visa, "card": card });
    assert_refused(&fixture.attempt(&declined, body).await, "elo", "o total é R$ ");
    assert_eq!(saved_cards(&fixture).await, json!([]), "nor those of another try");
    // A buyer cannot name the saved card of another one.
    let mut card = fixture.iugu_card(ELO_CARD).await;
    card["token"] = json!("C1/pm-tok_elo_0010_1");
    let refused = fixture.place(&link, credit(own, card)).await;
    assert_eq!(refused.status, 422, "{}", refused.body);
    assert!(refused.body.pointer("/errors/card.token").is_some());
}

#[tokio::test]
async fn a_brand_that_is_told_late_or_never_is_flagged_and_staff_see_a_contradiction() {
    let fixture = OrderFixture::open_with(&[], PARTS_AND_SANDBOX).await;
    with_plan(&fixture).await;
    let contradictions = "SELECT count(*) FROM exception WHERE reason = 'order_brand_differs'";
    for (number, payer, source, brand, reported) in [
        (ELO_TOLD_WITH_CHARGE, "seller", "charge", "elo", 0),
        (ELO_NEVER_TOLD, "buyer", "buyer", "visa", 0),
        (ELO_TOLD_WITH_CHARGE, "buyer", "charge", "elo", 1),
    ] {
        let link = fixture.link(json!({ "payer": payer })).await;
        let as_visa = total(&fixture, &link, "visa", 1).await;
        let card = fixture.card(number, 1).await;
        let paid = fixture.placed(&link, credit(as_visa, card)).await;
        let sale_id = fixture.sale(&paid, 1).await;
        assert_eq!(
            recorded_brand(&fixture, sale_id).await,
            brand,
            "{number} for the {payer}"
        );
        assert_eq!(brand_source(&fixture, sale_id).await, source);
        assert_eq!(fixture.count(contradictions).await, reported);
    }
}
