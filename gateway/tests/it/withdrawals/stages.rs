//! The stages of staff's list, their totals, and the signals of the withdrawals that wait.

use serde_json::{Value, json};

use super::{WithdrawalFixture, credit, request};
use crate::support::movements::rows;

const LIST: &str = "/api/admin/balance/transfers";

impl WithdrawalFixture {
    /// The amounts of a stage, and its totals.
    async fn stage(&self, name: &str) -> (Vec<i64>, i64, i64, bool) {
        let page = self.staff.get(&format!("{LIST}?stage={name}")).await;
        assert_eq!(page.status, 200, "{}", page.body);
        let cents = |row: &Value| row["amount"].as_i64().expect("cents");
        let mut amounts: Vec<i64> = rows(&page.body).iter().map(cents).collect();
        amounts.sort_unstable();
        let totals = self.staff.get(&format!("{LIST}/stages")).await;
        let of = |field: &str| totals.at(&format!("/{name}/{field}"));
        let number = |field| of(field).as_i64().expect("a number");
        (
            amounts,
            number("count"),
            number("amount"),
            of("oldest_at").is_string(),
        )
    }
}

#[tokio::test]
async fn each_transfer_is_in_one_stage_whose_totals_are_the_sum_of_its_list() {
    let fixture = WithdrawalFixture::open().await;
    let _pending = fixture.pending_withdrawal(10_00).await;
    for (amount, step) in [(20_00, "process"), (30_00, "approve"), (40_00, "refuse")] {
        let id = fixture.pending_withdrawal(amount).await;
        assert_eq!(fixture.step(&id, step).await.status, 200);
    }
    fixture.balances().await;
    assert_eq!(fixture.stage("pending").await, (vec![10_00], 1, 10_00, true));
    assert_eq!(fixture.stage("in_progress").await, (vec![20_00], 1, 20_00, true));
    assert_eq!(
        fixture.stage("ended").await,
        (vec![30_00, 40_00], 2, 70_00, false)
    );
    // The credit with which the fixture begins.
    assert_eq!(fixture.stage("other").await, (vec![1_000_00], 1, 1_000_00, false));
    let paid = fixture.staff.get(&format!("{LIST}?stage=ended&status=1")).await;
    assert_eq!(rows(&paid.body).len(), 1);
    let unknown = fixture.staff.get(&format!("{LIST}?stage=late")).await;
    assert_eq!(unknown.status, 422, "{}", unknown.body);
}

#[tokio::test]
async fn a_withdrawal_that_waits_has_signals_and_a_paid_one_has_none() {
    let fixture = WithdrawalFixture::open().await;
    credit(&fixture.app, &fixture.company, 1_000_00).await;
    let signals = async |id: &str| {
        fixture.balances().await;
        let read = fixture.staff.get(&format!("{LIST}/{id}")).await;
        read.at("/signals").clone()
    };
    let first = fixture.pending_withdrawal(100_00).await;
    assert_eq!(signals(&first).await, json!(["first"]));
    assert_eq!(fixture.step(&first, "approve").await.status, 200);
    assert_eq!(signals(&first).await, json!([]));
    for amount in [101_00, 99_00] {
        let id = fixture.pending_withdrawal(amount).await;
        assert_eq!(signals(&id).await, json!([]));
        assert_eq!(fixture.step(&id, "approve").await.status, 200);
    }
    let usual = fixture.pending_withdrawal(300_00).await;
    assert_eq!(signals(&usual).await, json!([]), "three times the usual");
    let far_above = fixture.pending_withdrawal(300_01).await;
    assert_eq!(signals(&far_above).await, json!(["far_above_usual"]));
    let own = fixture.seller.get("/api/balance/transfers").await;
    assert_eq!(own.at("/data/0/signals"), &Value::Null, "only for staff");
}

#[tokio::test]
async fn a_new_password_and_a_new_address_of_the_requester_are_signals() {
    let fixture = WithdrawalFixture::open().await;
    let user = fixture.app.text("SELECT id::text FROM seller_user").await;
    let asked = request(50_00);
    let id = fixture.seller.post("/api/balance/transfers", asked).await;
    let id = id.text("/id").to_owned();
    fixture.balances().await;
    let signals = async || {
        let read = fixture.staff.get(&format!("{LIST}/{id}")).await;
        read.at("/signals").clone()
    };
    assert_eq!(signals().await, json!(["first"]));
    let requested = format!(
        "(SELECT requested_at FROM transfer WHERE transfer_id = '{}')",
        &id[4..]
    );
    for (days, expected) in [
        (8, json!(["first"])),
        (6, json!(["first", "new_password", "new_email"])),
    ] {
        fixture
            .app
            .execute(&format!(
                "UPDATE seller_user SET created_at = {requested} - interval '90 days',
                        email_since = {requested} - interval '{days} days';
                 INSERT INTO audit_log (actor_id, audience, action, subject, subject_id, at)
                 VALUES ('{user}', 'seller', 'reset-password', 'seller_user', 'usr_{user}',
                         {requested} - interval '{days} days')"
            ))
            .await;
        assert_eq!(signals().await, expected, "{days} days");
    }
}
