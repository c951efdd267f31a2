//! Reports of periods that begin or end within a month, or end after today.

use std::collections::HashMap;

use chrono::{NaiveDate, TimeDelta};
use gateway_identity::roles::AdminRole;
use ledger_domain::sale::PaymentType;
use serde_json::{Value, json};

use super::{ReportFixture, START, app_without_jobs};
use crate::reports::get;
use crate::reports::history::{Fact, sum};
use crate::support::Sale;
use crate::support::movements::rows;

/// Long periods are read by month, with days added or subtracted. The rows of companies and of credit sales still
/// equal the sums of the facts.
pub(super) async fn check_any_period(fixture: &ReportFixture) {
    let staff = &fixture.staff;
    let all: Vec<&Fact> = fixture.facts.iter().collect();
    let start: NaiveDate = START.parse().expect("a date");
    // Twelve first days, a week apart, with four lengths each.
    for (week, length) in (0..12).flat_map(|week| [2, 20, 33, 71].map(|length| (week, length))) {
        let first = start + TimeDelta::days(7 * week);
        let last = first + TimeDelta::days(length);
        let within = |fact: &&&Fact| (first..=last).contains(&fact.date);
        let query = format!("start={first}&end={last}&group=day");
        let path = format!("/api/admin/transactions/total/sales?{query}");
        let report = get(staff, &path).await;
        let found: HashMap<_, _> = rows(&report)
            .iter()
            .map(|row| (row["business"]["id"].to_string(), &row["figures"]))
            .collect();
        for company in &fixture.companies {
            let facts: Vec<_> = all
                .iter()
                .filter(within)
                .filter(|fact| fact.company == company.id)
                .collect();
            let figures = found.get(&json!(company.id.to_string()).to_string()).copied();
            let expected = (!facts.is_empty()).then(|| sum(facts.into_iter().copied()));
            assert_eq!(figures, expected.as_ref(), "{path}");
        }
        let credit = |fact: &&&Fact| fact.sale.payment_type == PaymentType::Credit;
        let path = format!("/api/admin/transactions/billing?{query}");
        let billing = get(staff, &path).await;
        let rows = billing["by_payment_type"].as_array().expect("rows");
        let row = rows.iter().find(|row| row["payment_type"] == "credit");
        let facts: Vec<_> = all.iter().filter(within).filter(credit).collect();
        let expected = (!facts.is_empty()).then(|| sum(facts.into_iter().copied()));
        assert_eq!(row.map(|row| &row["figures"]), expected.as_ref(), "{path}");
    }
}

#[tokio::test]
async fn an_event_dated_after_today_counts_on_its_day_only() {
    let app = app_without_jobs().await;
    let bakery = app.company("Padaria Aurora").await;
    let pharmacy = app.company("Farmácia São João").await;
    app.capture(&bakery, &Sale::pix().amount(100_00).days_ago(1))
        .await;
    app.capture(&bakery, &Sale::pix().amount(20_00).days_ago(-3))
        .await;
    app.capture(&pharmacy, &Sale::pix().amount(3_00).days_ago(-3))
        .await;
    let position = app.ledger_position().await.to_string();
    let staff = app.admin(&[AdminRole::Admin]).await;
    let staff = app.sign_in(&staff).await.with("ledger-position", &position);
    let today = app.today();
    let listed = async |call: &str, end: NaiveDate| {
        let path = format!("/api/admin/transactions/{call}?start=2026-09-07&end={end}&group=day&sort=gross");
        let report = get(&staff, &path).await;
        let gross = |figures: &Value| figures["gross"].as_i64().expect("cents");
        let by_company: Vec<_> = rows(&report).iter().map(|row| gross(&row["figures"])).collect();
        (
            gross(&report["totals"]),
            by_company,
            report["meta"]["total"].clone(),
        )
    };
    for call in ["total/sales", "financial/all", "billing/businesses"] {
        assert_eq!(
            listed(call, today).await,
            (100_00, vec![100_00], json!(1)),
            "{call}"
        );
        let later = today + TimeDelta::days(3);
        assert_eq!(
            listed(call, later).await,
            (123_00, vec![100_00 + 20_00, 3_00], json!(2)),
            "{call}"
        );
    }
}
