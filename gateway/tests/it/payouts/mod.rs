//! Payouts and the notices about them. The sandbox is the bank. `assert_books_agree` compares the payments in the
//! bank's own book with the payouts that the ledger records as paid.

mod audit;
mod by_acquirer;
mod crashes;
mod effect_handler;
mod execution;
mod histories;
mod late_notices;
mod notices;
mod outages;
mod outcomes;
mod returned;
mod traces;

use std::collections::BTreeMap;
use std::net::SocketAddr;

use gateway::app::Parts;
use gateway_dev::sandbox::Sandbox;
use ledger_domain::business::{
    Approvals, BusinessCommand, CompanyStatus, MakeManualTransfer, ProcessTransfer, ReopenTransfer,
    RequestTransfer, WithdrawalContext,
};
use ledger_domain::ids::UserId;
use ledger_domain::transfer::{Destination, DestinationKind, Direction};
use ledger_domain::{BusinessId, Cents, PayoutId, TransferId};
use ledger_store::Outcome;
use metrics_exporter_prometheus::PrometheusRecorder;
use serde_json::Value;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::support::acquirer::SECRETS;
use crate::support::database::Database;
use crate::support::sandbox::{free_address, sandbox, sandbox_at};
use crate::support::wait::until;
use crate::support::{Client, Company, PARTS, TestApp};

/// The company's balance when a fixture opens, in centavos.
const START_BALANCE: i64 = 1_000_000_00;
/// The fee of each withdrawal, in centavos.
const FEE: i64 = 3_50;
/// The secret of Iugu's notices. The bank signs with another one.
const ANOTHER_SECRET: &str = "another-acquirer-signs-so";
/// Short, because some of the sandbox's calls time out.
const TIMEOUT: (&str, &str) = ("RAZAO_PAYOUT_TIMEOUT_MS", "300");

/// A gateway, a bank, and a company with money.
pub struct PayoutFixture {
    pub app: TestApp,
    pub company: Company,
    /// The bank keeps running when the gateway ends.
    pub sandbox: Sandbox,
    /// The gateway's address, to which the bank sends its notices.
    addr: SocketAddr,
}

impl PayoutFixture {
    async fn open() -> Self {
        Self::open_with(PARTS).await
    }

    /// The gateway runs these parts. Its sandbox is the separate one.
    pub async fn open_with(parts: Parts) -> Self {
        let addr = free_address();
        let sandbox = sandbox(addr).await;
        let app = TestApp::start_with(&variables(&sandbox, addr).each(), parts).await;
        let company = app.company("Padaria").await;
        let fixture = Self {
            app,
            company,
            sandbox,
            addr,
        };
        fixture.credit(&fixture.company, START_BALANCE).await;
        fixture
    }

    /// Shuts the gateway down and starts another one on the same database and port.
    async fn restart(self, parts: Parts) -> Self {
        let Self {
            app,
            company,
            sandbox,
            addr,
        } = self;
        let app = app.restart(&variables(&sandbox, addr).each(), parts).await;
        Self {
            app,
            company,
            sandbox,
            addr,
        }
    }

    fn bank(&self) -> Client {
        Client::new(self.sandbox.addr)
    }

    async fn record(&self, business_id: BusinessId, command: BusinessCommand) {
        let outcome = self.app.outcome_of(business_id, command).await;
        assert!(matches!(outcome, Outcome::Recorded(_)), "{outcome:?}");
    }

    async fn credit(&self, company: &Company, amount: i64) {
        let command = BusinessCommand::MakeManualTransfer(MakeManualTransfer {
            transfer_id: TransferId::from_uuid(Uuid::now_v7()),
            direction: Direction::In,
            amount: Cents::new(amount),
            description: "Crédito de teste".to_owned(),
            allow_negative: false,
            occurred_at: self.app.app.state.clock.now(),
        });
        self.record(company.id, command).await;
    }

    /// Requests a withdrawal of which this net amount reaches the bank.
    async fn request(&self, company: &Company, net: i64) -> TransferId {
        let transfer_id = TransferId::from_uuid(Uuid::now_v7());
        let command = BusinessCommand::RequestTransfer(RequestTransfer {
            transfer_id,
            amount: Cents::new(net + FEE),
            destination: DestinationKind::Pix,
            confirm_duplicate: true,
            confirm_destination: false,
            occurred_at: self.app.app.state.clock.now(),
            context: WithdrawalContext {
                company_status: CompanyStatus::Active,
                fee: Some(Cents::new(FEE)),
                destination: Some(Destination::Pix {
                    key: "52998224725".to_owned(),
                }),
            },
        });
        self.record(company.id, command).await;
        transfer_id
    }

    /// Processes the withdrawal, which orders a payout.
    async fn pay(&self, company: &Company, transfer_id: TransferId) -> PayoutId {
        let payout_id = PayoutId::from_uuid(Uuid::now_v7());
        let command = BusinessCommand::ProcessTransfer(ProcessTransfer {
            transfer_id,
            payout_id: Some(payout_id),
            by: UserId::from_uuid(Uuid::now_v7()),
            approvals: Approvals::One,
            occurred_at: self.app.app.state.clock.now(),
        });
        self.record(company.id, command).await;
        payout_id
    }

    /// Requests and processes a withdrawal of which this net amount reaches the bank.
    pub async fn withdraw(&self, net: i64) -> (TransferId, PayoutId) {
        let transfer_id = self.request(&self.company, net).await;
        (transfer_id, self.pay(&self.company, transfer_id).await)
    }

    async fn reopen(&self, company: &Company, transfer_id: TransferId) {
        let command = BusinessCommand::ReopenTransfer(ReopenTransfer {
            transfer_id,
            occurred_at: self.app.app.state.clock.now(),
        });
        self.record(company.id, command).await;
    }

    /// The first column of the query's row; `None` without a row or with NULL.
    async fn text(&self, sql: &str, parameters: &[&(dyn ToSql + Sync)]) -> Option<String> {
        let client = self.app.database.client().await;
        let row = client.query_opt(sql, parameters).await.expect("an answer");
        row.and_then(|row| row.get(0))
    }

    pub async fn transfer_status(&self, transfer_id: TransferId) -> String {
        let sql = "SELECT status FROM transfer_state WHERE transfer_id = $1";
        self.text(sql, &[&transfer_id.uuid()])
            .await
            .expect("the transfer")
    }

    async fn payout_status(&self, payout_id: PayoutId) -> Option<String> {
        let sql = "SELECT status FROM payout WHERE payout_id = $1";
        self.text(sql, &[&payout_id.uuid()]).await
    }

    /// Waits until the payout's row has the status.
    pub async fn until_payout_is(&self, payout_id: PayoutId, status: &str) {
        until(&format!("a payout that is {status}"), async || {
            self.payout_status(payout_id).await.as_deref() == Some(status)
        })
        .await;
    }

    /// The company's available balance, in centavos.
    async fn available(&self, company: &Company) -> i64 {
        let sql = "SELECT available::text FROM business_head WHERE business_id = $1";
        let text = self.text(sql, &[&company.id.uuid()]).await.expect("a head");
        text.parse().expect("cents")
    }

    /// Waits until the bank has delivered this many notices.
    async fn until_delivered(&self, notices: usize) {
        until(&format!("{notices} notices delivered"), async || {
            let list = self.bank().get("/sandbox/deliveries").await;
            let all = list.body.as_array().expect("deliveries");
            all.len() == notices && all.iter().all(|delivery| delivery["status"] == "delivered")
        })
        .await;
    }

    async fn book(&self) -> BTreeMap<String, Value> {
        book(self.sandbox.addr).await
    }

    async fn assert_books_agree(&self) {
        assert_books_agree(&self.app.database, self.sandbox.addr).await;
    }
}

/// A counter of alarms, as this thread counted it. The tests that read it run their gateway on one thread.
fn alarms(recorder: &PrometheusRecorder, counter: &str) -> u64 {
    let rendered = recorder.handle().render();
    let counted = rendered
        .lines()
        .find_map(|line| line.strip_prefix(counter)?.strip_prefix(' '));
    counted.map_or(0, |count| count.parse().expect("a count"))
}

/// The bank's book, by payout.
async fn book(bank: SocketAddr) -> BTreeMap<String, Value> {
    let listed = Client::new(bank).get("/sandbox/payouts").await;
    let payments = listed.body.as_array().expect("the bank's book").clone();
    let key = |payment: &Value| payment["payout_id"].as_str().expect("an id").to_owned();
    payments
        .into_iter()
        .map(|payment| (key(&payment), payment))
        .collect()
}

/// The bank's payments equal the payouts that the ledger records as paid, one by one. No transfer was paid twice.
async fn assert_books_agree(database: &Database, bank: SocketAddr) {
    let mut left_the_bank = BTreeMap::new();
    for (payout_id, payment) in book(bank).await {
        if payment["status"] == "paid" {
            let transfer = payment["transfer_id"].as_str().expect("an id").to_owned();
            let amount = payment["amount"].as_i64().expect("cents");
            let known = left_the_bank.insert(transfer.clone(), (payout_id, amount));
            assert_eq!(known, None, "{transfer} left the bank twice");
        }
    }
    let client = database.client().await;
    let rows = client
        .query(
            "SELECT payload->'TransferApproved'->>'transfer_id', payload->'TransferApproved'->>'payout_id',
                    (payload->'TransferApproved'->>'amount')::bigint - (payload->'TransferApproved'->>'fee')::bigint
               FROM event WHERE event_type = 'TransferApproved'",
            &[],
        )
        .await
        .expect("the log");
    let paid: BTreeMap<String, (String, i64)> = rows
        .iter()
        .map(|row| (row.get(0), (row.get(1), row.get(2))))
        .collect();
    assert_eq!(paid.len(), rows.len(), "a transfer was approved twice");
    assert_eq!(left_the_bank, paid, "the bank's book equals the ledger");
}

/// Owns the values of the environment variables.
struct Variables {
    sandbox: String,
    gateway: String,
}

impl Variables {
    fn each(&self) -> [(&str, &str); 5] {
        [
            SECRETS,
            ("RAZAO_PROVIDER_IUGU_SECRETS", ANOTHER_SECRET),
            TIMEOUT,
            ("RAZAO_SANDBOX_ADDR", &self.sandbox),
            ("RAZAO_ADDR", &self.gateway),
        ]
    }
}

fn variables(sandbox: &Sandbox, gateway: SocketAddr) -> Variables {
    Variables {
        sandbox: sandbox.addr.to_string(),
        gateway: gateway.to_string(),
    }
}
