//! A new company withdraws nothing until it is approved. While it waits, the settled money of its sales is held. The
//! approval releases it.

use gateway_identity::roles::SellerRole;
use projections::replay;
use serde_json::json;

use crate::support::{Client, Company, PARTS, PASSWORD, Sale, TestApp};

struct NewCompanyFixture {
    app: TestApp,
    company: Company,
    seller: Client,
}

impl NewCompanyFixture {
    async fn open() -> Self {
        let app = TestApp::start().await;
        let company = app.company("Padaria").await;
        app.execute("UPDATE business SET approval = 'pending'").await;
        let seller = app
            .sign_in(&app.seller(&[(&company, SellerRole::Owner)]).await)
            .await;
        Self { app, company, seller }
    }

    /// Captures R$ 300,00 in three installments (R$ 285,00 net), two of them due, and settles those.
    async fn sell(&self) {
        self.app.capture(&self.company, &Sale::card().days_ago(75)).await;
        self.settle().await;
    }

    async fn settle(&self) {
        self.app.settle_due().await;
        self.app.until_projected().await;
    }

    async fn approve(&self) -> usize {
        self.app.execute("UPDATE business SET approval = 'enabled'").await;
        self.release().await
    }

    /// Runs the job that releases the sales of approved companies. Returns the number of sales.
    async fn release(&self) -> usize {
        let released = self.app.app.hold_release().run().await.expect("a run");
        assert_eq!(released.failed, 0);
        self.app.until_projected().await;
        released.sales
    }

    /// The available balance and the balance that is held.
    async fn balances(&self) -> (i64, i64) {
        (
            self.app
                .count("SELECT sum(available)::int8 FROM business_head")
                .await,
            self.app
                .count("SELECT sum(held_by_staff)::int8 FROM business_head")
                .await,
        )
    }

    async fn withdraw(&self, amount: i64) -> (u16, String) {
        let body = json!({ "amount": amount, "destination": 1, "password": PASSWORD });
        let answer = self.seller.post("/api/balance/transfers", body).await;
        let message = answer.body["message"].as_str().unwrap_or_default().to_owned();
        (answer.status, message)
    }
}

#[tokio::test]
async fn an_approval_releases_the_held_sales_and_the_seller_can_withdraw() {
    let fixture = NewCompanyFixture::open().await;
    fixture.sell().await;
    assert_eq!(fixture.balances().await, (0, 190_00), "two installments are held");
    let refusal = "O cadastro da empresa não está aprovado: ela não pode solicitar saques.";
    assert_eq!(fixture.withdraw(100_00).await, (409, refusal.to_owned()));
    assert_eq!(fixture.release().await, 0, "it is not approved yet");

    assert_eq!(fixture.approve().await, 1);
    assert_eq!(fixture.balances().await, (190_00, 0));
    assert_eq!(fixture.withdraw(100_00).await.0, 201);
    assert_eq!(fixture.release().await, 0, "a second run finds nothing");
    let waiting = "SELECT count(*) FROM sale WHERE awaits_approval";
    assert_eq!(fixture.app.count(waiting).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_without_the_company_s_shard_leaves_the_release_to_its_owner() {
    let fixture = NewCompanyFixture::open().await;
    fixture.sell().await;
    let other = fixture.app.second_gateway(PARTS).await;
    fixture
        .app
        .execute("UPDATE business SET approval = 'enabled'")
        .await;
    let run = other.hold_release().run().await.expect("a run");
    assert_eq!((run.sales, run.failed), (0, 0));
    assert_eq!(fixture.balances().await, (0, 190_00));
    assert_eq!(fixture.release().await, 1);
    assert_eq!(fixture.balances().await, (190_00, 0));
    other.stop().await;
}

#[tokio::test]
async fn a_sale_settled_after_the_approval_is_not_held() {
    let fixture = NewCompanyFixture::open().await;
    fixture
        .app
        .capture(&fixture.company, &Sale::card().days_ago(75))
        .await;
    fixture.app.until_projected().await;
    assert_eq!(fixture.approve().await, 1);
    fixture.settle().await;
    assert_eq!(fixture.balances().await, (190_00, 0));
}

#[tokio::test]
async fn a_denial_keeps_the_money_until_the_company_is_approved_after_all() {
    let fixture = NewCompanyFixture::open().await;
    fixture.sell().await;
    fixture
        .app
        .execute("UPDATE business SET approval = 'denied'")
        .await;
    assert_eq!(fixture.release().await, 0);
    fixture
        .app
        .capture(&fixture.company, &Sale::pix().days_ago(7))
        .await;
    fixture.settle().await;
    assert_eq!(fixture.balances().await, (0, 190_00 + 49_50));
    assert_eq!(
        fixture.approve().await,
        1,
        "not the sale that was captured while the company was denied"
    );
    assert_eq!(
        fixture.balances().await,
        (190_00, 49_50),
        "staff decide on that sale"
    );
}

#[tokio::test]
async fn the_read_models_of_a_released_sale_follow_from_the_log() {
    let fixture = NewCompanyFixture::open().await;
    fixture.sell().await;
    fixture.approve().await;
    // The release is one line of two installments of R$ 95,00.
    let lines = "SELECT count(*) FROM statement_line WHERE sale_id IS NULL AND amount = 2 * 9500";
    assert_eq!(fixture.app.count(lines).await, 1);
    let (pool, database) = (&fixture.app.app.state.pool, fixture.app.database.connector());
    replay::run(pool, &database, |_| (), |finding| panic!("{finding:?}"))
        .await
        .expect("an audit");
}
