//! Changes of sales plans: versions now and later, withdrawn versions, the default, lost edits, the audit log, and the
//! sales that keep their terms.

use gateway_identity::roles::SellerRole;
use serde_json::{Value, json};

use super::{PLANS, PlanFixture, assert_errors, effective_form, mdr_form, ok, path};
use crate::support::Sale;

/// Midnight of Monday, 2027-01-04, in Brasília: weeks after the tests' today.
const LATER: &str = "2027-01-04T03:00:00Z";

#[tokio::test]
async fn sales_keep_the_terms_that_they_were_made_under() {
    let fixture = PlanFixture::open().await;
    let plan = fixture.created(mdr_form("Loja", "4", "0")).await;
    fixture.give(&plan).await;
    let seller = fixture.seller(SellerRole::Owner).await;
    let sell = async |minutes| {
        let sale = Sale::card().amount(100_00).days_ago(0).minutes_past_noon(minutes);
        let position = fixture.app.capture(&fixture.company, &sale).await.to_string();
        let reader = seller.clone().with("ledger-position", &position);
        let path = format!("/api/transactions/{}", sale.facts.sale_id);
        ok(reader.get(&path).await)
    };
    let first = sell(1).await;
    // R$ 100,00 in three installments, less 4 %.
    assert_eq!(
        (&first["net_amount"], &first["plan"]["version"]),
        (&json!(9_600), &json!(1))
    );
    let changed = fixture
        .changed(
            &plan,
            json!({ "mdr_credit_2to6_fee_visamaster": "3", "flat_rate": 50 }),
        )
        .await;
    assert_eq!(changed["version"], 2);
    assert_eq!(changed["current"]["mdr_credit_1_fee_visamaster"], "4");
    let second = sell(2).await;
    // R$ 100,00 less 3 % and R$ 0,50.
    assert_eq!(
        (&second["net_amount"], &second["plan"]["version"]),
        (&json!(9_650), &json!(2))
    );
    let path = format!("/api/transactions/{}", first["id"].as_str().expect("an id"));
    assert_eq!(ok(seller.get(&path).await)["net_amount"], 9_600);
}

#[tokio::test]
async fn a_scheduled_version_can_be_replaced_and_withdrawn() {
    let fixture = PlanFixture::open().await;
    let plan = fixture.created(mdr_form("Loja", "4", "0")).await;
    let change = json!({ "flat_rate": 50, "valid_from": LATER });
    let scheduled = fixture.changed(&plan, change).await;
    assert_eq!(scheduled["current"]["flat_rate"], 0);
    assert_eq!(scheduled["scheduled"]["flat_rate"], 50);
    assert_eq!(scheduled["scheduled_from"], LATER);
    let replaced = fixture
        .changed(&plan, json!({ "flat_rate": 60, "valid_from": LATER }))
        .await;
    let states = |plan: &Value| -> Vec<String> {
        let versions = plan["versions"].as_array().expect("versions").iter();
        versions
            .map(|version| {
                format!(
                    "{} {}",
                    version["version"],
                    version["state"].as_str().expect("a state")
                )
            })
            .collect()
    };
    assert_eq!(states(&replaced), ["3 scheduled", "2 withdrawn", "1 in_force"]);
    let scheduled_path = format!("{}/scheduled", path(&plan));
    let withdrawn = ok(fixture
        .staff
        .send(reqwest::Method::DELETE, &scheduled_path, None)
        .await);
    assert_eq!(states(&withdrawn), ["3 withdrawn", "2 withdrawn", "1 in_force"]);
    assert_eq!(withdrawn["scheduled"], Value::Null);
    let again = fixture
        .staff
        .send(reqwest::Method::DELETE, &scheduled_path, None)
        .await;
    assert_eq!(
        (again.status, again.text("/message")),
        (409, "Este plano não tem mudança agendada.")
    );
    // A number never stands for two versions.
    let next = fixture.changed(&plan, json!({ "flat_rate": 70 })).await;
    assert_eq!(states(&next)[0], "4 in_force");
}

#[tokio::test]
async fn a_new_description_leaves_a_scheduled_version_for_its_day() {
    let fixture = PlanFixture::open().await;
    let plan = fixture.created(mdr_form("Loja", "4", "0")).await;
    fixture
        .changed(&plan, json!({ "flat_rate": 50, "valid_from": LATER }))
        .await;
    let renamed = fixture
        .changed(&plan, json!({ "description": "Loja nova" }))
        .await;
    assert_eq!(renamed["description"], "Loja nova");
    assert_eq!(renamed["current"]["flat_rate"], 0);
    assert_eq!(renamed["scheduled"]["flat_rate"], 50);
    assert_eq!(renamed["scheduled_from"], LATER);
}

#[tokio::test]
async fn a_fee_that_changes_now_leaves_the_other_scheduled_fees_out() {
    let fixture = PlanFixture::open().await;
    let plan = fixture.created(mdr_form("Loja", "4", "0")).await;
    let scheduled = json!({ "flat_rate": 50, "settlement_days": 9, "valid_from": LATER });
    fixture.changed(&plan, scheduled).await;
    let same = fixture.changed(&plan, json!({ "settlement_days": 1 })).await;
    assert_eq!(
        same["scheduled_from"], LATER,
        "a fee that equals the one in force changes nothing"
    );
    let later = json!({ "boleto_fee": 300, "valid_from": LATER });
    let later = fixture.changed(&plan, later).await;
    assert_eq!(
        (
            &later["scheduled"]["flat_rate"],
            &later["scheduled"]["boleto_fee"]
        ),
        (&json!(50), &json!(300))
    );
    let now = fixture.changed(&plan, json!({ "flat_rate": 50 })).await;
    assert_eq!(
        (&now["current"]["flat_rate"], &now["current"]["settlement_days"]),
        (&json!(50), &json!(1))
    );
    assert_eq!(
        now["scheduled"],
        Value::Null,
        "a change of the terms replaces the scheduled version"
    );
}

#[tokio::test]
async fn the_tables_refuse_forbidden_changes_of_versions_and_an_inactive_default() {
    let fixture = PlanFixture::open().await;
    let plan = fixture.created(mdr_form("Loja", "4", "0")).await;
    fixture
        .changed(&plan, json!({ "flat_rate": 50, "valid_from": LATER }))
        .await;
    let pool = &fixture.app.app.state.pool;
    let client = pool.get().await.expect("a connection");
    client
        .batch_execute("UPDATE plan SET active = false WHERE description = 'Padaria'")
        .await
        .expect("an inactive plan");
    // Version 1 is in force, version 2 is scheduled.
    for refused in [
        "UPDATE plan_version SET withdrawn_at = now() WHERE version = 1",
        "UPDATE plan_version SET valid_from = valid_from + interval '1 day' WHERE version = 2",
        "UPDATE plan_version SET terms = '{}', withdrawn_at = now() WHERE version = 2",
        "DELETE FROM plan_version WHERE version = 2",
        "INSERT INTO plan_default (solution, plan_id) SELECT solution, id FROM plan WHERE NOT active",
    ] {
        let error = client.batch_execute(refused).await.expect_err(refused);
        let code = error.code().map(tokio_postgres::error::SqlState::code);
        assert_eq!(code, Some("23514"), "{refused}");
    }
}

#[tokio::test]
async fn a_change_that_changes_nothing_adds_no_version() {
    let fixture = PlanFixture::open().await;
    let form = effective_form("Loja");
    let plan = fixture.created(form.clone()).await;
    let same = fixture.changed(&plan, form).await;
    assert_eq!(same, plan);
    let renamed = fixture
        .changed(&plan, json!({ "description": "Loja nova" }))
        .await;
    assert_eq!(
        (&renamed["version"], &renamed["revision"]),
        (&json!(2), &json!(2))
    );
}

#[tokio::test]
async fn there_is_one_default_and_it_stays_active() {
    let fixture = PlanFixture::open().await;
    let mut form = mdr_form("Primeiro", "4", "0");
    form["default"] = json!(true);
    let first = fixture.created(form.clone()).await;
    assert_eq!(first["default"], true);
    let refused = fixture
        .staff
        .patch(&path(&first), json!({ "active": false }))
        .await;
    let stays = "O plano padrão não pode ser inativado. Torne outro plano o padrão antes.";
    assert_errors(&refused, json!({ "active": [stays] }));
    let refused = fixture
        .staff
        .patch(&path(&first), json!({ "default": false }))
        .await;
    let other = "Para trocar o plano padrão, torne outro plano o padrão.";
    assert_errors(&refused, json!({ "default": [other] }));
    // An inactive plan is never the default.
    form["active"] = json!(false);
    let inactive = fixture.created(form).await;
    assert_eq!(
        (&inactive["active"], &inactive["default"]),
        (&json!(false), &json!(false))
    );
    let second = fixture
        .changed(&inactive, json!({ "active": true, "default": true }))
        .await;
    assert_eq!(second["default"], true);
    let first = ok(fixture.staff.get(&path(&first)).await);
    assert_eq!(
        (&first["default"], &first["revision"]),
        (&json!(false), &json!(2))
    );
    // A plan that is not in force yet has no fees for the companies of the default.
    let mut later = mdr_form("Depois", "4", "0");
    (later["default"], later["valid_from"]) = (json!(true), json!(LATER));
    let refused = fixture.staff.post(PLANS, later).await;
    assert_errors(
        &refused,
        json!({ "default": ["Um plano só pode ser o padrão depois de entrar em vigor."] }),
    );
}

#[tokio::test]
async fn an_edit_of_an_old_revision_is_a_conflict_that_names_the_user_and_the_changed_fields() {
    let fixture = PlanFixture::open().await;
    let plan = fixture.created(mdr_form("Loja", "4", "0")).await;
    fixture
        .changed(&plan, json!({ "flat_rate": 50, "revision": plan["revision"] }))
        .await;
    let lost = json!({ "flat_rate": 60, "revision": plan["revision"] });
    let conflict = fixture.staff.patch(&path(&plan), lost).await;
    assert_eq!(conflict.status, 409);
    assert_eq!(
        conflict.text("/message"),
        "Bruno Lima alterou este plano enquanto você editava: tarifa fixa, vigência. Confira os valores atuais antes de salvar."
    );
    let now = ok(fixture.staff.get(&path(&plan)).await);
    assert_eq!(now["current"]["flat_rate"], 50);
    let refused = fixture
        .staff
        .patch(&path(&plan), json!({ "solution_id": 4 }))
        .await;
    let kept = "A solução de um plano não muda. Crie outro plano.";
    assert_errors(&refused, json!({ "solution_id": [kept] }));
    let unknown = format!("{PLANS}/pln_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b06");
    assert_eq!(fixture.staff.patch(&unknown, json!({})).await.status, 404);
}

#[tokio::test]
async fn every_change_is_in_the_history_with_its_fields() {
    let fixture = PlanFixture::open().await;
    let plan = fixture.created(effective_form("Loja")).await;
    let mut form = effective_form("Loja");
    // Visa in 3 installments: 3,49 % + 2 × 0,5 % = 4,49 % becomes 5 %.
    form["fees"][3]["percent_amount"] = json!("5");
    fixture
        .changed(&plan, json!({ "fees": form["fees"], "active": false }))
        .await;
    let history = ok(fixture.staff.get(&format!("{}/history", path(&plan))).await);
    assert_eq!(history["meta"]["total"], 2);
    let (latest, first) = (&history["data"][0], &history["data"][1]);
    assert_eq!(
        (&latest["action"], &first["action"]),
        (&json!("update"), &json!("create"))
    );
    assert_eq!(latest["actor"]["name"], "Bruno Lima");
    let mut before = latest["before"].clone();
    before.as_object_mut().expect("fields").remove("valid_from");
    assert_eq!(
        before,
        json!({ "active": true, "version": 1, "fees.visa.3": "4.49" })
    );
    assert_eq!(latest["after"]["fees.visa.3"], "5");
    assert_eq!(first["before"], Value::Null);
    // 4,19 % + 20 × 0,5 %.
    assert_eq!(first["after"]["fees.elo.21"], "14.19");
}
