//! The platform's dated settings over HTTP: set, scheduled, replaced, withdrawn; and the decisions that follow them.

mod decisions;
mod loosening;

use gateway_identity::roles::AdminRole;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Client, PARTS, TestApp};

const SETTINGS: &str = "/api/admin/settings/platform";
const DECEMBER: &str = "2026-12-01T03:00:00Z";

async fn open() -> (TestApp, Client) {
    let app = TestApp::start().await;
    let owner = app.sign_in(&app.admin(&[AdminRole::Owner]).await).await;
    (app, owner)
}

/// Sets a value from now, or from an instant on, as a user does who saw the setting's latest revision.
async fn set(owner: &Client, key: &str, value: Value, from: Option<&str>) -> Answer {
    let revision = setting(owner, key).await["revision"].clone();
    let body = json!({ "key": key, "value": value, "valid_from": from, "revision": revision });
    owner.post(SETTINGS, body).await
}

async fn setting(reader: &Client, key: &str) -> Value {
    let list = reader.get(SETTINGS).await;
    assert_eq!(list.status, 200, "{}", list.body);
    let mut all = list.at("/data").as_array().expect("a list").iter();
    let found = all.find(|setting| setting["key"] == key);
    found.unwrap_or_else(|| panic!("{key}")).clone()
}

async fn withdraw_scheduled(owner: &Client, key: &str) -> Answer {
    owner
        .send(Method::DELETE, &format!("{SETTINGS}/{key}/scheduled"), None)
        .await
}

#[tokio::test]
async fn settings_that_were_never_changed_have_the_installation_s_values() {
    let variables = [
        ("RAZAO_TERMINAL_RENTAL_CENTS", "7990"),
        ("RAZAO_WITHDRAWAL_APPROVALS", "2"),
    ];
    let app = TestApp::start().await;
    let reader = app.sign_in(&app.admin(&[AdminRole::Admin]).await).await;
    let value = async |reader: &Client, key| setting(reader, key).await["value"].clone();
    assert_eq!(value(&reader, "terminal_rental").await, 4990);
    assert_eq!(value(&reader, "two_approvals_above").await, Value::Null);
    assert_eq!(value(&reader, "two_person_plan_changes").await, false);
    assert_eq!(
        setting(&reader, "marked_destination_days").await,
        json!({
            "key": "marked_destination_days", "value": 7, "valid_from": null, "set_by": null, "scheduled": null,
            "revision": 0,
        })
    );
    let parts = PARTS;
    let app = app.restart(&variables, parts).await;
    let reader = app.sign_in(&app.admin(&[AdminRole::Admin]).await).await;
    assert_eq!(value(&reader, "terminal_rental").await, 7990);
    assert_eq!(value(&reader, "two_approvals_above").await, 0);
}

#[tokio::test]
async fn a_value_is_in_force_from_now_or_from_its_date() {
    let (_app, owner) = open().await;
    let now = set(&owner, "terminal_rental", json!(5990), None).await;
    assert_eq!(now.status, 200, "{}", now.body);
    assert_eq!(now.at("/value"), 5990);
    assert!(now.text("/valid_from").starts_with("2026-11-21T15:00:0"));
    assert_eq!(
        (now.at("/scheduled"), now.at("/revision")),
        (&Value::Null, &json!(1))
    );
    let later = set(&owner, "terminal_rental", json!(6990), Some(DECEMBER)).await;
    assert_eq!(later.status, 200, "{}", later.body);
    assert_eq!(
        (later.at("/value"), later.at("/scheduled/value")),
        (&json!(5990), &json!(6990))
    );
    assert_eq!(later.at("/scheduled/valid_from"), DECEMBER);
    assert_eq!(setting(&owner, "terminal_rental").await, later.body);
    // The scheduled value is replaced, and then withdrawn.
    let replaced = set(
        &owner,
        "terminal_rental",
        json!(7990),
        Some("2027-01-01T03:00:00Z"),
    )
    .await;
    assert_eq!(replaced.at("/scheduled/value"), 7990);
    let withdrawn = withdraw_scheduled(&owner, "terminal_rental").await;
    assert_eq!(withdrawn.status, 200, "{}", withdrawn.body);
    assert_eq!(
        (withdrawn.at("/value"), withdrawn.at("/scheduled")),
        (&json!(5990), &Value::Null)
    );
    let none = withdraw_scheduled(&owner, "terminal_rental").await;
    assert_eq!(
        (none.status, none.text("/message")),
        (
            409,
            "Esta configuração não tem mudança agendada. Ela já entrou em vigor ou foi retirada."
        )
    );
    assert_eq!(withdraw_scheduled(&owner, "theme").await.status, 404);
    // A value from now replaces a scheduled one too.
    set(&owner, "terminal_rental", json!(8990), Some(DECEMBER)).await;
    let now = set(&owner, "terminal_rental", json!(5990), None).await;
    assert_eq!(
        (now.at("/value"), now.at("/scheduled")),
        (&json!(5990), &Value::Null)
    );
    // The other settings stay as they were.
    assert_eq!(setting(&owner, "two_approvals_above").await["revision"], 0);
}

#[tokio::test]
async fn a_change_from_an_older_state_is_refused_with_the_name_of_who_changed_it() {
    let (app, owner) = open().await;
    let colleague = app.admin(&[AdminRole::Owner]).await;
    let other = app.sign_in(&colleague).await;
    let rename = format!(
        "UPDATE admin_user SET name = 'Célia Prado' WHERE id = '{}'",
        colleague.id.uuid()
    );
    app.execute(&rename).await;
    let body = |value: i64| json!({ "key": "terminal_rental", "value": value, "revision": 0 });
    let (first, second) = tokio::join!(owner.post(SETTINGS, body(5990)), other.post(SETTINGS, body(6990)));
    let (refused, changed_by) = match (first.status, second.status) {
        (200, 409) => (second, "Bruno Lima"),
        (409, 200) => (first, "Célia Prado"),
        statuses => panic!("{statuses:?}"),
    };
    let expected = format!(
        "{changed_by} alterou o aluguel da maquininha enquanto você editava. Feche e abra de novo para ver o valor atual."
    );
    assert_eq!(refused.text("/message"), expected);
    assert_eq!(setting(&owner, "terminal_rental").await["revision"], 1);
}

#[tokio::test]
async fn errors_are_reported_by_field_and_change_nothing() {
    let (app, owner) = open().await;
    for (body, errors) in [
        (
            json!({}),
            json!({
                "key": ["Escolha uma configuração da lista."],
                "revision": ["requerido"],
                "value": ["requerido"],
            }),
        ),
        (
            json!({ "key": "terminal_rental", "revision": 0 }),
            json!({ "value": ["requerido"] }),
        ),
        (
            json!({ "key": "terminal_rental", "value": 0, "revision": 0, "valid_from": "2026-11-21T15:00:00Z" }),
            json!({
                "value": ["O valor deve ser de R$ 0,01 a R$ 99.999.999,99."],
                "valid_from": ["A data deve ser futura."],
            }),
        ),
        (
            json!({ "key": "two_approvals_above", "value": -1, "revision": 0 }),
            json!({ "value": ["O valor deve ser de R$ 0,00 a R$ 99.999.999,99."] }),
        ),
        (
            json!({ "key": "two_person_plan_changes", "value": 1, "revision": 0 }),
            json!({ "value": ["Escolha sim ou não."] }),
        ),
        (
            json!({ "key": "marked_destination_days", "value": 91, "revision": 0 }),
            json!({ "value": ["Informe de 0 a 90 dias."] }),
        ),
    ] {
        let refused = owner.post(SETTINGS, body.clone()).await;
        assert_eq!(refused.status, 422, "{body}");
        assert_eq!(refused.at("/errors"), &errors, "{body}");
    }
    let rows = app.count("SELECT count(*) FROM platform_setting").await;
    assert_eq!(rows, 0);
}

#[tokio::test]
async fn the_history_has_each_change_with_its_values() {
    let (_app, owner) = open().await;
    set(&owner, "two_approvals_above", json!(500_000), None).await;
    // Setting the same value again is no change.
    set(&owner, "two_approvals_above", json!(500_000), None).await;
    set(&owner, "two_approvals_above", json!(null), Some(DECEMBER)).await;
    set(&owner, "two_approvals_above", json!(null), Some(DECEMBER)).await;
    withdraw_scheduled(&owner, "two_approvals_above").await;
    let history = owner.get(&format!("{SETTINGS}/history")).await;
    assert_eq!(history.at("/meta/total"), 3, "{}", history.body);
    let entry = |at: usize| history.at(&format!("/data/{at}"));
    assert_eq!(entry(0)["action"], "withdraw");
    assert_eq!(
        entry(0)["before"],
        json!({ "two_approvals_above": null, "valid_from": DECEMBER })
    );
    assert_eq!(entry(0)["after"], Value::Null);
    assert_eq!(entry(1)["before"], json!({ "two_approvals_above": 500_000 }));
    assert_eq!(
        entry(1)["after"],
        json!({ "two_approvals_above": null, "valid_from": DECEMBER })
    );
    assert_eq!(entry(2)["before"], json!({ "two_approvals_above": null }));
    assert_eq!(entry(2)["after"]["two_approvals_above"], 500_000);
    assert_eq!(entry(2)["subject_id"], "two_approvals_above");
    assert_eq!(entry(2)["actor"]["name"], "Bruno Lima");
}

/// Statements that do not come from the API.
#[tokio::test]
async fn the_database_refuses_changes_of_the_past_and_invalid_settings() {
    let (app, owner) = open().await;
    set(&owner, "terminal_rental", json!(5990), None).await;
    set(&owner, "terminal_rental", json!(6990), Some(DECEMBER)).await;
    let client = app.database.client().await;
    for refused in [
        "DELETE FROM platform_setting",
        "TRUNCATE platform_setting",
        "UPDATE platform_setting SET value = 1",
        // The next five break these rules, in this order: a value in force is not withdrawn, a number is not skipped,
        // the key is known, the days have a value, no value is set for the past.
        "UPDATE platform_setting SET withdrawn_at = now(), withdrawn_by = set_by WHERE number = 1",
        "INSERT INTO platform_setting (key, number, value, valid_from, set_by)
         SELECT key, 4, 1, '2199-01-01', set_by FROM platform_setting WHERE number = 1",
        "INSERT INTO platform_setting (key, number, value, valid_from, set_by)
         SELECT 'theme', 1, 1, '2199-01-01', set_by FROM platform_setting WHERE number = 1",
        "INSERT INTO platform_setting (key, number, value, valid_from, set_by)
         SELECT 'marked_destination_days', 1, NULL, '2199-01-01', set_by FROM platform_setting WHERE number = 1",
        "INSERT INTO platform_setting (key, number, value, valid_from, set_by)
         SELECT 'marked_destination_days', 1, 3, '2020-01-01', set_by FROM platform_setting WHERE number = 1",
    ] {
        let error = client.batch_execute(refused).await.expect_err(refused);
        let code = error.code().map(|code| code.code().to_owned());
        assert_eq!(
            code.as_deref(),
            Some("23514"),
            "a check violation: {refused}: {error:?}"
        );
    }
}
