//! The demo story on unusual days and hours: the edges of months and years, holidays, around midnight in Brasília.
//! `fixtures/days.json` lists them. `just days` runs all of them; other runs take a few.

use std::collections::BTreeSet;

use chrono::{DateTime, FixedOffset, TimeDelta};
use gateway_dev::demo::Story;
use gateway_identity::roles::AdminRole;
use ledger_domain::calendar::Date;
use projections::replay;
use serde::Deserialize;
use serde_json::{Value, json};

use super::screens::Screens;
use super::story::{NEGATIVE_CLOSINGS, assert_every_state_occurs, overdue};
use crate::support::{Client, PARTS_WITHOUT_EFFECTS, TestApp};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Day {
    key: String,
    now: DateTime<FixedOffset>,
    /// Also runs if `RAZAO_TEST_DAYS` is not set.
    #[serde(default)]
    always: bool,
}

impl Day {
    fn date(&self) -> Date {
        self.now.date_naive()
    }
}

fn days() -> Vec<Day> {
    serde_json::from_str(include_str!("../../../../fixtures/days.json")).expect("the days")
}

/// The days whose keys `RAZAO_TEST_DAYS` lists, or all for `all`. A few if it is not set.
fn wanted() -> Vec<Day> {
    let named = std::env::var("RAZAO_TEST_DAYS").unwrap_or_default();
    let named: BTreeSet<_> = named.split_whitespace().collect();
    let days = days();
    let unknown: Vec<_> = named
        .iter()
        .filter(|key| **key != "all" && !days.iter().any(|day| day.key == **key))
        .collect();
    assert!(unknown.is_empty(), "fixtures/days.json has no {unknown:?}");
    let is_wanted = |day: &Day| match named.is_empty() {
        true => day.always,
        false => named.contains("all") || named.contains(day.key.as_str()),
    };
    days.into_iter().filter(is_wanted).collect()
}

#[test]
fn the_twenty_days_have_unique_keys_and_brasilia_times() {
    let days = days();
    let keys: BTreeSet<_> = days.iter().map(|day| &day.key).collect();
    assert_eq!((days.len(), keys.len()), (20, 20));
    for day in &days {
        assert_eq!(day.now.offset().local_minus_utc(), -3 * 3_600, "{}", day.key);
    }
    assert!(days.iter().any(|day| day.always));
}

#[tokio::test]
async fn on_each_day_the_story_has_every_state_and_adds_up() {
    for day in wanted() {
        eprintln!("{} ({})", day.key, day.now);
        let now = day.now.to_rfc3339();
        let parts = PARTS_WITHOUT_EFFECTS;
        let app = TestApp::start_with(&[("RAZAO_NOW", &now)], parts).await;
        app.app.demo().load(|_| ()).await.expect("the story");
        assert_eq!(app.today(), day.date());
        assert_every_state_occurs(&app).await;
        assert_eq!(
            app.count(NEGATIVE_CLOSINGS).await,
            1,
            "only the last day of the company that owes a machine closes with a negative balance"
        );
        assert_eq!(
            app.count(&overdue(&app)).await,
            0,
            "everything due by today is settled"
        );
        let ahead =
            format!("SELECT count(*) FROM event WHERE occurred_at > '{now}'::timestamptz + interval '1 s'");
        assert_eq!(app.count(&ahead).await, 0, "nothing happens after now");
        for company in &Story::read().companies {
            let owner = sign_in_owner(&app, &company.key).await;
            assert_screens_agree(&owner, &company.id().to_string(), day.date()).await;
            let screens = Screens {
                client: &owner,
                company: Some(company.id().to_string()),
            };
            screens.of_a_company_agree(day.date()).await;
        }
        let staff = app.sign_in(&app.admin(&[AdminRole::Owner]).await).await;
        let screens = Screens {
            client: &staff,
            company: None,
        };
        screens.of_staff_agree(day.date()).await;
        let pool = &app.app.state.pool;
        replay::run(
            pool,
            &app.database.connector(),
            |_| (),
            |finding| panic!("{finding:?}"),
        )
        .await
        .expect("a replay");
    }
}

async fn sign_in_owner(app: &TestApp, company: &str) -> Client {
    let story = Story::read();
    let owns = |access: &gateway_dev::demo::StoryAccess| access.business == company && access.role == "owner";
    let owner = story.team.iter().find(|user| user.access.iter().any(owns));
    let owner = owner.expect("each company has an owner");
    let form = json!({ "email": owner.email, "password": owner.password });
    let answer = app.client().post("/api/auth/sign-in", form).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    app.client().bearing(answer.text("/access_token"))
}

/// The home page, the daily balances and the receivables schedule show the same figures.
async fn assert_screens_agree(owner: &Client, business_id: &str, today: Date) {
    let get = async |path: &str| {
        let answer = owner.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.body
    };
    let home = get(&format!("/api/overview?business_id={business_id}")).await;
    assert_eq!(home["today"], json!(today));
    // The last 30 days, of which the last is today.
    let daily = rows(&home["period"]["parts"]);
    assert_eq!(daily.len(), 30);
    assert_eq!(daily[29]["start"], json!(today));
    assert_eq!(daily[29]["gross"], home["sales_today"]["gross"]);
    assert_eq!(daily[28]["gross"], home["sales_yesterday"]["gross"]);

    let closings = get(&format!("/api/balance/daily?business_id={business_id}")).await;
    let last = rows(&closings["data"]).last().expect("a day").clone();
    assert_eq!(last["date"], json!(today));
    for account in ["available", "receivable", "in_transfer", "blocked"] {
        assert_eq!(last[account], home["balance"][account], "{account}");
    }

    let (start, end) = (today - TimeDelta::days(300), today + TimeDelta::days(400));
    let schedule = get(&format!(
        "/api/receivables?business_id={business_id}&start={start}&end={end}"
    ))
    .await;
    let unpaid = |day: &Value| {
        let cents = |field: &str| day[field].as_i64().expect("cents");
        cents("expected") - cents("settled") - cents("accelerated")
    };
    let days = rows(&schedule["data"]);
    let all: i64 = days.iter().map(unpaid).sum();
    assert_eq!(json!(all), home["balance"]["receivable"]);
    let due = |day: &&Value| day["due_date"].as_str().expect("a date") <= today.to_string().as_str();
    let late: i64 = days.iter().filter(due).map(unpaid).sum();
    assert_eq!(late, 0, "everything due is settled");
}

fn rows(list: &Value) -> &[Value] {
    list.as_array().map_or(&[], Vec::as_slice)
}
