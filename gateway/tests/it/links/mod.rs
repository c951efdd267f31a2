//! Payment links over HTTP: a company's own links, their public page, their uses and sales, and staff's list.

mod indexes;
mod lists;
mod public;
mod seller;
mod uses;

use gateway::app::Parts;
use gateway_identity::roles::{AdminRole, SellerRole};
use ledger_domain::PaymentLinkId;
use serde_json::{Value, json};

use crate::plans::mdr_form;
use crate::support::acquirer::SECRETS;
use crate::support::{Answer, Client, Company, PARTS, TestApp};

const LINKS: &str = "/api/payment-link";

/// Two companies. The bakery sells by links: 5 % by card, 0,99 % by PIX, R$ 3,49 by boleto.
pub struct LinkFixture {
    pub app: TestApp,
    pub bakery: Company,
    pharmacy: Company,
    pub seller: Client,
    pub staff: Client,
}

impl LinkFixture {
    async fn open() -> Self {
        let parts = PARTS;
        Self::open_with(&[SECRETS], parts).await
    }

    pub async fn open_with(variables: &[(&str, &str)], parts: Parts) -> Self {
        let app = TestApp::start_with(variables, parts).await;
        let bakery = app.company("Padaria").await;
        let pharmacy = app.company("Farmácia").await;
        let staff = app.sign_in(&app.admin(&[AdminRole::Admin]).await).await;
        let mut form = mdr_form("Links", "5", "0");
        form["solution_id"] = json!(4);
        let plan = staff.post("/api/admin/plans", form).await;
        assert_eq!(plan.status, 201, "{}", plan.body);
        let choice = json!({ "plans": [{ "solution_id": 4, "plan_id": plan.at("/id") }] });
        let path = format!("/api/admin/businesses/{}/plans", bakery.id);
        assert_eq!(staff.post(&path, choice).await.status, 200);
        let user = app.seller(&[(&bakery, SellerRole::Operator)]).await;
        let seller = app.sign_in(&user).await;
        Self {
            app,
            bakery,
            pharmacy,
            seller,
            staff,
        }
    }

    /// Shuts the program down and starts another one on the same database. Nobody is signed in there.
    pub async fn restart(self, variables: &[(&str, &str)], parts: Parts) -> Self {
        let app = self.app.restart(variables, parts).await;
        Self { app, ..self }
    }

    async fn of_pharmacy(&self) -> Client {
        let user = self.app.seller(&[(&self.pharmacy, SellerRole::Owner)]).await;
        self.app.sign_in(&user).await
    }

    /// A new link of the bakery: R$ 180,00 by card in up to three installments, or by PIX. `fields` replace or add
    /// fields.
    pub async fn link(&self, fields: Value) -> Value {
        let made = self.seller.post(LINKS, form(fields)).await;
        assert_eq!(made.status, 201, "{}", made.body);
        made.body
    }

    async fn change(&self, link: &Value, mut fields: Value) -> Answer {
        if fields.get("version").is_none() {
            fields["version"] = link["version"].clone();
        }
        self.seller.patch(&path(link), fields).await
    }

    pub async fn changed(&self, link: &Value, fields: Value) -> Value {
        let changed = self.change(link, fields).await;
        assert_eq!(changed.status, 200, "{}", changed.body);
        changed.body
    }

    /// The action and the values of each entry of the audit log about links, oldest first.
    async fn audit_log(&self) -> Vec<(String, Value, Value)> {
        let client = self.app.database.client().await;
        let sql = "SELECT action, coalesce(before::jsonb, 'null'), coalesce(after::jsonb, 'null')
                     FROM audit_log WHERE subject = 'payment_link' ORDER BY id";
        let rows = client.query(sql, &[]).await.expect("the audit log");
        rows.iter()
            .map(|row| (row.get(0), row.get(1), row.get(2)))
            .collect()
    }
}

fn form(fields: Value) -> Value {
    let mut form = json!({
        "description": "Bolo de chocolate", "amount": 180_00, "payment_types": ["credit", "pix"], "installments_max": 3,
    });
    for (field, value) in fields.as_object().into_iter().flatten() {
        form[field] = value.clone();
    }
    form
}

/// The path of a link in the seller panel's calls.
pub fn path(link: &Value) -> String {
    format!("{LINKS}/{}", link["id"].as_str().expect("an id"))
}

/// The path of the public call of a link.
pub fn public(link: &Value) -> String {
    format!("/api/pl/{}", link["code"].as_str().expect("a code"))
}

pub fn id(link: &Value) -> PaymentLinkId {
    link["id"].as_str().expect("a text").parse().expect("an id")
}

/// The descriptions of a list.
fn descriptions(answer: &Answer) -> Vec<&str> {
    assert_eq!(answer.status, 200, "{}", answer.body);
    let rows = answer.at("/data").as_array().expect("rows");
    rows.iter()
        .map(|row| row["description"].as_str().expect("a text"))
        .collect()
}

fn assert_errors(answer: &Answer, expected: Value) {
    assert_eq!(
        (answer.status, answer.at("/errors")),
        (422, &expected),
        "{}",
        answer.body
    );
}
