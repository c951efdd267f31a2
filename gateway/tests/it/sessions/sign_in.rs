//! Sign-ins, invalid tokens, CSRF tokens, profiles, and sign-outs that pages of other origins ask for.

use chrono::{TimeDelta, Utc};
use gateway_identity::audience::Audience;
use gateway_identity::roles::AdminRole;
use gateway_identity::sessions::tokens::Claims;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use ledger_domain::ids::UserId;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{one_seller, signed_in_browser};
use crate::support::{PASSWORD, TestApp};

/// The status of the answer to a read of the user's profile.
pub(super) async fn profile_status(app: &TestApp, access_token: &str) -> u16 {
    app.client()
        .bearing(access_token)
        .get("/api/sellers/me")
        .await
        .status
}

#[tokio::test]
async fn a_sign_in_returns_the_seller_and_sets_http_only_cookies() {
    let (app, user) = one_seller().await;
    let answer = app.try_sign_in(&user, PASSWORD).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.text("/seller/email"), user.email);
    assert_eq!(answer.text("/seller/businesses/0/role"), "owner");
    // Thirty days.
    for name in ["access_token", "refresh_token"] {
        let line = answer.cookie(name).expect("the cookie is set");
        assert!(
            line.contains("HttpOnly") && line.contains("SameSite=Lax") && line.contains("Max-Age=2592000"),
            "{line}"
        );
        assert!(!line.contains("Secure"), "a local host has no TLS: {line}");
    }
    let profile = app
        .client()
        .bearing(answer.text("/access_token"))
        .get("/api/sellers/me")
        .await;
    assert_eq!(profile.body, answer.body["seller"]);
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_user_get_the_same_answer() {
    let (app, user) = one_seller().await;
    let wrong = app.try_sign_in(&user, "outra-senha").await;
    let form = json!({ "email": "ninguem@loja.example", "password": PASSWORD });
    let unknown = app.client().post("/api/auth/sign-in", form).await;
    for answer in [wrong, unknown] {
        assert_eq!(
            (answer.status, answer.text("/message")),
            (
                422,
                "E-mail ou senha incorretos. Confira ou use “Esqueci minha senha”."
            )
        );
        assert!(answer.cookie("access_token").is_none());
    }
    // Staff are another audience: the same e-mail address is unknown there.
    let form = json!({ "email": user.email, "password": PASSWORD });
    assert_eq!(
        app.staff_client()
            .post("/api/auth/admin/sign-in", form)
            .await
            .status,
        422
    );
}

#[tokio::test]
async fn missing_fields_of_a_sign_in_are_named() {
    let app = TestApp::start().await;
    let answer = app.client().post("/api/auth/sign-in", json!({})).await;
    assert_eq!(answer.status, 422);
    assert!(answer.at("/errors/email").is_array() && answer.at("/errors/password").is_array());
}

#[tokio::test]
async fn a_ninth_guess_is_refused_for_the_account_and_not_for_other_accounts() {
    let (app, user) = one_seller().await;
    let mut answers = vec![];
    for _ in 0..9 {
        answers.push(app.try_sign_in(&user, "outra-senha").await);
    }
    let last = answers.pop().expect("nine tries");
    assert!(answers.iter().all(|answer| answer.status == 422));
    assert_eq!(last.status, 429);
    let seconds: u64 = last
        .header("retry-after")
        .and_then(|text| text.parse().ok())
        .expect("Retry-After in seconds");
    // One more guess is allowed every 30 seconds.
    assert!((1..=31).contains(&seconds), "{seconds}");
    let other = app.seller(&[]).await;
    assert_eq!(app.try_sign_in(&other, PASSWORD).await.status, 200);
}

#[tokio::test]
async fn forged_expired_and_foreign_tokens_are_refused() {
    let (app, user) = one_seller().await;
    let answer = app.try_sign_in(&user, PASSWORD).await;
    let token = answer.text("/access_token");
    let tokens = &app.app.state.accounts.tokens;
    let sid = tokens
        .read_access(Audience::Seller, token)
        .expect("our token")
        .sid;
    let now = Utc::now();
    let claims = |exp| json!({ "sub": user.id, "aud": "seller", "sid": sid, "iat": 0, "exp": exp });

    // The algorithm `none`, with the right claims and no signature.
    let part = |value: &Value| {
        use base64::Engine;
        base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(value.to_string())
    };
    let unsigned = format!(
        "{}.{}.",
        part(&json!({ "alg": "none", "typ": "JWT" })),
        part(&claims(4_000_000_000_i64))
    );
    let foreign_key = EncodingKey::from_secret(b"another key");
    let forged = jsonwebtoken::encode(
        &Header::new(Algorithm::HS256),
        &claims(4_000_000_000),
        &foreign_key,
    );
    // Signed by the right key, but fifteen minutes and one second ago.
    let expired = tokens.access(Audience::Seller, user.id, sid, now - TimeDelta::seconds(901));
    let admin = tokens.access(Audience::Admin, user.id, sid, now);
    let of_unknown_user = tokens.access(Audience::Seller, UserId::from_uuid(Uuid::from_u128(1)), sid, now);
    let no_session = tokens.access(Audience::Seller, user.id, Uuid::from_u128(1), now);
    let cases = [
        ("no signature", unsigned),
        ("signed with another key", forged.expect("a token")),
        ("expired", expired.expect("a token")),
        ("for the staff panel", admin.expect("a token")),
        ("an unknown user's", of_unknown_user.expect("a token")),
        ("of a session that does not exist", no_session.expect("a token")),
        ("not a token", "abc".to_owned()),
        ("a refresh token", answer.text("/refresh_token").to_owned()),
    ];
    for (case, token) in cases {
        assert_eq!(profile_status(&app, &token).await, 401, "{case}");
    }
    assert_eq!(profile_status(&app, token).await, 200);
    let claims: Option<Claims> = tokens.read_access(Audience::Admin, token);
    assert!(claims.is_none(), "a seller's token is invalid for staff");
}

#[tokio::test]
async fn a_write_by_cookie_needs_the_csrf_token_of_its_session() {
    let (app, user) = one_seller().await;
    let browser = signed_in_browser(&app, &user).await;
    let change = json!({ "theme": "dark" });
    assert_eq!(
        browser.get("/api/sellers/me").await.status,
        200,
        "a read needs no token"
    );
    assert_eq!(browser.patch("/api/sellers/me", change.clone()).await.status, 403);
    let token = browser
        .get("/api/auth/get-csrf-token")
        .await
        .text("/csrfToken")
        .to_owned();
    let with_token = browser.clone().with("x-csrf-token", &token);
    let changed = with_token.patch("/api/sellers/me", change.clone()).await;
    assert_eq!((changed.status, changed.text("/theme")), (200, "dark"));

    // The token of another session is refused, and so is one from before the sign-in, even if cookie and header agree.
    let (other, other_user) = (app.browser(), app.seller(&[]).await);
    let before = other
        .get("/api/auth/get-csrf-token")
        .await
        .text("/csrfToken")
        .to_owned();
    let form = json!({ "email": other_user.email, "password": PASSWORD });
    let signed_in = other.post(other_user.sign_in_path(), form).await;
    let access = signed_in.text("/access_token");
    let answer = other.get("/api/auth/get-csrf-token").await;
    let own = answer.text("/csrfToken");
    for (case, submitted, status) in [
        ("of this session", own, 200),
        ("of another session", token.as_str(), 403),
        ("from before the sign-in", before.as_str(), 403),
    ] {
        let cookies = format!("access_token={access}; csrf_token={submitted}");
        let request = app.client().with("cookie", &cookies);
        let answer = request
            .with("x-csrf-token", submitted)
            .patch("/api/sellers/me", change.clone())
            .await;
        assert_eq!(answer.status, status, "{case}");
    }
}

#[tokio::test]
async fn two_tabs_that_each_get_a_csrf_token_before_they_write_can_both_write() {
    let (app, user) = one_seller().await;
    let browser = signed_in_browser(&app, &user).await;
    let first = browser.get("/api/auth/get-csrf-token").await;
    let second = browser.get("/api/auth/get-csrf-token").await;
    for (tab, answer) in [("first", first), ("second", second)] {
        let tab_with_token = browser.clone().with("x-csrf-token", answer.text("/csrfToken"));
        let changed = tab_with_token
            .patch("/api/sellers/me", json!({ "theme": "dark" }))
            .await;
        assert_eq!(changed.status, 200, "the {tab} tab");
    }
}

#[tokio::test]
async fn a_change_of_a_user_s_own_name_is_in_the_audit_log_and_a_theme_is_not() {
    let (app, user) = one_seller().await;
    let client = app.sign_in(&user).await;
    let changed = client
        .patch(
            "/api/sellers/me",
            json!({ "name": " Ana Lima ", "time_zone": "America/Sao_Paulo" }),
        )
        .await;
    assert_eq!(
        (changed.status, changed.text("/name"), changed.text("/time_zone")),
        (200, "Ana Lima", "America/Sao_Paulo")
    );
    for theme in ["dark", "light", "dark"] {
        let themed = client.patch("/api/sellers/me", json!({ "theme": theme })).await;
        assert_eq!((themed.status, themed.text("/theme")), (200, theme));
    }
    let empty = client.patch("/api/sellers/me", json!({ "name": "  " })).await;
    assert_eq!((empty.status, empty.at("/errors/name").is_array()), (422, true));
    let wrong = client.patch("/api/sellers/me", json!({ "theme": "blue" })).await;
    assert_eq!((wrong.status, wrong.at("/errors/theme").is_array()), (422, true));
    let pool = app.app.state.pool.get().await.expect("a connection");
    let sql = "SELECT before::text, after::text FROM audit_log WHERE action = 'update-profile'";
    let row = pool.query_one(sql, &[]).await.expect("one row of the audit log");
    let (before, after): (&str, &str) = (row.get(0), row.get(1));
    assert!(
        before.contains("Ana Souza") && after.contains("Ana Lima"),
        "{before} {after}"
    );
}

#[tokio::test]
async fn staff_sign_in_see_their_roles_refresh_and_sign_out() {
    let app = TestApp::start().await;
    let user = app.admin(&[AdminRole::CommercialSupervisor]).await;
    let answer = app.try_sign_in(&user, PASSWORD).await;
    assert_eq!(
        (answer.status, answer.at("/admin/roles")),
        (200, &json!(["commercial-supervisor"]))
    );
    assert!(answer.cookie("admin_access_token").is_some() && answer.cookie("access_token").is_none());
    let client = app.staff_client().bearing(answer.text("/access_token"));
    assert_eq!(client.get("/api/admin/me").await.body, answer.body["admin"]);
    let body = json!({ "refresh_token": answer.text("/refresh_token") });
    assert_eq!(
        app.staff_client()
            .post("/api/auth/admin/refresh-token", body)
            .await
            .status,
        200
    );
    assert_eq!(client.get("/api/auth/admin/logout").await.status, 204);
    assert_eq!(client.get("/api/admin/me").await.status, 401);
}

#[tokio::test]
async fn a_page_of_another_origin_cannot_sign_a_user_out() {
    let app = TestApp::start().await;
    let cases = [
        (app.seller(&[]).await, "/api/auth/logout", "/api/sellers/me"),
        (
            app.admin(&[AdminRole::Sac]).await,
            "/api/auth/admin/logout",
            "/api/admin/me",
        ),
    ];
    for (user, logout, me) in cases {
        let browser = app.browser_for(&user);
        let form = json!({ "email": user.email, "password": PASSWORD });
        assert_eq!(browser.post(user.sign_in_path(), form.clone()).await.status, 200);
        for (name, value) in [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("referer", "https://evil.example/"),
        ] {
            let redirected = browser.clone().with(name, value).get(logout).await;
            assert_eq!(
                (redirected.status, redirected.header("location")),
                (303, Some("/")),
                "{value}"
            );
            assert!(
                redirected.cookie("access_token").is_none()
                    && redirected.cookie("admin_access_token").is_none()
            );
            assert_eq!(browser.get(me).await.status, 200, "{value}");
        }
        for site in ["none", "same-origin"] {
            let out = browser.clone().with("sec-fetch-site", site).get(logout).await;
            assert_eq!(out.status, 204, "{site}");
            assert_eq!(browser.get(me).await.status, 401, "{site}");
            assert_eq!(browser.post(user.sign_in_path(), form.clone()).await.status, 200);
        }
    }
}

#[tokio::test]
async fn the_sign_out_page_does_not_open_from_another_origin() {
    let app = TestApp::start().await;
    let paths = [
        "/logout",
        "/logout/",
        "/LOGOUT",
        "/%6cogout",
        "//logout",
        "/logout?x=1",
        "/%2Flogout",
    ];
    for path in paths {
        for site in ["cross-site", "same-site"] {
            let redirected = app.client().with("sec-fetch-site", site).get(path).await;
            assert_eq!(
                (redirected.status, redirected.header("location")),
                (303, Some("/")),
                "{path} {site}"
            );
        }
        let typed = app.client().with("sec-fetch-site", "none").get(path).await;
        assert_eq!(typed.status, 200, "{path}");
    }
    let other = app.client().with("sec-fetch-site", "cross-site");
    for path in ["/", "/login", "/vendas/logout", "/logouts"] {
        assert_eq!(other.get(path).await.status, 200, "{path}");
    }
}
