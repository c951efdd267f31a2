//! Reversals of sales by users, over HTTP, from both panels: previews, cancels, disputes and their refusals. Also the
//! cancel of a terminal's rental by staff.

mod admin;
mod concurrency;
mod dispute_end;
mod hidden_balance;
mod parts;
mod preview;
mod refusals;
mod rentals;
mod requests;
mod unfolded;

use gateway_identity::roles::{AdminRole, SellerRole};
use ledger_domain::Cents;
use ledger_domain::TransferId;
use ledger_domain::business::{BusinessCommand, MakeManualTransfer};
use ledger_domain::ids::UserId;
use ledger_domain::transfer::Direction;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::acquirer::SECRETS;
use crate::support::{Answer, Client, Company, PARTS_WITHOUT_EFFECTS, Sale, TestApp};

/// A company with an initial balance, its owner, and a staff user who sees balances.
struct ReversalFixture {
    app: TestApp,
    company: Company,
    seller: Client,
    seller_id: UserId,
    staff: Client,
    staff_id: UserId,
}

impl ReversalFixture {
    /// The company's available balance is this many cents.
    async fn with(available: i64) -> Self {
        let app = TestApp::start_with(&[SECRETS], PARTS_WITHOUT_EFFECTS).await;
        let company = app.company("Padaria Aurora").await;
        if available > 0 {
            credit(&app, &company, available).await;
        }
        let owner = app.seller(&[(&company, SellerRole::Owner)]).await;
        let supervisor = app.admin(&[AdminRole::CommercialSupervisor]).await;
        Self {
            seller: app.sign_in(&owner).await,
            seller_id: owner.id,
            staff: app.sign_in(&supervisor).await,
            staff_id: supervisor.id,
            app,
            company,
        }
    }

    /// Captures the sale, and returns it.
    async fn sold(&self, sale: Sale) -> Sale {
        self.app.capture(&self.company, &sale).await;
        sale
    }

    /// Settles everything that is due by today.
    async fn settle(&self) {
        self.app.settle_due().await;
    }

    /// Removes money by a manual transfer until this balance is left.
    async fn withdraw_all_but(&self, left: i64) {
        let available = self.balances().await["available"].as_i64().expect("cents");
        adjust(&self.app, &self.company, Direction::Out, available - left).await;
    }

    /// The company's balances in cents, read from the ledger itself. Blocked is the sum of held by staff and in
    /// dispute.
    async fn balances(&self) -> Value {
        let client = self.app.app.state.pool.get().await.expect("a connection");
        let head = client
            .query_one(
                "SELECT available, receivable, in_transfer, held_by_staff, in_dispute
                   FROM business_head WHERE business_id = $1",
                &[&self.company.id.uuid()],
            )
            .await
            .expect("a head");
        let cents = |column: usize| head.get::<_, i64>(column);
        json!({
            "available": cents(0), "receivable": cents(1), "in_transfer": cents(2),
            "blocked": cents(3) + cents(4), "held_by_staff": cents(3), "in_dispute": cents(4),
        })
    }

    async fn events_recorded(&self) -> i64 {
        self.app.count("SELECT count(*) FROM event").await
    }

    /// The metadata of the last recorded event.
    async fn last_metadata(&self) -> Value {
        let client = self.app.app.state.pool.get().await.expect("a connection");
        let row = client
            .query_one(
                "SELECT metadata::text FROM event WHERE business_id = $1 ORDER BY sequence DESC LIMIT 1",
                &[&self.company.id.uuid()],
            )
            .await
            .expect("an event");
        serde_json::from_str(row.get(0)).expect("metadata is JSON")
    }
}

fn path(sale: &Sale, step: &str) -> String {
    format!("/api/transactions/{}/{step}", sale.facts.sale_id)
}

fn admin_path(sale: &Sale, step: &str) -> String {
    format!("/api/admin/transactions/{}/{step}", sale.facts.sale_id)
}

fn ok(answer: Answer) -> Answer {
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer
}

async fn credit(app: &TestApp, company: &Company, amount: i64) {
    adjust(app, company, Direction::In, amount).await;
}

async fn adjust(app: &TestApp, company: &Company, direction: Direction, amount: i64) {
    let command = BusinessCommand::MakeManualTransfer(MakeManualTransfer {
        transfer_id: TransferId::from_uuid(Uuid::now_v7()),
        direction,
        amount: Cents::new(amount),
        description: "Saldo inicial".to_owned(),
        allow_negative: false,
        occurred_at: app.app.state.clock.now(),
    });
    app.submit(company, command).await;
}
