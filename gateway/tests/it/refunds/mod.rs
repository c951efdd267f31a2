//! Refunds through the real sandbox acquirer, over HTTP in both directions. The refunds in the acquirer's own records
//! (the book) are compared with the sales that the platform canceled. The cents of a sale's amount select how the
//! acquirer behaves (`RefundBehavior::RULES`).

mod audit;
mod crashes;
mod outcomes;
mod parts;
mod staff;

use std::collections::BTreeMap;
use std::net::SocketAddr;

use gateway::app::Parts;
use gateway_dev::sandbox::Sandbox;
use gateway_platform::effects::refunds::{RefundState, RefundStatus, of_sale};
use ledger_domain::business::{BusinessCommand, CancelSale, MakeManualTransfer};
use ledger_domain::sale::Provider;
use ledger_domain::transfer::Direction;
use ledger_domain::{Cents, SaleId, TransferId};
use serde_json::Value;
use uuid::Uuid;

use crate::support::acquirer::{SECRETS, capture};
use crate::support::sandbox::{free_address, sandbox};
use crate::support::wait::{until, until_some};
use crate::support::{Client, Company, PARTS, TestApp};

/// The limit of a call to the acquirer: short, because some of the simulated calls never answer.
const TIMEOUT: (&str, &str) = ("RAZAO_REFUND_TIMEOUT_MS", "300");

/// A gateway that requests refunds from an acquirer, and a company with money.
struct RefundFixture {
    app: TestApp,
    company: Company,
    /// The acquirer keeps running when the gateway ends.
    sandbox: Sandbox,
    /// The gateway's address, to which the sandbox sends its notices.
    gateway_addr: SocketAddr,
}

impl RefundFixture {
    async fn open() -> Self {
        Self::open_with(PARTS).await
    }

    /// The gateway runs these parts. Its sandbox is the separate one.
    async fn open_with(parts: Parts) -> Self {
        let gateway_addr = free_address();
        let sandbox = sandbox(gateway_addr).await;
        let acquirer = sandbox.addr;
        Self::open_at(gateway_addr, sandbox, acquirer, parts).await
    }

    /// The gateway asks the acquirer at this address.
    async fn open_at(gateway_addr: SocketAddr, sandbox: Sandbox, acquirer: SocketAddr, parts: Parts) -> Self {
        let variables = variables(acquirer, gateway_addr);
        let app = TestApp::start_with(&variables.each(), parts).await;
        let company = app.company("Padaria").await;
        let fixture = Self {
            app,
            company,
            sandbox,
            gateway_addr,
        };
        let credit = BusinessCommand::MakeManualTransfer(MakeManualTransfer {
            transfer_id: TransferId::from_uuid(Uuid::now_v7()),
            direction: Direction::In,
            amount: Cents::new(1_000_000_00),
            description: "Crédito de teste".to_owned(),
            allow_negative: false,
            occurred_at: fixture.app.app.state.clock.now(),
        });
        fixture.record(credit).await;
        fixture
    }

    async fn restart(self, parts: Parts) -> Self {
        self.restart_with(&[], parts).await
    }

    /// Restarts the gateway with these environment variables too.
    async fn restart_with(self, added: &[(&str, &str)], parts: Parts) -> Self {
        let variables = variables(self.sandbox.addr, self.gateway_addr);
        let variables = [&variables.each()[..], added].concat();
        let app = self.app.restart(&variables, parts).await;
        Self { app, ..self }
    }

    async fn record(&self, command: BusinessCommand) {
        self.app.submit(&self.company, command).await;
    }

    /// A sale of this many cents, captured by its acquirer and canceled as in a panel.
    async fn cancel(&self, amount: i64) -> SaleId {
        let sale_id = self.sell(amount).await;
        self.cancel_rest(sale_id).await;
        sale_id
    }

    /// A sale of this many cents, captured by its acquirer.
    async fn sell(&self, amount: i64) -> SaleId {
        let external_id = format!("nsu-{}", Uuid::new_v4().simple());
        let mut notice = capture(&self.company, &external_id);
        notice.data.amount = amount;
        assert_eq!(self.app.send(&notice).await.text("/result"), "recorded");
        self.app.app.state.ids.sale(Provider::Zoop, &external_id)
    }

    /// Cancels what is left of a sale, as in a panel.
    async fn cancel_rest(&self, sale_id: SaleId) {
        let cancel = BusinessCommand::CancelSale(CancelSale {
            sale_id,
            occurred_at: self.app.app.state.clock.now(),
            reason: None,
        });
        self.record(cancel).await;
    }

    async fn refund(&self, sale_id: SaleId) -> Option<RefundState> {
        let client = self.app.database.client().await;
        of_sale(&client, sale_id).await.expect("the refunds").pop()
    }

    /// Waits until the sale's refund has the status.
    async fn becomes(&self, sale_id: SaleId, status: RefundStatus) -> RefundState {
        until_some(&format!("a refund that is {status:?}"), async || {
            let refund = self.refund(sale_id).await?;
            (refund.status == status).then_some(refund)
        })
        .await
    }

    /// Waits until the acquirer has delivered this many notices.
    async fn until_delivered(&self, notices: usize) {
        let sandbox = Client::new(self.sandbox.addr);
        until(&format!("{notices} notices delivered"), async || {
            let list = sandbox.get("/sandbox/deliveries").await;
            let all = list.body.as_array().expect("deliveries");
            all.len() == notices && all.iter().all(|delivery| delivery["status"] == "delivered")
        })
        .await;
    }

    /// The refunds in the acquirer's own records, also the refused ones: those of each sale, in order.
    async fn book(&self) -> BTreeMap<String, Vec<Value>> {
        let listed = Client::new(self.sandbox.addr).get("/sandbox/refunds").await;
        let mut book = BTreeMap::<_, Vec<_>>::new();
        for refund in listed.body.as_array().expect("the acquirer's book") {
            let sale = refund["sale_id"].as_str().expect("an id").to_owned();
            book.entry(sale).or_default().push(refund.clone());
        }
        book
    }

    /// The statuses of the sale's requests in the acquirer's records.
    async fn statuses_in_book(&self, sale_id: SaleId) -> Vec<String> {
        let book = self.book().await;
        let of_sale = book.get(&sale_id.to_string()).cloned().unwrap_or_default();
        of_sale
            .iter()
            .map(|refund| refund["status"].as_str().expect("a status").to_owned())
            .collect()
    }
}

/// The values of the gateway's environment variables.
struct Variables {
    sandbox: String,
    gateway: String,
}

impl Variables {
    fn each(&self) -> [(&str, &str); 4] {
        [
            SECRETS,
            TIMEOUT,
            ("RAZAO_SANDBOX_ADDR", &self.sandbox),
            ("RAZAO_ADDR", &self.gateway),
        ]
    }
}

fn variables(sandbox: SocketAddr, gateway: SocketAddr) -> Variables {
    Variables {
        sandbox: sandbox.to_string(),
        gateway: gateway.to_string(),
    }
}
