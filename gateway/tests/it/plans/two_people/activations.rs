//! New plans, which no company gets before a second person approves them, receiving plans (the fee of a withdrawal),
//! and scheduled versions that are canceled.

use gateway_identity::roles::SellerRole;
use serde_json::{Value, json};

use super::{CHANGES, TwoPeople, approve};
use crate::plans::{PLANS, mdr_form, ok, path};

#[tokio::test]
async fn a_new_plan_is_inactive_until_it_is_approved_and_an_unchanged_plan_needs_no_approval() {
    let fixture = TwoPeople::open().await;
    fixture.require_two_people().await;
    let mut form = mdr_form("Padrão", "4", "0");
    form["default"] = json!(true);
    form["offered"] = json!(true);
    let created = fixture.requesting.post(PLANS, form).await;
    assert_eq!(created.status, 201, "{}", created.body);
    let plan = created.body.clone();
    let flags = |plan: &Value| ["active", "default", "offered"].map(|flag| plan[flag] == true);
    assert_eq!(flags(&plan), [false; 3]);
    // No company can get it yet.
    let choice = json!({ "plans": [{ "solution_id": 1, "plan_id": plan["id"] }] });
    let company = format!("/api/admin/businesses/{}/plans", fixture.plans.company.id);
    let refused = fixture.requesting.post(&company, choice.clone()).await;
    assert_eq!(
        refused.at("/errors"),
        &json!({ "plans[0].plan_id": ["Este plano está inativo."] })
    );
    // The second person sees its fees.
    let change = &plan["pending_change"];
    assert_eq!(
        (flags(&change["after"]), flags(&change["before"])),
        ([true; 3], [false; 3])
    );
    assert_eq!(
        (
            &change["after"]["mdr_credit_1_fee_others"],
            &change["after"]["settlement_days"]
        ),
        (&json!("4"), &json!(1)),
        "{change}"
    );
    assert_eq!(approve(&fixture.second, change).await.status, 200);
    assert_eq!(flags(&fixture.plan(&plan).await), [true; 3]);
    assert_eq!(fixture.requesting.post(&company, choice).await.status, 200);
    // A plan that is created inactive needs no approval.
    let mut form = mdr_form("Rascunho", "4", "0");
    form["active"] = json!(false);
    let draft = fixture.requesting.post(PLANS, form).await;
    assert_eq!((draft.status, draft.at("/pending_change")), (201, &Value::Null));
    let same = ok(fixture
        .requesting
        .patch(&path(&plan), json!({ "description": "Padrão" }))
        .await);
    assert_eq!(same["pending_change"], Value::Null);
    // The default plan cannot be deactivated.
    let refused = fixture
        .requesting
        .patch(&path(&plan), json!({ "active": false }))
        .await;
    assert_eq!(refused.status, 422);
}

#[tokio::test]
async fn receiving_plans_wait_for_a_second_user_as_well() {
    let fixture = TwoPeople::open().await;
    fixture.require_two_people().await;
    let receiving = format!("{PLANS}/receiving");
    let listed = ok(fixture.second.get(&receiving).await);
    let path = format!("{receiving}/{}", listed["data"][0]["id"].as_str().expect("an id"));
    let asked = fixture
        .requesting
        .patch(&path, json!({ "flat_rate": 500, "revision": 1 }))
        .await;
    assert_eq!((asked.status, asked.at("/flat_rate")), (202, &json!(350)));
    let change = ok(fixture.second.get(&receiving).await)["data"][0]["pending_change"].clone();
    assert_eq!(
        (&change["kind"], &change["after"]),
        (&json!("receiving"), &json!({ "flat_rate": 500 }))
    );
    let seller = fixture.plans.seller(SellerRole::Owner).await;
    let fee = async || ok(seller.get("/api/balance/transfers/quote").await)["withdrawal_fee"].clone();
    assert_eq!(fee().await, 350);
    assert_eq!(approve(&fixture.second, &change).await.status, 200);
    assert_eq!(fee().await, 500);
    let default = json!({ "description": "Novo", "flat_rate": 1, "default": true });
    let created = fixture.requesting.post(&receiving, default).await;
    assert_eq!(
        (created.status, created.at("/active"), created.at("/default")),
        (201, &json!(false), &json!(false))
    );
    let change = created.at("/pending_change").clone();
    assert_eq!(
        change["after"],
        json!({ "active": true, "default": true, "flat_rate": 1 })
    );
    let list = ok(fixture.second.get(&format!("{CHANGES}?status=pending")).await);
    assert_eq!((&list["meta"]["total"], &list["data"][0]), (&json!(1), &change));
    assert_eq!(approve(&fixture.second, &change).await.status, 200);
    let all = ok(fixture
        .second
        .get(&format!("{CHANGES}?order=asc&perPage=1"))
        .await);
    assert_eq!(
        (&all["meta"]["total"], &all["data"][0]["status"]),
        (&json!(2), &json!("approved"))
    );
    let refused = fixture.second.get(&format!("{CHANGES}?status=open")).await;
    assert_eq!(refused.status, 422);
    let unknown = format!("{CHANGES}/0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0d/approve");
    assert_eq!(fixture.second.post(&unknown, json!({})).await.status, 404);
}

#[tokio::test]
async fn canceling_a_scheduled_version_needs_two_people_too() {
    let fixture = TwoPeople::open().await;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "0")).await;
    let scheduled = json!({ "flat_rate": 20, "valid_from": "2026-12-01T03:00:00Z" });
    fixture.plans.changed(&plan, scheduled).await;
    fixture.require_two_people().await;
    let cancel_scheduled = async || {
        let scheduled = format!("{}/scheduled", path(&plan));
        let method = reqwest::Method::DELETE;
        fixture.requesting.send(method, &scheduled, None).await
    };
    let asked = cancel_scheduled().await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    let change = asked.at("/pending_change").clone();
    assert_eq!(
        (&change["before"]["flat_rate"], &change["after"]["flat_rate"]),
        (&json!(20), &json!(0))
    );
    assert_ne!(asked.at("/scheduled_from"), &Value::Null);
    assert_eq!(approve(&fixture.requesting, &change).await.status, 403);
    assert_eq!(
        cancel_scheduled().await.status,
        409,
        "the first request is still pending"
    );
    assert_eq!(approve(&fixture.second, &change).await.status, 200);
    assert_eq!(fixture.plan(&plan).await["scheduled_from"], Value::Null);
    let none = cancel_scheduled().await;
    assert_eq!(
        (none.status, none.text("/message")),
        (409, "Este plano não tem mudança agendada.")
    );
}
