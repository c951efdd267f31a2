//! A seller's own terminals: the list with the latest sale of each, and their names.

use gateway_identity::roles::SellerRole;
use serde_json::{Value, json};

use super::{TerminalFixture, serials};
use crate::spreadsheets::sheet::download;
use crate::support::acquirer::{capture, with_type};
use crate::support::{Client, Company};

async fn signed_in(fixture: &TerminalFixture, company: &Company) -> Client {
    let seller = fixture.app.seller(&[(company, SellerRole::Owner)]).await;
    fixture.app.sign_in(&seller).await
}

fn list_of(company: &Company) -> String {
    format!("/api/business/{}/terminals", company.id)
}

#[tokio::test]
async fn the_list_has_the_latest_sale_and_the_name_of_the_current_owner_only() {
    let fixture = TerminalFixture::open().await;
    let since = fixture.app.app.state.clock.now() - chrono::TimeDelta::days(300);
    let moved = fixture.app.terminal(&fixture.bakery, "PDV1", Some(since)).await;
    let kept = fixture.app.terminal(&fixture.bakery, "PDV2", Some(since)).await;
    fixture.enable("PDV3").await;
    for (id, serial, day) in [("s1", "PDV1", 20), ("s2", "PDV2", 20), ("s3", "PDV2", 19)] {
        let mut sale = capture(&fixture.bakery, id);
        let occurred_at = format!("2026-11-{day}T15:00:00Z");
        sale.occurred_at = occurred_at.parse().expect("an instant");
        sale.data.business_id = None;
        sale.data.terminal_serial = Some(serial.to_owned());
        let captured = fixture.app.send(&sale).await;
        assert_eq!(captured.text("/result"), "recorded", "{}", captured.body);
    }
    // A declined card is no sale to its seller.
    let mut declined = capture(&fixture.bakery, "s4");
    declined.occurred_at = "2026-11-21T12:00:00Z".parse().expect("an instant");
    declined.data.business_id = None;
    declined.data.terminal_serial = Some("PDV2".to_owned());
    declined.data.reason = Some("Não autorizado".to_owned());
    let declined = fixture.app.send(&with_type(&declined, "sale.failed")).await;
    assert_eq!(declined.text("/result"), "recorded", "{}", declined.body);
    let last = declined.header("ledger-position").expect("a position");
    let seller = signed_in(&fixture, &fixture.bakery)
        .await
        .with("ledger-position", last);
    let list = seller.get(&list_of(&fixture.bakery)).await;
    assert_eq!(serials(&list), ["PDV1", "PDV2", "PDV3"]);
    assert_eq!(list.at("/data/0/last_sale/amount"), &json!(300_00));
    assert_eq!(list.at("/data/1/last_sale/occurred_at"), "2026-11-20T15:00:00Z");
    assert_eq!(list.at("/data/2/last_sale"), &Value::Null);
    let terminal = json!({ "id": moved });
    let name = json!({ "name": "Caixa da Ana" });
    assert_eq!(
        seller
            .patch(&format!("/api/terminals/{moved}/"), name)
            .await
            .status,
        200
    );
    assert_eq!(fixture.move_to(&terminal, &fixture.pharmacy).await.status, 200);
    let list = seller.get(&list_of(&fixture.bakery)).await;
    assert_eq!(serials(&list), ["PDV2", "PDV3"]);
    let other = signed_in(&fixture, &fixture.pharmacy).await;
    let list = other.get(&list_of(&fixture.pharmacy)).await;
    // The former owner's sale and name are not shown to the new owner.
    assert_eq!(serials(&list), ["PDV1"]);
    assert_eq!(
        list.at("/data/0/last_sale"),
        &Value::Null,
        "the sale is the former owner's"
    );
    assert_eq!(
        list.at("/data/0/name"),
        &Value::Null,
        "the name is the former owner's"
    );
    let sales = seller
        .get(&format!("/api/transactions?solution=1&terminal={kept}"))
        .await;
    assert_eq!(sales.at("/meta/total"), &json!(3));
}

/// The machine went to another company and came back. What began before belongs to the first time.
#[tokio::test]
async fn a_sale_that_began_before_the_machine_came_back_is_not_its_latest() {
    let fixture = TerminalFixture::open().await;
    let since = fixture.app.app.state.clock.now() - chrono::TimeDelta::days(300);
    let moved = fixture.app.terminal(&fixture.bakery, "PDV1", Some(since)).await;
    let mut sale = capture(&fixture.bakery, "s1");
    sale.occurred_at = "2026-11-20T15:00:00Z".parse().expect("an instant");
    sale.data.business_id = None;
    sale.data.terminal_serial = Some("PDV1".to_owned());
    let created = fixture.app.send(&with_type(&sale, "sale.created")).await;
    assert_eq!(created.text("/result"), "recorded", "{}", created.body);
    let terminal = json!({ "id": moved });
    for company in [&fixture.pharmacy, &fixture.bakery] {
        assert_eq!(fixture.move_to(&terminal, company).await.status, 200);
    }
    sale.occurred_at = fixture.app.app.state.clock.now();
    let captured = fixture.app.send(&sale).await;
    assert_eq!(captured.text("/result"), "recorded", "{}", captured.body);
    let position = captured.header("ledger-position").expect("a position");
    let seller = signed_in(&fixture, &fixture.bakery)
        .await
        .with("ledger-position", position);
    let list = seller.get(&list_of(&fixture.bakery)).await;
    assert_eq!(serials(&list), ["PDV1"]);
    assert_eq!(list.at("/data/0/last_sale"), &Value::Null);
}

#[tokio::test]
async fn the_list_filters_sorts_and_exports() {
    let fixture = TerminalFixture::open().await;
    for serial in ["PDV1", "PDV2", "SUN3"] {
        fixture.enable(serial).await;
    }
    let seller = signed_in(&fixture, &fixture.bakery).await;
    let list = list_of(&fixture.bakery);
    assert_eq!(
        serials(&seller.get(&format!("{list}?serial_number=pdv&order=desc")).await),
        ["PDV2", "PDV1"]
    );
    assert_eq!(
        serials(&seller.get(&format!("{list}?billing_type=1")).await),
        [""; 0],
        "none is rented"
    );
    assert_eq!(seller.get(&format!("{list}?billing_type=3")).await.status, 422);
    let sheet = download(&seller, &format!("{list}?serial_number=PDV")).await;
    let rows: Vec<String> = sheet.rows.iter().map(|row| row[1].to_string()).collect();
    assert_eq!(rows, ["PDV1", "PDV2"]);
    assert_eq!(seller.get(&list_of(&fixture.pharmacy)).await.status, 404);
}

#[tokio::test]
async fn a_name_has_sixty_characters_at_most_and_a_blank_one_removes_it() {
    let fixture = TerminalFixture::open().await;
    let terminal = fixture.enable("PDV1").await;
    let seller = signed_in(&fixture, &fixture.bakery).await;
    let path = format!("/api/terminals/{}/", terminal["id"].as_str().expect("an id"));
    let longest = seller.patch(&path, json!({ "name": "é".repeat(60) })).await;
    assert_eq!(longest.status, 200, "{}", longest.body);
    let named = seller.patch(&path, json!({ "name": " Balcão " })).await;
    assert_eq!(
        (named.status, named.at("/name")),
        (200, &json!("Balcão")),
        "{}",
        named.body
    );
    let long = seller.patch(&path, json!({ "name": "é".repeat(61) })).await;
    assert_eq!(
        (long.status, long.at("/errors")),
        (
            422,
            &json!({ "name": ["O nome deve ter até 60 caracteres, em uma linha."] })
        )
    );
    let stale = seller
        .patch(
            &path,
            json!({ "name": "Caixa 2", "version": terminal["version"] }),
        )
        .await;
    assert_eq!(stale.status, 409, "{}", stale.body);
    assert!(stale.text("/message").contains("com o nome “Balcão”"));
    let blank = seller.patch(&path, json!({ "name": "  " })).await;
    assert_eq!((blank.status, blank.at("/name")), (200, &Value::Null));
    let log = fixture.audit_log().await;
    let renames: Vec<_> = log.iter().filter(|(action, ..)| action == "rename").collect();
    assert_eq!(renames.len(), 3);
    assert_eq!(renames[2].1, json!({ "name": "Balcão" }));
    assert_eq!(renames[2].2, json!({ "name": null }));
}

#[tokio::test]
async fn a_terminal_of_another_company_is_a_404() {
    let fixture = TerminalFixture::open().await;
    let terminal = fixture.enable("PDV1").await;
    let other = signed_in(&fixture, &fixture.pharmacy).await;
    let unknown = "ter_00000000-0000-4000-8000-000000000000";
    for id in [terminal["id"].as_str().expect("an id"), unknown, "x"] {
        let refused = other
            .patch(&format!("/api/terminals/{id}/"), json!({ "name": "X" }))
            .await;
        assert_eq!(refused.status, 404, "{id}");
    }
    assert_eq!(fixture.remove(&terminal, &fixture.bakery).await.status, 200);
    let owner = signed_in(&fixture, &fixture.bakery).await;
    let path = format!("/api/terminals/{}/", terminal["id"].as_str().expect("an id"));
    assert_eq!(
        owner.patch(&path, json!({ "name": "X" })).await.status,
        404,
        "it is in stock"
    );
}
