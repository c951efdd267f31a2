//! Refresh tokens: each use replaces the token, and the end of a session ends all its tokens.

use serde_json::json;

use super::sign_in::profile_status;
use super::{one_seller, signed_in_browser};
use crate::support::{Answer, Client, PASSWORD};

async fn refresh(client: &Client, token: &str) -> Answer {
    client
        .post("/api/auth/refresh-token", json!({ "refresh_token": token }))
        .await
}

#[tokio::test]
async fn a_refresh_token_is_replaced_at_each_use() {
    let (app, user) = one_seller().await;
    let first = app.try_sign_in(&user, PASSWORD).await;
    let second = refresh(&app.client(), first.text("/refresh_token")).await;
    assert_eq!(second.status, 200);
    assert_ne!(first.text("/refresh_token"), second.text("/refresh_token"));
    let third = refresh(&app.client(), second.text("/refresh_token")).await;
    assert_eq!(
        (
            third.status,
            profile_status(&app, third.text("/access_token")).await
        ),
        (200, 200)
    );
}

#[tokio::test]
async fn two_refreshes_at_once_with_one_token_get_the_same_successor() {
    let (app, user) = one_seller().await;
    let first = app.try_sign_in(&user, PASSWORD).await;
    let (token, client) = (first.text("/refresh_token"), app.client());
    let (one, two) = tokio::join!(refresh(&client, token), refresh(&client, token));
    assert_eq!((one.status, two.status), (200, 200));
    assert_eq!(one.text("/refresh_token"), two.text("/refresh_token"));
    assert_eq!(profile_status(&app, one.text("/access_token")).await, 200);
}

#[tokio::test]
async fn a_token_that_is_used_again_after_thirty_seconds_ends_the_session_for_all_holders() {
    let (app, user) = one_seller().await;
    let first = app.try_sign_in(&user, PASSWORD).await;
    let second = refresh(&app.client(), first.text("/refresh_token")).await;
    // A replaced token still gets its successor for 30 seconds, because requests run at the same time.
    app.execute("UPDATE session SET rotated_at = rotated_at - interval '31 seconds'")
        .await;
    assert_eq!(
        refresh(&app.client(), first.text("/refresh_token")).await.status,
        401
    );
    assert_eq!(profile_status(&app, second.text("/access_token")).await, 401);
    assert_eq!(
        refresh(&app.client(), second.text("/refresh_token")).await.status,
        401
    );
}

#[tokio::test]
async fn a_token_that_was_replaced_twice_ends_the_session_at_once() {
    let (app, user) = one_seller().await;
    let first = app.try_sign_in(&user, PASSWORD).await;
    let second = refresh(&app.client(), first.text("/refresh_token")).await;
    let third = refresh(&app.client(), second.text("/refresh_token")).await;
    assert_eq!(
        refresh(&app.client(), first.text("/refresh_token")).await.status,
        401
    );
    assert_eq!(profile_status(&app, third.text("/access_token")).await, 401);
}

#[tokio::test]
async fn a_sign_out_a_deactivation_and_the_expiry_end_a_session() {
    let (app, user) = one_seller().await;
    let answer = app.try_sign_in(&user, PASSWORD).await;
    let client = app.client().bearing(answer.text("/access_token"));
    let out = client.get("/api/auth/logout").await;
    assert_eq!(out.status, 204);
    assert!(
        out.cookie("access_token")
            .is_some_and(|line| line.contains("Max-Age=0"))
    );
    assert_eq!(client.get("/api/sellers/me").await.status, 401);

    let answer = app.try_sign_in(&user, PASSWORD).await;
    app.execute("UPDATE session SET expires_at = now() WHERE revoked_at IS NULL")
        .await;
    assert_eq!(profile_status(&app, answer.text("/access_token")).await, 401);
    assert_eq!(
        refresh(&app.client(), answer.text("/refresh_token")).await.status,
        401
    );

    let answer = app.try_sign_in(&user, PASSWORD).await;
    assert_eq!(profile_status(&app, answer.text("/access_token")).await, 200);
    app.execute("UPDATE seller_user SET active = false").await;
    assert_eq!(profile_status(&app, answer.text("/access_token")).await, 401);
    assert_eq!(
        refresh(&app.client(), answer.text("/refresh_token")).await.status,
        401
    );
    assert_eq!(app.try_sign_in(&user, PASSWORD).await.status, 422);
}

#[tokio::test]
async fn a_refresh_token_of_one_audience_is_invalid_in_the_other() {
    let (app, user) = one_seller().await;
    let answer = app.try_sign_in(&user, PASSWORD).await;
    let body = json!({ "refresh_token": answer.text("/refresh_token") });
    assert_eq!(
        app.staff_client()
            .post("/api/auth/admin/refresh-token", body)
            .await
            .status,
        401
    );
    // The attempt in the other audience does not end the session.
    assert_eq!(
        refresh(&app.client(), answer.text("/refresh_token")).await.status,
        200
    );
}

#[tokio::test]
async fn a_browser_refreshes_by_cookies_that_are_cleared_at_the_end_of_the_session() {
    let (app, user) = one_seller().await;
    let browser = signed_in_browser(&app, &user).await;
    assert_eq!(
        browser.post("/api/auth/refresh-token", json!({})).await.status,
        403,
        "without its CSRF token"
    );
    let token = browser
        .get("/api/auth/get-csrf-token")
        .await
        .text("/csrfToken")
        .to_owned();
    let browser = browser.with("x-csrf-token", &token);
    assert_eq!(
        browser.post("/api/auth/refresh-token", json!({})).await.status,
        200
    );
    assert_eq!(browser.get("/api/sellers/me").await.status, 200);
    app.execute("UPDATE session SET revoked_at = now(), revoked_for = 'password'")
        .await;
    let kept = browser.get("/api/sellers/me").await;
    assert!(
        kept.status == 401 && kept.cookie("access_token").is_none(),
        "a 401 alone clears no cookie"
    );
    let over = browser.post("/api/auth/refresh-token", json!({})).await;
    assert_eq!(over.status, 401);
    assert!(
        over.cookie("refresh_token")
            .is_some_and(|line| line.contains("Max-Age=0"))
    );
}
