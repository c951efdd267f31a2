//! Staff read single events of a company, by id or by sequence.

use std::collections::{BTreeMap, BTreeSet};

use super::statement::lines;
use crate::support::movements::MovementsFixture;

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
        "events without a line in the statement are found too: {types:?}"
    );
    for sequence in [0, -1, events + 1, i64::MIN] {
        let path = format!("/api/admin/businesses/{company}/events/{sequence}");
        assert_eq!(fixture.staff.get(&path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn events_of_other_companies_and_unknown_ids_are_a_404() {
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
