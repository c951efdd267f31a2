//! Withdrawals over HTTP: sellers request them, staff approve, refuse or process them, and both list them.

mod approvals;
mod cancel;
mod concurrency;
mod execution;
mod in_flight;
mod lists;
mod new_destination;
mod receipt;
mod requests;
mod returned;
mod schedule;
mod stages;
mod steps;
mod totals;

use gateway::app::Parts;
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_platform::companies::{NewBankAccount, bank_account_create};
use ledger_domain::business::{BusinessCommand, MakeManualTransfer};
use ledger_domain::transfer::{AccountType, BankAccount, Direction};
use ledger_domain::{Cents, TransferId};
use ledger_store::Outcome;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Answer, Client, Company, PARTS, PARTS_WITHOUT_EFFECTS, PASSWORD, TestApp};

/// The withdrawal fee of the test companies, from their receiving plan.
const FEE: i64 = 3_50;

/// A company's balances in cents, as the seller's balance cards show them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Balances {
    pub available: i64,
    pub in_transfer: i64,
    pub blocked: i64,
}

impl Balances {
    /// Nothing is in transfer or blocked.
    pub const fn available(available: i64) -> Self {
        Self {
            available,
            in_transfer: 0,
            blocked: 0,
        }
    }

    pub const fn in_transfer(self, in_transfer: i64) -> Self {
        Self { in_transfer, ..self }
    }

    pub const fn blocked(self, blocked: i64) -> Self {
        Self { blocked, ..self }
    }
}

/// A company with R$ 1.000,00 and a bank account, its owner, and an admin.
pub struct WithdrawalFixture {
    pub app: TestApp,
    pub company: Company,
    pub seller: Client,
    pub staff: Client,
}

impl WithdrawalFixture {
    /// Opens a gateway in which staff pay approved withdrawals manually.
    pub async fn open() -> Self {
        Self::open_with(&[]).await
    }

    pub async fn open_with(variables: &[(&str, &str)]) -> Self {
        let parts = PARTS_WITHOUT_EFFECTS;
        Self::open_with_parts(variables, parts).await
    }

    /// Opens a gateway that sends e-mails.
    pub async fn open_with_emails() -> Self {
        let parts = PARTS;
        Self::open_with_parts(&[], parts).await
    }

    async fn open_with_parts(variables: &[(&str, &str)], parts: Parts) -> Self {
        let mut all = vec![("RAZAO_PAYOUTS", "none")];
        all.extend(variables);
        let app = TestApp::start_with(&all, parts).await;
        let company = app.company("Padaria").await;
        bank_account(&app, &company).await;
        credit(&app, &company, 1_000_00).await;
        let seller = seller_of(&app, &company, SellerRole::Owner).await;
        let staff = app.sign_in(&app.admin(&[AdminRole::Admin]).await).await;
        Self {
            app,
            company,
            seller,
            staff,
        }
    }

    /// Requests a withdrawal, and returns its id.
    pub async fn pending_withdrawal(&self, amount: i64) -> String {
        let answer = self.seller.post("/api/balance/transfers", request(amount)).await;
        assert_eq!(answer.status, 201, "{}", answer.body);
        answer.text("/id").to_owned()
    }

    pub async fn step(&self, id: &str, step: &str) -> Answer {
        step_by(&self.staff, id, step).await
    }

    async fn reopen(&self, id: &str) -> Answer {
        let body = json!({ "business_id": self.company.id });
        self.staff
            .post(&format!("/api/admin/balance/transfers/{id}/pending"), body)
            .await
    }

    /// The company's balances after the read models have caught up.
    pub async fn balances(&self) -> Balances {
        let client = self.app.app.state.pool.get().await.expect("a connection");
        let reached = ledger_store::log::shard_positions(&**client)
            .await
            .expect("positions");
        drop(client);
        let reader = self.seller.clone().with("ledger-position", &reached.to_string());
        let totals = reader.get("/api/balance/history?totals=1").await;
        let cents = |account: &str| totals.at(&format!("/totals/{account}")).as_i64().expect("cents");
        Balances {
            available: cents("available"),
            in_transfer: cents("in_transfer"),
            blocked: cents("blocked"),
        }
    }

    /// The number of entries of staff in the audit log.
    pub async fn audit_entries_count(&self, action: &str, subject_id: &str) -> i64 {
        self.app
            .count(&format!(
                "SELECT count(*) FROM audit_log
                  WHERE action = '{action}' AND subject_id = '{subject_id}' AND audience = 'admin' AND actor_id IS NOT NULL
                    AND request_id <> ''"
            ))
            .await
    }

    /// Sets a setting of the platform.
    pub async fn set(&self, key: &str, value: Value) {
        let owner = self.app.sign_in(&self.app.admin(&[AdminRole::Owner]).await).await;
        let setting = json!({ "key": key, "value": value, "revision": 0 });
        let set = owner.post("/api/admin/settings/platform", setting).await;
        assert_eq!(set.status, 200, "{}", set.body);
    }

    /// Submits a command without a user, such as a bank's report.
    async fn submit(&self, command: BusinessCommand) -> Outcome {
        self.app.outcome_of(self.company.id, command).await
    }
}

pub async fn step_by(staff: &Client, id: &str, step: &str) -> Answer {
    let body = match step {
        "refuse" | "fail" => json!({ "reason": "Conta encerrada no banco." }),
        _ => json!({}),
    };
    staff
        .post(&format!("/api/admin/balance/transfers/{id}/{step}"), body)
        .await
}

pub async fn seller_of(app: &TestApp, company: &Company, role: SellerRole) -> Client {
    app.sign_in(&app.seller(&[(company, role)]).await).await
}

pub async fn credit(app: &TestApp, company: &Company, amount: i64) {
    let command = BusinessCommand::MakeManualTransfer(MakeManualTransfer {
        transfer_id: TransferId::from_uuid(Uuid::now_v7()),
        direction: Direction::In,
        amount: Cents::new(amount),
        description: "Saldo inicial".to_owned(),
        allow_negative: false,
        occurred_at: app.app.state.clock.now(),
    });
    app.submit(company, command).await;
}

async fn bank_account(app: &TestApp, company: &Company) {
    let account = NewBankAccount {
        id: Uuid::now_v7(),
        business_id: company.id,
        is_default: true,
        account: BankAccount {
            bank_code: "341".to_owned(),
            account_type: AccountType::Checking,
            routing_number: "0071".to_owned(),
            routing_digit: None,
            account_number: "0012345".to_owned(),
            account_digit: "6".to_owned(),
        },
    };
    let client = app.app.state.pool.get().await.expect("a connection");
    bank_account_create(&**client, &account)
        .await
        .expect("a bank account");
}

/// The form of a withdrawal to the bank account. It confirms in advance that a duplicate is intended.
pub fn request(amount: i64) -> Value {
    json!({ "amount": amount, "destination": 0, "password": PASSWORD, "confirm_duplicate": true })
}
