//! Payments by card, PIX and boleto, from the order to the ledger.

use gateway_platform::orders::HintOutcome;
use ledger_domain::SaleId;
use ledger_domain::sale::Provider;
use serde_json::{Value, json};

use super::{OrderFixture, PAID_CARD, PRICE, boleto, credit, pix};
use crate::links::public;
use crate::support::wait::until;
use crate::support::{Answer, fetch};

/// Test cards of the sandbox: one that it only authorizes, and one whose buyer must confirm by 3-D Secure.
const AUTHORIZED_CARD: &str = "4000000000000036";
const CHALLENGED_CARD: &str = "4000000000040321";

#[tokio::test]
async fn card_pix_and_boleto_are_paid() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({})).await;
    a_card_is_paid_in_the_answer(&fixture, &link).await;
    a_pix_is_paid_by_a_hint(&fixture, &link).await;
    a_pix_is_paid_while_a_page_follows_its_order(&fixture, &link).await;
    let boleto = a_boleto_is_paid(&fixture, &link).await;
    an_authorized_card_is_captured_and_a_challenge_is_shown(&fixture, &link).await;
    // One card, two PIX, one boleto, one authorized card and one challenged card.
    until("six sales of the link", async || {
        let paid = fixture.links.seller.get(&crate::links::path(&link)).await;
        paid.at("/sales") == 6
    })
    .await;
    an_ended_boleto_states_why_it_cannot_be_paid(&fixture, &link, &boleto).await;
    fixture.assert_books_agree().await;
}

async fn a_card_is_paid_in_the_answer(fixture: &OrderFixture, link: &Value) {
    let card = fixture.card(PAID_CARD, 3).await;
    let order = fixture.placed(link, credit(PRICE, card)).await;
    let mut body = order.body.clone();
    assert!(body["attempt"]["paid_at"].take().is_string());
    assert_eq!(body["id"].take().as_str().map(str::len), Some(10));
    assert_eq!(
        body,
        json!({
            "id": null, "link_code": link["code"], "seller": { "name": "Padaria" },
            "description": "Bolo de chocolate", "status": "paid", "status_label": "Pago", "final": true,
            "amount": PRICE, "can_retry": false, "payment_types": [], "prices": null, "card_tokens": null, "card_closed_until": null,
            "attempt": {
                "number": 1, "payment_type": "credit", "status": "paid", "status_label": "Pago", "total": PRICE,
                "installments": 3, "pix": null, "boleto": null, "challenge_url": null, "decline": null,
                "paid_at": null,
            },
            "earlier_pix": null, "use_held_until": null,
            "tenant": { "product_name": "Razão", "theme_color": "#36BE54", "highlight_color": "#29FF00" },
        })
    );
    let sale_id = fixture.sale(&order, 1).await;
    let sale = format!("/api/transactions/{sale_id}");
    until("the read model has the sale", async || {
        fixture.links.seller.get(&sale).await.status == 200
    })
    .await;
    let stored_tokens = "SELECT count(*) FROM order_attempt WHERE card_token IS NOT NULL";
    assert_eq!(fixture.count(stored_tokens).await, 0);
}

async fn a_pix_is_paid_by_a_hint(fixture: &OrderFixture, link: &Value) {
    let order = fixture.placed(link, pix(PRICE)).await;
    assert_eq!(
        (
            order.at("/status"),
            order.at("/attempt/status"),
            order.at("/can_retry")
        ),
        (&json!("open"), &json!("to_pay"), &json!(true))
    );
    let code = order.text("/attempt/pix/code");
    assert!(code.starts_with("000201"));
    let drawn = gateway_formats::qr::rows(code).expect("a code");
    assert_eq!(order.at("/attempt/pix/qr"), &json!(drawn));
    let sale_id = fixture.sale(&order, 1).await;
    assert_eq!(fixture.change_charge(sale_id, "pay").await.status, 200);
    assert_eq!(fixture.hint(sale_id).await, HintOutcome::Handled);
    let paid = fixture.until_attempt_is(&order, "paid").await;
    assert_eq!(
        (paid.at("/status"), paid.at("/attempt/pix")),
        (&json!("paid"), &Value::Null)
    );
    // The stream of an order that has ended has one event.
    let (status, headers, body) = fixture
        .links
        .app
        .client()
        .download(&format!("/api/transactions/{}/events", order.text("/id")))
        .await;
    let text = String::from_utf8(body).expect("a text");
    assert_eq!(
        (status, text.matches("event: status").count()),
        (200, 1),
        "{text}"
    );
    assert!(
        headers["content-type"]
            .to_str()
            .is_ok_and(|kind| kind.starts_with("text/event-stream"))
    );
    assert!(text.contains(r#""status":"paid""#), "{text}");
}

/// The page has the open order's status before the sandbox's notice arrives over HTTP.
async fn a_pix_is_paid_while_a_page_follows_its_order(fixture: &OrderFixture, link: &Value) {
    let order = fixture.placed(link, pix(PRICE)).await;
    let path = format!("/api/transactions/{}/events", order.text("/id"));
    let url = format!("http://{}{path}", fixture.links.app.addr());
    let mut stream = fetch(&url).await.expect("a stream");
    let first = stream.chunk().await.expect("an event").expect("an open stream");
    let first = String::from_utf8_lossy(&first);
    assert!(first.contains(r#""status":"to_pay""#), "{first}");
    fixture.change_charge(fixture.sale(&order, 1).await, "pay").await;
    let text = stream.text().await.expect("the other events");
    assert!(text.contains(r#""status":"paid""#), "{text}");
}

async fn a_boleto_is_paid(fixture: &OrderFixture, link: &Value) -> Answer {
    let order = fixture.placed(link, boleto(PRICE)).await;
    let line = order.text("/attempt/boleto/line");
    assert_eq!(
        (line.len(), order.text("/attempt/boleto/barcode").len()),
        (47, 44)
    );
    let pdf = order.text("/attempt/boleto/pdf_url");
    let (status, headers, file) = fixture.links.app.client().download(pdf).await;
    assert_eq!(
        (status, headers["content-type"].to_str().ok()),
        (200, Some("application/pdf"))
    );
    assert!(file.starts_with(b"%PDF-"));
    let code = b"br.gov.bcb.pix";
    assert!(
        file.windows(code.len()).any(|part| part == code),
        "the PIX code is next to the bars"
    );
    let sale_id = fixture.sale(&order, 1).await;
    let by_sale = format!("/api/transactions/{sale_id}/boleto");
    assert_eq!(fixture.links.app.client().get(&by_sale).await.status, 200);
    fixture.change_charge(sale_id, "pay").await;
    fixture.hint(sale_id).await;
    fixture.until_attempt_is(&order, "paid").await;
    let gone = fixture.links.app.client().get(pdf).await;
    assert_eq!(
        (gone.status, gone.text("/message")),
        (410, "Este boleto já foi pago. Você não precisa fazer mais nada.")
    );
    a_receivable_reported_before_the_charge_id_is_known_gets_its_sale(fixture, sale_id).await;
    order
}

async fn an_ended_boleto_states_why_it_cannot_be_paid(fixture: &OrderFixture, link: &Value, paid: &Answer) {
    let sale_id = fixture.sale(paid, 1).await;
    let boleto_of = |name: &str| format!("/api/transactions/{name}/boleto");
    fixture.change_charge(sale_id, "refund").await;
    fixture.hint(sale_id).await;
    fixture.until_attempt_is(paid, "canceled").await;
    // The sale's id leads to the order too.
    let status = format!("/api/transactions/{}/status", paid.text("/id"));
    for name in [paid.text("/id").to_owned(), sale_id.to_string()] {
        let returned = fixture.links.app.client().get(&boleto_of(&name)).await;
        assert_eq!(
            (
                returned.status,
                returned.text("/message"),
                returned.header("location")
            ),
            (
                410,
                "Este boleto foi pago, e o valor foi devolvido.",
                Some(status.as_str())
            ),
            "{name}"
        );
    }
    let order = fixture.placed(link, boleto(PRICE)).await;
    let by_sale = boleto_of(&fixture.sale(&order, 1).await.to_string());
    let body = json!({ "payment_type": "pix", "total": PRICE, "card": null });
    assert_eq!(fixture.attempt(&order, body).await.status, 201);
    let gone = async || fixture.links.app.client().get(&by_sale).await;
    assert_eq!(
        gone().await.text("/message"),
        "Este boleto foi cancelado. Peça outro a quem o enviou."
    );
    let pix_sale = fixture.sale(&order, 2).await;
    fixture.change_charge(pix_sale, "pay").await;
    fixture.hint(pix_sale).await;
    fixture.until_attempt_is(&order, "paid").await;
    assert_eq!(
        gone().await.text("/message"),
        "Este pedido foi pago de outra forma. Você não precisa pagar este boleto."
    );
}

/// The acquirer reports the receivable before the platform records the answer with the charge's id.
async fn a_receivable_reported_before_the_charge_id_is_known_gets_its_sale(
    fixture: &OrderFixture,
    sale_id: SaleId,
) {
    let app = &fixture.links.app;
    let (id, provider) = (sale_id.uuid(), Provider::Valori.number());
    // The role `replica` turns off the triggers that protect an ended attempt.
    app.execute(&format!(
        "INSERT INTO settlement_import (id, source, provider, day, state, created_at, ended_at)
         VALUES ('{id}', 'receivables', {provider}, '2026-11-21', 'done', now(), now());
         INSERT INTO acquirer_receivable (provider, reference, installment, entry, external_ids, gross, cost, net,
                                          canceled, day, import_id, reported_at)
         SELECT {provider}, acquirer_id, 1, 'payment', ARRAY[acquirer_id], total, 0, total, false, '2026-11-21', '{id}', now()
           FROM order_attempt WHERE sale_id = '{id}';
         SET session_replication_role = replica;
         UPDATE order_attempt SET acquirer_id = NULL WHERE sale_id = '{id}';
         RESET session_replication_role"
    ))
    .await;
    assert_eq!(fixture.hint(sale_id).await, HintOutcome::Handled);
    let matched = format!("SELECT count(*) FROM acquirer_receivable WHERE sale_id = '{id}'");
    until("the sale of the receivable", async || {
        app.app.reconciliation().run().await.expect("the job works");
        app.count(&matched).await == 1
    })
    .await;
}

async fn an_authorized_card_is_captured_and_a_challenge_is_shown(fixture: &OrderFixture, link: &Value) {
    let card = fixture.card(AUTHORIZED_CARD, 1).await;
    let order = fixture.placed(link, credit(PRICE, card)).await;
    fixture.until_attempt_is(&order, "paid").await;
    let card = fixture.card(CHALLENGED_CARD, 1).await;
    let order = fixture.placed(link, credit(PRICE, card)).await;
    assert_eq!(order.at("/attempt/status"), "challenge", "{}", order.body);
    assert!(order.text("/attempt/challenge_url").contains("/own/challenges/"));
    let sale_id = fixture.sale(&order, 1).await;
    fixture.change_charge(sale_id, "pay").await;
    fixture.hint(sale_id).await;
    fixture.until_attempt_is(&order, "paid").await;
}

/// Iugu takes 12 installments at most, also on a link that allows more.
#[tokio::test]
async fn no_more_installments_are_offered_than_the_acquirer_takes() {
    let fixture = OrderFixture::of_iugu().await;
    let link = fixture.link(json!({ "installments_max": 18 })).await;
    let offer = fixture.links.app.client().get(&public(&link)).await;
    assert_eq!(offer.at("/installments_max"), 12, "{}", offer.body);
    let group = offer.at("/prices/credit/0/installments");
    assert_eq!(group.as_array().map(Vec::len), Some(12), "{group}");
    let mut card = fixture.iugu_card(PAID_CARD).await;
    for (installments, status) in [(13, 422), (12, 201)] {
        card["installments"] = json!(installments);
        let answer = fixture.place(&link, credit(PRICE, card.clone())).await;
        assert_eq!(answer.status, status, "{installments}: {}", answer.body);
    }
}

#[tokio::test]
async fn a_refund_reversal_or_dispute_of_a_paid_charge_reaches_the_ledger() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({})).await;
    for (change, status, order_status) in [
        ("refund", "refunded", "canceled"),
        ("reverse", "reversed", "canceled"),
        ("dispute", "dispute", "paid"),
    ] {
        let card = fixture.card(PAID_CARD, 1).await;
        let order = fixture.placed(&link, credit(PRICE, card)).await;
        let sale_id = fixture.sale(&order, 1).await;
        assert_eq!(fixture.change_charge(sale_id, change).await.status, 200);
        assert_eq!(fixture.hint(sale_id).await, HintOutcome::Handled);
        let client = fixture.links.app.database.client().await;
        let states = ledger_store::log::sale_states(&client, &[sale_id])
            .await
            .expect("the sale");
        assert_eq!(states[0].1.state.status.as_str(), status);
        until(&format!("an order that is {order_status}"), async || {
            fixture.status(&order).await.at("/status") == order_status
        })
        .await;
    }
}

#[tokio::test]
async fn an_unpaid_boleto_is_found_by_its_number_in_both_panels() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({})).await;
    let order = fixture.placed(&link, boleto(PRICE)).await;
    let id = fixture.sale(&order, 1).await;
    let app = &fixture.links.app;
    app.until_count("SELECT count(*) FROM sale WHERE names ->> 'our_number' <> ''", 1)
        .await;
    let number = app.text("SELECT names ->> 'our_number' FROM sale").await;
    for (client, path) in [
        (&fixture.links.seller, "/api/transactions"),
        (&fixture.links.staff, "/api/admin/transactions"),
    ] {
        let found = client.get(&format!("{path}?name={number}")).await;
        assert_eq!(found.at("/meta/total"), 1, "{path}: {}", found.body);
        assert_eq!(found.text("/data/0/id"), id.to_string());
        assert_eq!(found.text("/data/0/status"), "pending");
    }
    // A look-up that tells nothing new adds nothing, and the payment keeps the number.
    assert_eq!(fixture.hint(id).await, HintOutcome::Handled);
    assert_eq!(app.count_events("SaleNamed").await, 1);
    assert_eq!(fixture.change_charge(id, "pay").await.status, 200);
    fixture.until_attempt_is(&order, "paid").await;
    let sale = format!("/api/transactions/{id}");
    until("the number of the paid boleto", async || {
        let shown = fixture.links.seller.get(&sale).await;
        shown.at("/status") == "succeeded" && shown.at("/names/our_number") == number.as_str()
    })
    .await;
    fixture.assert_books_agree().await;
}
