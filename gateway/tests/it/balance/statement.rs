//! A company's statement as staff see it, and the event behind each line.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::support::movements::{DESCRIPTION, MovementsFixture, rows};

async fn lines(fixture: &MovementsFixture) -> Vec<Value> {
    let path = format!(
        "/api/admin/balance/history?business_id={}&order=asc",
        fixture.company.id
    );
    let page = fixture.staff.get(&path).await;
    assert_eq!(page.status, 200, "{}", page.body);
    rows(&page.body).to_vec()
}

#[tokio::test]
async fn the_statement_has_every_kind_of_movement_and_ends_at_the_ledger_balance() {
    let fixture = MovementsFixture::open().await;
    let lines = lines(&fixture).await;
    let kinds_and_amounts: Vec<_> = lines
        .iter()
        .map(|line| {
            (
                line["kind"].as_i64().expect("a kind"),
                line["amount"].as_i64().expect("cents"),
            )
        })
        .collect();
    assert_eq!(
        kinds_and_amounts,
        [
            (0, 95_00),
            (0, 95_00),
            (0, 49_50),
            (2, -50_00),
            (2, -30_00),
            (2, -20_00),
            (4, 30_00),
            (3, -10_00),
            (3, -5_00),
        ]
    );
    // Lines are ordered by when their event happened, ids by when it was recorded. Here the two orders differ: the pix
    // settled before an installment that was recorded earlier.
    assert!(!lines.is_sorted_by_key(|line| line["id"].as_i64()));
    let mut balance = 0;
    for line in &lines {
        balance += line["amount"].as_i64().expect("cents");
        assert_eq!(line["balance"], balance, "{line}");
    }
    assert_eq!(balance, fixture.ledger_balances(&fixture.company).await.available);
    assert!(
        lines[8]["description"]
            .as_str()
            .is_some_and(|text| text.contains(DESCRIPTION))
    );
    assert!(lines[3]["transfer_id"].is_string() && lines[0]["transfer_id"].is_null());
}

#[tokio::test]
async fn a_company_reads_the_same_lines_without_the_events() {
    let fixture = MovementsFixture::open().await;
    let own = fixture.seller.get("/api/balance/history?order=asc").await.body;
    let without_events: Vec<Value> = lines(&fixture)
        .await
        .into_iter()
        .map(|mut line| {
            line.as_object_mut().expect("an object").remove("event_id");
            line
        })
        .collect();
    assert_eq!(rows(&own), without_events);
}

#[tokio::test]
async fn the_postings_of_each_event_equal_its_statement_lines() {
    let fixture = MovementsFixture::open().await;
    let mut by_event: BTreeMap<String, i64> = BTreeMap::new();
    for line in lines(&fixture).await {
        let id = line["event_id"].as_str().expect("an event").to_owned();
        *by_event.entry(id).or_default() += line["amount"].as_i64().expect("cents");
    }
    for (id, amount) in by_event {
        let path = format!("/api/admin/businesses/{}/events/{id}", fixture.company.id);
        let event = fixture.staff.get(&path).await;
        assert_eq!(event.status, 200, "{}", event.body);
        let postings = event.at("/postings").as_array().expect("postings");
        let sum: i64 = postings.iter().filter_map(|one| one["amount"].as_i64()).sum();
        assert_eq!(sum, 0, "{}", event.body);
        let available = postings.iter().find(|one| one["account"] == "available");
        assert_eq!(available.expect("a posting")["amount"], amount, "{}", event.body);
        let kind = event.text("/type");
        assert!(event.at("/payload").get(kind).is_some(), "{}", event.body);
        let stored = format!(
            "SELECT count(*) FROM event WHERE event_id = '{}' AND sequence = {} AND encode(digest, 'hex') = '{}'
                AND encode(chain, 'hex') = '{}'",
            id.trim_start_matches("evt_"),
            event.at("/sequence"),
            event.text("/digest"),
            event.text("/chain"),
        );
        assert_eq!(fixture.app.count(&stored).await, 1);
    }
}

#[tokio::test]
async fn every_event_of_a_company_is_found_by_its_sequence() {
    let fixture = MovementsFixture::open().await;
    let company = &fixture.company.id;
    let of_company = format!(
        "SELECT count(*) FROM event WHERE business_id = '{}'",
        company.uuid()
    );
    let events = fixture.app.count(&of_company).await;
    let mut types = BTreeSet::new();
    for sequence in 1..=events {
        let path = format!("/api/admin/businesses/{company}/events/{sequence}");
        let event = fixture.staff.get(&path).await;
        assert_eq!(
            (event.status, event.at("/sequence").as_i64()),
            (200, Some(sequence))
        );
        types.insert(event.text("/type").to_owned());
    }
    assert!(
        types.contains("SaleCaptured"),
        "an event without a line in the statement: {types:?}"
    );
    for sequence in [0, -1, events + 1, i64::MIN] {
        let path = format!("/api/admin/businesses/{company}/events/{sequence}");
        assert_eq!(fixture.staff.get(&path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn an_event_of_another_company_is_not_found() {
    let fixture = MovementsFixture::open().await;
    let id = lines(&fixture).await[0]["event_id"]
        .as_str()
        .expect("an event")
        .to_owned();
    let company = fixture.company.id.to_string();
    for (company, event) in [
        (fixture.other.id.to_string(), id.as_str()),
        (company.clone(), "evt_00000000-0000-4000-8000-000000000000"),
        (company, "evento"),
        ("empresa".to_owned(), &id),
    ] {
        let path = format!("/api/admin/businesses/{company}/events/{event}");
        assert_eq!(fixture.staff.get(&path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn the_totals_match_the_ledger_and_follow_the_period() {
    let fixture = MovementsFixture::open().await;
    let path = format!(
        "/api/admin/balance/history?totals=1&business_id={}",
        fixture.company.id
    );
    let totals = &fixture.staff.get(&path).await.body["totals"];
    let ledger = fixture.ledger_balances(&fixture.company).await;
    assert_eq!(
        totals,
        &json!({
            "available": ledger.available, "receivable": ledger.receivable,
            "in_transfer": ledger.in_transfer, "blocked": ledger.blocked(),
            "held_by_staff": ledger.held_by_staff, "in_dispute": ledger.in_dispute,
            "by_kind": { "0": 239_50, "1": 0, "2": -100_00, "3": -15_00, "4": 30_00 },
        })
    );
    let november = &fixture
        .staff
        .get(&format!("{path}&start=2026-11-07&end=2026-11-20"))
        .await
        .body["totals"];
    assert_eq!(
        november["by_kind"]["0"], 49_50,
        "only the pix settled in that period"
    );
    assert_eq!(november["by_kind"]["2"], 0);
}

#[tokio::test]
async fn a_statement_requires_one_known_company() {
    let fixture = MovementsFixture::open().await;
    let unnamed = fixture.staff.get("/api/admin/balance/history").await;
    assert_eq!(
        (unnamed.status, unnamed.at("/errors/business_id").is_array()),
        (422, true)
    );
    let unknown = "/api/admin/balance/history?business_id=biz_00000000-0000-4000-8000-000000000000";
    assert_eq!(fixture.staff.get(unknown).await.status, 404);
    let other = format!("/api/admin/balance/history?business_id={}", fixture.other.id);
    let lines = fixture.staff.get(&other).await.body;
    assert_eq!(rows(&lines).len(), 1, "only the other company's own settlement");
}
