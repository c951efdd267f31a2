//! E-mail addresses: confirmed by an e-mailed link, and replaced by a new address that is confirmed.

use gateway_identity::audience::Audience;
use gateway_identity::email_queue::{EmailKind, Facts, OutboxEmail};
use gateway_identity::roles::AdminRole;
use serde_json::json;

use crate::support::{Answer, Client, PASSWORD, SELLER_URL, STAFF_URL, TestApp, User};

const LINK_NOT_VALID: &str = "Este link não é mais válido. Peça outro.";
const NEW: &str = "nova@loja.example";

/// Requests the change of the user's address to this one.
async fn request_change(client: &Client, email: &str) -> Answer {
    let form = json!({ "email": email, "password": PASSWORD });
    client.post("/api/auth/change-email", form).await
}

async fn confirm(app: &TestApp, code: &str) -> Answer {
    app.client().get(&format!("/api/auth/verifyemail/{code}")).await
}

fn assert_link_refused(answer: &Answer) {
    assert_eq!(
        (answer.status, answer.text("/message")),
        (422, LINK_NOT_VALID),
        "{}",
        answer.body
    );
}

async fn signed_in() -> (TestApp, User, Client) {
    let app = TestApp::start().await;
    let user = app.seller(&[]).await;
    let client = app.sign_in(&user).await;
    (app, user, client)
}

#[tokio::test]
async fn a_new_address_takes_effect_when_it_is_confirmed_and_the_old_one_approves_it() {
    let (app, user, client) = signed_in().await;
    let response = request_change(&client, " Nova@Loja.example ").await;
    assert_eq!(
        (response.status, response.text("/message")),
        (202, "Enviamos um link de confirmação para o novo e-mail.")
    );
    let me = client.get("/api/sellers/me").await;
    assert_eq!(
        (me.text("/email"), me.text("/pending_email")),
        (user.email.as_str(), NEW)
    );
    let notice = app.last_email_to(&user.email).await;
    assert!(
        notice.text.contains(NEW)
            && notice.text.contains("Se não foi")
            && notice.text.contains("23/11/2026 às 12:00"),
        "{}",
        notice.text
    );
    let received = app.last_email_to(NEW).await;
    let page = format!("{SELLER_URL}/verificar-email?code=");
    assert!(received.link().starts_with(&page), "{}", received.text);
    assert_eq!(
        app.try_sign_in(&user, PASSWORD).await.status,
        200,
        "the old address still signs in"
    );

    let confirmed = confirm(&app, received.code()).await;
    assert_eq!(
        (
            confirmed.status,
            confirmed.text("/email"),
            confirmed.at("/is_effective")
        ),
        (200, NEW, &json!(false))
    );
    let me = client.get("/api/sellers/me").await;
    assert_eq!(
        (me.text("/email"), me.text("/pending_email")),
        (user.email.as_str(), NEW)
    );
    let approved = confirm(&app, notice.code()).await;
    assert_eq!(
        (approved.status, approved.at("/is_effective")),
        (200, &json!(true))
    );
    let me = client.get("/api/sellers/me").await;
    assert_eq!(
        (
            me.text("/email"),
            me.at("/pending_email"),
            me.at("/email_verified")
        ),
        (NEW, &json!(null), &json!(true))
    );
    assert_link_refused(&confirm(&app, received.code()).await);
    assert_eq!(app.try_sign_in(&user, PASSWORD).await.status, 422);
    let email = app.last_email_to(&user.email).await;
    assert!(
        email.text.contains("não pode mais ser usado para entrar"),
        "{}",
        email.text
    );
    let audit_log = app
        .text(
            "SELECT string_agg(concat_ws(' ', action, before->>'email', after->>'email'), ', ' ORDER BY id)
               FROM audit_log WHERE action LIKE '%email%' AND action <> 'approve-email-change'",
        )
        .await;
    let old = &user.email;
    assert_eq!(
        audit_log,
        format!("ask-email-change {old} {NEW}, verify-email {old} {NEW}")
    );
}

#[tokio::test]
async fn a_confirmed_address_takes_effect_after_48_hours_and_an_unconfirmed_one_never() {
    let (app, user, client) = signed_in().await;
    assert_eq!(request_change(&client, NEW).await.status, 202);
    app.hours_pass(48).await;
    assert_eq!(app.try_sign_in(&user, PASSWORD).await.status, 200);
    let me = client.get("/api/sellers/me").await;
    assert_eq!(
        (me.text("/pending_email"), me.at("/pending_email_at")),
        (NEW, &json!(null))
    );
    let received = app.last_email_to(NEW).await;
    let confirmed = confirm(&app, received.code()).await;
    assert_eq!(
        (confirmed.status, confirmed.at("/is_effective")),
        (200, &json!(true))
    );
    assert_eq!(app.try_sign_in(&user, PASSWORD).await.status, 422);
}

#[tokio::test]
async fn the_old_address_refuses_an_address_change_that_an_intruder_requested() {
    let (app, user, intruder) = signed_in().await;
    assert_eq!(request_change(&intruder, NEW).await.status, 202);
    let confirmation = app.last_email_to(NEW).await;
    let notice = app.last_email_to(&user.email).await;
    let path = format!("/api/auth/verifyemail/{}", notice.code());
    let refused = app.client().send(reqwest::Method::DELETE, &path, None).await;
    assert_eq!(refused.status, 204, "{}", refused.body);
    assert_link_refused(&confirm(&app, confirmation.code()).await);
    app.hours_pass(48).await;
    assert_eq!(app.try_sign_in(&user, PASSWORD).await.status, 200);
}

#[tokio::test]
async fn another_user_s_address_gets_the_same_answer_and_is_never_confirmed() {
    let (app, _, client) = signed_in().await;
    let other = app.seller(&[]).await;
    let (taken, free) = (
        request_change(&client, &other.email).await,
        request_change(&client, NEW).await,
    );
    assert_eq!((taken.status, &taken.body), (202, &free.body));
    assert!(
        app.emails_to(&other.email).await.is_empty(),
        "the owner of the address requested nothing"
    );
    let of_other = format!("mail WHERE status = 'nobody' AND recipient = '{}'", other.email);
    assert_eq!(
        app.rows(&of_other).await,
        1,
        "the link to the other user's address is not sent"
    );

    // Another user gets the address before the change is confirmed.
    let code = app.last_email_to(NEW).await.code().to_owned();
    app.execute(&format!(
        "UPDATE seller_user SET email = '{NEW}' WHERE email = '{}'",
        other.email
    ))
    .await;
    assert_link_refused(&confirm(&app, &code).await);
    assert_eq!(
        client.get("/api/sellers/me").await.at("/email_verified"),
        &json!(false)
    );
}

#[tokio::test]
async fn errors_of_a_new_address_are_reported_by_field() {
    let (app, user, client) = signed_in().await;
    let request = |form| client.post("/api/auth/change-email", form);
    let empty = request(json!({})).await;
    assert_eq!(
        (empty.at("/errors/email"), empty.at("/errors/password")),
        (&json!(["Email é requerido."]), &json!(["Senha é requerida."]))
    );
    let bad = request(json!({ "email": "nova@loja", "password": PASSWORD })).await;
    assert_eq!(bad.at("/errors/email"), &json!(["Email inválido."]));
    let wrong = request(json!({ "email": NEW, "password": "outra-senha" })).await;
    assert_eq!(
        (wrong.status, wrong.at("/errors/password")),
        (422, &json!(["Senha incorreta."]))
    );
    let same = request_change(&client, &user.email).await;
    assert_eq!((same.status, same.at("/errors/email").is_array()), (422, true));
    assert_eq!(app.rows("mail").await, 0);
}

#[tokio::test]
async fn a_link_is_refused_after_a_newer_request_for_inactive_users_and_after_three_days() {
    let (app, _, client) = signed_in().await;
    assert_eq!(request_change(&client, "primeira@loja.example").await.status, 202);
    let first = app.last_email_to("primeira@loja.example").await;
    assert_eq!(request_change(&client, NEW).await.status, 202);
    assert_link_refused(&confirm(&app, first.code()).await);
    assert_eq!(client.get("/api/sellers/me").await.text("/pending_email"), NEW);
    let second = app.last_email_to(NEW).await;
    app.execute("UPDATE seller_user SET active = false").await;
    assert_link_refused(&confirm(&app, second.code()).await);
    app.execute("UPDATE seller_user SET active = true").await;
    app.execute(
        "UPDATE one_time_code SET created_at = created_at - interval '3 days', expires_at = expires_at - interval '3 days'",
    )
    .await;
    assert_link_refused(&confirm(&app, second.code()).await);
    assert_eq!(
        client.get("/api/sellers/me").await.at("/pending_email"),
        &json!(null)
    );
    assert_link_refused(&confirm(&app, "never-issued").await);
}

#[tokio::test]
async fn the_current_address_is_confirmed_by_an_e_mail_that_can_be_sent_again() {
    let (app, user, client) = signed_in().await;
    let send = || client.post("/api/auth/verifyemail", json!({}));
    assert_eq!(send().await.status, 202);
    let first = app.last_email_to(&user.email).await;
    assert_eq!(send().await.status, 202);
    let second = app.last_email_to(&user.email).await;
    assert_eq!(confirm(&app, second.code()).await.status, 200);
    assert_link_refused(&confirm(&app, first.code()).await);
    assert_eq!(
        client.get("/api/sellers/me").await.at("/email_verified"),
        &json!(true)
    );
    assert_eq!(send().await.status, 409);
    assert_eq!(
        app.received_emails().await.len(),
        2,
        "no e-mail about a change of the address"
    );
}

#[tokio::test]
async fn confirmation_e_mails_are_limited_for_each_account() {
    let (app, _, client) = signed_in().await;
    let mut statuses = vec![];
    for _ in 0..4 {
        statuses.push(client.post("/api/auth/verifyemail", json!({})).await.status);
    }
    assert_eq!(statuses, [202, 202, 202, 429]);
    let other = app.sign_in(&app.seller(&[]).await).await;
    assert_eq!(other.post("/api/auth/verifyemail", json!({})).await.status, 202);
}

#[tokio::test]
async fn a_welcome_e_mail_confirms_the_address_too_and_is_not_sent_to_inactive_users() {
    let app = TestApp::start().await;
    let (user, inactive) = (app.seller(&[]).await, app.seller(&[]).await);
    for new in [&user, &inactive] {
        let client = app.app.state.pool.get().await.expect("a connection");
        let welcome = OutboxEmail {
            kind: EmailKind::Welcome,
            audience: Audience::Seller,
            user: Some(new.id),
            recipient: &new.email,
            panel_url: "https://app.loja.example",
            facts: Facts::default(),
        };
        // The sender's wake is dropped, because the sender also polls.
        let _ = app
            .app
            .state
            .mail
            .enqueue(&**client, &welcome)
            .await
            .expect("an e-mail");
        if new.id == inactive.id {
            app.execute(&format!(
                "UPDATE seller_user SET active = false WHERE email = '{}'",
                inactive.email
            ))
            .await;
        }
    }
    let received = app.last_email_to(&user.email).await;
    assert!(
        received.text.contains("Criamos um usuário para você"),
        "{}",
        received.text
    );
    assert!(
        received
            .link()
            .starts_with("https://app.loja.example/verificar-email?code=")
    );
    assert_eq!(confirm(&app, received.code()).await.status, 200);
    app.until_no_email_waits().await;
    assert!(app.emails_to(&inactive.email).await.is_empty());
}

#[tokio::test]
async fn staff_have_the_same_calls_with_links_to_their_own_panel() {
    let app = TestApp::start().await;
    let user = app.admin(&[AdminRole::Sac]).await;
    let client = app.sign_in(&user).await;
    assert_eq!(
        client.post("/api/auth/admin/verifyemail", json!({})).await.status,
        202
    );
    let form = json!({ "email": "novo@razao.example", "password": PASSWORD });
    assert_eq!(
        client.post("/api/auth/admin/change-email", form).await.status,
        202
    );
    let received = app.last_email_to("novo@razao.example").await;
    assert!(
        received
            .link()
            .starts_with(&format!("{STAFF_URL}/verificar-email?code="))
    );
    let path = format!("/api/auth/admin/verifyemail/{}", received.code());
    assert_link_refused(&confirm(&app, received.code()).await);
    assert_eq!(app.staff_client().get(&path).await.status, 200);
    let notice = app.last_email_to(&user.email).await;
    let path = format!("/api/auth/admin/verifyemail/{}", notice.code());
    assert_eq!(app.staff_client().get(&path).await.status, 200);
    let me = client.get("/api/admin/me").await;
    assert_eq!(
        (
            me.text("/email"),
            me.at("/email_verified"),
            me.at("/pending_email")
        ),
        ("novo@razao.example", &json!(true), &json!(null))
    );
}

#[tokio::test]
async fn a_new_password_cancels_an_address_change_that_an_intruder_requested() {
    let (app, user, intruder) = signed_in().await;
    for by_reset in [false, true] {
        let email = format!("ladrao-{by_reset}@loja.example");
        assert_eq!(request_change(&intruder, &email).await.status, 202);
        let received = app.last_email_to(&email).await;
        if by_reset {
            let form = json!({ "email": user.email });
            assert_eq!(
                app.client().post("/api/auth/forgot-password", form).await.status,
                202
            );
            let link = app.last_email_to(&user.email).await;
            let form = json!({ "token": link.code(), "password": PASSWORD });
            assert_eq!(
                app.client().post("/api/auth/reset-password", form).await.status,
                204
            );
        } else {
            let form = json!({ "current_password": PASSWORD, "new_password": PASSWORD });
            assert_eq!(intruder.post("/api/auth/change-password", form).await.status, 204);
        }
        assert_link_refused(&confirm(&app, received.code()).await);
    }
    assert_eq!(app.try_sign_in(&user, PASSWORD).await.status, 200);
}

#[tokio::test]
async fn a_password_that_is_replaced_during_the_request_cannot_change_the_address() {
    let (app, user, client) = signed_in().await;
    let other = app.app.state.pool.get().await.expect("a connection");
    let lock = format!(
        "BEGIN; SELECT FROM seller_user WHERE id = '{}' FOR UPDATE",
        user.id.uuid()
    );
    other.batch_execute(&lock).await.expect("a lock");
    let requesting = tokio::spawn(async move { request_change(&client, NEW).await });
    // Waits until the request, whose password was right, waits for the user's row.
    app.until_sessions_wait_for_locks(1).await;
    let hash = gateway_identity::credentials::passwords::hash("uma senha nova").expect("a hash");
    let replace = format!("UPDATE seller_user SET password_hash = '{hash}'; COMMIT");
    other.batch_execute(&replace).await.expect("a new password");
    let answer = requesting.await.expect("an answer");
    assert_eq!(
        (answer.status, answer.at("/errors/password")),
        (422, &json!(["Senha incorreta."]))
    );
    assert_eq!(app.rows("mail").await, 0);
}
