//! Orders and their buyers: e-mails, erasing, and cards on a link with card testing.

use futures::future::join_all;
use gateway_identity::roles::AdminRole;
use gateway_platform::buyers::{CardAnswer, card_answer_add};
use gateway_platform::orders::HintOutcome;
use ledger_domain::SaleId;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{DECLINED_CARD, OrderFixture, PAID_CARD, PRICE, credit, pix};
use crate::links::{id, public};
use crate::support::Answer;

const EMAIL: &str = "maria@example.com";

/// A paid PIX: the buyer gets the code and the receipt, the seller's user the e-mail about a paid link.
async fn pay_a_pix(fixture: &OrderFixture, link: &Value) -> (Answer, SaleId) {
    let app = &fixture.links.app;
    let order = fixture.placed(link, pix(PRICE)).await;
    let to_pay = app.email_about(EMAIL, "Seu PIX para Padaria").await;
    assert!(
        to_pay.text.contains(order.text("/attempt/pix/code")),
        "{}",
        to_pay.text
    );
    let page = format!("/transacao/{}/status", order.text("/id"));
    assert!(to_pay.link().ends_with(&page), "{}", to_pay.link());
    let sale_id = fixture.sale(&order, 1).await;
    assert_eq!(fixture.change_charge(sale_id, "pay").await.status, 200);
    assert_eq!(fixture.hint(sale_id).await, HintOutcome::Handled);
    fixture.until_attempt_is(&order, "paid").await;
    app.until_effect_handlers_read_all().await;
    let receipt = app
        .email_about(EMAIL, "Comprovante de pagamento para Padaria")
        .await;
    assert!(
        receipt.text.contains("O pagamento foi confirmado."),
        "{}",
        receipt.text
    );
    assert_eq!(app.rows("mail WHERE kind = 'link-paid'").await, 1);
    assert_eq!(app.rows("card_answer").await, 0, "a PIX is no card");
    (order, sale_id)
}

/// Declined cards close the card form of the link. PIX stays open.
async fn check_card_testing(fixture: &OrderFixture, link: &Value) {
    let app = &fixture.links.app;
    let card = fixture.card(DECLINED_CARD, 1).await;
    let declined = fixture.placed(link, credit(PRICE, card)).await;
    assert_eq!(declined.at("/attempt/status"), "declined");
    app.until_effect_handlers_read_all().await;
    assert_eq!(app.rows("card_answer WHERE declined").await, 1);
    let client = app.app.state.pool.get().await.expect("a connection");
    let now = app.app.state.clock.now();
    // With the declined order, these are the 20 declines that close the form.
    for _ in 0..19 {
        let sale = SaleId::from_uuid(Uuid::new_v4());
        card_answer_add(&**client, id(link), sale, CardAnswer::Declined, now)
            .await
            .expect("an answer");
    }
    drop(client);
    let shown = app.client().get(&public(link)).await;
    assert!(shown.at("/card_closed_until").is_string(), "{}", shown.body);
    // The page of an order that can be tried again shows the closed form before the buyer types a card.
    let retried = fixture.status(&declined).await;
    assert_eq!(
        (retried.at("/can_retry"), retried.at("/card_closed_until")),
        (&json!(true), shown.at("/card_closed_until"))
    );
    let card = fixture.card(PAID_CARD, 1).await;
    let refused = fixture.place(link, credit(PRICE, card.clone())).await;
    assert_eq!(refused.status, 429, "{}", refused.body);
    let seconds: u64 = refused
        .header("retry-after")
        .expect("a time")
        .parse()
        .expect("seconds");
    assert!(
        seconds > 60,
        "closed for 30 minutes, and not slowed down for 20 seconds: {seconds}"
    );
    let uses = "SELECT uses::int8 FROM payment_link";
    assert_eq!(
        fixture.count(uses).await,
        2,
        "one PIX and one declined card; a refused card takes no use"
    );
    let by_pix = fixture.placed(link, pix(PRICE)).await;
    assert_eq!(by_pix.at("/attempt/status"), "to_pay");
}

#[tokio::test]
async fn a_buyer_gets_e_mails_and_is_erased_and_card_testing_is_refused() {
    let fixture = OrderFixture::open().await;
    let app = &fixture.links.app;
    let link = fixture.link(json!({})).await;
    let wanted = json!({ "paid_link_emails": true });
    assert_eq!(
        fixture.links.seller.patch("/api/sellers/me", wanted).await.status,
        200
    );
    let (order, sale_id) = pay_a_pix(&fixture, &link).await;
    check_card_testing(&fixture, &link).await;

    // The PIX order has ended and is erased. The two open orders keep their buyer.
    let staff = app.sign_in(&app.admin(&[AdminRole::Admin]).await).await;
    let form = json!({ "document": "529.982.247-25", "reason": "Pedido do titular" });
    let erased = staff.post("/api/admin/buyers/erase", form).await;
    assert_eq!(erased.status, 200, "{}", erased.body);
    assert_eq!(erased.at("/orders"), &json!([order.at("/id")]));
    let sale = format!("/api/transactions/{sale_id}/buyer");
    assert_eq!(fixture.links.seller.get(&sale).await.at("/buyer"), &Value::Null);
    fixture.assert_books_agree().await;
    assert_eq!(
        app.row_findings().await,
        [""; 0],
        "erasures are recorded as changes"
    );
}

/// The cards that one network address may have declined.
const DECLINED_MAX: usize = 15;
/// With `CARDS_PER_LINK` cards each, 24 cards: more than `DECLINED_MAX`.
const LINKS: usize = 4;
/// Fewer than the 8 declined cards that slow a link down.
const CARDS_PER_LINK: usize = 6;

#[tokio::test]
async fn cards_that_are_sent_at_once_pass_no_more_than_an_address_may_have_declined() {
    let fixture = OrderFixture::open().await;
    let links = join_all((0..LINKS).map(|_| fixture.link(json!({})))).await;
    let send = async |number: &str| {
        let sent = links.iter().flat_map(|link| {
            (0..CARDS_PER_LINK).map(async |_| {
                let card = fixture.card(number, 1).await;
                fixture.place(link, credit(PRICE, card)).await
            })
        });
        join_all(sent).await
    };
    let count =
        |answers: &[Answer], status: u16| answers.iter().filter(|answer| answer.status == status).count();
    // A paid card leaves its place for the next card.
    for link in links.iter().cycle().take(DECLINED_MAX + 1) {
        let card = fixture.card(PAID_CARD, 1).await;
        let paid = fixture.placed(link, credit(PRICE, card)).await;
        assert_eq!(paid.at("/attempt/status"), "paid");
    }
    let declined = send(DECLINED_CARD).await;
    assert_eq!(
        (count(&declined, 201), count(&declined, 429)),
        (DECLINED_MAX, LINKS * CARDS_PER_LINK - DECLINED_MAX)
    );
    let refused = send(PAID_CARD).await;
    assert_eq!(count(&refused, 429), refused.len());
}
