//! Changes of plans while the platform requires two people: requests, approvals, rejections and withdrawn requests. The
//! admin users that these tests add directly are called Bruno Lima.

mod activations;
mod conflicts;
mod emails;
mod two_users;

use gateway_identity::roles::AdminRole;
use serde_json::{Value, json};

use super::{PlanFixture, mdr_form, ok, path};
use crate::support::{Answer, Client, User};

const CHANGES: &str = "/api/admin/plans/changes";

struct TwoPeople {
    plans: PlanFixture,
    /// The user who requests the changes.
    requester: User,
    /// The requester's session.
    requesting: Client,
    /// The session of another user who may change plans.
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

    async fn require_two_people(&self) {
        let owner = self.plans.app.admin(&[AdminRole::Owner]).await;
        let owner = self.plans.app.sign_in(&owner).await;
        let path = "/api/admin/settings/platform";
        let settings = ok(owner.get(path).await);
        let mut settings = settings["data"].as_array().expect("a list").iter();
        let key = "two_person_plan_changes";
        let revision = settings.find(|setting| setting["key"] == key).expect(key)["revision"].clone();
        let setting = json!({ "key": key, "value": true, "revision": revision });
        ok(owner.post(path, setting).await);
    }

    /// Inserts a value that is in force at once. Over HTTP, switching the setting off takes effect on a later day.
    async fn require_one_person(&self) {
        self.execute(
            "ALTER TABLE platform_setting DISABLE TRIGGER USER;
             INSERT INTO platform_setting (key, number, value, valid_from, set_by)
             SELECT key, number + 1, 0, valid_from + interval '1 microsecond', set_by FROM platform_setting
              WHERE key = 'two_person_plan_changes' ORDER BY number DESC LIMIT 1;
             ALTER TABLE platform_setting ENABLE TRIGGER USER",
        )
        .await;
    }

    /// Requests a change of the plan, and returns the pending change.
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
    fixture.require_two_people().await;
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
    // The plan's history names the requester.
    let history = ok(fixture.second.get(&format!("{}/history", path(&plan))).await);
    assert_eq!(history["data"][0]["after"]["requested_by"], "Bruno Lima");
    let log =
        "SELECT count(*) FROM audit_log WHERE subject = 'plan_change' AND action IN ('request', 'approve')";
    assert_eq!(fixture.plans.app.count(log).await, 2);
}

#[tokio::test]
async fn a_request_is_withdrawn_by_its_requester_only() {
    let fixture = TwoPeople::open().await;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "0")).await;
    fixture.require_two_people().await;
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
async fn a_change_is_not_approved_while_its_requester_may_not_change_plans() {
    let fixture = TwoPeople::open().await;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "0")).await;
    fixture.require_two_people().await;
    let change = fixture.requested(&plan, json!({ "flat_rate": 50 })).await;
    let id = fixture.requester.id.uuid();
    let message =
        "Quem pediu esta mudança não pode mais alterar planos. Rejeite o pedido e faça a mudança de novo.";
    for demotion in ["active = false", "active = true, roles = '{sac}'"] {
        fixture
            .execute(&format!("UPDATE admin_user SET {demotion} WHERE id = '{id}'"))
            .await;
        let refused = approve(&fixture.second, &change).await;
        assert_eq!(
            (refused.status, refused.text("/message")),
            (409, message),
            "{demotion}"
        );
    }
    // The requester may change plans again, under another role, and still cannot approve the request.
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
async fn a_change_whose_start_has_passed_takes_effect_at_its_approval() {
    let fixture = TwoPeople::open().await;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "0")).await;
    fixture.require_two_people().await;
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
    // A start in the future stays.
    let change = fixture
        .requested(&plan, json!({ "flat_rate": 70, "valid_from": later }))
        .await;
    assert_eq!(approve(&fixture.second, &change).await.status, 200);
    assert_eq!(fixture.plan(&plan).await["scheduled_from"], later);
}

#[tokio::test]
async fn two_approvals_at_once_change_the_plan_once() {
    let fixture = TwoPeople::open().await;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "0")).await;
    fixture.require_two_people().await;
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
