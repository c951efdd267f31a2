//! A company with sales, withdrawals, a hold and a manual removal, for tests of balances, statements, receivables,
//! reports and spreadsheets.

use gateway_identity::roles::{AdminRole, SellerRole};
use serde_json::{Value, json};

use super::acquirer::SECRETS;
use super::database::Database;
use super::{Answer, Client, Company, PASSWORD, Sale, TestApp};

use crate::support::PARTS_WITHOUT_EFFECTS;

/// A spreadsheet program would evaluate this as a formula if the cell were not marked as text.
pub const DESCRIPTION: &str = "=SOMA(A1:A9)";

/// A company with settled sales, three withdrawals (one waiting, one refused, one paid manually), a hold and a manual
/// removal; and a second company with sales.
pub struct MovementsFixture {
    pub app: TestApp,
    pub company: Company,
    pub other: Company,
    /// Both clients send the ledger position, so that they read all earlier writes.
    pub seller: Client,
    pub staff: Client,
}

impl MovementsFixture {
    pub async fn open() -> Self {
        Self::open_at(Database::create().await).await
    }

    pub async fn open_at(database: Database) -> Self {
        let variables = [SECRETS, ("RAZAO_PAYOUTS", "none")];
        let app = TestApp::start_at(database, &variables, PARTS_WITHOUT_EFFECTS).await;
        let company = app.company("Padaria Aurora").await;
        let other = app.company("Farmácia São João").await;
        sell(&app, &company, &other).await;
        let seller = app
            .sign_in(&app.seller(&[(&company, SellerRole::Owner)]).await)
            .await;
        let staff = app.sign_in(&app.admin(&[AdminRole::Admin]).await).await;
        withdraw(&seller, &staff).await;
        adjust(&staff, &company).await;
        let position = app.ledger_position().await.to_string();
        Self {
            seller: seller.with("ledger-position", &position),
            staff: staff.with("ledger-position", &position),
            app,
            company,
            other,
        }
    }

    /// A staff user with this role.
    pub async fn staff_user(&self, role: AdminRole) -> Client {
        self.app.sign_in(&self.app.admin(&[role]).await).await
    }

    pub async fn ledger_balances(&self, company: &Company) -> LedgerBalances {
        let client = self.app.app.state.pool.get().await.expect("a connection");
        let head = client
            .query_one(
                "SELECT available, receivable, in_transfer, held_by_staff, in_dispute
                   FROM business_head WHERE business_id = $1",
                &[&company.id.uuid()],
            )
            .await
            .expect("a head");
        LedgerBalances {
            available: head.get(0),
            receivable: head.get(1),
            in_transfer: head.get(2),
            held_by_staff: head.get(3),
            in_dispute: head.get(4),
        }
    }
}

/// A company's balances, read from the ledger itself.
pub struct LedgerBalances {
    pub available: i64,
    pub receivable: i64,
    pub in_transfer: i64,
    pub held_by_staff: i64,
    pub in_dispute: i64,
}

impl LedgerBalances {
    /// The four balances of the panels: available, receivable, in transfer, blocked.
    pub fn shown(&self) -> [i64; 4] {
        [self.available, self.receivable, self.in_transfer, self.blocked()]
    }

    pub fn blocked(&self) -> i64 {
        self.held_by_staff + self.in_dispute
    }
}

/// R$ 300,00 in three installments of R$ 95,00 net, two of them due; a PIX sale of R$ 49,50 net; and two sales of the
/// other company. The oldest sale is reported last, after the others were settled.
async fn sell(app: &TestApp, company: &Company, other: &Company) {
    for (company, sale) in [
        (company, Sale::pix().days_ago(7)),
        (other, Sale::pix().days_ago(3)),
        (other, Sale::pix().days_ago(0)),
    ] {
        app.capture(company, &sale).await;
    }
    app.settle_due().await;
    app.capture(company, &Sale::card().days_ago(75)).await;
    app.settle_due().await;
}

async fn withdraw(seller: &Client, staff: &Client) {
    let mut ids = vec![];
    for amount in [50_00, 30_00, 20_00] {
        let body = json!({ "amount": amount, "destination": 1, "password": PASSWORD });
        let response = seller.post("/api/balance/transfers", body).await;
        assert_eq!(response.status, 201, "{}", response.body);
        ids.push(response.text("/id").to_owned());
    }
    for (id, step, body) in [
        (&ids[1], "refuse", json!({ "reason": "Conta encerrada." })),
        (&ids[2], "approve", json!({})),
    ] {
        let path = format!("/api/admin/balance/transfers/{id}/{step}");
        assert_success(staff.post(&path, body).await);
    }
}

async fn adjust(staff: &Client, company: &Company) {
    let hold = json!({ "business_id": company.id, "amount": 10_00, "reason": "Análise de risco" });
    assert_success(staff.post("/api/admin/balance/holds", hold).await);
    let removal = json!({
        "business_id": company.id, "amount": 5_00, "description": DESCRIPTION, "password": PASSWORD,
    });
    assert_success(staff.post("/api/admin/balance/transfers/manual", removal).await);
}

pub fn assert_success(answer: Answer) {
    assert!((200..300).contains(&answer.status), "{}", answer.body);
}

pub fn rows(body: &Value) -> &[Value] {
    body["data"].as_array().map_or(&[], Vec::as_slice)
}
