//! Scheduled withdrawals: who sets them, on which days they run, and what a day says on which nothing was requested.

use chrono::TimeDelta;
use gateway_environment::clock::BusinessClock;
use gateway_identity::roles::SellerRole;
use gateway_platform::withdrawals::schedule::{ScheduleCounts, ScheduledWithdrawals, scheduled_withdrawal};
use ledger_domain::calendar::{Date, start_of};
use serde_json::{Value, json};

use super::{Balances, WithdrawalFixture, seller_of};
use crate::support::{Answer, PASSWORD};

const PATH: &str = "/api/balance/withdrawal-schedule";
const REQUESTED: ScheduleCounts = ScheduleCounts {
    requested: 1,
    withheld: 0,
};
const WITHHELD: ScheduleCounts = ScheduleCounts {
    requested: 0,
    withheld: 1,
};
const NOTHING: ScheduleCounts = ScheduleCounts {
    requested: 0,
    withheld: 0,
};

/// On each business day from R$ 100,00 on, leaving R$ 250,00.
fn daily() -> Value {
    json!({ "frequency": "day", "minimum": 100_00, "kept": 250_00, "destination": 0, "password": PASSWORD })
}

fn day(text: &str) -> Date {
    text.parse().expect("a date")
}

impl WithdrawalFixture {
    async fn schedule(&self, form: Value) -> Answer {
        self.seller.post(PATH, form).await
    }

    /// The job at an hour of a day in Brasília.
    fn job(&self, date: &str, hour: i64) -> ScheduledWithdrawals {
        ScheduledWithdrawals {
            clock: BusinessClock::stopped_at(start_of(day(date)) + TimeDelta::hours(hour)),
            ..self.app.app.scheduled_withdrawals()
        }
    }

    async fn run(&self, date: &str, hour: i64) -> ScheduleCounts {
        self.job(date, hour).run().await.expect("a run")
    }

    async fn last_run(&self) -> Value {
        self.seller.get(PATH).await.at("/runs/0").clone()
    }
}

#[tokio::test]
async fn a_schedule_withdraws_what_is_above_the_kept_amount_once_a_day() {
    let fixture = WithdrawalFixture::open().await;
    let set = fixture.schedule(daily()).await;
    assert_eq!(set.status, 200, "{}", set.body);
    assert_eq!(set.at("/schedule/next_on"), &json!("2026-11-23"), "a Monday");
    assert_eq!(set.text("/schedule/set_by"), "Ana Souza");
    assert_eq!(fixture.run("2026-11-22", 12).await, NOTHING, "a Sunday");
    assert_eq!(fixture.run("2026-11-23", 8).await, NOTHING, "too early");
    // Two runs at the same time, and a later one.
    let job = fixture.job("2026-11-23", 9);
    let (first, second) = tokio::join!(job.run(), job.run());
    let both = [first.expect("a run"), second.expect("a run")];
    assert!(both.iter().map(|counts| counts.requested).sum::<usize>() >= 1);
    assert_eq!(fixture.run("2026-11-23", 15).await, NOTHING);
    assert_eq!(fixture.app.count_events("TransferRequested").await, 1);
    assert_eq!(
        fixture.balances().await,
        Balances::available(250_00).in_transfer(750_00)
    );
    let id = scheduled_withdrawal(fixture.company.id, day("2026-11-23")).to_string();
    let run = fixture.last_run().await;
    assert_eq!(
        run,
        json!({
            "on": "2026-11-23", "outcome": "requested", "available": run["available"], "amount": 750_00,
            "transfer_id": id,
        })
    );
    let transfer = fixture.seller.get(&format!("/api/balance/transfers/{id}")).await;
    assert_eq!(
        transfer.at("/author"),
        &json!({ "kind": "automatic", "name": null })
    );
}

#[tokio::test]
async fn a_run_that_ended_before_its_note_is_noted_by_the_next_one() {
    let fixture = WithdrawalFixture::open().await;
    fixture.schedule(daily()).await;
    assert_eq!(fixture.run("2026-11-23", 12).await, REQUESTED);
    fixture.app.execute("DELETE FROM withdrawal_schedule_run").await;
    assert_eq!(fixture.run("2026-11-23", 12).await, REQUESTED, "noted again");
    assert_eq!(fixture.app.count_events("TransferRequested").await, 1);
    assert_eq!(fixture.last_run().await["amount"], 750_00);
}

#[tokio::test]
async fn a_day_without_a_withdrawal_says_why() {
    let fixture = WithdrawalFixture::open().await;
    let mut form = daily();
    form["minimum"] = json!(750_01);
    fixture.schedule(form).await;
    assert_eq!(fixture.run("2026-11-23", 12).await, WITHHELD);
    assert_eq!(
        fixture.last_run().await,
        json!({
            "on": "2026-11-23", "outcome": "below_minimum", "available": 1_000_00, "amount": null,
            "transfer_id": null,
        })
    );
    fixture.schedule(daily()).await;
    fixture.app.execute("DELETE FROM bank_account").await;
    assert_eq!(fixture.run("2026-11-24", 12).await, WITHHELD);
    assert_eq!(fixture.last_run().await["outcome"], "no_destination");
    fixture
        .app
        .execute("UPDATE business SET approval = 'denied'")
        .await;
    assert_eq!(fixture.run("2026-11-25", 12).await, WITHHELD);
    assert_eq!(fixture.last_run().await["outcome"], "not_active");
    assert_eq!(fixture.app.count_events("TransferRequested").await, 0);
}

#[tokio::test]
async fn a_weekly_schedule_moves_from_a_holiday_to_the_next_business_day() {
    let fixture = WithdrawalFixture::open().await;
    let mut form = daily();
    // 25 December 2026 is a Friday.
    form["frequency"] = json!("week");
    form["on_day"] = json!(5);
    assert_eq!(fixture.schedule(form).await.status, 200);
    assert_eq!(fixture.run("2026-12-25", 12).await, NOTHING);
    assert_eq!(fixture.run("2026-12-28", 12).await, REQUESTED);
    assert_eq!(fixture.run("2026-12-29", 12).await, NOTHING);
}

#[tokio::test]
async fn owners_and_admins_set_and_remove_it_with_their_password() {
    let fixture = WithdrawalFixture::open().await;
    let mut wrong = daily();
    wrong["password"] = json!("não é esta");
    let refused = fixture.schedule(wrong).await;
    assert_eq!(
        (refused.status, refused.at("/errors/password")),
        (422, &json!(["Senha incorreta."]))
    );
    for (field, value) in [
        ("minimum", json!(0)),
        ("kept", json!(-1)),
        ("destination", json!(2)),
        ("frequency", json!("year")),
    ] {
        let mut form = daily();
        form[field] = value;
        let refused = fixture.schedule(form).await;
        assert_eq!(refused.status, 422, "{field}: {}", refused.body);
        assert!(refused.at("/errors").get(field).is_some(), "{}", refused.body);
    }
    for (frequency, on_day) in [
        ("week", json!(6)),
        ("week", Value::Null),
        ("month", json!(29)),
        ("month", json!(0)),
    ] {
        let mut form = daily();
        form["frequency"] = json!(frequency);
        form["on_day"] = on_day;
        let refused = fixture.schedule(form).await;
        assert_eq!(refused.at("/errors/on_day"), &json!(["Escolha o dia."]));
    }
    let operator = seller_of(&fixture.app, &fixture.company, SellerRole::Operator).await;
    assert_eq!(operator.get(PATH).await.status, 403);
    assert_eq!(operator.post(PATH, daily()).await.status, 403);
    assert_eq!(
        fixture.seller.get(PATH).await.body,
        json!({ "schedule": null, "runs": [] })
    );
    let admin = seller_of(&fixture.app, &fixture.company, SellerRole::Admin).await;
    assert_eq!(admin.post(PATH, daily()).await.status, 200);
    let removed = async || fixture.seller.send(reqwest::Method::DELETE, PATH, None).await;
    assert_eq!(removed().await.status, 204);
    assert_eq!(removed().await.status, 204, "a repeat changes nothing");
    assert_eq!(fixture.run("2026-11-23", 12).await, NOTHING);
    let entries =
        "SELECT string_agg(action, ',' ORDER BY id) FROM audit_log WHERE subject = 'withdrawal_schedule'";
    assert_eq!(fixture.app.text(entries).await, "set,delete");
}
