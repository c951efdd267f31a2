//! The e-mails about orders: to the buyer, and to the seller's users who want them.

use gateway_platform::buyers::{OrderEmail, on_attempt_ended, on_orders_expired, order_emails_queue};
use serde_json::json;

use super::{BuyerFixture, EMAIL, NAME, Order};

const RECEIPT: &str = "Comprovante de pagamento para Padaria";

impl BuyerFixture {
    async fn queue(&self, email: OrderEmail, order: &Order) -> bool {
        let client = self.app.database.client().await;
        order_emails_queue(&client, email, order.sale_id())
            .await
            .expect("the table takes it")
    }
}

/// The buyer gets the PIX code and the address of the order's page, once for each attempt.
async fn check_what_to_pay(fixture: &BuyerFixture) -> Order {
    let order = fixture.order(1).await;
    assert!(fixture.queue(OrderEmail::ToPay, &order).await);
    let to_pay = fixture.app.email_about(EMAIL, "Seu PIX para Padaria").await;
    assert!(to_pay.text.starts_with("Olá, Marina!"), "{}", to_pay.text);
    assert!(
        to_pay
            .text
            .contains("Pedido de R$ 300,00 para Padaria: Bolo de chocolate.")
    );
    assert!(to_pay.text.contains("00020126PIXCODE"), "{}", to_pay.text);
    let page = format!("/transacao/{}/status", order.reference);
    assert!(to_pay.link().ends_with(&page), "{}", to_pay.link());
    assert!(
        !fixture.queue(OrderEmail::ToPay, &order).await,
        "once for each attempt"
    );
    order
}

/// The buyer gets the receipt. The seller's user did not ask for e-mails yet.
async fn check_receipt(fixture: &BuyerFixture, order: &Order) {
    let client = fixture.app.database.client().await;
    fixture.app.capture(&fixture.bakery, &order.sale).await;
    fixture.end(order, "paid").await;
    let now = fixture.app.app.state.clock.now();
    on_attempt_ended(&client, order.sale_id(), now)
        .await
        .expect("an end");
    let receipt = fixture.app.email_about(EMAIL, RECEIPT).await;
    for fact in [
        "Vendedor: Padaria",
        "Valor: R$ 300,00",
        "Forma de pagamento: PIX",
        &order.reference,
    ] {
        assert!(receipt.text.contains(fact), "{fact}: {}", receipt.text);
    }
    assert!(fixture.app.emails_to(&fixture.owner.email).await.is_empty());
}

/// A user who asked for it gets an e-mail about a paid link, without the buyer's data.
async fn check_paid_link_email(fixture: &BuyerFixture) -> Order {
    let client = fixture.app.database.client().await;
    let now = fixture.app.app.state.clock.now();
    let wanted = json!({ "paid_link_emails": true });
    let changed = fixture.seller.patch("/api/sellers/me", wanted.clone()).await;
    assert_eq!(changed.at("/paid_link_emails"), true, "{}", changed.body);
    let staff = fixture.staff.patch("/api/admin/me", wanted).await;
    assert_eq!(staff.status, 422, "{}", staff.body);
    let second = fixture.paid_order(2).await;
    on_attempt_ended(&client, second.sale_id(), now)
        .await
        .expect("an end");
    let email = fixture.app.last_email_to(&fixture.owner.email).await;
    assert!(
        email
            .text
            .contains("O link “Bolo de chocolate” foi pago: R$ 300,00 em PIX."),
        "{}",
        email.text
    );
    assert!(!email.text.contains(NAME) && !email.text.contains(EMAIL));
    assert!(
        email.link().ends_with(&second.sale_id().to_string()),
        "{}",
        email.link()
    );
    second
}

#[tokio::test]
async fn a_buyer_gets_e_mails_with_the_code_to_pay_the_receipt_and_the_expiry() {
    let fixture = BuyerFixture::open().await;
    let order = check_what_to_pay(&fixture).await;
    check_receipt(&fixture, &order).await;
    let second = check_paid_link_email(&fixture).await;

    let client = fixture.app.database.client().await;
    let third = fixture.order(3).await;
    fixture.end(&third, "expired").await;
    on_orders_expired(&client, &[third.id, second.id])
        .await
        .expect("an end");
    let expired = fixture
        .app
        .email_about(EMAIL, "Seu pedido para Padaria expirou")
        .await;
    assert!(
        expired.text.contains("O código PIX expirou sem pagamento"),
        "{}",
        expired.text
    );
    // The rows refer to the order. They contain no data of the buyer.
    let rows = fixture
        .app
        .text("SELECT string_agg(m::text, ' ') FROM mail m")
        .await;
    assert!(!rows.contains(EMAIL) && !rows.contains(NAME), "{rows}");
}

#[tokio::test]
async fn outdated_e_mails_and_those_above_ten_orders_an_hour_are_not_sent() {
    let fixture = BuyerFixture::open().await;
    let paid = fixture.paid_order(1).await;
    assert!(fixture.queue(OrderEmail::ToPay, &paid).await);
    assert!(fixture.queue(OrderEmail::Expired, &paid).await);
    fixture.app.until_no_email_waits().await;
    assert_eq!(fixture.app.emails_to(EMAIL).await.len(), 0);
    // Eleven more orders. With the paid one, the last two are above the limit of ten in an hour.
    for number in 2..=12 {
        let order = fixture.order(number).await;
        assert!(fixture.queue(OrderEmail::ToPay, &order).await);
    }
    fixture.app.until_no_email_waits().await;
    assert_eq!(fixture.app.emails_to(EMAIL).await.len(), 9);
    let not_needed = fixture.app.rows("mail WHERE status = 'nobody'").await;
    assert_eq!(not_needed, 2 + 2, "those of the paid order, and the last two");
}
