//! Payouts that the bank returns after it had paid them: by `payout.returned`, and by a `payout.failed` after the
//! payment.

use gateway_identity::roles::{AdminRole, SellerRole};
use serde_json::{Value, json};

use super::notices::{open_without_effects, payout_notice, result, withdraw_and_insert_payout};
use super::{FEE, PayoutFixture, START_BALANCE};
use crate::spreadsheets::sheet::download;
use crate::support::Answer;

/// A notice of a bank whose customer's account was closed, with the ids left out.
const CASE: &str = include_str!("../../../../fixtures/cases/payout_returned.jsonl");

fn at(minute: u32) -> Value {
    json!(format!("2026-11-21T15:{minute:02}:00Z"))
}

/// The notice of a payout that was paid at 15:00, dated at this minute of the hour.
fn notice(id: &str, r#type: &str, paid: &Paid, minute: u32) -> Value {
    let mut notice = payout_notice(id, r#type, paid.transfer_id, paid.payout_id);
    notice["occurred_at"] = at(minute);
    notice["data"]["reason"] = json!("Conta encerrada");
    notice
}

struct Paid {
    fixture: PayoutFixture,
    transfer_id: ledger_domain::TransferId,
    payout_id: ledger_domain::PayoutId,
}

impl Paid {
    /// R$ 100,00 that reached the bank, paid at 15:00.
    async fn open() -> Self {
        let fixture = open_without_effects().await;
        let (transfer_id, payout_id) = withdraw_and_insert_payout(&fixture, 100_00).await;
        let paid = payout_notice("evt-paid", "payout.paid", transfer_id, payout_id);
        assert_eq!(result(&fixture.app.send_json(&paid).await), (200, "recorded"));
        Self {
            fixture,
            transfer_id,
            payout_id,
        }
    }

    async fn send(&self, notice: &Value) -> Answer {
        self.fixture.app.send_json(notice).await
    }

    async fn available(&self) -> i64 {
        self.fixture.available(&self.fixture.company).await
    }

    async fn reason_in_log(&self) -> Option<String> {
        let sql =
            "SELECT payload->'TransferReturned'->>'reason' FROM event WHERE event_type = 'TransferReturned'";
        self.fixture.text(sql, &[]).await
    }
}

#[tokio::test]
async fn a_returned_notice_makes_the_money_available_again_with_the_banks_reason() {
    let paid = Paid::open().await;
    let returned = notice("evt-1", "payout.returned", &paid, 1);
    assert_eq!(result(&paid.send(&returned).await), (200, "recorded"));
    assert_eq!(paid.fixture.transfer_status(paid.transfer_id).await, "failed");
    assert_eq!(paid.available().await, START_BALANCE - FEE);
    assert_eq!(paid.reason_in_log().await.as_deref(), Some("Conta encerrada"));
    // Under another id, under the other type, and the payment again.
    for again in [
        notice("evt-2", "payout.returned", &paid, 1),
        notice("evt-3", "payout.failed", &paid, 1),
        notice("evt-4", "payout.paid", &paid, 0),
    ] {
        assert_eq!(result(&paid.send(&again).await), (200, "already"), "{again}");
    }
    assert_eq!(paid.available().await, START_BALANCE - FEE);
    assert_eq!(paid.fixture.app.waiting_exceptions().await, json!([]));
}

#[tokio::test]
async fn a_failure_after_the_payment_is_a_return() {
    let paid = Paid::open().await;
    let mut case: Value = serde_json::from_str(CASE.trim()).expect("the case is a notice");
    case["occurred_at"] = at(1);
    case["data"]["payout_id"] = json!(paid.payout_id);
    case["data"]["transfer_id"] = json!(paid.transfer_id);
    assert_eq!(result(&paid.send(&case).await), (200, "recorded"));
    assert_eq!(paid.available().await, START_BALANCE - FEE);
    assert_eq!(paid.reason_in_log().await.as_deref(), Some("Conta encerrada"));
}

#[tokio::test]
async fn a_payment_after_the_return_waits_for_staff() {
    let paid = Paid::open().await;
    let returned = notice("evt-1", "payout.returned", &paid, 1);
    assert_eq!(result(&paid.send(&returned).await), (200, "recorded"));
    let again = notice("evt-2", "payout.paid", &paid, 2);
    assert_eq!(result(&paid.send(&again).await), (202, "waiting"));
    assert_eq!(
        paid.fixture.app.waiting_exceptions().await,
        json!([["evt-2", "paid_after_return"]])
    );
    assert_eq!(paid.available().await, START_BALANCE - FEE);
}

#[tokio::test]
async fn a_return_that_comes_before_its_payment_waits_and_is_recorded_after_it() {
    let fixture = open_without_effects().await;
    let (transfer_id, payout_id) = withdraw_and_insert_payout(&fixture, 100_00).await;
    let paid = Paid {
        fixture,
        transfer_id,
        payout_id,
    };
    let returned = notice("evt-1", "payout.returned", &paid, 1);
    assert_eq!(result(&paid.send(&returned).await), (202, "waiting"));
    let payment = notice("evt-2", "payout.paid", &paid, 0);
    assert_eq!(result(&paid.send(&payment).await), (200, "recorded"));
    paid.fixture
        .app
        .execute("UPDATE exception SET next_try_at = now()")
        .await;
    let state = &paid.fixture.app.app.state;
    gateway_platform::resolution::try_due_notices(&state.pool, &state.notices)
        .await
        .expect("the due notices");
    assert_eq!(paid.fixture.app.waiting_exceptions().await, json!([]));
    assert_eq!(paid.available().await, START_BALANCE - FEE);
}

#[tokio::test]
async fn a_payout_that_the_bank_returns_is_mailed_to_the_companys_owner() {
    let fixture = PayoutFixture::open().await;
    let owner = fixture
        .app
        .seller(&[(&fixture.company, gateway_identity::roles::SellerRole::Owner)])
        .await;
    let (transfer_id, payout_id) = fixture.withdraw(100_00).await;
    let path = format!("/sandbox/payouts/{payout_id}/return");
    fixture.until_payout_is(payout_id, "paid").await;
    let returned = fixture.bank().post(&path, json!({})).await;
    assert_eq!((returned.status, returned.text("/status")), (200, "returned"));
    assert_eq!(
        fixture.bank().post(&path, json!({})).await.status,
        409,
        "only once"
    );
    crate::support::wait::until("a returned payout", async || {
        fixture.transfer_status(transfer_id).await == "failed"
    })
    .await;
    assert_eq!(fixture.available(&fixture.company).await, START_BALANCE - FEE);
    fixture.app.until_effect_handlers_read_all().await;
    let mails = "SELECT count(*)::text FROM mail WHERE kind = 'withdrawal-returned' AND user_id = $1
                    AND facts->'withdrawal'->>'reason' = 'Conta de destino encerrada'
                    AND (facts->'withdrawal'->>'paid')::bigint = 10000";
    assert_eq!(
        fixture.text(mails, &[&owner.id.uuid()]).await.as_deref(),
        Some("1")
    );
    assert_eq!(fixture.payout_status(payout_id).await.as_deref(), Some("paid"));
    assert_eq!(fixture.app.audit_findings().await, [""; 0]);
}

#[tokio::test]
async fn a_withdrawal_is_found_by_the_names_of_its_payment_and_exports_have_them() {
    let fixture = PayoutFixture::open().await;
    let (_, payout_id) = fixture.withdraw(100_00).await;
    fixture.until_payout_is(payout_id, "paid").await;
    let app = &fixture.app;
    let position = app.ledger_position().await.to_string();
    let staff = app.sign_in(&app.admin(&[AdminRole::Admin]).await).await;
    let owner = app.seller(&[(&fixture.company, SellerRole::Owner)]).await;
    let seller = app.sign_in(&owner).await.with("ledger-position", &position);
    let staff = staff.with("ledger-position", &position);
    let (of_staff, of_company) = ("/api/admin/balance/transfers", "/api/balance/transfers");
    let row = staff
        .get(&format!("{of_staff}?kind=0"))
        .await
        .at("/data/0")
        .clone();
    let names = &row["names"];
    let name = names["end_to_end_id"]
        .as_str()
        .or(names["control_number"].as_str());
    let name = name.unwrap_or_else(|| panic!("a name of the bank: {row}"));
    for (client, path) in [(&staff, of_staff), (&seller, of_company)] {
        for text in [name.to_owned(), name.to_lowercase(), format!("%20{name}")] {
            let path = format!("{path}?name={text}");
            let found = client.get(&path).await;
            assert_eq!(found.at("/meta/total"), 1, "{path}: {}", found.body);
            assert_eq!(found.at("/data/0/id"), &row["id"]);
        }
        for text in [&name[1..], "E00000000202611231403A1b2C3d4E5f"] {
            let found = client.get(&format!("{path}?name={text}")).await;
            assert_eq!(found.at("/meta/total"), 0, "{text}");
        }
        let sheet = download(client, &format!("{path}?name={name}")).await;
        let column = sheet
            .titles
            .iter()
            .position(|title| title == "Identificador no banco");
        let cell = &sheet.rows[0][column.expect("a column")];
        assert_eq!(cell.to_string(), name);
    }
    let other = app.company("Mercado").await;
    let stranger = app
        .sign_in(&app.seller(&[(&other, SellerRole::Owner)]).await)
        .await;
    let hidden = stranger.get(&format!("{of_company}?name={name}")).await;
    assert_eq!(hidden.at("/meta/total"), 0);
}
