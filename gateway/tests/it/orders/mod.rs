//! Orders of payment links. In most tests the sandbox is the acquirer.

mod attempts;
mod brands;
mod buyers;
mod changed_charges;
mod charge_failures;
mod crashes;
mod expiry;
mod fallback;
mod inputs;
mod kills;
mod late_answers;
mod log_silence;
mod outages;
mod payments;
mod processes;
mod sandbox_files;
mod streams;
mod tampering;
mod unreadable;
mod uses;

use std::net::SocketAddr;
use std::time::Duration;

use chrono::TimeDelta;
use gateway::app::Parts;
use gateway_acquirers::notice::NoticeHint;
use gateway_dev::sandbox::Sandbox;
use gateway_platform::orders::HintOutcome;
use ledger_domain::SaleId;
use ledger_domain::sale::Provider;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::links::{LinkFixture, public};
use crate::support::sandbox::{free_address, sandbox};
use crate::support::wait::until_some;
use crate::support::{Answer, Client, PARTS_AND_SANDBOX};

/// The payment types of a link, unless a test chooses others.
const ALL_TYPES: [&str; 3] = ["credit", "pix", "boleto"];
/// The price of a link in centavos, unless a test chooses another. An order repeats the price that its buyer saw.
const PRICE: i64 = 180_00;

/// Test cards of the sandbox. The last four digits select the outcome.
const PAID_CARD: &str = "4242424242424242";
const DECLINED_CARD: &str = "4000000000000002";

/// A minute more than the life of a card or PIX attempt (`ATTEMPT_LIFE`, 30 minutes).
const PAST_ATTEMPT_LIFE: TimeDelta = TimeDelta::minutes(31);

/// A program that serves HTTP and records nothing in the log.
const GATEWAY_ONLY: Parts = Parts {
    gateway: true,
    writer: false,
    projections: false,
    ..Parts::LEDGER
};

/// A bakery that sells by links, and the sandbox as its acquirer.
struct OrderFixture {
    links: LinkFixture,
    sandbox: Client,
}

impl OrderFixture {
    async fn open() -> Self {
        Self::open_with(&[], PARTS_AND_SANDBOX).await
    }

    /// Only Iugu takes payments.
    async fn of_iugu() -> Self {
        let variables = [
            ("RAZAO_ACQUIRER_VALORI_URL", "none"),
            ("RAZAO_ACQUIRER_IUGU_URL", "sandbox"),
            ("RAZAO_ACQUIRER_IUGU_TIMEOUT_MS", "300"),
        ];
        Self::open_with(&variables, PARTS_AND_SANDBOX).await
    }

    /// The sandbox's notices reach no gateway.
    async fn without_notices() -> Self {
        let nowhere = format!("http://{}", free_address());
        Self::open_with(&[("RAZAO_ACQUIRER_NOTICE_URL", &nowhere)], PARTS_AND_SANDBOX).await
    }

    /// A program with these environment variables and parts.
    async fn open_with(variables: &[(&str, &str)], parts: Parts) -> Self {
        let links = LinkFixture::open_with(variables, parts).await;
        let sandbox = Client::new(links.app.app.sandbox_address().expect("the sandbox"));
        Self { links, sandbox }
    }

    /// A gateway without a writer, a separate sandbox, and a free address. There the test starts a program on the same
    /// database, and sends the orders to it.
    async fn with_a_separate_program() -> (Self, Sandbox, SocketAddr) {
        let addr = free_address();
        let acquirer = sandbox(addr).await;
        let links = LinkFixture::open_with(&[], GATEWAY_ONLY).await;
        let sandbox = Client::new(acquirer.addr);
        (Self { links, sandbox }, acquirer, addr)
    }

    /// A link of the bakery with these fields. It has all payment types unless the fields name some.
    async fn link(&self, mut fields: Value) -> Value {
        if fields.get("payment_types").is_none() {
            fields["payment_types"] = json!(ALL_TYPES);
        }
        self.links.link(fields).await
    }

    async fn place(&self, link: &Value, body: Value) -> Answer {
        self.place_with_key(link, body, &Uuid::new_v4().to_string()).await
    }

    async fn place_with_key(&self, link: &Value, body: Value, key: &str) -> Answer {
        self.place_by(self.links.app.client(), link, body, key).await
    }

    /// Places an order at the gateway of this client.
    async fn place_by(&self, buyer: Client, link: &Value, body: Value, key: &str) -> Answer {
        let buyer = buyer.with("idempotency-key", key);
        buyer.post(&format!("{}/placeorder", public(link)), body).await
    }

    /// Places an order that must be accepted.
    async fn placed(&self, link: &Value, body: Value) -> Answer {
        let placed = self.place(link, body).await;
        assert_eq!(placed.status, 201, "{}", placed.body);
        placed
    }

    /// Another attempt to pay the order.
    async fn attempt(&self, order: &Answer, body: Value) -> Answer {
        let buyer = self.links.app.client();
        let buyer = buyer.with("idempotency-key", &Uuid::new_v4().to_string());
        buyer
            .post(&format!("/api/transactions/{}/attempts", order.text("/id")), body)
            .await
    }

    async fn status(&self, order: &Answer) -> Answer {
        let path = format!("/api/transactions/{}/status", order.text("/id"));
        self.links.app.client().get(&path).await
    }

    /// Waits until the attempt that the order's status shows is in this status.
    async fn until_attempt_is(&self, order: &Answer, status: &str) -> Answer {
        until_some(&format!("an attempt that is {status}"), async || {
            let answer = self.status(order).await;
            (answer.at("/attempt/status") == status).then_some(answer)
        })
        .await
    }

    /// The card field of an order, with a token that the buyer's browser gets from the sandbox's own contract.
    async fn card(&self, number: &str, installments: u8) -> Value {
        let card = json!({ "number": number, "holder": "MARIA SOUZA", "month": "12", "year": "30",
                           "security_code": "731" });
        let answer = self.sandbox.post("/own/card-tokens", card).await;
        assert!(answer.status < 300, "{}", answer.body);
        json!({ "token": answer.at("/token"), "brand": "visa", "last_four": &number[number.len() - 4..],
                "installments": installments })
    }

    /// The card field of an order, with a token of Iugu's contract.
    async fn iugu_card(&self, number: &str) -> Value {
        let data = json!({ "number": number, "verification_value": "123", "first_name": "MARIA",
                           "last_name": "SOUZA", "month": "12", "year": "2030" });
        let body = json!({ "account_id": "sandbox", "method": "credit_card", "test": true, "data": data });
        let answer = self.sandbox.post("/iugu/v1/payment_token", body).await;
        assert!(answer.status < 300, "{}", answer.body);
        json!({ "token": answer.at("/id"), "brand": "visa", "last_four": &number[number.len() - 4..],
                "installments": 1 })
    }

    /// The sale of the order's attempt with this number.
    async fn sale(&self, order: &Answer, number: i32) -> SaleId {
        let client = self.links.app.database.client().await;
        let row = client
            .query_one(
                "SELECT sale_id FROM order_attempt a JOIN link_order o ON o.id = a.order_id
                  WHERE o.reference = $1 AND a.number = $2",
                &[&order.text("/id"), &number],
            )
            .await
            .expect("an attempt");
        SaleId::from_uuid(row.get(0))
    }

    /// Changes the charge as a buyer, an issuer or the acquirer does.
    async fn change_charge(&self, sale_id: SaleId, change: &str) -> Answer {
        self.sandbox
            .post(&format!("/sandbox/charges/{sale_id}/{change}"), json!({}))
            .await
    }

    /// Hints to the platform that the charge changed, as a notice of Valori does. The sandbox may send such a notice
    /// too. This call returns after the hint was handled.
    async fn hint(&self, sale_id: SaleId) -> HintOutcome {
        self.hint_by(Provider::Valori, sale_id).await
    }

    async fn hint_by(&self, provider: Provider, sale_id: SaleId) -> HintOutcome {
        let hint = NoticeHint {
            charge_id: None,
            sale_id: Some(sale_id),
            event: "charge.paid".to_owned(),
        };
        let orders = &self.links.app.app.state.orders;
        orders.handle_hint(provider, &hint).await.expect("an answer")
    }

    /// The charges in the sandbox's book.
    async fn charges(&self) -> Vec<Value> {
        let book = self.sandbox.get("/sandbox/charges").await;
        book.body.as_array().expect("charges").clone()
    }

    /// Each charge has a sale, no sale has two charges, a sale is captured exactly if its charge was paid, and the
    /// audit finds no difference.
    async fn assert_books_agree(&self) {
        let charges = self.charges().await;
        let mut sales: Vec<&str> = charges
            .iter()
            .filter_map(|charge| charge["sale_id"].as_str())
            .collect();
        sales.sort_unstable();
        let all = sales.len();
        sales.dedup();
        assert_eq!(sales.len(), all, "a sale was charged twice: {charges:?}");
        let client = self.links.app.database.client().await;
        for charge in &charges {
            let sale_id: SaleId = charge["sale_id"]
                .as_str()
                .expect("a text")
                .parse()
                .expect("an id");
            let states = ledger_store::log::sale_states(&client, &[sale_id])
                .await
                .expect("the sales");
            let (_, found) = states.first().expect("a charge has a sale");
            assert_eq!(
                found.state.captured_at.is_some(),
                charge["paid_at"].is_string(),
                "{sale_id} is {:?} here, and {} there",
                found.state.status,
                charge["state"]
            );
        }
        self.links.app.until_effect_handlers_read_all().await;
        assert_eq!(self.links.app.audit_findings().await, [""; 0]);
    }

    async fn count(&self, sql: &str) -> i64 {
        self.links.app.count(sql).await
    }

    /// Runs the expiry job as of this time from now.
    async fn expire_after(&self, time: TimeDelta, idle_life: Duration) {
        let state = &self.links.app.app.state;
        let later = state.clock.now() + time;
        state.orders.expire(later, idle_life).await.expect("the expiry");
    }

    /// Runs the expiry job until it has ended the order, which has no open attempt. The job skips an order that the
    /// effect handler locks, and finds it at its next run.
    async fn expire_idle(&self, order: &Answer) -> Answer {
        until_some("an order that expired", async || {
            self.expire_after(PAST_ATTEMPT_LIFE, Duration::ZERO).await;
            let answer = self.status(order).await;
            (answer.at("/status") == "expired").then_some(answer)
        })
        .await
    }
}

fn buyer() -> Value {
    json!({ "name": "Maria Souza", "document": "529.982.247-25", "email": "maria@example.com",
            "phone": "(11) 98765-4321", "address": null })
}

fn address() -> Value {
    json!({ "postal_code": "01310-100", "street": "Avenida Paulista", "number": "1578", "complement": null,
            "district": "Bela Vista", "city": "São Paulo", "state": "SP" })
}

fn pix(total: i64) -> Value {
    json!({ "buyer": buyer(), "payment_type": "pix", "total": total, "card": null })
}

fn boleto(total: i64) -> Value {
    let mut body = pix(total);
    body["buyer"]["address"] = address();
    body["payment_type"] = json!("boleto");
    body
}

fn credit(total: i64, card: Value) -> Value {
    let mut body = pix(total);
    body["payment_type"] = json!("credit");
    body["card"] = card;
    body
}
