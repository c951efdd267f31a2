//! Receiving plans: the fee of withdrawals.

use gateway_identity::roles::{AdminRole, SellerRole};
use serde_json::{Value, json};

use super::{PlanFixture, assert_errors, ok};

const PATH: &str = "/api/admin/plans/receiving";

#[tokio::test]
async fn a_receiving_plan_is_created_changed_and_logged() {
    let fixture = PlanFixture::open().await;
    let made = fixture
        .staff
        .post(PATH, json!({ "description": "Saque", "flat_rate": 350 }))
        .await;
    assert_eq!(
        (made.status, made.at("/flat_rate"), made.at("/active")),
        (201, &json!(350), &json!(true))
    );
    let path = format!("{PATH}/{}", made.text("/id"));
    let changed = ok(fixture
        .staff
        .patch(&path, json!({ "flat_rate": 0, "revision": 1 }))
        .await);
    assert_eq!(
        (&changed["flat_rate"], &changed["revision"]),
        (&json!(0), &json!(2))
    );
    let same = ok(fixture.staff.patch(&path, json!({ "flat_rate": 0 })).await);
    assert_eq!(same, changed);
    let stale = fixture
        .staff
        .patch(&path, json!({ "flat_rate": 100, "revision": 1 }))
        .await;
    assert_eq!(stale.status, 409);
    assert_eq!(
        stale.text("/message"),
        "Bruno Lima alterou este plano de recebimento enquanto você editava: tarifa fixa. Confira os valores atuais antes de salvar."
    );
    let history = ok(fixture.staff.get(&format!("{path}/history")).await);
    assert_eq!(history["meta"]["total"], 2);
    assert_eq!(history["data"][0]["before"], json!({ "flat_rate": 350 }));
    assert_eq!(history["data"][0]["after"], json!({ "flat_rate": 0 }));
}

#[tokio::test]
async fn invalid_or_missing_fields_are_refused_and_an_unknown_plan_is_a_404() {
    let fixture = PlanFixture::open().await;
    let refused = fixture.staff.post(PATH, json!({ "description": " " })).await;
    assert_errors(
        &refused,
        json!({ "description": ["requerido"], "flat_rate": ["requerido"] }),
    );
    let refused = fixture
        .staff
        .post(PATH, json!({ "description": "x".repeat(121), "flat_rate": -1 }))
        .await;
    assert_errors(
        &refused,
        json!({
            "description": ["O texto deve ter até 120 caracteres."], "flat_rate": ["Valor inválido"],
        }),
    );
    let unknown = format!("{PATH}/0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0a");
    assert_eq!(fixture.staff.patch(&unknown, json!({})).await.status, 404);
    assert_eq!(
        fixture.staff.patch(&format!("{PATH}/x"), json!({})).await.status,
        404
    );
}

#[tokio::test]
async fn there_is_one_default_and_it_stays_active() {
    let fixture = PlanFixture::open().await;
    let create = async |form: Value| {
        let made = fixture.staff.post(PATH, form).await;
        assert_eq!(made.status, 201, "{}", made.body);
        made.body
    };
    let first = create(json!({ "description": "Um", "flat_rate": 350, "default": true })).await;
    let path = format!("{PATH}/{}", first["id"].as_str().expect("an id"));
    let message = "O plano padrão não pode ser inativado. Torne outro plano o padrão antes.";
    let refused = fixture
        .staff
        .patch(&path, json!({ "active": false, "default": false }))
        .await;
    assert_errors(&refused, json!({ "active": [message] }));
    let inactive = json!({ "description": "Dois", "flat_rate": 1, "default": true, "active": false });
    assert_eq!(create(inactive).await["default"], false);
    let third = create(json!({ "description": "Três", "flat_rate": 2, "default": true })).await;
    assert_eq!(third["default"], true);
    let listed = ok(fixture
        .staff
        .get(&format!("{PATH}?sort=description&order=asc&search=um"))
        .await);
    assert_eq!(
        (&listed["meta"]["total"], &listed["data"][0]["default"]),
        (&json!(1), &json!(false))
    );
}

/// Sac creates companies, and chooses their receiving plans from the list.
#[tokio::test]
async fn sac_reads_the_list_and_may_not_create_a_plan() {
    let fixture = PlanFixture::open().await;
    let sac = fixture.app.admin(&[AdminRole::Sac]).await;
    let sac = fixture.app.sign_in(&sac).await;
    ok(sac.get(PATH).await);
    assert_eq!(sac.post(PATH, json!({})).await.status, 403);
}

#[tokio::test]
async fn two_new_defaults_at_once_leave_one_default() {
    let fixture = PlanFixture::open().await;
    // Each request must clear the old default, whose row is locked until both of them wait.
    fixture
        .app
        .execute("UPDATE receiving_plan SET is_default = true")
        .await;
    let mut holder = fixture.app.database.client().await;
    let held = holder.transaction().await.expect("a transaction");
    held.execute("SELECT FROM receiving_plan FOR UPDATE", &[])
        .await
        .expect("the rows");
    let create = |name: &str| {
        let form = json!({ "description": name, "flat_rate": 1, "default": true });
        fixture.staff.post(PATH, form)
    };
    let release = async {
        fixture.app.until_sessions_wait_for_locks(2).await;
        held.commit().await.expect("a commit");
    };
    let (first, second, ()) = tokio::join!(create("Um"), create("Dois"), release);
    assert_eq!((first.status, second.status), (201, 201), "{}", second.body);
    let defaults = "SELECT count(*) FROM receiving_plan WHERE is_default";
    assert_eq!(fixture.app.count(defaults).await, 1);
}

#[tokio::test]
async fn the_quote_of_the_next_withdrawal_has_the_new_fee() {
    let fixture = PlanFixture::open().await;
    let listed = ok(fixture.staff.get(PATH).await);
    let plan_of_company = &listed["data"][0];
    assert_eq!(plan_of_company["description"], "Padaria");
    let path = format!("{PATH}/{}", plan_of_company["id"].as_str().expect("an id"));
    ok(fixture.staff.patch(&path, json!({ "flat_rate": 500 })).await);
    let seller = fixture.seller(SellerRole::Owner).await;
    let quote = ok(seller.get("/api/balance/transfers/quote").await);
    assert_eq!(quote["withdrawal_fee"], 500);
}
