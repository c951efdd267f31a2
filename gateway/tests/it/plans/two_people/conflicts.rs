//! Approvals that conflict, because the plan, its versions or the default changed after the request, and a request
//! while fees are scheduled.

use serde_json::json;

use super::{TwoPeople, approve, decide};
use crate::plans::{PLANS, assert_errors, mdr_form, ok, path};
use crate::support::Answer;

#[tokio::test]
async fn an_approval_after_another_change_of_the_plan_is_a_conflict_that_names_the_changed_fields() {
    let fixture = TwoPeople::open().await;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "0")).await;
    fixture
        .plans
        .changed(
            &plan,
            json!({ "flat_rate": 20, "valid_from": "2027-01-04T03:00:00Z" }),
        )
        .await;
    fixture.require_two_people().await;
    let change = fixture.requested(&plan, json!({ "flat_rate": 50 })).await;
    // Another user cancels the scheduled version alone, while the rule is off.
    fixture.require_one_person().await;
    let scheduled = format!("{}/scheduled", path(&plan));
    ok(fixture
        .second
        .send(reqwest::Method::DELETE, &scheduled, None)
        .await);
    fixture.require_two_people().await;
    let conflict = approve(&fixture.second, &change).await;
    assert_eq!(
        (conflict.status, conflict.text("/message")),
        (
            409,
            "Bruno Lima alterou este plano depois deste pedido: tarifa fixa, vigência. Rejeite o pedido e faça a mudança de novo."
        )
    );
    let second_request = fixture
        .requesting
        .patch(&path(&plan), json!({ "flat_rate": 60 }))
        .await;
    assert_eq!(
        (second_request.status, second_request.text("/message")),
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
async fn a_request_to_start_scheduled_fees_now_shows_the_fees_in_force_that_they_replace() {
    let fixture = TwoPeople::open().await;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "0")).await;
    let scheduled = json!({ "flat_rate": 20, "valid_from": "2026-12-01T03:00:00Z" });
    fixture.plans.changed(&plan, scheduled).await;
    fixture.require_two_people().await;
    let change = fixture.requested(&plan, json!({ "flat_rate": 20 })).await;
    assert_eq!(
        (&change["before"]["flat_rate"], &change["after"]["flat_rate"]),
        (&json!(0), &json!(20)),
        "{change}"
    );
}

#[tokio::test]
async fn an_approval_whose_result_would_differ_from_the_shown_change_is_a_conflict() {
    let fixture = TwoPeople::open().await;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "0")).await;
    let scheduled = json!({ "flat_rate": 20, "valid_from": "2026-12-01T03:00:00Z" });
    fixture.plans.changed(&plan, scheduled).await;
    fixture.require_two_people().await;
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

fn assert_another_default(answer: &Answer, name: &str) {
    let message = format!(
        "{name} virou o plano padrão depois deste pedido. Rejeite o pedido e faça a mudança de novo."
    );
    assert_eq!(
        (answer.status, answer.text("/message")),
        (409, message.as_str()),
        "{}",
        answer.body
    );
}

#[tokio::test]
async fn a_request_to_become_the_default_is_a_conflict_after_another_plan_became_it() {
    let fixture = TwoPeople::open().await;
    let first = fixture.plans.created(mdr_form("Primeiro", "4", "0")).await;
    let second = fixture.plans.created(mdr_form("Segundo", "4", "0")).await;
    fixture.require_two_people().await;
    let one = fixture.requested(&first, json!({ "default": true })).await;
    // `valid_from` delays the fees only. The plan becomes the default at its approval.
    let later = json!({ "default": true, "flat_rate": 50, "valid_from": "2026-12-01T03:00:00Z" });
    let other = fixture.requested(&second, later).await;
    assert_eq!(approve(&fixture.second, &one).await.status, 200);
    assert_another_default(&approve(&fixture.second, &other).await, "Primeiro");
    assert_eq!(fixture.plan(&second).await["default"], false);
    let reason = json!({ "reason": "O padrão mudou." });
    assert_eq!(
        decide(&fixture.second, &other, "reject", reason).await.status,
        200
    );
    let again = fixture.requested(&second, json!({ "default": true })).await;
    assert_eq!(approve(&fixture.second, &again).await.status, 200);
    assert_eq!(fixture.plan(&second).await["default"], true);
}

#[tokio::test]
async fn a_request_to_become_the_default_receiving_plan_is_a_conflict_after_another_plan_became_it() {
    let fixture = TwoPeople::open().await;
    let receiving = format!("{PLANS}/receiving");
    fixture.require_two_people().await;
    let ask = async |name: &str| {
        let form = json!({ "description": name, "flat_rate": 1, "default": true });
        let created = fixture.requesting.post(&receiving, form).await;
        created.at("/pending_change").clone()
    };
    let (one, other) = (ask("Primeiro").await, ask("Segundo").await);
    assert_eq!(approve(&fixture.second, &one).await.status, 200);
    assert_another_default(&approve(&fixture.second, &other).await, "Primeiro");
}
