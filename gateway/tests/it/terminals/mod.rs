//! Card machines over HTTP: the lists, enabling by token, moves, billing, removal and names.

mod activation;
mod billing;
mod indexes;
mod seller;
mod staff;

use gateway_dev::sandbox::Sandbox;
use gateway_identity::roles::AdminRole;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::acquirer::SECRETS;
use crate::support::sandbox::{held_address, sandbox_on};
use crate::support::{Answer, Client, Company, PARTS_WITHOUT_EFFECTS, TestApp};

/// A gateway with two companies, an admin user, and the sandbox that issues the tokens of terminals.
pub struct TerminalFixture {
    pub app: TestApp,
    pub bakery: Company,
    pub pharmacy: Company,
    pub staff: Client,
    /// The sandbox, without a session.
    sandbox_client: Client,
    _sandbox: Sandbox,
}

impl TerminalFixture {
    pub async fn open() -> Self {
        Self::open_with(&[]).await
    }

    pub async fn open_with(variables: &[(&str, &str)]) -> Self {
        let listener = held_address();
        let addr = listener.local_addr().expect("its address");
        let sandbox_addr = addr.to_string();
        let mut all = vec![SECRETS, ("RAZAO_SANDBOX_ADDR", sandbox_addr.as_str())];
        all.extend(variables);
        let parts = PARTS_WITHOUT_EFFECTS;
        let app = TestApp::start_with(&all, parts).await;
        let sandbox = sandbox_on(listener, app.addr());
        let bakery = app.company("Padaria").await;
        let pharmacy = app.company("Farmácia").await;
        let staff = app.sign_in(&app.admin(&[AdminRole::Sac]).await).await;
        Self {
            sandbox_client: Client::new(addr),
            app,
            bakery,
            pharmacy,
            staff,
            _sandbox: sandbox,
        }
    }

    /// A token that the sandbox issues with these options.
    pub async fn token(&self, issue: Value) -> String {
        let issued = self.sandbox_client.post("/sandbox/terminal-tokens", issue).await;
        assert_eq!(issued.status, 201, "{}", issued.body);
        issued.text("/token").to_owned()
    }

    pub async fn try_enable(&self, company: &Company, token: &str, serial: &str) -> Answer {
        let path = format!("/api/admin/businesses/{}/terminals", company.id);
        self.staff
            .post(&path, json!({ "token": token, "serial_number": serial }))
            .await
    }

    /// Enables a terminal of the bakery.
    pub async fn enable(&self, serial: &str) -> Value {
        let token = self.token(json!({ "serial_number": serial })).await;
        let enabled = self.try_enable(&self.bakery, &token, serial).await;
        assert_eq!(enabled.status, 201, "{}", enabled.body);
        enabled.body
    }

    pub async fn move_to(&self, terminal: &Value, company: &Company) -> Answer {
        let path = format!(
            "/api/admin/terminals/{}/owner",
            terminal["id"].as_str().expect("an id")
        );
        self.staff
            .post(&path, json!({ "business_id": company.id.to_string() }))
            .await
    }

    /// Sets how the terminal is billed. `company` is the owner that the caller saw.
    pub async fn bill(&self, terminal: &Value, company: &Company, billing: Value) -> Answer {
        let id = terminal["id"].as_str().expect("an id");
        let path = format!("/api/admin/terminals/{id}?business_id={}", company.id);
        self.staff.patch(&path, billing).await
    }

    /// Returns the company's terminal to stock.
    pub async fn remove(&self, terminal: &Value, company: &Company) -> Answer {
        let id = terminal["id"].as_str().expect("an id");
        let path = format!("/api/admin/businesses/{}/terminals/{id}", company.id);
        self.staff.send(Method::DELETE, &path, None).await
    }

    pub async fn detail(&self, terminal: &Value) -> Value {
        let path = format!("/api/admin/terminals/{}", terminal["id"].as_str().expect("an id"));
        let detail = self.staff.get(&path).await;
        assert_eq!(detail.status, 200, "{}", detail.body);
        detail.body
    }

    /// The action and the values of each entry of the audit log about terminals, oldest first.
    pub async fn audit_log(&self) -> Vec<(String, Value, Value)> {
        let client = self.app.database.client().await;
        let sql = "SELECT action, coalesce(before::jsonb, 'null'), coalesce(after::jsonb, 'null')
                     FROM audit_log WHERE subject = 'terminal' ORDER BY id";
        let rows = client.query(sql, &[]).await.expect("the audit log");
        rows.iter()
            .map(|row| (row.get(0), row.get(1), row.get(2)))
            .collect()
    }
}

/// The serial numbers of a list.
pub fn serials(answer: &Answer) -> Vec<String> {
    assert_eq!(answer.status, 200, "{}", answer.body);
    let rows = answer.at("/data").as_array().expect("rows");
    let serial = |row: &Value| row["serial_number"].as_str().expect("a text").to_owned();
    rows.iter().map(serial).collect()
}
