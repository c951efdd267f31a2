//! The limit of what one person may give up by the plans of single companies.

use gateway_identity::roles::AdminRole::{Admin, Owner};
use serde_json::{Value, json};

use super::super::{mdr_form, ok};
use super::{COMPANY_TERMS, ImpactFixture, TermsOfAllSales, october};
use crate::support::{Answer, Client};

const KEY: &str = "plan_exceptions_alone_up_to";
const REQUESTS: &str = "/api/admin/balance/adjustments";

impl ImpactFixture {
    /// A plan of 2 % without an advance, and what the company's sales of October would have cost less under it.
    async fn cheap_plan(&self) -> (Value, i64) {
        let plan = self.plans.created(mdr_form("Barato", "2", "0")).await;
        let sales = october(&self.plans.app, &[&self.plans.company]).await;
        let terms = TermsOfAllSales {
            rate: 200,
            advance: 0,
            ..COMPANY_TERMS
        };
        let less = COMPANY_TERMS.sum(&sales).0 - terms.sum(&sales).0;
        assert!(less > 1, "{less}");
        (plan, less)
    }

    async fn limit(&self, cents: i64) {
        let app = &self.plans.app;
        let owner = app.sign_in(&app.admin(&[Owner]).await).await;
        let setting = json!({ "key": KEY, "value": cents, "revision": 0 });
        ok(owner.post("/api/admin/settings/platform", setting).await);
    }

    fn plans_path(&self) -> String {
        format!("/api/admin/businesses/{}/plans", self.plans.company.id)
    }

    async fn give_by(&self, staff: &Client, plan: &Value) -> Answer {
        let choice = json!({ "solution_id": 1, "plan_id": plan["id"] });
        staff.post(&self.plans_path(), json!({ "plans": [choice] })).await
    }

    /// The plan of card machines that the company has.
    async fn plan_now(&self) -> Value {
        ok(self.plans.staff.get(&self.plans_path()).await)["data"][0]["plan"]["description"].clone()
    }

    async fn decide(&self, request: &Value, decision: &str, body: Value) -> Answer {
        let app = &self.plans.app;
        let second = app.sign_in(&app.admin(&[Admin]).await).await;
        let id = request["id"].as_str().expect("an id");
        second.post(&format!("{REQUESTS}/{id}/{decision}"), body).await
    }
}

#[tokio::test]
async fn a_plan_that_costs_more_than_the_limit_waits_for_a_second_person() {
    let fixture = ImpactFixture::open().await;
    let (plan, less) = fixture.cheap_plan().await;
    let before = fixture.plan_now().await;
    fixture.limit(less - 1).await;
    let asked = fixture.give_by(&fixture.plans.staff, &plan).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    assert_eq!((asked.text("/kind"), asked.at("/amount")), ("plan", &json!(less)));
    assert!(asked.text("/reason").ends_with("→ Barato"), "{}", asked.body);
    assert_eq!(fixture.plan_now().await, before);
    let again = fixture.give_by(&fixture.plans.staff, &plan).await;
    assert_eq!(again.status, 409, "{}", again.body);
    let approved = fixture.decide(&asked.body, "approve", json!({})).await;
    assert_eq!(
        (approved.status, approved.text("/status")),
        (200, "recorded"),
        "{}",
        approved.body
    );
    assert_eq!(fixture.plan_now().await, "Barato");
    let history = format!("/api/admin/businesses/{}/history", fixture.plans.company.id);
    let history = ok(fixture.plans.staff.get(&history).await);
    assert_eq!(history["data"][0]["action"], "change-plans");
    assert_eq!(history["data"][0]["after"]["requested_by"], "Bruno Lima");
}

#[tokio::test]
async fn a_plan_within_the_limit_and_one_that_costs_nothing_are_given_at_once() {
    let fixture = ImpactFixture::open().await;
    let (plan, less) = fixture.cheap_plan().await;
    fixture.limit(less).await;
    let staff = &fixture.plans.staff;
    assert_eq!(fixture.give_by(staff, &plan).await.status, 200);
    assert_eq!(fixture.plan_now().await, "Barato");
    let dear = fixture.plans.created(mdr_form("Caro", "9", "3")).await;
    assert_eq!(
        fixture.give_by(staff, &dear).await.status,
        200,
        "the platform earns more"
    );
    // The first plan has used up the limit.
    assert_eq!(fixture.give_by(staff, &plan).await.status, 202);
}

#[tokio::test]
async fn a_plan_that_became_inactive_ends_its_request_with_the_reason() {
    let fixture = ImpactFixture::open().await;
    let (plan, _) = fixture.cheap_plan().await;
    let before = fixture.plan_now().await;
    fixture.limit(0).await;
    let asked = fixture.give_by(&fixture.plans.staff, &plan).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    fixture.plans.changed(&plan, json!({ "active": false })).await;
    let approved = fixture.decide(&asked.body, "approve", json!({})).await;
    assert_eq!(
        (approved.status, approved.text("/status")),
        (200, "refused"),
        "{}",
        approved.body
    );
    assert_eq!(approved.text("/refusal"), "Este plano está inativo.");
    assert_eq!(fixture.plan_now().await, before);
}
