//! A company's statement, as staff and as its users see it.

use serde_json::Value;

use crate::support::movements::{DESCRIPTION, MovementsFixture, rows};

pub(super) async fn lines(fixture: &MovementsFixture) -> Vec<Value> {
    let path = format!(
        "/api/admin/balance/history?business_id={}&order=asc",
        fixture.company.id
    );
    let page = fixture.staff.get(&path).await;
    assert_eq!(page.status, 200, "{}", page.body);
    rows(&page.body).to_vec()
}

#[tokio::test]
async fn the_statement_has_each_movement_and_ends_at_the_ledger_balance() {
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
    // 0: sale. 2: withdrawal or rental. 3: a change by staff. 4: returned withdrawal.
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
    // Lines are ordered by when their event happened, ids by when it was recorded. Here the two orders differ: the
    // installments settled before the pix, and were recorded after it.
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
