//! Balances below zero: what caused them, how later credits recover them, and write-offs by two people.

use gateway_identity::roles::{AdminRole, SellerRole};
use serde_json::{Value, json};

use crate::support::{Answer, Client, PASSWORD};
use crate::withdrawals::{WithdrawalFixture, credit, seller_of};

const DEBTS: &str = "/api/balance/debts";

/// Two removals of R$ 700,00 and R$ 500,00 from R$ 1.000,00.
async fn in_debt() -> WithdrawalFixture {
    let fixture = WithdrawalFixture::open().await;
    for amount in [700_00, 500_00] {
        let removal = json!({
            "business_id": fixture.company.id, "amount": amount, "description": "Cobrança de chargeback",
            "password": PASSWORD, "allow_negative": true,
        });
        let made = fixture
            .staff
            .post("/api/admin/balance/transfers/manual", removal)
            .await;
        assert_eq!(made.status, 201, "{}", made.body);
    }
    fixture.balances().await;
    fixture
}

fn path(fixture: &WithdrawalFixture) -> String {
    format!("/api/admin/balance/debts/{}", fixture.company.id)
}

async fn write_off(fixture: &WithdrawalFixture, staff: &Client, amount: i64) -> Answer {
    let body = json!({ "amount": amount, "reason": "Acordo de 20/11", "password": PASSWORD });
    staff.post(&format!("{}/write-off", path(fixture)), body).await
}

#[tokio::test]
async fn a_balance_above_zero_owes_nothing() {
    let fixture = WithdrawalFixture::open().await;
    let debts = fixture.seller.get(DEBTS).await;
    assert_eq!(debts.body["debt"], 0);
    assert_eq!(debts.body["causes"], json!([]));
    assert_eq!(debts.body["ends_on"], Value::Null);
}

#[tokio::test]
async fn a_debt_names_its_causes_and_what_later_credits_recovered() {
    let fixture = in_debt().await;
    let debts = fixture.seller.get(DEBTS).await;
    assert_eq!(debts.body["debt"], 200_00, "{}", debts.body);
    let cause = &debts.body["causes"][0];
    assert_eq!(
        cause["description"],
        "Ajuste manual (débito): Cobrança de chargeback"
    );
    assert_eq!(
        (&cause["amount"], &cause["owed"], &cause["open"]),
        (&json!(500_00), &json!(200_00), &json!(200_00))
    );
    assert_eq!(cause["recovered"], json!([]));
    assert_eq!(debts.body["uncovered"], 200_00, "nothing is to come");

    credit(&fixture.app, &fixture.company, 50_00).await;
    fixture.balances().await;
    let of_staff = fixture.staff.get(&path(&fixture)).await;
    assert_eq!(of_staff.body["debt"], 150_00, "{}", of_staff.body);
    let cause = &of_staff.body["causes"][0];
    assert_eq!((&cause["owed"], &cause["open"]), (&json!(200_00), &json!(150_00)));
    assert_eq!(cause["recovered"][0]["amount"], 50_00);
    assert_eq!(of_staff.body["unlisted"], 0);
}

#[tokio::test]
async fn two_people_write_off_a_debt() {
    let fixture = in_debt().await;
    let asked = write_off(&fixture, &fixture.staff, 120_00).await;
    assert_eq!(
        (asked.status, asked.text("/kind")),
        (202, "write_off"),
        "{}",
        asked.body
    );
    assert_eq!(fixture.app.count_events("DebtWrittenOff").await, 0);
    let request = format!("/api/admin/balance/adjustments/{}/approve", asked.text("/id"));
    let own = fixture.staff.post(&request, json!({})).await;
    assert_eq!(own.status, 403, "{}", own.body);
    let second = fixture
        .app
        .sign_in(&fixture.app.admin(&[AdminRole::Admin]).await)
        .await;
    let approved = second.post(&request, json!({})).await;
    assert_eq!(
        (approved.status, approved.text("/status")),
        (200, "recorded"),
        "{}",
        approved.body
    );
    assert_eq!(fixture.balances().await.available, -80_00);
    assert_eq!(fixture.app.count_events("DebtWrittenOff").await, 1);
    let debts = fixture.seller.get(DEBTS).await;
    assert_eq!(
        debts.body["causes"][0]["recovered"][0]["description"],
        "Baixa de dívida"
    );
}

#[tokio::test]
async fn a_write_off_above_the_debt_or_without_the_password_records_nothing() {
    let fixture = in_debt().await;
    let above = write_off(&fixture, &fixture.staff, 200_01).await;
    assert_eq!(above.status, 422, "{}", above.body);
    assert_eq!(
        above.at("/errors/amount/0"),
        &json!("A empresa deve R$ 200,00: não é possível dar baixa em mais.")
    );
    let body = json!({ "amount": 1_00, "reason": "Acordo", "password": "outra-senha" });
    let wrong = fixture
        .staff
        .post(&format!("{}/write-off", path(&fixture)), body)
        .await;
    assert_eq!(wrong.status, 422, "{}", wrong.body);
    let silent = json!({ "amount": 1_00, "password": PASSWORD });
    let silent = fixture
        .staff
        .post(&format!("{}/write-off", path(&fixture)), silent)
        .await;
    assert_eq!(
        silent.at("/errors/reason/0"),
        &json!("Informe o que foi combinado.")
    );
    assert_eq!(
        fixture.app.count("SELECT count(*) FROM adjustment_request").await,
        0
    );
}

#[tokio::test]
async fn only_owners_and_administrators_see_debts() {
    let fixture = in_debt().await;
    let operator = seller_of(&fixture.app, &fixture.company, SellerRole::Operator).await;
    assert_eq!(operator.get(DEBTS).await.status, 403);
    for role in AdminRole::ALL {
        if matches!(role, AdminRole::Owner | AdminRole::Admin) {
            continue;
        }
        let staff = fixture.app.sign_in(&fixture.app.admin(&[*role]).await).await;
        assert_eq!(staff.get(&path(&fixture)).await.status, 403, "{role:?}");
        assert_eq!(write_off(&fixture, &staff, 1_00).await.status, 403, "{role:?}");
    }
}
