//! A user's open sessions: listed, ended one by one or all others at once. An ended session is refused at the next
//! request.

use gateway_identity::roles::AdminRole;
use reqwest::Method;
use serde_json::{Value, json};

use super::one_seller;
use crate::support::{Answer, Client, PASSWORD, TestApp};

/// The open sessions of the client's user.
async fn sessions_of(client: &Client) -> Vec<Value> {
    let answer = client.get("/api/sellers/me/sessions").await;
    assert_eq!(answer.status, 200);
    answer.at("/data").as_array().expect("a list").clone()
}

async fn end(client: &Client, path: &str) -> Answer {
    client.send(Method::DELETE, path, None).await
}

/// The status of the answer to a read of the user's profile.
async fn profile_status(client: &Client) -> u16 {
    client.get("/api/sellers/me").await.status
}

#[tokio::test]
async fn a_user_sees_only_their_own_sessions_last_used_first() {
    let (app, user) = one_seller().await;
    let other = app.seller(&[]).await;
    app.sign_in(&other).await;
    let old = app.client().with("user-agent", "Navegador antigo");
    let form = json!({ "email": user.email, "password": PASSWORD });
    let old = old.post("/api/auth/sign-in", form).await;
    app.execute("UPDATE session SET rotated_at = rotated_at - interval '1 hour'")
        .await;
    let here = app.sign_in(&user).await;
    let sessions = sessions_of(&here).await;
    assert_eq!(sessions.len(), 2);
    assert_eq!(sessions[0]["current"], true);
    assert_eq!(sessions[1]["current"], false);
    assert_eq!(sessions[1]["user_agent"], "Navegador antigo");
    assert_eq!(sessions[1]["address"], "127.0.0.1");
    assert!(
        sessions[0]["id"]
            .as_str()
            .is_some_and(|id| id.starts_with("ses_"))
    );
    assert!(sessions[0]["last_used_at"].as_str() > sessions[1]["last_used_at"].as_str());

    // The session is used again, so it is the last used.
    let form = json!({ "refresh_token": old.text("/refresh_token") });
    assert_eq!(
        app.client().post("/api/auth/refresh-token", form).await.status,
        200
    );
    assert_eq!(sessions_of(&here).await[0]["user_agent"], "Navegador antigo");
    app.execute("UPDATE session SET expires_at = now() WHERE user_agent = 'Navegador antigo'")
        .await;
    assert_eq!(sessions_of(&here).await.len(), 1, "ended sessions are not listed");
}

#[tokio::test]
async fn a_session_is_ended_from_another_one_at_once() {
    let (app, user) = one_seller().await;
    let (here, there) = (app.sign_in(&user).await, app.sign_in(&user).await);
    let sessions = sessions_of(&here).await;
    let other = sessions
        .iter()
        .find(|session| session["current"] == false)
        .expect("the other one");
    let path = format!(
        "/api/sellers/me/sessions/{}",
        other["id"].as_str().expect("an id")
    );
    assert_eq!(end(&here, &path).await.status, 204);
    assert_eq!(
        (profile_status(&here).await, profile_status(&there).await),
        (200, 401)
    );
    assert_eq!(end(&here, &path).await.status, 404, "the session is ended");
    let why = app
        .text("SELECT revoked_for FROM session WHERE revoked_at IS NOT NULL")
        .await;
    assert_eq!(why, "signed-out-elsewhere");
    let audit_log = app
        .text("SELECT after->>'session' FROM audit_log WHERE action = 'end-session'")
        .await;
    assert_eq!(other["id"], audit_log);
}

#[tokio::test]
async fn another_user_s_session_is_a_404() {
    let (app, user) = one_seller().await;
    let other = app.seller(&[]).await;
    let (here, there) = (app.sign_in(&user).await, app.sign_in(&other).await);
    let theirs = sessions_of(&there).await[0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    for id in [theirs.as_str(), "ses_00000000-0000-4000-8000-000000000000", "abc"] {
        assert_eq!(
            end(&here, &format!("/api/sellers/me/sessions/{id}")).await.status,
            404,
            "{id}"
        );
    }
    assert_eq!(profile_status(&there).await, 200);
    let staff = app.sign_in(&app.admin(&[AdminRole::Owner]).await).await;
    assert_eq!(
        end(&staff, &format!("/api/admin/me/sessions/{theirs}"))
            .await
            .status,
        404,
        "the other audience's"
    );
}

#[tokio::test]
async fn all_other_sessions_are_ended_and_the_current_one_stays() {
    let (app, user) = one_seller().await;
    let here = app.sign_in(&user).await;
    let others = [app.sign_in(&user).await, app.sign_in(&user).await];
    let other_user = app.seller(&[]).await;
    let other_user = app.sign_in(&other_user).await;
    assert_eq!(end(&here, "/api/sellers/me/sessions").await.status, 204);
    assert_eq!(profile_status(&here).await, 200);
    for other in &others {
        assert_eq!(profile_status(other).await, 401);
    }
    assert_eq!(profile_status(&other_user).await, 200);
    assert_eq!(sessions_of(&here).await.len(), 1);
    assert_eq!(app.rows("audit_log WHERE action = 'end-session'").await, 2);
}

#[tokio::test]
async fn ending_the_current_session_is_a_sign_out_that_clears_the_cookies() {
    let (app, user) = one_seller().await;
    let browser = app.browser();
    let form = json!({ "email": user.email, "password": PASSWORD });
    assert_eq!(browser.post("/api/auth/sign-in", form).await.status, 200);
    let id = sessions_of(&browser).await[0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let path = format!("/api/sellers/me/sessions/{id}");
    assert_eq!(end(&browser, &path).await.status, 403, "without its CSRF token");
    let token = browser
        .get("/api/auth/get-csrf-token")
        .await
        .text("/csrfToken")
        .to_owned();
    let browser = browser.with("x-csrf-token", &token);
    let ended = end(&browser, &path).await;
    assert_eq!(ended.status, 204);
    for name in ["access_token", "refresh_token"] {
        assert!(
            ended.cookie(name).is_some_and(|line| line.contains("Max-Age=0")),
            "{name}"
        );
    }
    assert_eq!(profile_status(&browser).await, 401);
    assert_eq!(app.rows("session WHERE revoked_for = 'sign-out'").await, 1);
}

#[tokio::test]
async fn staff_list_and_end_their_own_sessions() {
    let app = TestApp::start().await;
    let user = app.admin(&[AdminRole::Sac]).await;
    let (here, there) = (app.sign_in(&user).await, app.sign_in(&user).await);
    let sessions = here.get("/api/admin/me/sessions").await;
    assert_eq!(sessions.at("/data").as_array().map(Vec::len), Some(2));
    assert_eq!(end(&here, "/api/admin/me/sessions").await.status, 204);
    assert_eq!(there.get("/api/admin/me").await.status, 401);
    let own = here.get("/api/admin/me/sessions").await;
    let path = format!("/api/admin/me/sessions/{}", own.text("/data/0/id"));
    let out = end(&here, &path).await;
    assert!(out.status == 204 && out.cookie("admin_access_token").is_some());
    assert_eq!(here.get("/api/admin/me").await.status, 401);
}

#[tokio::test]
async fn sign_ins_and_sign_outs_are_in_the_audit_log_with_the_session() {
    let (app, user) = one_seller().await;
    let client = app.sign_in(&user).await;
    let id = sessions_of(&client).await[0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    assert_eq!(client.get("/api/auth/logout").await.status, 204);
    assert_eq!(app.try_sign_in(&user, "outra-senha").await.status, 422);
    let rows = app
        .text(
            "SELECT string_agg(concat_ws(' ', action, subject, subject_id, after->>'session', host(address)), ', ' ORDER BY id)
               FROM audit_log WHERE audience = 'seller'",
        )
        .await;
    let row = |action: &str| format!("{action} seller_user {} {id} 127.0.0.1", user.id);
    assert_eq!(rows, format!("{}, {}", row("sign-in"), row("sign-out")));
}

#[tokio::test]
async fn a_lost_role_company_or_account_counts_from_the_next_request() {
    let (app, user) = one_seller().await;
    let client = app.sign_in(&user).await;
    let statement = || client.get("/api/balance/history");
    assert_eq!(statement().await.status, 200);
    // Role 7 is that of an operator.
    app.execute("UPDATE business_access SET role_id = 7").await;
    assert_eq!(statement().await.status, 403);
    assert_eq!(client.get("/api/transactions").await.status, 200);
    app.execute("DELETE FROM business_access").await;
    assert_eq!(client.get("/api/transactions").await.status, 403);
    assert_eq!(profile_status(&client).await, 200);
    app.execute("UPDATE seller_user SET active = false").await;
    assert_eq!(profile_status(&client).await, 401);

    let user = app.admin(&[AdminRole::Admin]).await;
    let staff = app.sign_in(&user).await;
    assert_eq!(staff.get("/api/admin/transactions").await.status, 200);
    app.execute("UPDATE admin_user SET roles = '{financial}'").await;
    assert_eq!(staff.get("/api/admin/transactions").await.status, 403);
    app.execute("UPDATE admin_user SET active = false").await;
    assert_eq!(staff.get("/api/admin/me").await.status, 401);
}

#[tokio::test]
async fn a_sign_in_deletes_sessions_that_ended_over_thirty_days_ago() {
    let (app, user) = one_seller().await;
    app.sign_in(&user).await;
    // All earlier sessions ended this many days ago.
    for (days, left) in [(29, 2), (31, 1)] {
        let ended = format!("UPDATE session SET expires_at = now() - interval '{days} days'");
        app.execute(&ended).await;
        app.sign_in(&user).await;
        assert_eq!(app.rows("session").await, left, "{days} days");
    }
}
