//! The banking calendar: national holidays by rule, local ones that the platform's owner adds and removes, and the due
//! dates that they move.

use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_platform::holidays::holiday_add;
use ledger_store::LedgerPosition;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Client, Company, Sale, TestApp};

const HOLIDAYS: &str = "/api/admin/holidays";

async fn open() -> (TestApp, Client) {
    let app = TestApp::start().await;
    let owner = app.sign_in(&app.admin(&[AdminRole::Owner]).await).await;
    (app, owner)
}

async fn add(owner: &Client, date: &str, name: &str) -> Answer {
    owner.post(HOLIDAYS, json!({ "date": date, "name": name })).await
}

async fn remove(owner: &Client, date: &str) -> Answer {
    owner
        .send(Method::DELETE, &format!("{HOLIDAYS}/{date}"), None)
        .await
}

fn dates<'a>(list: &'a Answer, kind: &str) -> Vec<&'a str> {
    let all = list.at("/data").as_array().expect("a list").iter();
    all.filter(|holiday| holiday["kind"] == kind)
        .filter_map(|holiday| holiday["date"].as_str())
        .collect()
}

#[tokio::test]
async fn a_year_lists_national_and_local_holidays_by_date() {
    let (app, owner) = open().await;
    assert_eq!(
        add(&owner, "2027-07-09", " Revolução  Constitucionalista ")
            .await
            .status,
        201
    );
    let reader = app.sign_in(&app.admin(&[AdminRole::Sac]).await).await;
    let list = reader.get(&format!("{HOLIDAYS}?year=2027")).await;
    assert_eq!(list.status, 200, "{}", list.body);
    // The movable ones follow Easter, which is on 28 March 2027.
    let national = [
        "2027-01-01",
        "2027-02-08",
        "2027-02-09",
        "2027-03-26",
        "2027-04-21",
        "2027-05-01",
        "2027-05-27",
        "2027-09-07",
        "2027-10-12",
        "2027-11-02",
        "2027-11-15",
        "2027-11-20",
        "2027-12-25",
    ];
    assert_eq!(dates(&list, "national"), national);
    let local = json!({ "date": "2027-07-09", "name": "Revolução Constitucionalista", "kind": "local" });
    let data = list.at("/data").as_array().expect("a list");
    assert_eq!(data.iter().position(|holiday| holiday == &local), Some(7));
    let current = reader.get(HOLIDAYS).await;
    assert_eq!(current.at("/year"), 2026);
    assert!(dates(&current, "local").is_empty());
    let refused = reader.get(&format!("{HOLIDAYS}?year=1999")).await;
    assert_eq!(refused.status, 422);
    assert_eq!(refused.at("/errors/year/0"), "O ano deve ser de 2000 a 2199.");
}

#[tokio::test]
async fn a_new_holiday_keeps_promised_due_dates_and_moves_those_of_later_sales() {
    let (app, owner) = open().await;
    let company = app.company("Padaria").await;
    let seller = app
        .sign_in(&app.seller(&[(&company, SellerRole::Owner)]).await)
        .await;
    let preview = format!("{HOLIDAYS}/preview?date=2026-12-21");
    // Captured on 20 November. 30 days later is Sunday, so the first installment is due on Monday.
    let (before, reached) = first_installment(&app, &company, &seller).await;
    assert_eq!(before["due_date"], "2026-12-21");
    let shown = owner
        .clone()
        .with("ledger-position", &reached.to_string())
        .get(&preview)
        .await;
    assert_eq!(shown.status, 200, "{}", shown.body);
    assert_eq!(
        shown.body,
        json!({
            "date": "2026-12-21", "is_business_day": true, "holiday": null,
            "promised": { "count": 1, "amount": before["net"] }, "moved_to": "2026-12-22",
        })
    );
    assert_eq!(
        add(&owner, "2026-12-21", "Aniversário da cidade").await.status,
        201
    );
    let (after, reached) = first_installment(&app, &company, &seller).await;
    assert_eq!(after["due_date"], "2026-12-22");
    let shown = owner
        .clone()
        .with("ledger-position", &reached.to_string())
        .get(&preview)
        .await;
    assert_eq!(shown.at("/is_business_day"), false);
    assert_eq!(shown.at("/holiday/name"), "Aniversário da cidade");
    assert_eq!(shown.at("/promised/count"), 1);
    assert_eq!(remove(&owner, "2026-12-21").await.status, 204);
    let (again, _) = first_installment(&app, &company, &seller).await;
    assert_eq!(again["due_date"], "2026-12-21");
}

/// Captures a sale and returns its first installment, and the position of its event.
async fn first_installment(app: &TestApp, company: &Company, seller: &Client) -> (Value, LedgerPosition) {
    let sale = Sale::card();
    let reached = app.capture(company, &sale).await;
    let reader = seller.clone().with("ledger-position", &reached.to_string());
    let path = format!("/api/transactions/{}?receivables=1", sale.facts.sale_id);
    let shown = reader.get(&path).await;
    assert_eq!(shown.status, 200, "{}", shown.body);
    (shown.at("/receivables/0").clone(), reached)
}

#[tokio::test]
async fn a_date_that_cannot_become_a_holiday_is_refused_with_the_reason() {
    let (_app, owner) = open().await;
    for (date, name, field, message) in [
        ("", "Feriado", "date", "Informe a data."),
        (
            "09/07/2027",
            "Feriado",
            "date",
            "A data deve estar no formato AAAA-MM-DD.",
        ),
        (
            "2026-11-20",
            "Feriado",
            "date",
            "A data deve ser hoje ou posterior.",
        ),
        ("2200-07-09", "Feriado", "date", "A data deve ser até 2199."),
        ("2027-07-09", "  ", "name", "Informe o nome do feriado."),
        (
            "2027-07-09",
            &"x".repeat(61),
            "name",
            "O texto deve ter até 60 caracteres.",
        ),
    ] {
        let refused = add(&owner, date, name).await;
        assert_eq!(refused.status, 422, "{date} {name}");
        assert_eq!(refused.at("/errors"), &json!({ field: [message] }));
    }
    let both = owner.post(HOLIDAYS, json!({})).await;
    assert_eq!(
        both.at("/errors"),
        &json!({ "date": ["Informe a data."], "name": ["Informe o nome do feriado."] })
    );
    let national = add(&owner, "2026-12-25", "Natal").await;
    assert_eq!(national.status, 409);
    assert_eq!(
        national.text("/message"),
        "Esta data já é feriado nacional: Natal."
    );
    assert_eq!(add(&owner, "2027-07-09", "Revolução").await.status, 201);
    let twice = add(&owner, "2027-07-09", "Outro").await;
    assert_eq!(twice.status, 409);
    assert_eq!(twice.text("/message"), "Esta data já é feriado: Revolução.");
    let no_date = owner.get(&format!("{HOLIDAYS}/preview")).await;
    assert_eq!(no_date.at("/errors/date/0"), "Informe a data.");
}

#[tokio::test]
async fn only_a_local_holiday_that_is_not_over_is_removed() {
    let (app, owner) = open().await;
    let connection = app.app.state.pool.get().await.expect("a connection");
    let over = "2026-11-19".parse().expect("a date");
    assert!(
        holiday_add(&**connection, over, "Anteontem")
            .await
            .expect("a holiday")
    );
    drop(connection);
    for (date, status, message) in [
        ("2026-12-25", 409, "Um feriado nacional não pode ser removido."),
        (
            "2026-11-19",
            409,
            "Um feriado que já passou não pode ser removido.",
        ),
        (
            "2027-07-09",
            404,
            "Não encontramos o que você procura. Pode ter sido removido ou ser de outra empresa.",
        ),
        (
            "amanhã",
            404,
            "Não encontramos o que você procura. Pode ter sido removido ou ser de outra empresa.",
        ),
    ] {
        let refused = remove(&owner, date).await;
        assert_eq!(
            (refused.status, refused.text("/message")),
            (status, message),
            "{date}"
        );
    }
    assert_eq!(add(&owner, "2026-12-21", "Depois").await.status, 201);
    assert_eq!(remove(&owner, "2026-12-21").await.status, 204);
    let list = owner.get(&format!("{HOLIDAYS}?year=2026")).await;
    assert_eq!(dates(&list, "local"), ["2026-11-19"]);
}

#[tokio::test]
async fn a_repeated_request_adds_one_holiday_and_the_history_names_the_user_and_the_change() {
    let (_app, owner) = open().await;
    let keyed = owner.clone().with("idempotency-key", "feriado-1");
    let first = add(&keyed, "2027-07-09", "Revolução").await;
    let again = add(&keyed, "2027-07-09", "Revolução").await;
    assert_eq!((first.status, again.status), (201, 201));
    assert_eq!(first.body, again.body);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(remove(&owner, "2027-07-09").await.status, 204);
    let history = owner.get(&format!("{HOLIDAYS}/history")).await;
    assert_eq!(history.at("/meta/total"), 2, "{}", history.body);
    let change = json!({ "date": "2027-07-09", "name": "Revolução" });
    for (row, action, before, after) in [
        (0, "delete", &change, &Value::Null),
        (1, "create", &Value::Null, &change),
    ] {
        let entry = history.at(&format!("/data/{row}"));
        assert_eq!(entry["action"], action);
        assert_eq!(entry["subject_id"], "2027-07-09");
        assert_eq!((&entry["before"], &entry["after"]), (before, after));
        assert_eq!(entry["actor"]["kind"], "admin");
    }
}
