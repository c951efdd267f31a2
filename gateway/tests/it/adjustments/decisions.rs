//! The decisions of a second person on a requested adjustment.

use futures::future::join_all;
use gateway_identity::roles::AdminRole::{Admin, Owner, Sac};
use serde_json::{Value, json};

use super::{REQUESTS, USERS, decide};
use crate::support::concurrency::assert_one_passes;
use crate::support::{PASSWORD, User};
use crate::withdrawals::{Balances, WithdrawalFixture};

#[tokio::test]
async fn the_yes_of_a_second_person_records_the_transfer_of_the_first() {
    let fixture = WithdrawalFixture::open().await;
    let request = fixture.requested(5_000_00).await;
    let second = fixture.second().await;
    let own = decide(&fixture.staff, &request, "approve", json!({})).await;
    assert_eq!(
        (own.status, own.text("/message")),
        (
            403,
            "Quem pediu o ajuste não pode aprovar. Outra pessoa decide, ou você retira o pedido."
        )
    );
    assert_eq!(fixture.transfers_made().await, 0);
    let body = json!({ "reason": "Confirmado com o financeiro." });
    let approved = decide(&second, &request, "approve", body).await;
    assert_eq!(approved.status, 200, "{}", approved.body);
    assert_eq!(approved.text("/status"), "recorded");
    assert_eq!(approved.text("/decision_reason"), "Confirmado com o financeiro.");
    assert_eq!(approved.text("/decided_by/name"), "Bruno Lima");
    assert_ne!(approved.at("/decided_by/id"), approved.at("/requested_by/id"));
    assert_eq!(fixture.balances().await, Balances::available(6_000_00));
    let made = fixture
        .staff
        .get(&format!(
            "/api/admin/balance/transfers?business_id={}",
            fixture.company.id
        ))
        .await;
    assert_eq!(made.at("/data/0/id"), approved.at("/transfer_id"));
    assert_eq!(made.text("/data/0/description"), "Estorno de tarifas");
    assert_eq!(
        made.at("/data/0/requested_by/id"),
        approved.at("/requested_by/id"),
        "the first person made it"
    );
    let again = decide(&second, &request, "approve", json!({})).await;
    assert_eq!(
        (again.status, again.text("/message")),
        (409, "Este ajuste já foi aprovado.")
    );
    let id = request["id"].as_str().expect("an id");
    for action in ["approve", "record"] {
        assert_eq!(fixture.audit_entries_count(action, id).await, 1, "{action}");
    }
    // What two people moved leaves what each may move alone.
    assert_eq!(fixture.credit_by(&fixture.staff, 1_000_00).await.status, 201);
}

#[tokio::test]
async fn of_two_who_say_yes_at_once_one_decides_and_one_transfer_is_recorded() {
    let fixture = WithdrawalFixture::open().await;
    let request = fixture.requested(5_000_00).await;
    let mut others = vec![];
    for _ in 0..6 {
        others.push(fixture.second().await);
    }
    let answers = join_all(
        others
            .iter()
            .map(|staff| decide(staff, &request, "approve", json!({}))),
    )
    .await;
    assert_one_passes(&answers);
    assert_eq!(fixture.transfers_made().await, 1);
    assert_eq!(fixture.balances().await, Balances::available(6_000_00));
}

#[tokio::test]
async fn a_second_user_of_the_same_person_is_no_second_person() {
    let fixture = WithdrawalFixture::open().await;
    let request = fixture.requested(5_000_00).await;
    let form = json!({ "name": "Célia Prado", "email": "celia@razao.example", "password": PASSWORD,
                       "roles": ["admin"] });
    let made = fixture.staff.post(USERS, form).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let created = fixture
        .app
        .sign_in(&User::staff(made.text("/id"), "celia@razao.example"))
        .await;
    let refused = decide(&created, &request, "approve", json!({})).await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    assert!(
        refused
            .text("/message")
            .starts_with("Esta decisão precisa de duas pessoas")
    );
    assert_eq!(fixture.transfers_made().await, 0);
}

#[tokio::test]
async fn the_requester_must_still_be_allowed_at_the_approval() {
    let fixture = WithdrawalFixture::open().await;
    let request = fixture.requested(5_000_00).await;
    let second = fixture.second().await;
    let requester = request["requested_by"]["id"].as_str().expect("an id");
    let owner = fixture.app.sign_in(&fixture.app.admin(&[Owner]).await).await;
    let path = format!("{USERS}/{requester}");
    assert_eq!(owner.patch(&path, json!({ "roles": ["sac"] })).await.status, 200);
    let refused = decide(&second, &request, "approve", json!({})).await;
    assert_eq!(
        (refused.status, refused.text("/message")),
        (
            409,
            "Quem pediu este ajuste não pode mais fazer ajustes. Rejeite o pedido e peça de novo."
        )
    );
    let without_reason = decide(&second, &request, "reject", json!({})).await;
    assert_eq!(
        without_reason.at("/errors"),
        &json!({ "reason": ["Informe o motivo."] })
    );
    let rejected = decide(
        &second,
        &request,
        "reject",
        json!({ "reason": "Sem comprovante." }),
    )
    .await;
    assert_eq!((rejected.status, rejected.text("/status")), (200, "rejected"));
    assert_eq!(rejected.text("/decision_reason"), "Sem comprovante.");
    assert_eq!(fixture.transfers_made().await, 0);
}

#[tokio::test]
async fn the_requester_withdraws_and_nobody_else_does() {
    let fixture = WithdrawalFixture::open().await;
    let request = fixture.requested(5_000_00).await;
    let second = fixture.second().await;
    assert_eq!(decide(&second, &request, "withdraw", json!({})).await.status, 403);
    let withdrawn = decide(&fixture.staff, &request, "withdraw", json!({})).await;
    assert_eq!((withdrawn.status, withdrawn.text("/status")), (200, "withdrawn"));
    let late = decide(&second, &request, "approve", json!({})).await;
    assert_eq!(
        (late.status, late.text("/message")),
        (409, "Este ajuste já foi retirado.")
    );
    assert_eq!(fixture.transfers_made().await, 0);
}

#[tokio::test]
async fn a_request_that_nobody_decides_expires_with_a_reason() {
    let fixture = WithdrawalFixture::open().await;
    let (first, other) = (
        fixture.requested(5_000_00).await,
        fixture.requested(6_000_00).await,
    );
    fixture
        .app
        .execute(
            "ALTER TABLE adjustment_request DISABLE TRIGGER USER;
             UPDATE adjustment_request SET requested_at = requested_at - interval '7 days';
             ALTER TABLE adjustment_request ENABLE TRIGGER USER",
        )
        .await;
    let second = fixture.second().await;
    let late = decide(&second, &first, "approve", json!({})).await;
    assert_eq!(
        (late.status, late.text("/message")),
        (409, "Este pedido expirou. Peça de novo.")
    );
    let run = fixture.app.app.adjustments().run().await.expect("a run");
    assert_eq!(
        (run.expired, run.recorded, run.failed),
        (1, 0, 0),
        "the other request"
    );
    let listed = fixture
        .staff
        .get(&format!("{REQUESTS}?status=expired&order=asc"))
        .await;
    for (place, request) in [&first, &other].into_iter().enumerate() {
        assert_eq!(listed.at(&format!("/data/{place}/id")), &request["id"]);
        assert_eq!(
            listed.text(&format!("/data/{place}/decision_reason")),
            "Ninguém decidiu em 7 dias."
        );
        assert_eq!(listed.at(&format!("/data/{place}/decided_by")), &Value::Null);
    }
    assert_eq!(fixture.transfers_made().await, 0);
}

#[tokio::test]
async fn those_who_may_decide_are_asked_by_e_mail_and_the_requester_is_told() {
    let fixture = WithdrawalFixture::open_with_emails().await;
    let app = &fixture.app;
    let (owner, sac) = (app.admin(&[Owner]).await, app.admin(&[Sac]).await);
    let requester = app.admin(&[Admin]).await;
    let asked = fixture.credit_by(&app.sign_in(&requester).await, 5_000_00).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    let email = app.last_email_to(&owner.email).await;
    assert!(
        email.text.contains("Bruno Lima pediu um ajuste acima do limite"),
        "{}",
        email.text
    );
    assert!(
        email.text.contains("R$ 5.000,00") && email.text.contains("Padaria"),
        "{}",
        email.text
    );
    assert!(
        email
            .link()
            .ends_with("/ajustes/operacao?tab=adjustments&status=pending"),
        "{}",
        email.text
    );
    assert!(app.emails_to(&sac.email).await.is_empty());
    assert!(app.emails_to(&requester.email).await.is_empty());
    let reason = json!({ "reason": "Sem comprovante." });
    assert_eq!(
        decide(&fixture.second().await, &asked.body, "reject", reason)
            .await
            .status,
        200
    );
    let told = app.last_email_to(&requester.email).await;
    assert!(
        told.text.contains("rejeitou o ajuste que você pediu"),
        "{}",
        told.text
    );
    assert!(told.text.contains("Motivo: Sem comprovante."), "{}", told.text);
}
