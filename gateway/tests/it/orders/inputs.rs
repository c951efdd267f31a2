//! Refused orders, and card numbers that are not stored.

use serde_json::{Value, json};

use super::{OrderFixture, PAID_CARD, PRICE, boleto, credit, pix};
use crate::support::Answer;

fn assert_problem(answer: &Answer, status: u16, message: &str) {
    assert_eq!(
        (answer.status, answer.text("/message")),
        (status, message),
        "{}",
        answer.body
    );
}

fn assert_errors(answer: &Answer, expected: Value) {
    assert_eq!(
        (answer.status, answer.at("/errors")),
        (422, &expected),
        "{}",
        answer.body
    );
}

#[tokio::test]
async fn each_bad_input_has_its_message_and_leaves_nothing() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({ "payment_types": ["credit", "pix"] })).await;
    links_that_cannot_be_paid(&fixture).await;
    choices_that_the_link_does_not_offer(&fixture, &link).await;
    a_document_of_another_country(&fixture, &link).await;
    amounts(&fixture).await;
    card_numbers(&fixture, &link).await;
    for table in ["link_order", "order_buyer", "order_attempt"] {
        assert_eq!(
            fixture.count(&format!("SELECT count(*) FROM {table}")).await,
            0,
            "{table}"
        );
    }
    assert_eq!(fixture.charges().await.len(), 0);
    let uses = "SELECT sum(uses)::int8 FROM payment_link";
    assert_eq!(fixture.count(uses).await, 0);
    no_table_has_the_card_number(&fixture).await;
}

async fn links_that_cannot_be_paid(fixture: &OrderFixture) {
    let unknown = json!({ "code": "000000000000" });
    assert_problem(
        &fixture.place(&unknown, pix(PRICE)).await,
        404,
        "Não encontramos este link de pagamento. Confira o endereço com quem o enviou.",
    );
    let inactive = fixture.link(json!({ "active": false })).await;
    assert_problem(
        &fixture.place(&inactive, pix(PRICE)).await,
        409,
        "Este link de pagamento não está ativo. Fale com quem o enviou.",
    );
    // No link can be created with a date before today, which is 2026-11-21.
    let expired = fixture.link(json!({ "expires_on": "2026-11-21" })).await;
    fixture
        .links
        .app
        .execute("UPDATE payment_link SET expires_on = '2026-11-20', version = version + 1 WHERE expires_on IS NOT NULL")
        .await;
    assert_problem(
        &fixture.place(&expired, pix(PRICE)).await,
        409,
        "Este link de pagamento expirou. Peça outro a quem o enviou.",
    );
}

async fn choices_that_the_link_does_not_offer(fixture: &OrderFixture, link: &Value) {
    assert_errors(
        &fixture.place(link, boleto(PRICE)).await,
        json!({ "payment_type": ["Este link não aceita esta forma de pagamento."] }),
    );
    let card = |brand: &str, installments: u8| {
        let token = format!("tok_{brand}_4242_x");
        json!({ "token": token, "brand": brand, "last_four": "4242", "installments": installments })
    };
    assert_errors(
        &fixture.place(link, credit(PRICE, card("sorocred", 1))).await,
        json!({ "card.brand": ["Este link não aceita esta bandeira."] }),
    );
    assert_errors(
        &fixture.place(link, credit(PRICE, card("visa", 4))).await,
        json!({ "card.installments": ["Este link não aceita esse número de parcelas."] }),
    );
    assert_errors(
        &fixture.place(link, credit(PRICE, Value::Null)).await,
        json!({
            "card.token": ["Informe o cartão."], "card.brand": ["Informe a bandeira do cartão."],
            "card.last_four": ["Deve ter os 4 últimos dígitos do cartão."],
            "card.installments": ["Escolha o número de parcelas."],
        }),
    );
    assert_problem(
        &fixture.place(link, pix(PRICE - 1_00)).await,
        409,
        "O preço mudou. Confira o novo valor e tente de novo.",
    );
}

async fn a_document_of_another_country(fixture: &OrderFixture, link: &Value) {
    let mut foreign = pix(PRICE);
    foreign["buyer"]["document"] = json!("AB1234567");
    assert_errors(
        &fixture.place(link, foreign).await,
        json!({ "buyer.document": ["Informe um CPF ou um CNPJ. Documentos de outros países não são aceitos."] }),
    );
}

async fn amounts(fixture: &OrderFixture) {
    let open = fixture
        .link(json!({ "amount": null, "amount_min": 10_00, "amount_max": 50_00 }))
        .await;
    assert_errors(
        &fixture.place(&open, pix(20_00)).await,
        json!({ "amount": ["Informe o valor que você vai pagar."] }),
    );
    let mut high = pix(60_00);
    high["amount"] = json!(60_00);
    assert_errors(
        &fixture.place(&open, high).await,
        json!({ "amount": ["O valor deve ser de R$ 10,00 a R$ 50,00."] }),
    );
}

async fn card_numbers(fixture: &OrderFixture, link: &Value) {
    let mut body = pix(PRICE);
    body["buyer"]["name"] = json!(format!("Maria {PAID_CARD}"));
    body["pan"] = json!(PAID_CARD);
    let refused = fixture.place(link, body).await;
    assert_errors(
        &refused,
        json!({ "buyer.name": ["Não escreva o número do cartão aqui."], "pan": ["Campo desconhecido."] }),
    );
    assert!(!refused.body.to_string().contains(PAID_CARD));
    let card = json!({ "token": PAID_CARD, "brand": "visa", "last_four": "4242", "installments": 1 });
    assert_errors(
        &fixture.place(link, credit(PRICE, card)).await,
        json!({ "card.token": ["Não escreva o número do cartão aqui."] }),
    );
}

async fn no_table_has_the_card_number(fixture: &OrderFixture) {
    let client = fixture.links.app.database.client().await;
    let tables = "SELECT quote_ident(table_name) FROM information_schema.tables
                   WHERE table_schema = 'public' AND table_type = 'BASE TABLE'";
    // Columns of bytes are shown in hexadecimal.
    let bytes: String = PAID_CARD.bytes().map(|byte| format!("{byte:02x}")).collect();
    for table in client.query(tables, &[]).await.expect("the tables") {
        let table: &str = table.get(0);
        let sql = format!(
            "SELECT count(*) FROM {table} AS t WHERE t::text LIKE '%{PAID_CARD}%' OR t::text LIKE '%{bytes}%'"
        );
        let found: i64 = client.query_one(&sql, &[]).await.expect("a search").get(0);
        assert_eq!(found, 0, "{table}");
    }
}

#[tokio::test]
async fn an_idempotency_key_is_stored_as_a_hash_only() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({})).await;
    // A client may send a card number as its key.
    let placed = fixture.place_with_key(&link, pix(PRICE), PAID_CARD).await;
    assert_eq!(placed.status, 201, "{}", placed.body);
    let hashed = format!("SELECT count(*) FROM link_order WHERE request_key = sha256('{PAID_CARD}')");
    assert_eq!(fixture.count(&hashed).await, 1);
    no_table_has_the_card_number(&fixture).await;
}

#[tokio::test]
async fn a_company_whose_approval_is_denied_takes_no_order_and_no_attempt() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({})).await;
    let order = fixture.placed(&link, pix(PRICE)).await;
    let company = format!("/api/admin/businesses/{}", fixture.links.bakery.id);
    let version = fixture.links.staff.get(&company).await.at("/version").clone();
    let denied = json!({ "approval": "denied", "reason": "Fraude.", "version": version });
    let answer = fixture.links.staff.patch(&company, denied).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_problem(
        &fixture.place(&link, pix(PRICE)).await,
        409,
        "Este link de pagamento não está ativo. Fale com quem o enviou.",
    );
    let second_attempt = fixture
        .attempt(&order, json!({ "payment_type": "pix", "total": PRICE }))
        .await;
    assert_problem(
        &second_attempt,
        409,
        "Este link de pagamento não está ativo. Fale com quem o enviou.",
    );
}
