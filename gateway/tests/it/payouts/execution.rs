//! The steps of a withdrawal's execution over HTTP: why a payout did not go twice.

use gateway_identity::roles::{AdminRole, SellerRole};
use ledger_domain::{PayoutId, TransferId};
use serde_json::{Value, json};

use super::{PayoutFixture, variables};
use crate::support::sandbox::{free_address, sandbox};
use crate::support::wait::until_some;
use crate::support::{Client, PARTS, TestApp};

/// The steps, as staff and as the company's owner read them.
pub struct Steps {
    pub staff: Vec<Value>,
    pub seller: Vec<Value>,
}

impl PayoutFixture {
    /// A bank whose notices do not arrive: only a look-up finds a result.
    async fn without_notices() -> Self {
        let addr = free_address();
        let sandbox = sandbox(free_address()).await;
        let app = TestApp::start_with(&variables(&sandbox, addr).each(), PARTS).await;
        let company = app.company("Padaria").await;
        let fixture = Self {
            app,
            company,
            sandbox,
            addr,
        };
        fixture.credit(&fixture.company, super::START_BALANCE).await;
        fixture
    }

    async fn readers(&self) -> (Client, Client) {
        let staff = self.app.admin(&[AdminRole::Financial]).await;
        let owner = self.app.seller(&[(&self.company, SellerRole::Owner)]).await;
        (self.app.sign_in(&staff).await, self.app.sign_in(&owner).await)
    }

    /// Waits until staff read a step of this kind.
    pub async fn steps_until(&self, transfer_id: TransferId, kind: &str) -> Steps {
        let (staff, seller) = self.readers().await;
        let path = format!("/api/admin/balance/transfers/{transfer_id}/execution");
        let of_staff = until_some(&format!("a step {kind}"), async || {
            let steps = data(&staff, &path).await;
            steps.iter().any(|step| step["kind"] == kind).then_some(steps)
        })
        .await;
        Steps {
            staff: of_staff,
            seller: data(
                &seller,
                &format!("/api/balance/transfers/{transfer_id}/execution"),
            )
            .await,
        }
    }
}

async fn data(client: &Client, path: &str) -> Vec<Value> {
    let answer = client.get(path).await;
    if answer.status == 404 {
        // The read model does not have the transfer yet.
        return vec![];
    }
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.at("/data").as_array().expect("steps").clone()
}

/// The kind and the outcome of each step.
pub fn outcomes(steps: &[Value]) -> Vec<(&str, &str)> {
    steps
        .iter()
        .map(|step| (step["kind"].as_str(), step["outcome"].as_str()))
        .map(|(kind, outcome)| (kind.unwrap_or_default(), outcome.unwrap_or_default()))
        .collect()
}

/// Each call has the key of the payout, and the fields of staff are null for the seller.
fn assert_calls(steps: &Steps, payout_id: PayoutId) {
    let is_call =
        |step: &&Value| ["order", "look_up", "notice"].contains(&step["kind"].as_str().unwrap_or_default());
    for call in steps.staff.iter().chain(&steps.seller).filter(is_call) {
        assert_eq!(call["key"], json!(payout_id), "{call}");
    }
    for step in &steps.seller {
        assert_eq!(
            (&step["http_status"], &step["fault"]),
            (&Value::Null, &Value::Null),
            "{step}"
        );
    }
}

#[tokio::test]
async fn a_call_that_timed_out_is_looked_up_and_paid_once() {
    let fixture = PayoutFixture::without_notices().await;
    let (transfer_id, payout_id) = fixture.withdraw(100_02).await;
    fixture.until_payout_is(payout_id, "paid").await;
    let steps = fixture.steps_until(transfer_id, "paid").await;
    assert_calls(&steps, payout_id);
    let found = outcomes(&steps.staff);
    assert_eq!(
        found[..3],
        [("requested", ""), ("processing", ""), ("order", "no_answer")]
    );
    assert_eq!(found[found.len() - 2..], [("look_up", "paid"), ("paid", "")]);
    let between = &found[3..found.len() - 2];
    assert!(
        between.iter().all(|step| *step == ("look_up", "accepted")),
        "{between:?}"
    );
    assert_eq!(outcomes(&steps.seller), found, "the seller sees each call");
    let order = &steps.staff[2];
    assert_eq!(
        (&order["fault"], &order["http_status"]),
        (&json!("timeout"), &Value::Null)
    );
    assert_eq!(order["attempt"], 1);
    let found = &steps.staff[steps.staff.len() - 2];
    assert_eq!(found["http_status"], 200);
    let bank_id = found["bank_id"].as_str().expect("the bank's id");
    assert!(bank_id.starts_with('E') && bank_id.len() == 32, "{bank_id}");
    assert_eq!(steps.seller[steps.seller.len() - 2]["bank_id"], *bank_id);
    fixture.assert_books_agree().await;
}

#[tokio::test]
async fn an_order_that_was_lost_is_sent_again_under_the_same_key() {
    let fixture = PayoutFixture::without_notices().await;
    let (transfer_id, payout_id) = fixture.withdraw(100_05).await;
    fixture.until_payout_is(payout_id, "paid").await;
    let steps = fixture.steps_until(transfer_id, "paid").await;
    assert_calls(&steps, payout_id);
    assert_eq!(
        outcomes(&steps.staff)[2..5],
        [
            ("order", "no_answer"),
            ("look_up", "not_found"),
            ("order", "accepted")
        ]
    );
    assert_eq!(steps.staff[3]["http_status"], 404);
    assert_eq!(fixture.book().await.len(), 1);
}

#[tokio::test]
async fn a_failed_payout_shows_the_banks_reason() {
    let fixture = PayoutFixture::open().await;
    let (transfer_id, payout_id) = fixture.withdraw(100_08).await;
    fixture.until_payout_is(payout_id, "failed").await;
    let steps = fixture.steps_until(transfer_id, "failed").await;
    assert_calls(&steps, payout_id);
    assert_eq!(
        outcomes(&steps.seller),
        [
            ("requested", ""),
            ("processing", ""),
            ("order", "failed"),
            ("failed", "")
        ]
    );
    for step in &steps.seller[2..] {
        assert_eq!(step["reason"], "Conta de destino encerrada", "{step}");
    }
    assert_eq!(steps.seller[3]["author"]["kind"], "bank");
}

#[tokio::test]
async fn a_returned_payout_shows_the_notice_and_the_return() {
    let fixture = PayoutFixture::open().await;
    let (transfer_id, payout_id) = fixture.withdraw(100_00).await;
    fixture.until_payout_is(payout_id, "paid").await;
    fixture.steps_until(transfer_id, "paid").await;
    let path = format!("/sandbox/payouts/{payout_id}/return");
    assert_eq!(fixture.bank().post(&path, json!({})).await.status, 200);
    let steps = fixture.steps_until(transfer_id, "returned").await;
    assert_calls(&steps, payout_id);
    let found = outcomes(&steps.seller);
    assert_eq!(
        found[found.len() - 2..],
        [("notice", "returned"), ("returned", "")]
    );
    // The notice of the payment is a step too. A notice that comes twice is one.
    let notices = found.iter().filter(|(kind, _)| *kind == "notice").count();
    assert_eq!(notices, 2, "{found:?}");
}

#[tokio::test]
async fn a_rejected_call_is_only_for_staff() {
    let fixture = PayoutFixture::open().await;
    let (transfer_id, payout_id) = fixture.withdraw(100_00).await;
    fixture.until_payout_is(payout_id, "paid").await;
    fixture.steps_until(transfer_id, "paid").await;
    fixture
        .app
        .execute(&format!(
            "UPDATE payout_step SET outcome = 'rejected', fault = 'not_authorized', http_status = 401
              WHERE kind = 'order' AND payout_id = '{}'",
            payout_id.uuid()
        ))
        .await;
    let steps = fixture.steps_until(transfer_id, "paid").await;
    assert_calls(&steps, payout_id);
    assert_eq!(outcomes(&steps.staff)[2], ("order", "rejected"));
    assert_eq!(steps.staff[2]["fault"], "not_authorized");
    assert_eq!(outcomes(&steps.seller)[2], ("order", "no_answer"));
}
