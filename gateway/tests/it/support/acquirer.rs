//! A test acquirer: signs notices as its provider and sends them.

use std::net::SocketAddr;

use chrono::Utc;
use gateway::app::Parts;
use gateway_acquirers::ACQUIRERS;
use gateway_platform::providers::{CanonicalNotice, CanonicalSale, SIGNATURE_HEADER, sign};
use gateway_platform::terminals::{NewTerminal, terminal_create, terminal_set_owner};
use gateway_platform::validity::Since;
use ledger_domain::calendar::Instant;
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, TerminalId};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Answer, Client, Company, TestApp};

use crate::support::PARTS;

/// The secret with which the test acquirer signs its notices, as the provider Zoop.
pub const SECRET: &str = "the-tests-sign-with-this";
/// The variable that makes a gateway accept notices with this secret, and its value.
pub const SECRETS: (&str, &str) = ("RAZAO_PROVIDER_ZOOP_SECRETS", SECRET);

/// The variables of the addresses of all acquirers but the sandbox's own (Valori), which alone takes payments online
/// unless a test sets others.
pub fn other_acquirers() -> impl Iterator<Item = String> {
    let all = ACQUIRERS.iter().map(|registration| registration.contract);
    all.filter(|contract| contract.provider != Provider::Valori)
        .map(|contract| contract.variable("URL"))
}

/// A gateway that accepts this acquirer's notices and has no scheduled jobs, and one company.
pub async fn app_and_company() -> (TestApp, Company) {
    app_and_company_without(|_| ()).await
}

/// Like `app_and_company`, without the parts of the gateway that the function turns off.
pub async fn app_and_company_without(leave_out: impl FnOnce(&mut Parts)) -> (TestApp, Company) {
    let mut parts = PARTS;
    leave_out(&mut parts);
    let app = TestApp::start_with(&[SECRETS], parts).await;
    let company = app.company("Padaria").await;
    (app, company)
}

/// A capture of R$ 300,00 on a Visa in three installments, on the day before the tests' clock (`clock::NOON`).
pub fn capture(company: &Company, external_id: &str) -> CanonicalNotice {
    CanonicalNotice {
        id: format!("evt-{external_id}-captured"),
        r#type: "sale.captured",
        occurred_at: "2026-11-20T15:00:00Z".parse().expect("an instant"),
        data: CanonicalSale {
            business_id: Some(company.id.to_string()),
            external_id: external_id.to_owned(),
            solution: 1,
            payment_type: "credit",
            card_brand: Some("visa".to_owned()),
            installments: 3,
            amount: 300_00,
            card_last_four: Some("4242".to_owned()),
            authorization_code: Some("A1B2C3".to_owned()),
            ..CanonicalSale::default()
        },
    }
}

/// A notice of another type about the same sale.
pub fn with_type(notice: &CanonicalNotice, r#type: &'static str) -> CanonicalNotice {
    CanonicalNotice {
        id: format!("{}-{}", notice.id, r#type),
        r#type,
        ..notice.clone()
    }
}

pub fn json_of(notice: &CanonicalNotice) -> Value {
    serde_json::to_value(notice).expect("a notice is JSON")
}

/// The whole request with a notice, for a client that sends it in parts.
pub fn request_text(notice: &CanonicalNotice) -> String {
    let body = notice.to_json();
    let signature = sign(SECRET.as_bytes(), Utc::now().timestamp(), body.as_bytes());
    format!(
        "POST /api/webhooks/zoop HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: application/json\r\n\
         {SIGNATURE_HEADER}: {signature}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Sends a notice to the gateway at this address.
pub async fn send_to(addr: SocketAddr, notice: &CanonicalNotice) -> Answer {
    let body = notice.to_json();
    let signature = sign(SECRET.as_bytes(), Utc::now().timestamp(), body.as_bytes());
    let client = Client::new(addr).with(SIGNATURE_HEADER, &signature);
    client
        .post_text("/api/webhooks/zoop", "application/json", &body)
        .await
}

impl TestApp {
    pub async fn send(&self, notice: &CanonicalNotice) -> Answer {
        self.send_text(&notice.to_json()).await
    }

    pub async fn send_json(&self, body: &Value) -> Answer {
        self.send_text(&body.to_string()).await
    }

    pub async fn send_text(&self, body: &str) -> Answer {
        let signature = sign(SECRET.as_bytes(), Utc::now().timestamp(), body.as_bytes());
        self.send_signed("zoop", &signature, body).await
    }

    pub async fn send_signed(&self, provider: &str, signature: &str, body: &str) -> Answer {
        let client = self.client().with(SIGNATURE_HEADER, signature);
        client
            .post_text(&format!("/api/webhooks/{provider}"), "application/json", body)
            .await
    }

    /// A card machine that the company owns since the instant, or since now. An instant is only allowed before the
    /// first sale of the installation.
    pub async fn terminal(
        &self,
        company: &Company,
        serial_number: &str,
        since: Option<Instant>,
    ) -> TerminalId {
        let id = TerminalId::from_uuid(Uuid::now_v7());
        let mut client = self.app.state.pool.get().await.expect("a connection");
        let transaction = client.transaction().await.expect("a transaction");
        gateway_platform::validity::allow_past_validity(&*transaction)
            .await
            .expect("the past is allowed");
        let since = since.map_or(Since::Now, Since::Past);
        let terminal = NewTerminal {
            id,
            serial_number: serial_number.to_owned(),
            name: None,
            created_at: since,
        };
        terminal_create(&*transaction, &terminal)
            .await
            .expect("a terminal");
        terminal_set_owner(&*transaction, id, Some(company.id), since)
            .await
            .expect("an owner");
        transaction.commit().await.expect("a commit");
        id
    }

    pub async fn move_terminal(&self, terminal: TerminalId, to: BusinessId) {
        let client = self.app.state.pool.get().await.expect("a connection");
        terminal_set_owner(&**client, terminal, Some(to), Since::Now)
            .await
            .expect("another owner");
    }

    /// Waits until no row of the exceptions queue waits.
    pub async fn until_no_exception_waits(&self) {
        self.until_count("SELECT count(*) FROM exception WHERE status = 'waiting'", 0)
            .await;
    }

    /// The waiting rows of the exceptions queue, oldest first: an array of pairs of notice id and reason.
    pub async fn waiting_exceptions(&self) -> Value {
        let client = self.app.state.pool.get().await.expect("a connection");
        let rows = client
            .query(
                "SELECT notice_id, reason FROM exception WHERE status = 'waiting' ORDER BY received_at, id",
                &[],
            )
            .await
            .expect("the queue");
        rows.iter()
            .map(|row| json!([row.get::<_, &str>(0), row.get::<_, &str>(1)]))
            .collect()
    }
}
