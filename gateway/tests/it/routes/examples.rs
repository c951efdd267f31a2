//! Sends the example of each JSON body in the OpenAPI document, in an installation that has what the examples name.

use std::collections::BTreeMap;

use chrono::Utc;
use gateway_environment::config::Panel;
use gateway_http::openapi;
use gateway_http::routes::{Endpoint, table};
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_platform::providers::{SIGNATURE_HEADER, sign};
use ledger_domain::business::{BusinessCommand, MakeManualTransfer};
use ledger_domain::transfer::Direction;
use ledger_domain::{Cents, TransferId};
use serde_json::Value;
use uuid::Uuid;

use super::expected::{address, method};
use crate::links::LinkFixture;
use crate::support::acquirer::{SECRET, SECRETS};
use crate::support::document::body_example;
use crate::support::{Answer, Client, PARTS_AND_SANDBOX, PASSWORD, Sale, User};

/// The calls whose example does not succeed here, with the answer that the document names for the reason.
const OTHERWISE: [(&str, u16, &str); 28] = [
    ("refresh_session", 401, "the token is of no session"),
    ("refresh_admin_session", 401, "the token is of no session"),
    ("reset_password", 422, "the token is of no e-mail"),
    ("reset_admin_password", 422, "the token is of no e-mail"),
    ("create_admin_report_email", 422, "the report is one of sellers"),
    ("create_admin_report_view", 422, "the report is one of sellers"),
    ("update_admin_report_view", 404, "the view does not exist"),
    ("approve_adjustment", 404, "no adjustment waits"),
    ("reject_adjustment", 404, "no adjustment waits"),
    ("reopen_transfer", 409, "the withdrawal has not failed"),
    ("return_transfer", 409, "the bank has not paid the withdrawal"),
    ("cancel_terminal_rental", 404, "no rental was charged"),
    ("confirm_business_approval", 404, "no approval waits"),
    ("reject_business_approval", 404, "no approval waits"),
    ("approve_plan_change", 404, "no change waits"),
    ("reject_plan_change", 404, "no change waits"),
    ("update_address", 404, "no address has the id"),
    ("create_own_bank_account", 422, "staff added the account"),
    ("change_hold", 404, "no hold has the id"),
    ("release_hold", 404, "no hold has the id"),
    ("pay_court", 404, "no hold has the id"),
    ("write_off_debt", 422, "the company owes nothing"),
    ("answer_document_of_hold", 404, "no document has the id"),
    ("enable_terminal", 422, "no terminal shows the token"),
    ("create_attempt", 409, "the order has ended with the failed card"),
    ("receive_unsigned_notice", 404, "Iugu has no secret"),
    ("act_on_exception", 404, "no exception waits"),
    ("decide_settlement_difference", 404, "no file differs"),
];

/// The passwords of the examples. Here every user has the tests' password.
const PASSWORDS: [&str; 3] = [
    "demonstracao-1",
    "a senha de agora",
    "correct horse battery staple",
];

#[tokio::test]
async fn each_example_of_a_body_is_answered_as_documented() {
    let mut examples = Examples::open().await;
    let document = openapi::without_references();
    let mut sent = 0;
    let mut wrong = vec![];
    let mut endpoints: Vec<&Endpoint> = table().iter().collect();
    endpoints.sort_by_key(|endpoint| rank(endpoint));
    for endpoint in endpoints {
        let id = endpoint.operation_id();
        let operation = &document["paths"][&endpoint.path][method(endpoint).as_str().to_lowercase()];
        let content = &operation["requestBody"]["content"]["application/json"];
        if content.is_null() {
            continue;
        }
        let example = body_example(&document, content).expect("an example");
        let answer = examples.send(endpoint, operation, &example).await;
        sent += 1;
        let otherwise = OTHERWISE.iter().find(|(operation, ..)| *operation == id);
        let expected = otherwise.map_or(200..=299, |(_, status, _)| *status..=*status);
        let documented = operation["responses"].get(answer.status.to_string()).is_some();
        if !expected.contains(&answer.status) || !documented {
            wrong.push(format!("{id} with {example}: {} {}", answer.status, answer.body));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {sent}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(sent > 80, "{sent}");
}

/// The order of the calls: a call comes after those that create what it needs, and before those that take it away.
fn rank(endpoint: &Endpoint) -> u8 {
    match endpoint.operation_id() {
        "request_transfer" | "answer_contact_message" => 2,
        "act_on_transfer" | "reopen_transfer" | "return_transfer" => 3,
        "change_password" | "change_admin_password" | "erase_buyer" => 4,
        _ => u8::from(endpoint.path.contains('{')),
    }
}

struct Examples {
    fixture: LinkFixture,
    seller: User,
    staff: User,
    clients: [Client; 2],
    /// What stands for the ids of the examples.
    known: BTreeMap<String, String>,
    /// The ids of what the calls on a path without parameters created, by this path.
    created: BTreeMap<String, String>,
}

impl Examples {
    async fn open() -> Self {
        let variables = [
            SECRETS,
            ("RAZAO_ACQUIRER_ZOOP_URL", "sandbox"),
            ("RAZAO_ACQUIRER_IUGU_URL", "sandbox"),
        ];
        let parts = PARTS_AND_SANDBOX;
        let fixture = LinkFixture::open_with(&variables, parts).await;
        let app = &fixture.app;
        let seller = app.seller(&[(&fixture.bakery, SellerRole::Owner)]).await;
        let operator = app.seller(&[(&fixture.bakery, SellerRole::Operator)]).await;
        let staff = app.admin(&[AdminRole::Owner]).await;
        let terminal = app.terminal(&fixture.bakery, "PDV0050002", None).await;
        app.execute(
            "UPDATE seller_user SET email_verified_at = now(); UPDATE admin_user SET email_verified_at = now()",
        )
        .await;
        let credit = BusinessCommand::MakeManualTransfer(MakeManualTransfer {
            transfer_id: TransferId::from_uuid(Uuid::now_v7()),
            direction: Direction::In,
            amount: Cents::new(1_000_000_00),
            description: "Crédito de teste".to_owned(),
            allow_negative: false,
            occurred_at: app.app.state.clock.now(),
        });
        app.submit(&fixture.bakery, credit).await;
        let plan = app
            .text("SELECT id::text FROM plan WHERE solution = 1 LIMIT 1")
            .await;
        let receiving_plan = app.text("SELECT id::text FROM receiving_plan LIMIT 1").await;
        let known = BTreeMap::from([
            (example("biz_", "02"), fixture.bakery.id.to_string()),
            (example("usr_", "01"), operator.id.to_string()),
            (example("ter_", "05"), terminal.to_string()),
            (example("pln_", "03"), format!("pln_{plan}")),
            (example("pln_", "06"), format!("pln_{plan}")),
            (example("", "0a"), receiving_plan),
        ]);
        let clients = [app.sign_in(&seller).await, app.sign_in(&staff).await];
        Self {
            seller,
            staff,
            clients,
            fixture,
            known,
            created: BTreeMap::new(),
        }
    }

    async fn send(&mut self, endpoint: &Endpoint, operation: &Value, example: &Value) -> Answer {
        let is_of_staff = endpoint.panels.first() == Some(&Panel::Admin);
        let (user, client) = if is_of_staff {
            (&self.staff, &self.clients[1])
        } else {
            (&self.seller, &self.clients[0])
        };
        let id = endpoint.operation_id();
        let reverses = endpoint.path.ends_with("/chargeback") || endpoint.path.ends_with("/dispute");
        if reverses {
            let sale = Sale::card();
            self.fixture.app.capture(&self.fixture.bakery, &sale).await;
            let sale_id = sale.facts.sale_id.to_string();
            self.known.insert(self::example("sal_", "04"), sale_id);
        }
        let company = self.fixture.bakery.id.to_string();
        let mut address = address(endpoint, &company);
        // No two users have one e-mail.
        let email = if id.ends_with("_session") {
            user.email.clone()
        } else {
            format!("{id}@padaria.example")
        };
        let mut body = example.to_string().replace("ana@padaria.example", &email);
        for (example, ours) in &self.known {
            address = address.replace(example, ours);
            body = body.replace(example, ours);
        }
        for password in PASSWORDS {
            body = body.replace(&format!("\"{password}\""), &format!("\"{PASSWORD}\""));
        }
        if let Some((collection, rest)) = endpoint.path.split_once("/{")
            && let Some(id) = self.created.get(collection)
        {
            let rest = rest.split_once('}').map_or("", |(_, rest)| rest);
            let rest = rest.replace("{type}", "approve");
            address = format!("/api{collection}/{id}{rest}");
        }
        let mut body = serde_json::from_str(&body).expect("JSON");
        if let Some(version) = self.version(&endpoint.path).await {
            set_version(&mut body, &version);
        }
        let queries = operation["parameters"].as_array().into_iter().flatten();
        if queries
            .filter(|each| each["in"] == "query" && each["required"] == true)
            .any(|each| each["name"] == "business_id")
        {
            address = format!("{address}?business_id={company}");
        }
        let signature = sign(
            SECRET.as_bytes(),
            Utc::now().timestamp(),
            body.to_string().as_bytes(),
        );
        let client = client
            .clone()
            .with("idempotency-key", &Uuid::new_v4().to_string())
            .with(SIGNATURE_HEADER, &signature);
        let answer = client.send(method(endpoint), &address, Some(body)).await;
        if answer.status == 201
            && let Some(id) = answer.body["id"].as_str()
        {
            self.note(endpoint, id, &answer);
        }
        answer
    }

    /// Keeps what a call created for the calls whose examples name it.
    fn note(&mut self, endpoint: &Endpoint, id: &str, answer: &Answer) {
        self.created.insert(endpoint.path.clone(), id.to_owned());
        let alias = match endpoint.operation_id() {
            "create_contact_message" => "/admin/contact-messages",
            "request_transfer" => "/admin/balance/transfers",
            _ => "",
        };
        self.created.insert(alias.to_owned(), id.to_owned());
        let code = match endpoint.operation_id() {
            "create_payment_link" => Some(("2F6F4F5A1B0B", answer.text("/code"))),
            "place_order" => Some(("7Q2M4Z9XKD", id)),
            _ => None,
        };
        if let Some((example, ours)) = code {
            self.known.insert(example.to_owned(), ours.to_owned());
        }
    }

    /// The version of what the call changes.
    async fn version(&self, path: &str) -> Option<Value> {
        let (staff, company) = (&self.clients[1], self.fixture.bakery.id);
        let of = if path.contains("/terminals/{") {
            format!("/api/admin/terminals/{}", self.known[&example("ter_", "05")])
        } else if path.starts_with("/admin/contact-messages/{") {
            format!(
                "/api/admin/contact-messages/{}",
                self.created["/admin/contact-messages"]
            )
        } else if path.contains("/business") && path.contains('{') {
            format!("/api/admin/businesses/{company}")
        } else {
            return None;
        };
        let answer = staff.get(&of).await;
        assert_eq!(answer.status, 200, "{of}: {}", answer.body);
        Some(answer.at("/version").clone())
    }
}

fn example(prefix: &str, last: &str) -> String {
    format!("{prefix}0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b{last}")
}

fn set_version(body: &mut Value, version: &Value) {
    for (name, value) in body.as_object_mut().into_iter().flatten() {
        if name == "version" {
            *value = version.clone();
        } else {
            set_version(value, version);
        }
    }
}
