//! The lists of holds: their filters, their order and their spreadsheets.

use serde_json::{Value, json};

use super::{HoldsFixture, OWN, STAFF};
use crate::spreadsheets::sheet::download;
use crate::support::Client;

async fn found(client: &Client, path: &str) -> Vec<i64> {
    let listed = client.get(path).await;
    let rows = listed.at("/data").as_array().expect("a list");
    rows.iter()
        .map(|row| row["placed"].as_i64().expect("cents"))
        .collect()
}

#[tokio::test]
async fn staff_find_holds_by_company_kind_state_and_date_and_the_sheet_has_the_same_rows() {
    let fixture = HoldsFixture::open().await;
    let ended = fixture
        .placed(json!({ "amount": 1_00, "until": "2026-01-02" }))
        .await;
    assert_eq!(fixture.release(&ended, 1_00).await.status, 200);
    fixture
        .placed(json!({ "amount": 2_00, "until": "2026-01-02" }))
        .await;
    fixture
        .placed(json!({ "amount": 3_00, "until": "2026-01-03" }))
        .await;
    fixture
        .placed(json!({ "amount": 4_00, "kind": "contract" }))
        .await;
    let staff = fixture.current(fixture.staff()).await;
    let company = fixture.money.company.id;
    let other = fixture.money.app.company("Mercado").await.id;
    for (query, expected) in [
        (String::new(), vec![1_00, 2_00, 3_00, 4_00]),
        ("order=desc".to_owned(), vec![4_00, 3_00, 2_00, 1_00]),
        (format!("business_id={company}"), vec![1_00, 2_00, 3_00, 4_00]),
        (format!("business_id={other}"), vec![]),
        ("kind=contract".to_owned(), vec![4_00]),
        ("state=ended".to_owned(), vec![1_00]),
        ("state=open".to_owned(), vec![2_00, 3_00, 4_00]),
        ("due_by=2026-01-02".to_owned(), vec![2_00]),
        ("due_by=2026-01-03&state=open".to_owned(), vec![2_00, 3_00]),
    ] {
        let path = format!("{STAFF}?{query}");
        assert_eq!(found(&staff, &path).await, expected, "{query}");
        assert_eq!(
            download(&staff, &path).await.rows.len(),
            expected.len(),
            "{query}"
        );
    }
    let seller = fixture.current(fixture.seller()).await;
    assert_eq!(
        found(&seller, &format!("{OWN}?state=open")).await,
        [4_00, 3_00, 2_00]
    );
    assert_eq!(
        found(&seller, &format!("{OWN}?kind=contract&order=asc")).await,
        [4_00]
    );
    assert_eq!(download(&seller, OWN).await.rows.len(), 4);
    for wrong in ["kind=x", "state=x", "due_by=x", "order=x"] {
        let refused = staff.get(&format!("{STAFF}?{wrong}")).await;
        assert_eq!(refused.status, 422, "{wrong}: {}", refused.body);
    }
}

#[tokio::test]
async fn an_unknown_hold_is_a_404_for_every_action() {
    let fixture = HoldsFixture::open().await;
    let unknown = json!({
        "business_id": fixture.money.company.id, "id": "hld_00000000-0000-4000-8000-000000000009",
    });
    for (action, body) in [
        ("change", json!({ "reason": "Motivo" })),
        ("release", json!({ "amount": 1, "reason": "Motivo" })),
        ("court-payment", super::court_payment(1)),
    ] {
        let answer = fixture.act(&unknown, action, body).await;
        assert_eq!(answer.status, 404, "{action}: {}", answer.body);
    }
    assert_eq!(fixture.seller_reads(&unknown).await.status, 404);
    let none: Value = fixture.current(fixture.staff()).await.get(STAFF).await.body;
    assert_eq!(none["data"], json!([]));
}
