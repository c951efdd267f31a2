//! A rule is loosened if it requires the approval of two people less often. The change takes effect on the next
//! business day at the earliest, and owners and admins get an e-mail about it.

use gateway_identity::roles::AdminRole::{Admin, Owner, Sac};
use serde_json::{Value, json};

use super::{DECEMBER, open, set, withdraw_scheduled};
use crate::support::TestApp;

/// The next business day after the tests' today, a Saturday.
const MONDAY: &str = "2026-11-23T03:00:00Z";

/// The number of e-mails about loosened rules.
async fn notices_sent_to(app: &TestApp, email: &str) -> usize {
    let received = app.emails_to(email).await;
    let notices = received
        .iter()
        .filter(|email| email.text.contains("afrouxou uma regra"));
    notices.count()
}

#[tokio::test]
async fn a_rule_is_tightened_at_once_and_loosened_on_the_next_business_day() {
    let (_app, owner) = open().await;
    for (key, tight, loose) in [
        ("two_person_plan_changes", json!(true), json!(false)),
        ("two_approvals_above", json!(300_00), json!(300_01)),
        ("two_approvals_above", json!(200_00), json!(null)),
    ] {
        let tightened = set(&owner, key, tight.clone(), None).await;
        assert_eq!(
            (tightened.at("/value"), tightened.at("/scheduled")),
            (&tight, &Value::Null),
            "{}",
            tightened.body
        );
        let early = set(&owner, key, loose.clone(), Some("2026-11-23T02:59:59Z")).await;
        assert_eq!(
            (early.status, early.at("/errors/valid_from")),
            (
                422,
                &json!([
                    "Para exigir menos aprovações, a data deve ser a partir de 23/11/2026, o próximo dia útil."
                ])
            )
        );
        let loosened = set(&owner, key, loose.clone(), None).await;
        assert_eq!(
            (loosened.at("/value"), loosened.at("/scheduled/value")),
            (&tight, &loose),
            "{}",
            loosened.body
        );
        assert_eq!(loosened.at("/scheduled/valid_from"), MONDAY);
        // The same value and day again are no change. Another day is a change.
        let again = set(&owner, key, loose.clone(), None).await;
        assert_eq!(again.at("/revision"), loosened.at("/revision"));
        let later = set(&owner, key, loose, Some(DECEMBER)).await;
        assert_eq!(later.at("/scheduled/valid_from"), DECEMBER);
        assert_eq!(withdraw_scheduled(&owner, key).await.at("/value"), &tight);
    }
}

#[tokio::test]
async fn a_holiday_puts_a_loosened_rule_off() {
    let (_app, owner) = open().await;
    let holiday = json!({ "date": "2026-11-23", "name": "Feriado local" });
    let added = owner.post("/api/admin/holidays", holiday).await;
    assert_eq!(added.status, 201, "{}", added.body);
    set(&owner, "two_person_plan_changes", json!(true), None).await;
    let loosened = set(&owner, "two_person_plan_changes", json!(false), None).await;
    assert_eq!(loosened.at("/scheduled/valid_from"), "2026-11-24T03:00:00Z");
}

#[tokio::test]
async fn owners_and_admins_get_an_e_mail_about_a_loosened_rule() {
    let app = TestApp::start().await;
    let (changing, other, admin) = (
        app.admin(&[Owner]).await,
        app.admin(&[Owner]).await,
        app.admin(&[Admin]).await,
    );
    let sac = app.admin(&[Sac]).await;
    let owner = app.sign_in(&changing).await;
    set(&owner, "two_approvals_above", json!(300_00), None).await;
    app.until_no_email_waits().await;
    assert_eq!(notices_sent_to(&app, &admin.email).await, 0, "it was tightened");
    set(&owner, "two_approvals_above", json!(null), None).await;
    app.until_no_email_waits().await;
    for user in [&changing, &other, &admin] {
        assert_eq!(notices_sent_to(&app, &user.email).await, 1);
    }
    assert_eq!(notices_sent_to(&app, &sac.email).await, 0);
    let email = app.last_email_to(&admin.email).await;
    for words in [
        "Bruno Lima afrouxou uma regra da plataforma: Saques com duas aprovações. Antes: acima de R$",
        "Depois: nenhum saque.",
        "A mudança vale a partir de 23/11/2026 às 00:00 (horário de Brasília).",
    ] {
        assert!(email.text.contains(words), "{words}: {}", email.text);
    }
    assert!(email.link().ends_with("/ajustes/regras"));
}
