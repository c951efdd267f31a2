//! The receivables schedule by day, by receivable unit and by installment: three views with equal sums, and
//! spreadsheets of units and installments.

use chrono::{NaiveDate, TimeDelta};
use gateway_identity::roles::SellerRole;
use ledger_domain::sale::CardBrand;
use serde_json::{Value, json};

use crate::balance::as_of::cents;
use crate::balance::totals::start_with_settled_sales;
use crate::spreadsheets::lists::short_code;
use crate::spreadsheets::sheet::{Cell, download};
use crate::support::movements::{MovementsFixture, rows};
use crate::support::{Client, Sale};

/// All due dates of the tests' sales: the earliest sale was 75 days before today, 2026-11-21.
const PERIOD: &str = "start=2026-09-01&end=2027-03-31";

/// The rows of a list that fits on one page.
async fn list(client: &Client, path: &str) -> Vec<Value> {
    let page = client.get(path).await;
    assert_eq!(page.status, 200, "{}", page.body);
    rows(&page.body).to_vec()
}

fn sum(rows: &[Value], field: &str) -> i64 {
    rows.iter().filter_map(|row| row[field].as_i64()).sum()
}

/// The fixture, with three more sales on the day of its card sale: Elo of R$ 100,00, Visa of R$ 60,00, and Visa of
/// R$ 30,00 that was canceled. In the path, `chargeback` is a cancel.
async fn with_canceled_sale() -> MovementsFixture {
    let fixture = MovementsFixture::open().await;
    for sale in [
        Sale::card().brand(CardBrand::Elo).amount(100_00).days_ago(75),
        Sale::card().amount(60_00).days_ago(75),
    ] {
        fixture.app.capture(&fixture.company, &sale).await;
    }
    let reversed = Sale::card().amount(30_00).days_ago(75);
    fixture.app.capture(&fixture.company, &reversed).await;
    let path = format!("/api/transactions/{}/chargeback", reversed.facts.sale_id);
    crate::support::movements::assert_success(fixture.seller.post(&path, json!({})).await);
    let now = fixture.app.ledger_position().await.to_string();
    MovementsFixture {
        seller: fixture.seller.with("ledger-position", &now),
        ..fixture
    }
}

#[tokio::test]
async fn days_units_and_installments_add_up_to_the_same_cents() {
    let fixture = with_canceled_sale().await;
    let days = list(&fixture.seller, &format!("/api/receivables?{PERIOD}")).await;
    let units = list(
        &fixture.seller,
        &format!("/api/receivables/units?{PERIOD}&perPage=100"),
    )
    .await;
    assert!(days.len() >= 4 && units.len() > days.len(), "{units:?}");
    for day in &days {
        let date = day["due_date"].as_str().expect("a date");
        let of_day: Vec<Value> = units
            .iter()
            .filter(|unit| unit["due_date"] == date)
            .cloned()
            .collect();
        for field in ["expected", "settled", "accelerated"] {
            assert_eq!(
                sum(&of_day, field),
                day[field].as_i64().expect("cents"),
                "{field} of {date}"
            );
        }
        assert_eq!(json!(sum(&of_day, "installments")), day["count"]);
        let parts = list(
            &fixture.seller,
            &format!("/api/receivables/sales?date={date}&perPage=100"),
        )
        .await;
        assert_eq!(json!(parts.len()), day["count"], "{date}");
        assert_eq!(json!(sum(&parts, "net")), day["expected"], "{date}");
        let net_with_status = |status: &str| {
            let matching: Vec<Value> = parts
                .iter()
                .filter(|part| part["status"] == status)
                .cloned()
                .collect();
            json!(sum(&matching, "net"))
        };
        assert_eq!(
            (net_with_status("settled"), net_with_status("accelerated")),
            (day["settled"].clone(), day["accelerated"].clone())
        );
    }
    assert_eq!(
        sum(&days, "accelerated"),
        28_50,
        "the net of the canceled sale: R$ 30,00 less 5 %"
    );
}

#[tokio::test]
async fn a_unit_belongs_to_one_acquirer_and_leads_to_its_installments() {
    let fixture = with_canceled_sale().await;
    let units = list(
        &fixture.seller,
        &format!("/api/receivables/units?{PERIOD}&perPage=100"),
    )
    .await;
    let elo = units
        .iter()
        .find(|unit| unit["card_brand"] == "elo")
        .expect("a unit of Elo");
    assert_eq!(
        (&elo["acquirer"], &elo["payment_type"]),
        (&json!(1), &json!("credit"))
    );
    assert_eq!(elo["holder"]["name"], "Padaria Aurora");
    assert_eq!(elo["holder"]["document"].as_str().map(str::len), Some(14));
    let date = elo["due_date"].as_str().expect("a date");
    let installments_of_unit =
        format!("/api/receivables/sales?date={date}&provider=1&brand=elo&paymentType=credit");
    let parts = list(&fixture.seller, &installments_of_unit).await;
    assert_eq!(parts.len(), 1);
    assert_eq!(parts[0]["net"], elo["expected"]);
    assert_eq!(parts[0]["installments"], 3);
    // Sorted by date, acquirer, card brand and payment type. The pages are parts of one list.
    let key = |unit: &Value| {
        [
            &unit["due_date"],
            &unit["acquirer"],
            &unit["card_brand"],
            &unit["payment_type"],
        ]
        .map(ToString::to_string)
    };
    let mut sorted = units.clone();
    sorted.sort_by_key(key);
    assert_eq!(units, sorted);
    let second = fixture
        .seller
        .get(&format!("/api/receivables/units?{PERIOD}&perPage=2&page=2"))
        .await
        .body;
    assert_eq!(second["data"], json!(units[2..4]));
    assert_eq!(second["meta"]["total"], units.len());
}

#[tokio::test]
async fn invalid_schedule_parameters_are_named_and_operators_have_no_access() {
    let fixture = MovementsFixture::open().await;
    for (query, field) in [
        ("sales", "date"),
        ("sales?date=ontem", "date"),
        ("sales?date=2026-12-07&provider=9", "provider"),
        ("sales?date=2026-12-07&paymentType=dinheiro", "paymentType"),
        ("units?start=2026-01-01&end=2029-01-01", "end"),
        ("units?perPage=101", "perPage"),
    ] {
        let answer = fixture.seller.get(&format!("/api/receivables/{query}")).await;
        assert_eq!(answer.status, 422, "{query}");
        assert!(
            answer.at("/errors").get(field).is_some(),
            "{query}: {}",
            answer.body
        );
    }
    let operator = fixture
        .app
        .seller(&[(&fixture.company, SellerRole::Operator)])
        .await;
    let operator = fixture.app.sign_in(&operator).await;
    for view in ["units", "sales?date=2026-12-07"] {
        assert_eq!(
            operator.get(&format!("/api/receivables/{view}")).await.status,
            403
        );
    }
}

fn date(value: &Value) -> Cell {
    value
        .as_str()
        .map_or(Cell::Empty, |text| Cell::Date(text.parse().expect("a date")))
}

fn brand(row: &Value) -> Cell {
    match row["card_brand"].as_str() {
        Some("visa") => Cell::Text("Visa".to_owned()),
        Some("elo") => Cell::Text("Elo".to_owned()),
        _ => Cell::Empty,
    }
}

fn payment(installment: &Value) -> Cell {
    let payment_type = installment["payment_type"].as_str();
    let text = match (payment_type, cents(&installment["installments"])) {
        (Some("pix"), _) => "PIX".to_owned(),
        (_, 1) => "Crédito à vista".to_owned(),
        (_, count) => format!("Crédito {count}x"),
    };
    Cell::Text(text)
}

#[tokio::test]
async fn the_spreadsheet_of_units_has_the_rows_of_the_list() {
    let fixture = with_canceled_sale().await;
    let path = format!("/api/receivables/units?{PERIOD}&perPage=100");
    let units = list(&fixture.seller, &path).await;
    let sheet = download(&fixture.seller, &path).await;
    for (row, unit) in sheet.rows.iter().zip(&units) {
        assert!(row[1].to_string().starts_with("Padaria Aurora · "), "{row:?}");
        assert_eq!(unit["acquirer"], 1);
    }
    let row = |unit: &Value| {
        let is_pix = unit["payment_type"] == "pix";
        vec![
            date(&unit["due_date"]),
            Cell::Text("Zoop".to_owned()),
            brand(unit),
            Cell::Text(if is_pix { "PIX" } else { "Crédito" }.to_owned()),
            Cell::Count(cents(&unit["installments"])),
            Cell::money(&unit["expected"]),
            Cell::money(&unit["settled"]),
            Cell::money(&unit["accelerated"]),
            Cell::Money(cents(&unit["expected"]) - cents(&unit["settled"]) - cents(&unit["accelerated"])),
        ]
    };
    // The holder (the second column) is checked above.
    let rows: Vec<_> = units.iter().map(row).collect();
    sheet.without(1).assert_rows(&rows);
}

#[tokio::test]
async fn the_spreadsheet_of_due_installments_has_the_rows_of_the_list() {
    let fixture = with_canceled_sale().await;
    let path = format!("/api/receivables/units?{PERIOD}&perPage=100");
    let units = list(&fixture.seller, &path).await;
    let day = units[0]["due_date"].as_str().expect("a date");
    let path = format!("/api/receivables/sales?date={day}&perPage=100");
    let installments = list(&fixture.seller, &path).await;
    let status = |installment: &Value| match installment["status"].as_str() {
        Some("settled") => "Liquidado",
        Some("accelerated") => "Antecipado por cancelamento",
        _ => "Agendado",
    };
    let row = |installment: &Value| {
        vec![
            short_code(&installment["sale_id"]),
            Cell::Text(format!(
                "{} de {}",
                installment["number"], installment["installments"]
            )),
            Cell::instant(&installment["sold_at"]),
            Cell::Text("Zoop".to_owned()),
            payment(installment),
            brand(installment),
            Cell::Text(status(installment).to_owned()),
            date(&installment["paid_on"]),
            Cell::money(&installment["gross"]),
            Cell::money(&installment["net"]),
        ]
    };
    assert!(installments.iter().any(|each| each["status"] == "accelerated"));
    let rows: Vec<_> = installments.iter().map(row).collect();
    download(&fixture.seller, &path).await.assert_rows(&rows);
}

#[tokio::test]
async fn the_schedule_shows_the_amount_due_on_each_day() {
    // A card sale of R$ 300,00 in three installments, two of which are settled, and a settled PIX of R$ 50,00. Both
    // cost fees.
    let (_app, client) = start_with_settled_sales().await;
    let schedule = client.get("/api/receivables").await.body;
    let days = schedule["data"].as_array().expect("days");
    assert_eq!(days.len(), 1);
    assert_eq!(
        (&days[0]["expected"], &days[0]["settled"], &days[0]["count"]),
        (&json!(95_00), &json!(0), &json!(1))
    );
    let past = client
        .get("/api/receivables?start=2026-09-01&end=2026-11-20")
        .await
        .body;
    let settled: i64 = past["data"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|day| day["settled"].as_i64())
        .sum();
    assert_eq!(settled, 2 * 95_00 + 49_50, "two installments and the PIX");
    let too_long = client
        .get("/api/receivables?start=2020-01-01&end=2026-01-01")
        .await;
    assert_eq!(
        (too_long.status, too_long.body["errors"]["end"].is_array()),
        (422, true)
    );
}

#[tokio::test]
async fn the_schedule_has_60_days_from_today_unless_the_query_says_otherwise() {
    let (_app, client) = start_with_settled_sales().await;
    // The only open installment of the fixture.
    let due_date = client.get("/api/receivables").await.body["data"][0]["due_date"].clone();
    let due: NaiveDate = serde_json::from_value(due_date.clone()).expect("a date");
    // A period without an end has 60 days with its first.
    for (days, included) in [(59, true), (60, false)] {
        let start = due - TimeDelta::days(days);
        let shown = list(&client, &format!("/api/receivables?start={start}")).await;
        assert!(!shown.is_empty());
        assert_eq!(
            shown.iter().any(|day| day["due_date"] == due_date),
            included,
            "{days}"
        );
    }
    // Today is 2026-11-21. A period without a start begins today.
    for (query, refused) in [
        ("end=2026-11-20", true),
        ("end=2026-11-21", false),
        ("end=2027-11-21", false),
        ("end=2029-11-21", true),
        ("start=2026-11-23&end=2026-11-22", true),
    ] {
        for list in ["receivables", "receivables/units"] {
            let answer = client.get(&format!("/api/{list}?{query}")).await;
            let status = if refused { 422 } else { 200 };
            assert_eq!(answer.status, status, "{list} {query}: {}", answer.body);
            assert_eq!(answer.body["errors"]["end"].is_array(), refused, "{list} {query}");
        }
    }
}

#[tokio::test]
async fn the_overview_has_the_amounts_to_receive_in_7_and_30_days_with_today() {
    let fixture = MovementsFixture::open().await;
    // Their first installments are due on the 7th day, 2026-11-27, and on the 31st.
    for days_ago in [24, 0] {
        let sale = Sale::card().amount(100_00).days_ago(days_ago);
        fixture.app.capture(&fixture.company, &sale).await;
    }
    let now = fixture.app.ledger_position().await.to_string();
    let seller = fixture.seller.with("ledger-position", &now);
    let to_receive = seller.get("/api/overview").await.body["to_receive"].clone();
    for (field, end) in [("next_7_days", "2026-11-27"), ("next_30_days", "2026-12-20")] {
        let days = list(&seller, &format!("/api/receivables?start=2026-11-21&end={end}")).await;
        let open = sum(&days, "expected") - sum(&days, "settled") - sum(&days, "accelerated");
        assert!(open > 0, "{field}: {days:?}");
        assert_eq!(to_receive[field], json!(open), "{field}: {days:?}");
    }
    let after = list(&seller, "/api/receivables?start=2026-12-21&end=2026-12-21").await;
    assert!(
        sum(&after, "expected") > 0,
        "an installment is due on the 31st day"
    );
}
