//! Runs the program with its most verbose log: no line has a card's number, its token, its security code, the secret of
//! the acquirer's notices, or a buyer's data.

use std::net::SocketAddr;

use serde_json::{Value, json};
use uuid::Uuid;

use super::{DECLINED_CARD, OrderFixture, PAID_CARD, PRICE, boleto, credit, pix};
use crate::links::public;
use crate::support::program::Program;
use crate::support::wait::until;
use crate::support::{Answer, Client};

const NOTICE_SECRET: &str = "s3cret-of-the-path-0123456789";
/// The buyer's data in the orders, as typed and as stored.
const BUYER_DATA: [&str; 7] = [
    "Maria Souza",
    "529.982.247-25",
    "52998224725",
    "maria@example.com",
    "98765-4321",
    "11987654321",
    "Avenida Paulista",
];
/// The security code of the test cards.
const SECURITY_CODE: &str = "731";

/// A program with its most verbose log, and a link on which buyers place orders.
struct LoggedProgram {
    fixture: OrderFixture,
    program: Program,
    addr: SocketAddr,
    link: Value,
}

impl LoggedProgram {
    async fn place(&self, body: Value) -> Answer {
        let buyer = Client::new(self.addr).with("idempotency-key", &Uuid::new_v4().to_string());
        buyer
            .post(&format!("{}/placeorder", public(&self.link)), body)
            .await
    }

    /// A paid card, a declined card and a boleto, which alone needs the buyer's address. Returns the cards' tokens.
    async fn place_orders(&self) -> Vec<String> {
        let mut tokens = vec![];
        for (number, status) in [(PAID_CARD, "paid"), (DECLINED_CARD, "declined")] {
            let card = self.fixture.card(number, 1).await;
            tokens.push(card["token"].as_str().expect("a token").to_owned());
            let order = self.place(credit(PRICE, card)).await;
            assert_eq!(
                (order.status, order.text("/attempt/status")),
                (201, status),
                "{}",
                order.body
            );
        }
        let order = self.place(boleto(PRICE)).await;
        assert_eq!(order.status, 201, "{}", order.body);
        tokens
    }

    /// Card numbers in fields that are not for them: in free text, in an unknown field, and in place of a token.
    async fn place_card_numbers_in_wrong_fields(&self) {
        let mut named = pix(PRICE);
        named["buyer"]["name"] = json!(format!("Maria {PAID_CARD}"));
        let mut unknown = pix(PRICE);
        unknown["card_number"] = json!(DECLINED_CARD);
        unknown["cvv"] = json!(SECURITY_CODE);
        let mut nested = pix(PRICE);
        nested["card"] = json!({ "number": "4242 4242 4242 4242", "security_code": SECURITY_CODE });
        let token = json!({ "token": PAID_CARD, "brand": "visa", "last_four": "4242", "installments": 1 });
        for body in [named, unknown, nested, credit(PRICE, token)] {
            let refused = self.place(body).await;
            assert_eq!(refused.status, 422, "{}", refused.body);
            let text = refused.body.to_string();
            assert!(
                !text.contains(PAID_CARD) && !text.contains(DECLINED_CARD),
                "{text}"
            );
        }
    }

    /// Waits for the notices of both card charges, and sends one that cannot be read, all to the address with the
    /// secret.
    async fn receive_notices(&self) {
        until("the notices", async || {
            let sent = self.fixture.sandbox.get("/sandbox/deliveries").await.body;
            let sent = sent.as_array().expect("notices");
            sent.iter()
                .filter(|notice| notice["status"] == "delivered")
                .count()
                == 2
        })
        .await;
        let path = format!("/api/webhooks/valori/{NOTICE_SECRET}");
        let unreadable = Client::new(self.addr)
            .post_text(&path, "application/json", "{")
            .await;
        assert_eq!(unreadable.status, 422);
    }

    /// Card numbers in the address of a page and of a call, in a filter, and as the request's id.
    async fn request_card_numbers_as_addresses(&self) {
        for number in [PAID_CARD, "4242%204242%204242%204242", "4242-4242-4242-4242"] {
            for before in ["/pl/", "/b/", "/api/pl/", "/api/transactions/", "/", "/?q="] {
                let client = Client::new(self.addr).with("x-request-id", "4242-4242-4242-4242");
                client.download(&format!("{before}{number}")).await;
                client.download(&format!("/transacao/{number}/status")).await;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_line_of_the_most_verbose_log_has_a_card_a_secret_or_a_buyers_data() {
    let (fixture, sandbox, addr) = OrderFixture::with_a_separate_program().await;
    let link = fixture.link(json!({})).await;
    let variables = [
        ("RAZAO_ACQUIRER_VALORI_NOTICE_SECRETS", NOTICE_SECRET),
        ("RAZAO_LOG", "trace"),
    ];
    let program = Program::new(&fixture.links.app.database.url, sandbox.addr, addr, &variables);
    let running = program.start();
    program.until_it_serves().await;
    let logged = LoggedProgram {
        fixture,
        program,
        addr,
        link,
    };
    let tokens = logged.place_orders().await;
    logged.place_card_numbers_in_wrong_fields().await;
    logged.receive_notices().await;
    logged.request_card_numbers_as_addresses().await;
    drop(running);

    let log = logged.program.log();
    let expected_in_log = [
        "TRACE",
        "placeorder",
        "/api/webhooks/valori",
        "/transacao/***/status",
    ];
    assert!(expected_in_log.iter().all(|part| log.contains(part)), "{log}");
    let numbers = [
        PAID_CARD,
        DECLINED_CARD,
        "4242 4242 4242 4242",
        "4242%204242",
        "4242-4242",
        NOTICE_SECRET,
    ];
    let tokens = tokens.iter().map(String::as_str);
    for secret in tokens.chain(numbers).chain(BUYER_DATA) {
        let line = log.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "{secret}");
    }
    let mut lines = log.lines();
    let is_about_card = |line: &&str| line.contains("cvv") || line.contains("security_code");
    assert_eq!(
        lines.find(|line| is_about_card(line) && has_security_code(line)),
        None
    );
}

/// Whether the line has the code as a number, not as a part of a hexadecimal id.
fn has_security_code(line: &str) -> bool {
    let is_hex_digit =
        |character: Option<char>| character.is_some_and(|character| character.is_ascii_hexdigit());
    line.match_indices(SECURITY_CODE).any(|(at, code)| {
        !is_hex_digit(line[..at].chars().next_back()) && !is_hex_digit(line[at + code.len()..].chars().next())
    })
}
