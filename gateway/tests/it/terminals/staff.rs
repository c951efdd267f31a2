//! Terminals for staff: the list and its filters, moves, removal, and the history of owners.

use serde_json::{Value, json};

use super::{TerminalFixture, serials};
use crate::spreadsheets::sheet::download;
use crate::support::Company;
use crate::support::acquirer::capture;

#[tokio::test]
async fn the_list_filters_sorts_and_pages() {
    let fixture = TerminalFixture::open().await;
    for serial in ["PDV1", "PDV2", "SUN_3", "SUNX3"] {
        fixture.enable(serial).await;
    }
    let list = async |query: &str| serials(&fixture.staff.get(&format!("/api/admin/terminals{query}")).await);
    let found = fixture.staff.get("/api/admin/terminals?serial_number=pdv2").await;
    let moved = fixture.move_to(found.at("/data/0"), &fixture.pharmacy).await;
    assert_eq!(moved.status, 200, "{}", moved.body);
    let found = fixture
        .staff
        .get("/api/admin/terminals?serial_number=SUN_3")
        .await;
    let billed = fixture
        .bill(found.at("/data/0"), &fixture.bakery, json!({ "billing_type": 1 }))
        .await;
    assert_eq!(billed.status, 200, "{}", billed.body);
    let found = fixture
        .staff
        .get("/api/admin/terminals?serial_number=SUNX3")
        .await;
    assert_eq!(
        fixture.remove(found.at("/data/0"), &fixture.bakery).await.status,
        200
    );
    assert_eq!(list("").await, ["PDV1", "PDV2", "SUNX3", "SUN_3"]);
    assert_eq!(list("?order=desc&perPage=2").await, ["SUN_3", "SUNX3"]);
    assert_eq!(
        list("?sort=created_at&order=desc&perPage=1&page=2").await,
        ["SUN_3"]
    );
    assert_eq!(
        list(&format!("?business_id={}", fixture.pharmacy.id)).await,
        ["PDV2"]
    );
    assert_eq!(list("?status=in_stock").await, ["SUNX3"]);
    assert_eq!(list("?status=in_use&serial_number=sun").await, ["SUN_3"]);
    // The search finds the beginning or the end of a serial number. An underscore is not a wildcard.
    assert_eq!(list("?serial_number=X3").await, ["SUNX3"]);
    assert_eq!(list("?serial_number=SUN_").await, ["SUN_3"]);
    assert_eq!(list("?billing_type=1").await, ["SUN_3"]);
    assert_eq!(list("?billing_type=0").await, ["PDV1", "PDV2"]);
    let meta = fixture.staff.get("/api/admin/terminals?perPage=3").await;
    assert_eq!(
        (meta.at("/meta/total"), meta.at("/meta/total_pages")),
        (&json!(4), &json!(2))
    );
}

#[tokio::test]
async fn every_invalid_parameter_is_reported() {
    let fixture = TerminalFixture::open().await;
    let query =
        "business_id=x&serial_number=a%20b&status=lost&billing_type=2&sort=name&order=up&page=0&perPage=101";
    let refused = fixture.staff.get(&format!("/api/admin/terminals?{query}")).await;
    assert_eq!(refused.status, 422);
    let fields: Vec<&String> = refused
        .at("/errors")
        .as_object()
        .expect("errors")
        .keys()
        .collect();
    let expected = [
        "billing_type",
        "business_id",
        "order",
        "page",
        "perPage",
        "serial_number",
        "sort",
        "status",
    ];
    assert_eq!(fields, expected);
}

#[tokio::test]
async fn the_spreadsheet_has_the_rows_of_the_filter() {
    let fixture = TerminalFixture::open().await;
    for serial in ["PDV1", "PDV2", "SUN3"] {
        fixture.enable(serial).await;
    }
    for (query, expected) in [
        ("?serial_number=PDV&order=desc", &["PDV2", "PDV1"][..]),
        ("?sort=created_at", &["PDV1", "PDV2", "SUN3"]),
    ] {
        let sheet = download(&fixture.staff, &format!("/api/admin/terminals{query}")).await;
        let rows: Vec<String> = sheet.rows.iter().map(|row| row[0].to_string()).collect();
        assert_eq!(rows, expected);
        let texts: Vec<String> = sheet.rows[0][2..8].iter().map(ToString::to_string).collect();
        assert_eq!((texts[0].as_str(), texts[2].as_str()), ("Padaria", "Em uso"));
        assert_eq!((texts[4].as_str(), texts[5].as_str()), ("Adesão", "Comprada"));
    }
}

#[tokio::test]
async fn a_moved_terminal_has_a_history_and_its_sales_stay_with_their_owners() {
    let fixture = TerminalFixture::open().await;
    let since = fixture.app.app.state.clock.now() - chrono::TimeDelta::days(300);
    let id = fixture.app.terminal(&fixture.bakery, "PDV1", Some(since)).await;
    let terminal = json!({ "id": id });
    let mut sale = capture(&fixture.bakery, "s1");
    sale.data.business_id = None;
    sale.data.terminal_serial = Some("PDV1".to_owned());
    let accepted = fixture.app.send(&sale).await;
    assert_eq!(accepted.status, 200, "{}", accepted.body);
    let moved = fixture.move_to(&terminal, &fixture.pharmacy).await;
    assert_eq!(moved.text("/business/name"), "Farmácia");
    let again = fixture.move_to(&terminal, &fixture.pharmacy).await;
    assert_eq!(
        again.body, moved.body,
        "moving to the same company changes nothing"
    );
    // A sale that happened before the move and is reported after it belongs to the former owner.
    let mut late = capture(&fixture.bakery, "s2");
    late.data.business_id = None;
    late.data.terminal_serial = Some("PDV1".to_owned());
    assert_eq!(fixture.app.send(&late).await.status, 200);
    let of_bakery = format!(
        "SELECT count(*) FROM event WHERE event_type = 'SaleCaptured' AND business_id = '{}'",
        fixture.bakery.id.uuid()
    );
    assert_eq!(fixture.app.count(&of_bakery).await, 2);
    let detail = fixture.detail(&terminal).await;
    let owners = detail["owners"].as_array().expect("owners");
    let names: Vec<&Value> = owners.iter().map(|owner| &owner["business"]["name"]).collect();
    assert_eq!(names, [&json!("Farmácia"), &json!("Padaria")]);
    assert_eq!(owners[0]["until"], Value::Null);
    assert_eq!(owners[1]["until"], owners[0]["since"]);
    let log = fixture.audit_log().await;
    assert_eq!(log.len(), 1);
    assert_eq!(
        (log[0].0.as_str(), &log[0].1["business"]),
        ("move", &json!("Padaria"))
    );
    assert_eq!(
        log[0].2,
        json!({ "business": "Farmácia", "business_id": fixture.pharmacy.id.to_string() })
    );
}

#[tokio::test]
async fn a_terminal_has_the_history_of_its_changes() {
    let fixture = TerminalFixture::open().await;
    let terminal = fixture.enable("PDV1").await;
    fixture.enable("PDV2").await;
    assert_eq!(fixture.move_to(&terminal, &fixture.pharmacy).await.status, 200);
    let id = terminal["id"].as_str().expect("an id");
    let history = fixture
        .staff
        .get(&format!("/api/admin/terminals/{id}/history?perPage=1"))
        .await;
    assert_eq!(history.status, 200, "{}", history.body);
    assert_eq!(history.at("/meta/total"), 2, "the enabling and the move");
    assert_eq!(history.text("/data/0/action"), "move");
    assert_eq!(history.text("/data/0/after/business"), "Farmácia");
    let unknown = "/api/admin/terminals/ter_00000000-0000-4000-8000-000000000000/history";
    assert_eq!(fixture.staff.get(unknown).await.status, 404);
}

#[tokio::test]
async fn changes_are_dated_by_the_business_clock_like_the_sales() {
    let fixture = TerminalFixture::open().await;
    let clock = &fixture.app.app.state.clock;
    let start = clock.now();
    let terminal = fixture.enable("PDV1").await;
    let rental = fixture
        .bill(&terminal, &fixture.bakery, json!({ "billing_type": 1 }))
        .await;
    assert_eq!(rental.status, 200, "{}", rental.body);
    assert_eq!(fixture.move_to(&terminal, &fixture.pharmacy).await.status, 200);
    assert_eq!(fixture.remove(&terminal, &fixture.pharmacy).await.status, 200);
    let detail = fixture.detail(&terminal).await;
    let end = clock.now();
    // Owners: the bakery, the pharmacy, none. Billings: Adesão, the rental, and Adesão again at the move.
    for periods in ["owners", "billings"] {
        let periods = detail[periods].as_array().expect("periods");
        assert_eq!(periods.len(), 3, "{detail}");
        for period in periods {
            let since = period["since"].as_str().expect("an instant");
            let since: ledger_domain::calendar::Instant = since.parse().expect("an instant");
            assert!((start..end).contains(&since), "{period}");
        }
    }
}

#[tokio::test]
async fn a_move_needs_a_company_that_exists_and_may_sell() {
    let fixture = TerminalFixture::open().await;
    let terminal = fixture.enable("PDV1").await;
    let path = format!(
        "/api/admin/terminals/{}/owner",
        terminal["id"].as_str().expect("an id")
    );
    for (body, message) in [
        (json!({}), "requerido"),
        (json!({ "business_id": " " }), "requerido"),
        (json!({ "business_id": "x" }), "Deve ser o id de uma empresa."),
        (
            json!({ "business_id": "biz_00000000-0000-4000-8000-000000000000" }),
            "Empresa não encontrada.",
        ),
    ] {
        let refused = fixture.staff.post(&path, body).await;
        assert_eq!(
            (refused.status, refused.at("/errors")),
            (422, &json!({ "business_id": [message] }))
        );
    }
    fixture
        .app
        .execute("UPDATE business SET approval = 'deleted' WHERE name = 'Farmácia'")
        .await;
    let refused = fixture.move_to(&terminal, &fixture.pharmacy).await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    let unknown = "/api/admin/terminals/ter_00000000-0000-4000-8000-000000000000/owner";
    let body = json!({ "business_id": fixture.bakery.id.to_string() });
    assert_eq!(fixture.staff.post(unknown, body).await.status, 404);
}

#[tokio::test]
async fn a_removed_terminal_is_in_stock_and_its_rental_ends() {
    let fixture = TerminalFixture::open().await;
    let terminal = fixture.enable("PDV1").await;
    let rented = fixture
        .bill(&terminal, &fixture.bakery, json!({ "billing_type": 1 }))
        .await;
    assert_eq!(rented.at("/monthly_price"), &json!(4990));
    let removed = fixture.remove(&terminal, &fixture.bakery).await;
    assert_eq!(removed.status, 200, "{}", removed.body);
    assert_eq!(
        (removed.at("/business"), removed.at("/monthly_price")),
        (&Value::Null, &Value::Null)
    );
    let again = fixture.remove(&terminal, &fixture.bakery).await;
    assert_eq!(
        (again.status, again.text("/message")),
        (409, "Outra pessoa já devolveu esta maquininha ao estoque.")
    );
    // The next company is not charged the rental of the former one.
    let moved = fixture.move_to(&terminal, &fixture.pharmacy).await;
    assert_eq!(
        (moved.at("/billing_type"), moved.at("/monthly_price")),
        (&json!(0), &Value::Null)
    );
    let by_former_owner = fixture
        .bill(&terminal, &fixture.bakery, json!({ "billing_type": 1 }))
        .await;
    assert_eq!(
        (by_former_owner.status, by_former_owner.text("/message")),
        (
            409,
            "Outra pessoa mudou esta maquininha: agora ela é de Farmácia."
        )
    );
}

#[tokio::test]
async fn a_change_of_an_older_version_is_a_conflict_that_states_the_present_owner_billing_and_name() {
    let fixture = TerminalFixture::open().await;
    let terminal = fixture.enable("PDV1").await;
    let seen = terminal["version"].clone();
    let moved = fixture.move_to(&terminal, &fixture.pharmacy).await;
    assert_eq!(moved.status, 200, "{}", moved.body);
    let path = format!(
        "/api/admin/terminals/{}/owner",
        terminal["id"].as_str().expect("an id")
    );
    let body = json!({ "business_id": fixture.bakery.id.to_string(), "version": seen });
    let refused = fixture.staff.post(&path, body).await;
    assert_eq!(
        (refused.status, refused.text("/message")),
        (
            409,
            "Outra pessoa mudou esta maquininha: agora ela é de Farmácia, por adesão, sem nome. Confira e salve de novo."
        )
    );
}

#[tokio::test]
async fn the_tables_refuse_a_terminal_that_differs_from_its_histories_and_a_rental_of_a_bought_one() {
    let fixture = TerminalFixture::open().await;
    fixture.enable("PDV1").await;
    let client = fixture.app.database.client().await;
    let follows = "a terminal's owner and billing follow their histories";
    for (statement, expected) in [
        ("UPDATE terminal SET business_id = NULL", follows),
        ("UPDATE terminal SET billing_type = 1", follows),
        (
            "UPDATE terminal_owner SET business_id = NULL",
            "rows of terminal_owner are added, never changed",
        ),
        (
            "INSERT INTO terminal_billing (terminal_id, billing_type, acquisition) SELECT id, 1, 0 FROM terminal",
            "violates check constraint \"terminal_billing_check1\"",
        ),
    ] {
        let refused = client.batch_execute(statement).await.expect_err(statement);
        let error = refused.as_db_error().expect("an error of the database");
        assert!(error.message().contains(expected), "{statement}: {error}");
    }
}

#[tokio::test]
async fn the_bodies_of_the_specification_are_taken_with_and_without_data() {
    let fixture = TerminalFixture::open().await;
    let terminal = fixture.enable("PDV1").await;
    let id = terminal["id"].as_str().expect("an id");
    let owner = format!("/api/admin/terminals/{id}/owner");
    let to = |company: &Company| json!({ "business_id": company.id.to_string() });
    for (company, body) in [
        (&fixture.pharmacy, json!({ "data": to(&fixture.pharmacy) })),
        (&fixture.bakery, to(&fixture.bakery)),
    ] {
        let moved = fixture.staff.post(&owner, body).await;
        assert_eq!(
            (moved.status, moved.at("/business/id")),
            (200, &json!(company.id.to_string())),
            "{}",
            moved.body
        );
    }
    for (kind, body) in [
        (1, json!({ "data": { "billing_type": 1 } })),
        (0, json!({ "billing_type": 0 })),
    ] {
        let billed = fixture.bill(&terminal, &fixture.bakery, body).await;
        assert_eq!(
            (billed.status, billed.at("/billing_type")),
            (200, &json!(kind)),
            "{}",
            billed.body
        );
    }
    let refused = fixture
        .bill(&terminal, &fixture.bakery, json!({ "data": {} }))
        .await;
    assert_eq!(
        (refused.status, refused.at("/errors/billing_type/0")),
        (422, &json!("Selecione uma opção"))
    );
}
