//! The public call of a link and its page: what a buyer sees.

use serde_json::{Value, json};

use super::{LinkFixture, assert_errors, path, public};

#[tokio::test]
async fn a_buyer_sees_the_seller_the_amount_and_each_price() {
    let fixture = LinkFixture::open().await;
    let link = fixture
        .link(json!({ "payment_types": ["credit", "pix", "boleto"], "amount": 100_00 }))
        .await;
    let shown = fixture.app.client().get(&public(&link)).await;
    let installments = json!([
        { "count": 1, "total": 100_00, "first": 100_00, "each": 100_00 },
        { "count": 2, "total": 100_00, "first": 50_00, "each": 50_00 },
        { "count": 3, "total": 100_00, "first": 33_34, "each": 33_33 },
    ]);
    assert_eq!(shown.status, 200, "{}", shown.body);
    assert_eq!(shown.at("/prices/credit/0/installments"), &installments);
    let mut rest = shown.body.clone();
    rest["prices"]["credit"] = Value::Null;
    let tokens = rest["card_tokens"]["url"].take();
    assert!(
        tokens
            .as_str()
            .is_some_and(|url| url.ends_with("/own/card-tokens")),
        "{tokens}"
    );
    assert_eq!(
        rest,
        json!({
            "code": link["code"], "status": "active", "held_until": null, "seller": { "name": "Padaria" },
            "description": "Bolo de chocolate", "amount": 100_00, "amount_min": null, "amount_max": null,
            "payer": "seller", "payment_types": ["credit", "pix", "boleto"], "installments_max": 3,
            "card_tokens": { "format": "sandbox", "url": null, "account_id": null, "test": true },
            "card_closed_until": null,
            "prices": { "pix": 100_00, "boleto": 100_00, "credit": null },
            "tenant": { "product_name": "Razão", "theme_color": "#36BE54", "highlight_color": "#29FF00" },
        })
    );
    let lower = public(&link).to_lowercase();
    assert_eq!(fixture.app.client().get(&lower).await.body, shown.body);
}

#[tokio::test]
async fn a_buyer_who_pays_the_fees_sees_the_amount_with_them() {
    let fixture = LinkFixture::open().await;
    let link = fixture
        .link(json!({ "payment_types": ["credit", "boleto"], "amount": 95_00, "payer": "buyer" }))
        .await;
    let shown = fixture.app.client().get(&public(&link)).await;
    // The plan takes 5 % of the total by card, and R$ 3,49 by boleto. Both leave R$ 95,00.
    assert_eq!(shown.at("/prices/credit/0/installments/0/total"), &json!(100_00));
    assert_eq!(shown.at("/prices/boleto"), &json!(95_00 + 3_49));
    assert_eq!(shown.at("/prices/pix"), &Value::Null);
}

#[tokio::test]
async fn an_open_amount_is_priced_within_its_bounds() {
    let fixture = LinkFixture::open().await;
    let open = json!({ "amount": null, "amount_min": 10_00, "amount_max": 50_00 });
    let link = fixture.link(open).await;
    let buyer = fixture.app.client();
    assert_eq!(buyer.get(&public(&link)).await.at("/prices"), &Value::Null);
    let chosen = buyer.get(&format!("{}?amount=2000", public(&link))).await;
    assert_eq!(chosen.at("/prices/pix"), &json!(20_00));
    for amount in [9_99, 50_01] {
        let refused = buyer.get(&format!("{}?amount={amount}", public(&link))).await;
        assert_errors(
            &refused,
            json!({ "amount": ["O valor deve ser de R$ 10,00 a R$ 50,00."] }),
        );
    }
    let fixed = fixture.link(json!({})).await;
    let refused = buyer.get(&format!("{}?amount=2000", public(&fixed))).await;
    assert_errors(&refused, json!({ "amount": ["O valor deste link é R$ 180,00."] }));
}

#[tokio::test]
async fn a_call_without_an_amount_counts_as_an_opening_and_one_with_an_amount_does_not() {
    let fixture = LinkFixture::open().await;
    let link = fixture.link(json!({ "amount": null })).await;
    let buyer = fixture.app.client();
    for _ in 0..3 {
        buyer.get(&public(&link)).await;
    }
    buyer.get(&format!("{}?amount=2000", public(&link))).await;
    assert_eq!(fixture.seller.get(&path(&link)).await.at("/opened"), &json!(3));
}

#[tokio::test]
async fn all_unknown_codes_have_the_same_answer() {
    let fixture = LinkFixture::open().await;
    fixture.link(json!({})).await;
    let mut answers = vec![];
    for code in ["000000000000", "x", "lnk_0193f0a0", "%20", "'%20OR%201=1--"] {
        let mut unknown = fixture.app.client().get(&format!("/api/pl/{code}")).await;
        unknown.body["request_id"] = Value::Null;
        answers.push((unknown.status, unknown.body));
    }
    assert_eq!(answers[0].0, 404);
    assert_eq!(
        answers[0].1["message"],
        "Não encontramos este link de pagamento. Confira o endereço com quem o enviou."
    );
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

#[tokio::test]
async fn a_link_that_cannot_be_paid_says_so_and_has_no_prices() {
    let fixture = LinkFixture::open().await;
    let buyer = fixture.app.client();
    let shown = async |link: &Value| {
        let shown = buyer.get(&public(link)).await;
        assert_eq!(
            (shown.status, shown.at("/prices")),
            (200, &Value::Null),
            "{}",
            shown.body
        );
        shown.text("/status").to_owned()
    };
    let off = fixture.link(json!({ "active": false })).await;
    assert_eq!(shown(&off).await, "inactive");
    let exhausted = fixture.link(json!({ "use_limit": 1 })).await;
    let sql = "UPDATE payment_link SET uses = uses + 1 WHERE use_limit = 1";
    fixture.app.execute(sql).await;
    assert_eq!(shown(&exhausted).await, "exhausted");
    let old = fixture.link(json!({ "expires_on": "2026-11-21" })).await;
    let sql = "UPDATE payment_link SET expires_on = '2026-11-20', version = 2 WHERE expires_on IS NOT NULL";
    fixture.app.execute(sql).await;
    assert_eq!(shown(&old).await, "expired");
    let link = fixture.link(json!({})).await;
    let sql = "UPDATE business SET approval = 'denied' WHERE name = 'Padaria'";
    fixture.app.execute(sql).await;
    assert_eq!(shown(&link).await, "inactive", "the company cannot sell");
}

#[tokio::test]
async fn the_page_of_a_link_is_served_on_seller_hosts_under_a_strict_content_policy() {
    let fixture = LinkFixture::open().await;
    let link = fixture.link(json!({ "amount": 180_00 })).await;
    let code = link["code"].as_str().expect("a code");
    let page = fixture
        .app
        .client()
        .get(&format!("/pl/{}", code.to_lowercase()))
        .await;
    let text = page.body.as_str().expect("a page");
    assert_eq!(page.status, 200);
    for part in [
        "<title id=\"title\">Bolo de chocolate | Padaria</title>",
        "<strong id=\"seller\">Padaria</strong>",
        "<p id=\"amount\">R$\u{a0}180,00</p>",
        ":root{--brand:#36BE54}",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let policy = page.header("content-security-policy").expect("a policy");
    let expected = "default-src 'none'; script-src 'self'; style-src 'nonce-";
    assert!(
        policy.starts_with(expected) && !policy.contains("unsafe"),
        "{policy}"
    );
    assert!(policy.contains("connect-src 'self'"), "{policy}");
    let preload = format!("</api/pl/{code}>; rel=preload; as=fetch; crossorigin");
    assert_eq!(page.header("link"), Some(preload.as_str()));
    assert!(page.cookie("csrf_token").is_none(), "the page needs no cookies");
    assert_eq!(
        fixture.seller.get(&path(&link)).await.at("/opened"),
        &json!(0),
        "an opening is counted by the call that the page makes"
    );
    for unknown in [
        "/pl/000000000000",
        "/pl/a.b",
        "/transacao/7Q2M4Z9XKD/status",
        "/b/x",
    ] {
        let page = fixture.app.client().get(unknown).await;
        let text = page.body.as_str().expect("a page");
        assert!(
            page.status == 200 && text.contains("built checkout"),
            "{unknown}: {text}"
        );
    }
    // The staff's host does not serve the buyers' pages.
    for path in [
        &format!("/pl/{code}"),
        "/transacao/7Q2M4Z9XKD/status",
        "/b/7Q2M4Z9XKD",
    ] {
        let page = fixture.app.staff_client().get(path).await;
        let text = page.body.as_str().expect("a page");
        assert!(
            page.status == 404 && text.contains("Página não encontrada") && !text.contains("Bolo"),
            "{path}: {} {text}",
            page.status
        );
        assert!(page.header("link").is_none());
    }
}
