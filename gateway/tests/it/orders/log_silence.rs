//! Runs the program with its most verbose log: no line has a card's number, its token, its security code, the secret of
//! the acquirer's notices, or a buyer's data.

use serde_json::json;
use uuid::Uuid;

use super::{OrderFixture, boleto, credit, pix};
use crate::links::public;
use crate::support::Client;
use crate::support::program::Program;
use crate::support::wait::until;

const NOTICE_SECRET: &str = "s3cret-of-the-path-0123456789";
const PAID: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";
/// As it is typed and as it is stored.
const OF_THE_BUYER: [&str; 7] = [
    "Maria Souza",
    "529.982.247-25",
    "52998224725",
    "maria@example.com",
    "98765-4321",
    "11987654321",
    "Avenida Paulista",
];
/// Stands in no other number of the test.
const SECURITY_CODE: &str = "731";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_line_of_the_most_verbose_log_has_a_card() {
    let (fixture, sandbox, addr) = OrderFixture::beside_a_program().await;
    let link = fixture.link(json!({})).await;
    let variables = [
        ("RAZAO_ACQUIRER_VALORI_NOTICE_SECRETS", NOTICE_SECRET),
        ("RAZAO_LOG", "trace"),
    ];
    let program = Program::new(&fixture.links.app.database.url, sandbox.addr, addr, &variables);
    let running = program.start();
    program.until_it_serves().await;
    let place = async |body| {
        let buyer = Client::new(addr).with("idempotency-key", &Uuid::new_v4().to_string());
        buyer.post(&format!("{}/placeorder", public(&link)), body).await
    };
    let mut tokens = vec![];
    for (number, status) in [(PAID, "paid"), (DECLINED, "declined")] {
        let card = fixture.card(number, 1).await;
        tokens.push(card["token"].as_str().expect("a token").to_owned());
        let order = place(credit(180_00, card)).await;
        assert_eq!(
            (order.status, order.text("/attempt/status")),
            (201, status),
            "{}",
            order.body
        );
    }
    // The buyer's address goes with a boleto only.
    let order = place(boleto(180_00)).await;
    assert_eq!(order.status, 201, "{}", order.body);
    // Numbers where none belongs: in free text, in an unknown field, and in place of a token.
    let mut named = pix(180_00);
    named["buyer"]["name"] = json!(format!("Maria {PAID}"));
    let mut unknown = pix(180_00);
    unknown["card_number"] = json!(DECLINED);
    unknown["cvv"] = json!(SECURITY_CODE);
    let mut nested = pix(180_00);
    nested["card"] = json!({ "number": "4242 4242 4242 4242", "security_code": SECURITY_CODE });
    let token = json!({ "token": PAID, "brand": "visa", "last_four": "4242", "installments": 1 });
    for body in [named, unknown, nested, credit(180_00, token)] {
        let refused = place(body).await;
        assert_eq!(refused.status, 422, "{}", refused.body);
        let text = refused.body.to_string();
        assert!(!text.contains(PAID) && !text.contains(DECLINED), "{text}");
    }
    // The notices of both charges came to the address with the secret, and one that cannot be read.
    until("the notices", async || {
        let sent = fixture.sandbox.get("/sandbox/deliveries").await.body;
        let sent = sent.as_array().expect("notices");
        sent.iter()
            .filter(|notice| notice["status"] == "delivered")
            .count()
            == 2
    })
    .await;
    let path = format!("/api/webhooks/valori/{NOTICE_SECRET}");
    let unreadable = Client::new(addr).post_text(&path, "application/json", "{").await;
    assert_eq!(unreadable.status, 422);
    // A number that was typed as the address, of a page and of a call, as a filter, and as the request's id.
    for (number, given) in [PAID, "4242%204242%204242%204242", "4242-4242-4242-4242"]
        .iter()
        .flat_map(|number| {
            ["/pl/", "/b/", "/api/pl/", "/api/transactions/", "/", "/?q="].map(|before| (number, before))
        })
    {
        let path = format!("{given}{number}");
        let client = Client::new(addr).with("x-request-id", "4242-4242-4242-4242");
        client.download(&path).await;
        client.download(&format!("/transacao/{number}/status")).await;
    }
    drop(running);

    let log = program.log();
    assert!(
        [
            "TRACE",
            "placeorder",
            "/api/webhooks/valori",
            "/transacao/***/status"
        ]
        .iter()
        .all(|part| log.contains(part)),
        "{log}"
    );
    let secrets = tokens
        .iter()
        .map(String::as_str)
        .chain([
            PAID,
            DECLINED,
            "4242 4242 4242 4242",
            "4242%204242",
            "4242-4242",
            NOTICE_SECRET,
        ])
        .chain(OF_THE_BUYER);
    for secret in secrets {
        let line = log.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "{secret}");
    }
    let is_digit = |character: Option<char>| character.is_some_and(|character| character.is_ascii_hexdigit());
    let has_code = |line: &&str| {
        line.match_indices(SECURITY_CODE).any(|(at, code)| {
            !is_digit(line[..at].chars().next_back()) && !is_digit(line[at + code.len()..].chars().next())
        })
    };
    assert_eq!(
        log.lines()
            .filter(|line| line.contains("cvv") || line.contains("security_code"))
            .find(has_code),
        None
    );
}
