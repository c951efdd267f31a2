//! A list uses the days of one time zone, and its rows, filters and totals use the same one.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use chrono_tz::Tz;
use gateway_identity::roles::{AdminRole, SellerRole};
use ledger_domain::business::{BusinessCommand, MakeManualTransfer};
use ledger_domain::transfer::Direction;
use ledger_domain::{Cents, TransferId};
use ledger_store::LedgerPosition;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Client, Company, Sale, TestApp};

const ZONES: [&str; 6] = [
    "America/Sao_Paulo",
    "UTC",
    "Asia/Tokyo",
    "America/Noronha",
    "Pacific/Kiritimati",
    "Asia/Kathmandu",
];

/// Times of sales, in minutes after noon in Brasília (15:00 UTC): for each zone the last minute of a day and the first
/// of the next. Midnight is at -720 in Brasília, -300 in Kiritimati (UTC+14), 0 in Tokyo, 195 in Kathmandu (UTC+5:45),
/// 540 in UTC and 660 in Noronha (UTC-2).
const MINUTES: [i64; 12] = [-720, -301, -300, -1, 0, 194, 195, 539, 540, 659, 660, 719];

struct TimeZoneFixture {
    app: TestApp,
    company: Company,
    seller: Client,
    staff: Client,
}

impl TimeZoneFixture {
    /// A company with sales at `MINUTES` of four days, and one failed sale.
    async fn open() -> Self {
        let app = TestApp::start().await;
        let company = app.company("Padaria").await;
        let mut reached = LedgerPosition::default();
        for days in 0..4 {
            for (place, minutes) in MINUTES.iter().enumerate() {
                let sale = if place % 2 == 0 { Sale::card() } else { Sale::pix() };
                // Each amount is unique, so that the sums show which sales they contain.
                let sale = sale
                    .days_ago(days)
                    .minutes_past_noon(*minutes)
                    .amount(100_00 + days * 1_000 + minutes);
                reached.merge(&app.capture(&company, &sale).await);
            }
        }
        reached.merge(
            &app.fail(&company, &Sale::card().days_ago(2), "saldo insuficiente")
                .await,
        );
        let position = reached.to_string();
        let seller = app.seller(&[(&company, SellerRole::Owner)]).await;
        let seller = app.sign_in(&seller).await.with("ledger-position", &position);
        let staff = app.sign_in(&app.admin(&[AdminRole::Admin]).await).await;
        let staff = staff.with("ledger-position", &position);
        Self {
            app,
            company,
            seller,
            staff,
        }
    }

    /// A manual credit of R$ 10,00 plus `days_ago` cents.
    async fn credit(&self, days_ago: i64, minutes_past_noon: i64) -> LedgerPosition {
        let command = BusinessCommand::MakeManualTransfer(MakeManualTransfer {
            transfer_id: TransferId::from_uuid(Uuid::now_v7()),
            direction: Direction::In,
            amount: Cents::new(10_00 + days_ago),
            description: "Aporte".to_owned(),
            allow_negative: false,
            occurred_at: self.app.noon(days_ago) + TimeDelta::minutes(minutes_past_noon),
        });
        self.app.submit(&self.company, command).await
    }

    async fn all_sales(&self) -> Vec<Value> {
        rows(&self.seller.get("/api/transactions?perPage=100").await.body)
    }
}

fn rows(body: &Value) -> Vec<Value> {
    body["data"].as_array().expect("rows").clone()
}

fn at(value: &Value) -> DateTime<Utc> {
    value.as_str().expect("a text").parse().expect("an instant")
}

fn ids(rows: &[Value]) -> BTreeSet<&str> {
    rows.iter().filter_map(|row| row["id"].as_str()).collect()
}

/// The rows that occurred on these days in the zone, by the time zone database alone.
fn of_days(all: &[Value], zone: &str, start: NaiveDate, end: NaiveDate) -> Vec<Value> {
    let zone: Tz = zone.parse().expect("a zone");
    let within = |row: &&Value| {
        let day = at(&row["occurred_at"]).with_timezone(&zone).date_naive();
        (start..=end).contains(&day)
    };
    all.iter().filter(within).cloned().collect()
}

/// The count, gross and net of the captured sales.
fn sums(rows: &[Value]) -> [i64; 3] {
    let captured: Vec<&Value> = rows.iter().filter(|row| !row["captured_at"].is_null()).collect();
    let sum = |name: &str| captured.iter().filter_map(|row| row[name].as_i64()).sum();
    [
        i64::try_from(captured.len()).expect("few"),
        sum("amount"),
        sum("net_amount"),
    ]
}

#[tokio::test]
async fn the_totals_match_the_list_in_every_zone() {
    let fixture = TimeZoneFixture::open().await;
    let all = fixture.all_sales().await;
    assert_eq!(all.len(), 4 * MINUTES.len() + 1);
    let day = |day| NaiveDate::from_ymd_opt(2026, 11, day).expect("a date");
    for zone in ZONES {
        for (start, end) in [(18, 18), (19, 19), (20, 20), (21, 21), (18, 22), (19, 20)] {
            for (filter, payment_type) in [("", None), ("&paymentType=pix", Some("pix"))] {
                let days = format!("start=2026-11-{start}&end=2026-11-{end}&time_zone={zone}{filter}");
                let mut expected = of_days(&all, zone, day(start), day(end));
                expected.retain(|row| payment_type.is_none_or(|name| row["payment_type"] == name));
                for (client, path) in [
                    (&fixture.seller, "/api/transactions"),
                    (&fixture.staff, "/api/admin/transactions"),
                ] {
                    let list = client.get(&format!("{path}?perPage=100&{days}")).await;
                    assert_eq!(list.status, 200, "{}", list.body);
                    assert_eq!(list.text("/meta/time_zone"), zone);
                    assert_eq!(ids(&rows(&list.body)), ids(&expected), "{path} {days}");
                    let totals = client.get(&format!("{path}/totals?{days}")).await;
                    let reported =
                        ["/count", "/gross", "/net"].map(|name| totals.at(name).as_i64().expect("cents"));
                    assert_eq!(reported, sums(&expected), "{path} {days}");
                }
            }
        }
    }
}

#[tokio::test]
async fn a_range_of_instants_does_not_depend_on_the_zone() {
    let fixture = TimeZoneFixture::open().await;
    let all = fixture.all_sales().await;
    // A sale at the instant of the end is included.
    for (start, end) in [
        ("2026-11-19T14:59:00Z", "2026-11-19T18:15:00Z"),
        ("2026-11-18T03:00:00Z", "2026-11-21T15:00:00Z"),
        ("2026-11-20T02:59:59Z", "2026-11-20T03:00:00Z"),
    ] {
        let (from, until): (DateTime<Utc>, DateTime<Utc>) =
            (start.parse().expect("one"), end.parse().expect("one"));
        let within = |row: &&Value| (from..=until).contains(&at(&row["occurred_at"]));
        let expected: Vec<Value> = all.iter().filter(within).cloned().collect();
        assert!(!expected.is_empty(), "{start}");
        let query = format!("start={start}&end={end}");
        let list = fixture
            .seller
            .get(&format!("/api/transactions?perPage=100&{query}"))
            .await;
        assert_eq!(ids(&rows(&list.body)), ids(&expected), "{query}");
        let totals = fixture
            .seller
            .get(&format!("/api/transactions/totals?{query}"))
            .await;
        let reported = ["/count", "/gross", "/net"].map(|name| totals.at(name).as_i64().expect("cents"));
        assert_eq!(reported, sums(&expected), "{query}");
    }
    let crossed = "start=2026-11-19T14:59:01Z&end=2026-11-19T14:59:00Z";
    let answer = fixture.seller.get(&format!("/api/transactions?{crossed}")).await;
    assert_eq!((answer.status, answer.at("/errors/end").is_array()), (422, true));
}

#[tokio::test]
async fn a_list_uses_the_named_zone_else_the_user_s_else_the_tenant_s() {
    let fixture = TimeZoneFixture::open().await;
    let company = &fixture.company.id;
    let zone_of = async |client: &Client, path: &str| {
        let answer = client.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.text("/meta/time_zone").to_owned()
    };
    let own = [
        "/api/transactions",
        "/api/balance/history",
        "/api/balance/transfers",
    ];
    let of_staff = [
        "/api/admin/transactions".to_owned(),
        format!("/api/admin/balance/history?business_id={company}"),
        "/api/admin/balance/transfers".to_owned(),
        "/api/admin/balance/withdraws".to_owned(),
        format!("/api/admin/businesses/{company}/journal"),
    ];
    for path in own {
        assert_eq!(zone_of(&fixture.seller, path).await, "UTC", "nothing is set");
    }
    fixture
        .app
        .execute("UPDATE tenant SET time_zone = 'America/Sao_Paulo' WHERE label = ''")
        .await;
    for path in own {
        assert_eq!(zone_of(&fixture.seller, path).await, "America/Sao_Paulo");
    }
    let chosen = fixture
        .seller
        .patch("/api/sellers/me", json!({ "time_zone": "Asia/Tokyo" }))
        .await;
    assert_eq!(chosen.text("/time_zone"), "Asia/Tokyo");
    for path in own {
        assert_eq!(zone_of(&fixture.seller, path).await, "Asia/Tokyo");
        let named = format!("{path}?time_zone=America/Manaus");
        assert_eq!(zone_of(&fixture.seller, &named).await, "America/Manaus");
        let wrong = fixture.seller.get(&format!("{path}?time_zone=Marte")).await;
        assert_eq!(
            (wrong.status, wrong.at("/errors/time_zone").is_array()),
            (422, true)
        );
    }
    for path in of_staff {
        assert_eq!(
            zone_of(&fixture.staff, &path).await,
            "America/Sao_Paulo",
            "{path}"
        );
    }
    let wrong = fixture
        .seller
        .patch("/api/sellers/me", json!({ "time_zone": "Marte" }))
        .await;
    assert_eq!(wrong.status, 422, "{}", wrong.body);
}

#[tokio::test]
async fn the_statement_uses_the_days_of_the_zone_and_adds_up_in_each() {
    let fixture = TimeZoneFixture::open().await;
    let path = "/api/balance/history?perPage=100";
    let mut reached = LedgerPosition::default();
    for days in 0..4 {
        for minutes in [650, -300, 200] {
            reached.merge(&fixture.credit(days, minutes).await);
        }
    }
    let seller = fixture
        .seller
        .clone()
        .with("ledger-position", &reached.to_string());
    let all = rows(&seller.get(path).await.body);
    for pair in all.windows(2) {
        let before = pair[1]["balance"].as_i64().expect("cents");
        let amount = pair[0]["amount"].as_i64().expect("cents");
        assert_eq!(pair[0]["balance"], before + amount, "{}", pair[0]);
    }
    assert_eq!(all.len(), 12);
    for zone in ZONES {
        let day = NaiveDate::from_ymd_opt(2026, 11, 20).expect("a date");
        let expected = of_days(&all, zone, day, day);
        let query = format!("{path}&start=2026-11-20&end=2026-11-20&time_zone={zone}");
        let page = seller.get(&query).await.body;
        assert_eq!(
            rows(&page),
            expected,
            "with the balance of the whole history, in {zone}"
        );
        let totals = seller.get(&format!("{query}&totals=1")).await;
        let sum: i64 = expected.iter().filter_map(|line| line["amount"].as_i64()).sum();
        assert_eq!(totals.at("/totals/by_kind/3"), sum, "manual transfers, in {zone}");
    }
}
