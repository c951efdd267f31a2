//! The totals of a company's balances, and the movements that add up to the available balance.

use gateway_identity::roles::SellerRole;
use serde_json::json;

use crate::support::movements::MovementsFixture;
use crate::support::{Client, Sale, TestApp};

/// A card sale of R$ 300,00 in three installments, captured 75 days ago, and a pix sale of last week. Everything that
/// is due is settled.
pub async fn start_with_settled_sales() -> (TestApp, Client) {
    let app = TestApp::start().await;
    let company = app.company("Padaria").await;
    app.capture(&company, &Sale::card().days_ago(75)).await;
    app.capture(&company, &Sale::pix().days_ago(7)).await;
    app.until_projected().await;
    let settled = app.app.settlement().run(|_| ()).await.expect("a settlement");
    assert_eq!(
        settled.installments, 3,
        "two installments of the card sale, and the pix"
    );
    let connection = app.app.state.pool.get().await.expect("a connection");
    let positions = ledger_store::log::shard_positions(&**connection)
        .await
        .expect("positions");
    drop(connection);
    let user = app.seller(&[(&company, SellerRole::Admin)]).await;
    let client = app
        .sign_in(&user)
        .await
        .with("ledger-position", &positions.to_string());
    (app, client)
}

#[tokio::test]
async fn totals_show_the_available_and_the_receivable_balance() {
    let (_app, client) = start_with_settled_sales().await;
    let totals = client.get("/api/balance/history?totals=1").await;
    // Available: two installments of R$ 95,00 and the pix of R$ 49,50. Receivable: one installment.
    // The keys of `by_kind` are the numbers of `projections::balance::statement::MovementKind`.
    let expected = json!({
        "available": 239_50, "receivable": 95_00, "in_transfer": 0, "blocked": 0,
        "held_by_staff": 0, "in_dispute": 0,
        "by_kind": { "0": 239_50, "1": 0, "2": 0, "3": 0, "4": 0 },
    });
    assert_eq!(totals.body, json!({ "totals": expected }));
}

#[tokio::test]
async fn movements_sum_to_the_available_balance() {
    let (_app, client) = start_with_settled_sales().await;
    let page = client.get("/api/balance/history?order=asc").await.body;
    let lines = page["data"].as_array().expect("movements");
    assert_eq!((lines.len(), &page["meta"]["total"]), (3, &json!(3)));
    let sum: i64 = lines.iter().filter_map(|line| line["amount"].as_i64()).sum();
    assert_eq!(sum, 239_50);
    let newest = client.get("/api/balance/history?perPage=1").await.body;
    assert_eq!(newest["data"][0], lines[2]);
    assert!(
        lines
            .iter()
            .all(|line| line["kind"] == 0 && line["sale_id"].is_string() && line["installment"].is_number())
    );
    let recent = client.get("/api/balance/history?start=2026-11-10").await.body;
    assert_eq!(
        recent["data"].as_array().map(Vec::len),
        Some(1),
        "only the pix is in the last days"
    );
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
            // Sales; reversals; withdrawals of 50, 30 and 20; a hold of 10 and a removal of 5; the refused withdrawal.
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
