//! Adjustments by staff: what one member of staff may credit, remove or release alone, by the sums of the person and of
//! the company, and the requests above them.

mod by_hand;
mod decisions;
mod recording;

use futures::future::join_all;
use gateway_identity::roles::AdminRole::{Admin, Owner};
use serde_json::{Value, json};

use crate::support::database::only_with_tables;
use crate::support::{Answer, Client, PASSWORD};
use crate::withdrawals::{Balances, WithdrawalFixture, credit};

const MANUAL: &str = "/api/admin/balance/transfers/manual";
const HOLDS: &str = "/api/admin/balance/holds";
const REQUESTS: &str = "/api/admin/balance/adjustments";
const USERS: &str = "/api/admin/users";

impl WithdrawalFixture {
    /// Asks for a credit of the fixture's company.
    async fn credit_by(&self, staff: &Client, amount: i64) -> Answer {
        staff
            .post(MANUAL, transfer(&self.company.id.to_string(), "in", amount))
            .await
    }

    /// A pending request of a credit, by the fixture's admin.
    async fn requested(&self, amount: i64) -> Value {
        let asked = self.credit_by(&self.staff, amount).await;
        assert_eq!(asked.status, 202, "{}", asked.body);
        asked.body
    }

    /// Another admin, who was not created by a user.
    pub async fn second(&self) -> Client {
        self.app.sign_in(&self.app.admin(&[Admin]).await).await
    }

    /// The number of entries of an action on requested adjustments, whoever made it.
    async fn audit_rows(&self, action: &str) -> i64 {
        self.app
            .count(&format!(
                "SELECT count(*) FROM audit_log WHERE subject = 'adjustment_request' AND action = '{action}'"
            ))
            .await
    }

    /// The number of manual transfers besides the fixture's own credit.
    async fn transfers_made(&self) -> i64 {
        self.app.count_events("ManualTransferMade").await - 1
    }
}

fn transfer(company: &str, direction: &str, amount: i64) -> Value {
    json!({
        "business_id": company, "amount": amount, "direction": direction, "password": PASSWORD,
        "description": "Estorno de tarifas",
    })
}

/// Releases part of a hold, given as the answer of the call that placed it.
async fn release(staff: &Client, hold: &Value, amount: i64) -> Answer {
    let part = |name: &str| hold[name].as_str().expect("an id").to_owned();
    let path = format!("{HOLDS}/{}/{}/release", part("business_id"), part("id"));
    let body = json!({ "amount": amount, "reason": "Análise concluída" });
    staff.post(&path, body).await
}

pub async fn decide(staff: &Client, request: &Value, decision: &str, body: Value) -> Answer {
    let id = request["id"].as_str().expect("an id");
    staff.post(&format!("{REQUESTS}/{id}/{decision}"), body).await
}

#[tokio::test]
async fn a_credit_above_the_limit_is_a_request_and_the_ledger_has_nothing_of_it() {
    let fixture = WithdrawalFixture::open().await;
    let request = fixture.requested(1_000_000_00).await;
    assert_eq!(request["kind"], "credit");
    assert_eq!(request["status"], "pending");
    assert_eq!(request["amount"], 1_000_000_00);
    assert_eq!(request["reason"], "Estorno de tarifas");
    assert_eq!(request["business_name"], "Padaria");
    assert_eq!(request["requested_by"]["name"], "Bruno Lima");
    assert_eq!(request["transfer_id"], Value::Null);
    assert_eq!(fixture.transfers_made().await, 0);
    assert_eq!(fixture.balances().await, Balances::available(1_000_00));
    let listed = fixture.staff.get(&format!("{REQUESTS}?status=pending")).await;
    assert_eq!(listed.at("/data/0"), &request);
    assert_eq!(listed.at("/meta/total"), &json!(1));
    let overview = fixture.staff.get("/api/admin/overview").await;
    assert_eq!(overview.at("/adjustments_waiting/count"), &json!(1));
    assert_eq!(overview.at("/adjustments_waiting/amount"), &json!(1_000_000_00));
    let id = request["id"].as_str().expect("an id");
    assert_eq!(fixture.audit_entries_count("request", id).await, 1);
}

#[tokio::test]
async fn the_credits_of_one_person_are_summed_up_over_all_companies() {
    let fixture = WithdrawalFixture::open().await;
    let other = fixture.app.company("Mercado").await.id.to_string();
    assert_eq!(fixture.credit_by(&fixture.staff, 600_00).await.status, 201);
    let second = fixture.staff.post(MANUAL, transfer(&other, "in", 400_01)).await;
    assert_eq!(second.status, 202, "{}", second.body);
    // A request moves nothing, so it doesn't count.
    let third = fixture.staff.post(MANUAL, transfer(&other, "in", 400_00)).await;
    assert_eq!(third.status, 201, "{}", third.body);
    assert_eq!(fixture.credit_by(&fixture.staff, 1).await.status, 202);
    // Other kinds have sums of their own.
    let removal = transfer(&other, "out", 300_00);
    assert_eq!(fixture.staff.post(MANUAL, removal).await.status, 201);
}

#[tokio::test]
async fn the_credits_of_one_company_are_summed_up_over_all_people() {
    let fixture = WithdrawalFixture::open().await;
    for (amount, status) in [
        (400_00, 201),
        (400_00, 201),
        (200_01, 202),
        (200_00, 201),
        (1, 202),
    ] {
        let staff = fixture.second().await;
        assert_eq!(fixture.credit_by(&staff, amount).await.status, status, "{amount}");
    }
    assert_eq!(fixture.balances().await, Balances::available(2_000_00));
}

#[tokio::test]
async fn users_of_one_person_share_one_sum() {
    let fixture = WithdrawalFixture::open().await;
    let form = json!({ "name": "Célia Prado", "email": "celia@razao.example", "password": PASSWORD,
                       "roles": ["admin"] });
    let made = fixture.staff.post(USERS, form).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let created = crate::support::User::staff(made.text("/id"), "celia@razao.example");
    let created = fixture.app.sign_in(&created).await;
    let other = fixture.app.company("Mercado").await.id.to_string();
    assert_eq!(fixture.credit_by(&fixture.staff, 900_00).await.status, 201);
    let asked = created.post(MANUAL, transfer(&other, "in", 100_01)).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    let asked = created.post(MANUAL, transfer(&other, "in", 100_00)).await;
    assert_eq!(asked.status, 201, "{}", asked.body);
    assert_eq!(fixture.credit_by(&fixture.staff, 1).await.status, 202);
}

#[tokio::test]
async fn after_24_hours_an_adjustment_counts_no_more() {
    let fixture = WithdrawalFixture::open().await;
    assert_eq!(fixture.credit_by(&fixture.staff, 1_000_00).await.status, 201);
    for (age, status) in [("23 hours 59 minutes", 202), ("24 hours 1 minute", 201)] {
        let sql =
            format!("UPDATE adjustment_alone SET made_at = made_at - interval '{age}' WHERE amount = 100000");
        fixture.app.execute(&sql).await;
        assert_eq!(
            fixture.credit_by(&fixture.staff, 1_00).await.status,
            status,
            "{age}"
        );
        let sql =
            format!("UPDATE adjustment_alone SET made_at = made_at + interval '{age}' WHERE amount = 100000");
        fixture.app.execute(&sql).await;
    }
}

#[tokio::test]
async fn of_parallel_credits_of_one_person_only_those_within_the_limit_are_made() {
    let fixture = WithdrawalFixture::open().await;
    // A session may try eight passwords at once.
    let answers = join_all((0..7).map(|_| fixture.credit_by(&fixture.staff, 300_00))).await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    let asked = answers.iter().filter(|answer| answer.status == 202).count();
    assert_eq!((made, asked), (3, 4));
    assert_eq!(fixture.transfers_made().await, 3);
    assert_eq!(fixture.balances().await, Balances::available(1_900_00));
}

#[tokio::test]
async fn a_refused_adjustment_does_not_count() {
    let fixture = WithdrawalFixture::open().await;
    fixture.set("removals_alone_up_to", json!(5_000_00)).await;
    let company = fixture.company.id.to_string();
    let refused = fixture
        .staff
        .post(MANUAL, transfer(&company, "out", 4_000_00))
        .await;
    assert_eq!(refused.status, 422, "above the balance: {}", refused.body);
    assert_eq!(fixture.app.rows("adjustment_alone").await, 0);
    let made = fixture
        .staff
        .post(MANUAL, transfer(&company, "out", 1_000_00))
        .await;
    assert_eq!(made.status, 201, "{}", made.body);
    let asked = fixture
        .staff
        .post(MANUAL, transfer(&company, "in", 10_000_000_000))
        .await;
    assert_eq!(asked.status, 422, "no transfer has this amount: {}", asked.body);
    assert_eq!(fixture.app.rows("adjustment_request").await, 0);
}

#[tokio::test]
async fn removals_have_a_limit_once_it_is_set() {
    let fixture = WithdrawalFixture::open().await;
    let company = fixture.company.id.to_string();
    let unlimited = fixture
        .staff
        .post(MANUAL, transfer(&company, "out", 500_00))
        .await;
    assert_eq!(unlimited.status, 201, "{}", unlimited.body);
    // What was removed before counts too.
    fixture.set("removals_alone_up_to", json!(600_00)).await;
    let asked = fixture
        .staff
        .post(MANUAL, transfer(&company, "out", 100_01))
        .await;
    assert_eq!(
        (asked.status, asked.text("/kind")),
        (202, "removal"),
        "{}",
        asked.body
    );
    assert_eq!(fixture.balances().await, Balances::available(500_00));
    // Nobody is asked about a removal that the balance does not cover.
    let refused = fixture
        .staff
        .post(MANUAL, transfer(&company, "out", 500_01))
        .await;
    assert_eq!(
        (refused.status, refused.at("/errors")),
        (
            422,
            &json!({ "amount": ["Valor não pode ser maior que o saldo"] })
        )
    );
    let mut negative = transfer(&company, "out", 500_01);
    negative["allow_negative"] = json!(true);
    let asked = fixture.staff.post(MANUAL, negative).await;
    assert_eq!((asked.status, asked.at("/allow_negative")), (202, &json!(true)));
}

/// Until the read models have the latest events, they show a lower balance.
#[tokio::test]
async fn an_adjustment_that_the_balance_covers_is_requested_although_read_models_are_behind() {
    only_with_tables!();
    let fixture = WithdrawalFixture::open().await;
    let company = fixture.company.id.to_string();
    fixture.set("removals_alone_up_to", json!(10_00)).await;
    fixture.set("releases_alone_up_to", json!(10_00)).await;
    fixture.balances().await;
    fixture.app.stop_read_model("balance").await;
    credit(&fixture.app, &fixture.company, 500_00).await;
    let asked = fixture
        .staff
        .post(MANUAL, transfer(&company, "out", 1_400_00))
        .await;
    assert_eq!(
        (asked.status, asked.text("/kind")),
        (202, "removal"),
        "{}",
        asked.body
    );
    let refused = fixture
        .staff
        .post(MANUAL, transfer(&company, "out", 1_500_01))
        .await;
    assert_eq!(refused.status, 422, "{}", refused.body);
    let body = json!({ "business_id": company, "amount": 200_00, "reason": "Em análise" });
    let held = fixture.staff.post(HOLDS, body).await;
    assert_eq!(held.status, 201, "{}", held.body);
    let asked = release(&fixture.staff, &held.body, 200_00).await;
    assert_eq!(
        (asked.status, asked.text("/kind")),
        (202, "release"),
        "{}",
        asked.body
    );
    // The form of a withdrawal refuses what is above this.
    let quote = fixture.seller.get("/api/balance/transfers/quote").await;
    assert_eq!(quote.at("/available"), &json!(1_300_00));
}

#[tokio::test]
async fn releases_of_held_amounts_have_a_limit_too() {
    let fixture = WithdrawalFixture::open().await;
    credit(&fixture.app, &fixture.company, 1_000_00).await;
    let body = json!({ "business_id": fixture.company.id, "amount": 2_000_00, "reason": "Em análise" });
    let held = fixture.staff.post(HOLDS, body).await;
    assert_eq!(held.status, 201, "a hold has no limit: {}", held.body);
    let hold = held.body;
    assert_eq!(release(&fixture.staff, &hold, 900_00).await.status, 200);
    let asked = release(&fixture.staff, &hold, 100_01).await;
    assert_eq!(
        (asked.status, asked.text("/kind")),
        (202, "release"),
        "{}",
        asked.body
    );
    assert_eq!(
        fixture.balances().await,
        Balances::available(900_00).blocked(1_100_00)
    );
    let refused = release(&fixture.staff, &hold, 1_100_01).await;
    assert_eq!(
        refused.at("/errors"),
        &json!({ "amount": ["Esta retenção tem R$ 1.100,00, menos do que R$ 1.100,01."] })
    );
    let second = fixture.second().await;
    let approved = decide(&second, &asked.body, "approve", json!({})).await;
    assert_eq!(
        (approved.status, approved.text("/status")),
        (200, "recorded"),
        "{}",
        approved.body
    );
    assert_eq!(approved.at("/transfer_id"), &Value::Null);
    assert_eq!(
        fixture.balances().await,
        Balances::available(1_000_01).blocked(999_99)
    );
}

#[tokio::test]
async fn a_repeat_under_one_key_counts_once_and_asks_once() {
    let fixture = WithdrawalFixture::open().await;
    let keyed = fixture.staff.clone().with("idempotency-key", "k");
    for _ in 0..3 {
        assert_eq!(fixture.credit_by(&keyed, 600_00).await.status, 201);
    }
    let other_body = fixture.credit_by(&keyed, 400_00).await;
    assert_eq!(other_body.status, 409, "{}", other_body.body);
    assert_eq!(fixture.credit_by(&fixture.staff, 400_00).await.status, 201);
    let keyed = fixture.staff.clone().with("idempotency-key", "l");
    let first = fixture.credit_by(&keyed, 5_000_00).await;
    let again = fixture.credit_by(&keyed, 5_000_00).await;
    assert_eq!((again.status, &again.body), (202, &first.body));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(fixture.credit_by(&keyed, 1_00).await.status, 409);
    assert_eq!(fixture.app.rows("adjustment_request").await, 1);
}

#[tokio::test]
async fn an_owner_raises_a_limit_from_the_next_business_day_on_only() {
    let fixture = WithdrawalFixture::open().await;
    let setting = |value: Value, revision: i32| json!({ "key": "credits_alone_up_to", "value": value, "revision": revision });
    let path = "/api/admin/settings/platform";
    let by_admin = fixture
        .staff
        .post(path, setting(json!(9_999_999_999_i64), 0))
        .await;
    assert_eq!(by_admin.status, 403);
    let owner = fixture.app.sign_in(&fixture.app.admin(&[Owner]).await).await;
    for (revision, value) in [(0, json!(5_000_00)), (1, Value::Null)] {
        let raised = owner.post(path, setting(value.clone(), revision)).await;
        assert_eq!(raised.status, 200, "{}", raised.body);
        assert_eq!(raised.at("/value"), &json!(1_000_00));
        assert_eq!(raised.at("/scheduled/value"), &value);
        assert_eq!(fixture.credit_by(&owner, 1_000_01).await.status, 202);
    }
    // A lower limit is in force at once.
    fixture
        .app
        .execute("ALTER TABLE platform_setting DISABLE TRIGGER USER; DELETE FROM platform_setting")
        .await;
    let lowered = owner.post(path, setting(json!(0), 0)).await;
    assert_eq!((lowered.status, lowered.at("/value")), (200, &json!(0)));
    assert_eq!(fixture.credit_by(&owner, 1).await.status, 202);
}
