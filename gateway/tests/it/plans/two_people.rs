//! While changes of plans need two people: requests, approvals, rejections, withdrawals.

use gateway_identity::roles::{AdminRole, SellerRole};
use serde_json::{Value, json};

use super::{PLANS, PlanFixture, assert_errors, mdr_form, ok, path};
use crate::support::{Answer, Client, User};

const CHANGES: &str = "/api/admin/plans/changes";

struct TwoPeople {
    plans: PlanFixture,
    /// Asks for the changes. Approves none.
    requester: User,
    requesting: Client,
    /// Another user who may change plans.
    second: Client,
}

impl TwoPeople {
    async fn open() -> Self {
        let plans = PlanFixture::open().await;
        let requester = plans.app.admin(&[AdminRole::Admin]).await;
        let requesting = plans.app.sign_in(&requester).await;
        let user = plans.app.admin(&[AdminRole::Admin]).await;
        let second = plans.app.sign_in(&user).await;
        Self {
            plans,
            requester,
            requesting,
            second,
        }
    }

    async fn execute(&self, sql: &str) {
        self.plans.app.execute(sql).await;
    }

    async fn ask_for_two(&self) {
        let owner = self.plans.app.admin(&[AdminRole::Owner]).await;
        let owner = self.plans.app.sign_in(&owner).await;
        let setting = json!({ "key": "two_person_plan_changes", "value": true, "revision": 0 });
        ok(owner.post("/api/admin/settings/platform", setting).await);
    }

    /// The pending change of the plan.
    async fn requested(&self, plan: &Value, change: Value) -> Value {
        let answer = self.requesting.patch(&path(plan), change).await;
        assert_eq!(answer.status, 202, "{}", answer.body);
        answer.body["pending_change"].clone()
    }

    async fn plan(&self, plan: &Value) -> Value {
        ok(self.second.get(&path(plan)).await)
    }
}

async fn decide(client: &Client, change: &Value, decision: &str, body: Value) -> Answer {
    let path = format!("{CHANGES}/{}/{decision}", change["id"].as_str().expect("an id"));
    client.post(&path, body).await
}

async fn approve(client: &Client, change: &Value) -> Answer {
    decide(client, change, "approve", json!({})).await
}

#[tokio::test]
async fn a_second_user_approves_and_only_then_the_plan_changes() {
    let fixture = TwoPeople::open().await;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "0")).await;
    fixture.ask_for_two().await;
    let change = fixture
        .requested(&plan, json!({ "flat_rate": 50, "revision": 1 }))
        .await;
    assert_eq!(
        (&change["kind"], &change["status"]),
        (&json!("sales"), &json!("pending"))
    );
    assert_eq!(change["after"]["flat_rate"], 50);
    assert_eq!(change["before"]["flat_rate"], 0);
    assert_eq!(change["plan_description"], "Loja");
    let unchanged = fixture.plan(&plan).await;
    assert_eq!(
        (&unchanged["revision"], &unchanged["version"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(unchanged["current"]["flat_rate"], 0);
    assert_eq!(unchanged["pending_change"], change);
    let refused = approve(&fixture.requesting, &change).await;
    assert_eq!(
        (refused.status, refused.text("/message")),
        (
            403,
            "Quem pediu a mudança não pode aprovar. Outra pessoa decide, ou você retira o pedido."
        )
    );
    let approved = decide(
        &fixture.second,
        &change,
        "approve",
        json!({ "reason": "Revisto." }),
    )
    .await;
    assert_eq!(
        (approved.status, approved.text("/status")),
        (200, "approved"),
        "{}",
        approved.body
    );
    assert_eq!(approved.text("/reason"), "Revisto.");
    let changed = fixture.plan(&plan).await;
    assert_eq!(
        (&changed["revision"], &changed["version"]),
        (&json!(2), &json!(2))
    );
    assert_eq!(changed["current"]["flat_rate"], 50);
    assert_eq!(changed["pending_change"], Value::Null);
    let again = approve(&fixture.second, &change).await;
    assert_eq!(
        (again.status, again.text("/message")),
        (409, "Esta mudança já foi aprovada.")
    );
    // The plan's history names both people.
    let history = ok(fixture.second.get(&format!("{}/history", path(&plan))).await);
    assert_eq!(history["data"][0]["after"]["requested_by"], "Bruno Lima");
    let log =
        "SELECT count(*) FROM audit_trail WHERE subject = 'plan_change' AND action IN ('request', 'approve')";
    assert_eq!(fixture.plans.app.count(log).await, 2);
}

#[tokio::test]
async fn a_plan_that_moved_on_is_a_conflict_that_says_what_changed() {
    let fixture = TwoPeople::open().await;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "0")).await;
    fixture
        .plans
        .changed(
            &plan,
            json!({ "flat_rate": 20, "valid_from": "2027-01-04T03:00:00Z" }),
        )
        .await;
    fixture.ask_for_two().await;
    let change = fixture.requested(&plan, json!({ "flat_rate": 50 })).await;
    // A scheduled version is withdrawn without a second person: the plan goes on as it is.
    let scheduled = format!("{}/scheduled", path(&plan));
    ok(fixture
        .second
        .send(reqwest::Method::DELETE, &scheduled, None)
        .await);
    let conflict = approve(&fixture.second, &change).await;
    assert_eq!(
        (conflict.status, conflict.text("/message")),
        (
            409,
            "Bruno Lima alterou este plano depois deste pedido: tarifa fixa, vigência. Rejeite o pedido e faça a mudança de novo."
        )
    );
    let lost = fixture
        .requesting
        .patch(&path(&plan), json!({ "flat_rate": 60 }))
        .await;
    assert_eq!(
        (lost.status, lost.text("/message")),
        (
            409,
            "Bruno Lima já pediu uma mudança deste plano. Ela precisa ser aprovada, rejeitada ou retirada antes."
        )
    );
    let missing = decide(&fixture.second, &change, "reject", json!({ "reason": " " })).await;
    assert_errors(&missing, json!({ "reason": ["Informe o motivo."] }));
    let own = decide(&fixture.requesting, &change, "reject", json!({ "reason": "Não" })).await;
    assert_eq!(own.status, 403);
    let rejected = decide(
        &fixture.second,
        &change,
        "reject",
        json!({ "reason": "O plano mudou." }),
    )
    .await;
    assert_eq!(
        (rejected.status, rejected.text("/reason")),
        (200, "O plano mudou.")
    );
    assert_eq!(fixture.plan(&plan).await["current"]["flat_rate"], 0);
}

#[tokio::test]
async fn a_request_is_withdrawn_by_its_requester_only() {
    let fixture = TwoPeople::open().await;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "0")).await;
    fixture.ask_for_two().await;
    let change = fixture
        .requested(&plan, json!({ "description": "Loja nova" }))
        .await;
    let refused = decide(&fixture.second, &change, "withdraw", json!({})).await;
    assert_eq!(
        (refused.status, refused.text("/message")),
        (
            403,
            "Só quem pediu a mudança pode retirá-la. Você pode rejeitá-la."
        )
    );
    let withdrawn = decide(&fixture.requesting, &change, "withdraw", json!({})).await;
    assert_eq!((withdrawn.status, withdrawn.text("/status")), (200, "withdrawn"));
    let late = approve(&fixture.second, &change).await;
    assert_eq!(
        (late.status, late.text("/message")),
        (409, "Esta mudança já foi retirada.")
    );
    assert_eq!(fixture.plan(&plan).await["description"], "Loja");
    // The same request can be made again.
    let again = fixture
        .requested(&plan, json!({ "description": "Loja nova" }))
        .await;
    assert_eq!(approve(&fixture.second, &again).await.status, 200);
    assert_eq!(fixture.plan(&plan).await["description"], "Loja nova");
}

#[tokio::test]
async fn a_requester_who_may_change_plans_no_more_gets_nothing_approved() {
    let fixture = TwoPeople::open().await;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "0")).await;
    fixture.ask_for_two().await;
    let change = fixture.requested(&plan, json!({ "flat_rate": 50 })).await;
    let id = fixture.requester.id.uuid();
    let message =
        "Quem pediu esta mudança não pode mais alterar planos. Rejeite o pedido e faça a mudança de novo.";
    for gone in ["active = false", "active = true, roles = '{sac}'"] {
        fixture
            .execute(&format!("UPDATE admin_user SET {gone} WHERE id = '{id}'"))
            .await;
        let refused = approve(&fixture.second, &change).await;
        assert_eq!(
            (refused.status, refused.text("/message")),
            (409, message),
            "{gone}"
        );
    }
    // Another role does not make the requester another person.
    fixture
        .execute(&format!(
            "UPDATE admin_user SET roles = '{{owner}}' WHERE id = '{id}'"
        ))
        .await;
    let owner = fixture.plans.app.sign_in(&fixture.requester).await;
    assert_eq!(approve(&owner, &change).await.status, 403);
    assert_eq!(approve(&fixture.second, &change).await.status, 200);
}

#[tokio::test]
async fn a_start_that_has_passed_becomes_now() {
    let fixture = TwoPeople::open().await;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "0")).await;
    fixture.ask_for_two().await;
    let later = "2026-12-01T03:00:00Z";
    let change = fixture
        .requested(&plan, json!({ "flat_rate": 50, "valid_from": later }))
        .await;
    assert_eq!(change["after"]["valid_from"], later);
    fixture
        .execute(
            "ALTER TABLE plan_change DISABLE TRIGGER USER;
             UPDATE plan_change SET form = replace(form::text, '2026-12-01T03:00:00Z', '2026-11-20T03:00:00Z')::json;
             ALTER TABLE plan_change ENABLE TRIGGER USER",
        )
        .await;
    let approved = approve(&fixture.second, &change).await;
    assert_eq!(approved.status, 200, "{}", approved.body);
    let changed = fixture.plan(&plan).await;
    assert_eq!(
        (&changed["current"]["flat_rate"], &changed["scheduled_from"]),
        (&json!(50), &Value::Null)
    );
    // A start to come stays.
    let change = fixture
        .requested(&plan, json!({ "flat_rate": 70, "valid_from": later }))
        .await;
    assert_eq!(approve(&fixture.second, &change).await.status, 200);
    assert_eq!(fixture.plan(&plan).await["scheduled_from"], later);
}

#[tokio::test]
async fn an_earlier_start_of_scheduled_fees_shows_the_fees_that_they_replace() {
    let fixture = TwoPeople::open().await;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "0")).await;
    let scheduled = json!({ "flat_rate": 20, "valid_from": "2026-12-01T03:00:00Z" });
    fixture.plans.changed(&plan, scheduled).await;
    fixture.ask_for_two().await;
    let change = fixture.requested(&plan, json!({ "flat_rate": 20 })).await;
    assert_eq!(
        (&change["before"]["flat_rate"], &change["after"]["flat_rate"]),
        (&json!(0), &json!(20)),
        "{change}"
    );
}

#[tokio::test]
async fn an_approval_whose_result_would_be_another_one_is_a_conflict() {
    let fixture = TwoPeople::open().await;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "0")).await;
    let scheduled = json!({ "flat_rate": 20, "valid_from": "2026-12-01T03:00:00Z" });
    fixture.plans.changed(&plan, scheduled).await;
    fixture.ask_for_two().await;
    // All fees, as the panel's form sends them.
    let mut form = mdr_form("Loja", "4", "0");
    form["settlement_days"] = json!(9);
    let change = fixture.requested(&plan, form).await;
    assert_eq!(
        (
            &change["after"]["settlement_days"],
            change["after"].get("flat_rate")
        ),
        (&json!(9), None)
    );
    // The scheduled version takes effect.
    fixture
        .execute(
            "ALTER TABLE plan_version DISABLE TRIGGER USER;
             UPDATE plan_version SET valid_from = '2026-11-01T03:00:00Z' WHERE version = 1;
             UPDATE plan_version SET valid_from = '2026-11-02T03:00:00Z' WHERE version = 2;
             ALTER TABLE plan_version ENABLE TRIGGER USER",
        )
        .await;
    let refused = approve(&fixture.second, &change).await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    let kept = fixture.plan(&plan).await;
    assert_eq!(
        (&kept["current"]["settlement_days"], &kept["current"]["flat_rate"]),
        (&json!(1), &json!(20)),
        "{kept}"
    );
}

#[tokio::test]
async fn a_new_default_waits_too_and_an_unchanged_plan_needs_nobody() {
    let fixture = TwoPeople::open().await;
    fixture.ask_for_two().await;
    let mut form = mdr_form("Padrão", "4", "0");
    form["default"] = json!(true);
    let created = fixture.requesting.post(PLANS, form).await;
    assert_eq!((created.status, created.at("/default")), (201, &json!(false)));
    let plan = created.body.clone();
    let change = &plan["pending_change"];
    assert_eq!(change["after"], json!({ "default": true }));
    assert_eq!(approve(&fixture.second, change).await.status, 200);
    assert_eq!(fixture.plan(&plan).await["default"], true);
    let same = ok(fixture
        .requesting
        .patch(&path(&plan), json!({ "description": "Padrão" }))
        .await);
    assert_eq!(same["pending_change"], Value::Null);
    let refused = fixture
        .requesting
        .patch(&path(&plan), json!({ "active": false }))
        .await;
    assert_eq!(refused.status, 422);
}

#[tokio::test]
async fn receiving_plans_wait_for_a_second_user_as_well() {
    let fixture = TwoPeople::open().await;
    fixture.ask_for_two().await;
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
    assert_eq!((created.status, created.at("/default")), (201, &json!(false)));
    let change = created.at("/pending_change").clone();
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
async fn two_approvals_at_once_change_the_plan_once() {
    let fixture = TwoPeople::open().await;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "0")).await;
    fixture.ask_for_two().await;
    let change = fixture.requested(&plan, json!({ "flat_rate": 50 })).await;
    let (one, other) = tokio::join!(
        approve(&fixture.second, &change),
        approve(&fixture.plans.staff, &change)
    );
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(fixture.plan(&plan).await["revision"], 2);
}
