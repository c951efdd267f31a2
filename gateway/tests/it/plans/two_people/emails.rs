//! The e-mails about requested changes: to the users who may decide, and to the requester.

use gateway_identity::roles::AdminRole::{Admin, Owner, Sac};
use serde_json::{Value, json};

use super::{CHANGES, TwoPeople, approve, decide};
use crate::plans::mdr_form;

/// The sentence of each e-mail about the action. All admin users here are called Bruno Lima.
async fn sentences(fixture: &TwoPeople, email: &str) -> Vec<String> {
    let received = fixture.plans.app.emails_to(email).await;
    let sentence = |text: &str| {
        let found = text.lines().find(|line| line.starts_with("Bruno Lima "));
        found.unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    received.iter().map(|email| sentence(&email.text)).collect()
}

#[tokio::test]
async fn users_who_may_decide_are_asked_and_the_requester_gets_the_decision() {
    let fixture = TwoPeople::open().await;
    let app = &fixture.plans.app;
    let (owner, other) = (app.admin(&[Owner]).await, app.admin(&[Admin]).await);
    let sac = app.admin(&[Sac]).await;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "0")).await;
    fixture.require_two_people().await;
    let change = fixture.requested(&plan, json!({ "flat_rate": 50 })).await;
    let asked = "Bruno Lima pediu uma mudança do plano Loja.";
    for user in [&owner, &other] {
        assert_eq!(sentences(&fixture, &user.email).await, [asked]);
    }
    let link = app.last_email_to(&owner.email).await;
    assert!(
        link.link()
            .ends_with("/ajustes/planos?tab=mudancas&status=pending"),
        "{}",
        link.text
    );
    for user in [&sac, &fixture.requester] {
        assert!(sentences(&fixture, &user.email).await.is_empty());
    }
    let reason = json!({ "reason": "Taxa baixa demais." });
    assert_eq!(
        decide(&fixture.second, &change, "reject", reason).await.status,
        200
    );
    let requester = &fixture.requester.email;
    let rejected = "Bruno Lima rejeitou a mudança do plano Loja que você pediu.";
    assert_eq!(sentences(&fixture, requester).await, [rejected]);
    let email = app.last_email_to(requester).await;
    assert!(
        email.text.contains("Motivo: Taxa baixa demais."),
        "{}",
        email.text
    );
    let change = fixture.requested(&plan, json!({ "flat_rate": 60 })).await;
    assert_eq!(approve(&fixture.second, &change).await.status, 200);
    let approved = "Bruno Lima aprovou a mudança do plano Loja que você pediu.";
    assert_eq!(sentences(&fixture, requester).await, [rejected, approved]);
}

#[tokio::test]
async fn no_e_mail_goes_to_a_user_who_may_no_longer_decide_or_about_a_withdrawn_request() {
    let fixture = TwoPeople::open().await;
    let app = &fixture.plans.app;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "0")).await;
    fixture.require_two_people().await;
    let user = app.admin(&[Admin]).await;
    let change = fixture.requested(&plan, json!({ "flat_rate": 50 })).await;
    app.until_no_email_waits().await;
    assert_eq!(sentences(&fixture, &user.email).await.len(), 1);
    // The e-mail waits for another try, as after an error of the e-mail server.
    let retry = format!(
        "UPDATE mail SET status = 'waiting', ended_at = NULL, next_try_at = now() WHERE user_id = '{}'",
        user.id.uuid()
    );
    let roles = format!(
        "UPDATE admin_user SET roles = '{{sac}}' WHERE id = '{}'",
        user.id.uuid()
    );
    fixture.execute(&roles).await;
    fixture.execute(&retry).await;
    // The status `nobody` means that no e-mail was needed.
    let ended = async || {
        app.until_no_email_waits().await;
        let id = user.id.uuid();
        app.text(&format!("SELECT status FROM mail WHERE user_id = '{id}'"))
            .await
    };
    assert_eq!(ended().await, "nobody");
    // The user may decide again, but the request is withdrawn.
    fixture.execute(&roles.replace("{sac}", "{admin}")).await;
    let path = format!("{CHANGES}/{}/withdraw", change["id"].as_str().expect("an id"));
    assert_eq!(fixture.requesting.post(&path, Value::Null).await.status, 200);
    fixture.execute(&retry).await;
    assert_eq!(ended().await, "nobody");
}
