//! Password changes of signed-in users, and the storage of passwords.

use gateway_identity::credentials::passwords;
use gateway_identity::roles::AdminRole;
use serde_json::{Value, json};

use super::one_seller;
use super::passwords::{INVALID_LINK, NEW_PASSWORD, assert_refused, requested_code, reset};
use crate::support::{Client, PASSWORD, TestApp};

#[tokio::test]
async fn a_password_change_keeps_the_current_session_and_ends_the_others() {
    let (app, user) = one_seller().await;
    let (this_session, other_session) = (app.sign_in(&user).await, app.sign_in(&user).await);
    let old_link = requested_code(&app, &user).await;
    let change = |current: &str, new: &str| {
        let (this_session, form) = (
            this_session.clone(),
            json!({ "current_password": current, "new_password": new }),
        );
        async move { this_session.post("/api/auth/change-password", form).await }
    };
    let empty = this_session.post("/api/auth/change-password", json!({})).await;
    assert_refused(&empty, "current_password", "Senha é requerida.");
    assert_refused(&empty, "new_password", "Senha é requerida.");
    let short = change(PASSWORD, "1234567").await;
    assert_refused(&short, "new_password", "A senha deve ter pelo menos 8 caracteres");
    let long = change(PASSWORD, &"ç".repeat(129)).await;
    assert_refused(&long, "new_password", "A senha deve ter até 128 caracteres");
    assert_refused(
        &change("outra-senha", NEW_PASSWORD).await,
        "current_password",
        "Senha incorreta.",
    );
    assert_eq!(other_session.get("/api/sellers/me").await.status, 200);

    assert_eq!(change(PASSWORD, &"ç".repeat(128)).await.status, 204);
    assert_eq!(this_session.get("/api/sellers/me").await.status, 200);
    assert_eq!(other_session.get("/api/sellers/me").await.status, 401);
    assert_eq!(app.try_sign_in(&user, &"ç".repeat(128)).await.status, 200);
    assert_refused(
        &reset(&app.client(), &old_link, NEW_PASSWORD).await,
        "token",
        INVALID_LINK,
    );
    let notice = app.last_email_to(&user.email).await;
    assert!(notice.link().ends_with("/esqueci-minha-senha"), "{}", notice.text);
}

#[tokio::test]
async fn a_password_change_of_staff_keeps_the_current_session_and_ends_the_others() {
    let app = TestApp::start().await;
    let user = app.admin(&[AdminRole::Financial]).await;
    let (this_session, other_session) = (app.sign_in(&user).await, app.sign_in(&user).await);
    let form = json!({ "current_password": PASSWORD, "new_password": NEW_PASSWORD });
    assert_eq!(
        this_session
            .post("/api/auth/admin/change-password", form)
            .await
            .status,
        204
    );
    assert_eq!(this_session.get("/api/admin/me").await.status, 200);
    assert_eq!(other_session.get("/api/admin/me").await.status, 401);
    assert_eq!(app.try_sign_in(&user, NEW_PASSWORD).await.status, 200);
}

#[tokio::test]
async fn a_sign_in_that_waits_for_a_password_change_is_refused_with_the_old_password() {
    let (app, user) = one_seller().await;
    let mut client = app.app.state.pool.get().await.expect("a connection");
    let changing = client.transaction().await.expect("a transaction");
    let hash = passwords::hash(NEW_PASSWORD).expect("a hash");
    changing
        .execute("UPDATE seller_user SET password_hash = $1", &[&hash])
        .await
        .expect("a change");
    // The sign-in uses the old password, which is valid until the change is committed.
    let (addr, email) = (app.addr(), user.email.clone());
    let signing_in = tokio::spawn(async move {
        let form = json!({ "email": email, "password": PASSWORD });
        Client::new(addr).post("/api/auth/sign-in", form).await
    });
    // The sign-in waits for the change.
    app.until_sessions_wait_for_locks(1).await;
    changing.commit().await.expect("a commit");
    let answer = signing_in.await.expect("an answer");
    assert_eq!(
        (answer.status, answer.text("/message")),
        (
            422,
            "E-mail ou senha incorretos. Confira ou use “Esqueci minha senha”."
        )
    );
    assert_eq!(app.rows("session").await, 0);
}

#[tokio::test]
async fn the_database_has_no_password_code_or_token_in_clear() {
    let (app, user) = one_seller().await;
    let token = requested_code(&app, &user).await;
    let client = app.sign_in(&user).await;
    let form = json!({ "current_password": PASSWORD, "new_password": NEW_PASSWORD });
    assert_eq!(client.post("/api/auth/change-password", form).await.status, 204);
    let fresh = app.try_sign_in(&user, NEW_PASSWORD).await;
    app.until_no_email_waits().await;
    let pool = app.app.state.pool.get().await.expect("a connection");
    let tables = pool
        .query(
            "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'",
            &[],
        )
        .await
        .expect("tables");
    let mut all = String::new();
    for table in &tables {
        let table: &str = table.get(0);
        let rows = pool
            .query(&format!("SELECT t::text FROM {table} t"), &[])
            .await
            .expect(table);
        rows.iter().for_each(|row| all.push_str(row.get::<_, &str>(0)));
    }
    assert!(all.contains(&user.email), "the test read the tables");
    let (access, refresh) = (fresh.text("/access_token"), fresh.text("/refresh_token"));
    for secret in [token.as_str(), PASSWORD, NEW_PASSWORD, access, refresh] {
        assert!(!all.contains(secret), "{secret}");
        assert!(!all.contains(&hex::encode(secret)), "{secret} in hexadecimal");
    }
    let audit_log: Value = serde_json::from_str(
        &app.text(
            "SELECT coalesce(json_agg(after), '[]')::text FROM audit_log WHERE action = 'change-password'",
        )
        .await,
    )
    .expect("the audit log");
    assert_eq!(audit_log, json!([null]), "the entry has no values");
}

#[tokio::test]
async fn a_password_is_the_same_composed_and_decomposed() {
    let (app, user) = one_seller().await;
    let (composed, decomposed) = ("a\u{e7}\u{e3}o secreta", "ac\u{327}a\u{303}o secreta");
    for (set, typed) in [(composed, decomposed), (decomposed, composed)] {
        let code = requested_code(&app, &user).await;
        assert_eq!(reset(&app.client(), &code, set).await.status, 204);
        for password in [typed, set] {
            assert_eq!(app.try_sign_in(&user, password).await.status, 200, "{password:?}");
        }
        assert_eq!(app.try_sign_in(&user, "acao secreta").await.status, 422);
    }
}
