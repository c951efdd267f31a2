//! A deleted user loses access at once. The address can be used again.

use serde_json::json;

use super::{ADMIN, OPERATOR, OWNER, TeamFixture, delete, form, path_of};
use crate::support::PASSWORD;

#[tokio::test]
async fn a_deleted_user_loses_access_at_once_and_cannot_sign_in() {
    let fixture = TeamFixture::open().await;
    let user = fixture
        .user(&[(&fixture.bakery, OPERATOR), (&fixture.pharmacy, OPERATOR)])
        .await;
    let owner = fixture
        .signed_in(&[(&fixture.bakery, OWNER), (&fixture.pharmacy, ADMIN)])
        .await;
    let theirs = fixture.app.sign_in(&user).await;
    assert_eq!(delete(&owner, &path_of(&user), None).await.status, 204);
    assert_eq!(theirs.get("/api/sellers/me").await.status, 401);
    let again = fixture.app.try_sign_in(&user, PASSWORD).await;
    assert_eq!(
        (again.status, again.text("/message")),
        (
            422,
            "E-mail ou senha incorretos. Confira ou use “Esqueci minha senha”."
        )
    );
    assert_eq!(
        owner
            .get(&format!("/api/business/users/{}", user.id))
            .await
            .status,
        404
    );
    assert_eq!(delete(&owner, &path_of(&user), None).await.status, 404);
    assert_eq!(fixture.accesses(&user).await, json!([]));
    let list = owner.get("/api/business/users").await;
    assert_eq!(list.at("/meta/total"), &json!(1));
    let forgot = json!({ "email": user.email });
    let response = fixture
        .app
        .client()
        .post("/api/auth/forgot-password", forgot)
        .await;
    assert_eq!(response.status, 202);
    assert!(fixture.app.emails_to(&user.email).await.is_empty());
}

#[tokio::test]
async fn the_address_of_a_deleted_user_can_belong_to_a_new_user() {
    let fixture = TeamFixture::open().await;
    let user = fixture.user(&[(&fixture.bakery, OPERATOR)]).await;
    let owner = fixture.signed_in(&[(&fixture.bakery, OWNER)]).await;
    assert_eq!(delete(&owner, &path_of(&user), None).await.status, 204);
    let mut body = form(&user.email, OPERATOR, &[&fixture.bakery]);
    body["password"] = json!("uma-senha-nova");
    let made = owner.post("/api/business/sellers", body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    assert_ne!(made.text("/id"), user.id.to_string());
    assert_eq!(fixture.app.try_sign_in(&user, PASSWORD).await.status, 422);
    assert_eq!(fixture.app.try_sign_in(&user, "uma-senha-nova").await.status, 200);
    // The second user is deleted too: two deleted users may have the same address.
    let path = format!("/api/business/sellers/{}", made.text("/id"));
    assert_eq!(delete(&owner, &path, None).await.status, 204);
}

#[tokio::test]
async fn a_link_in_an_e_mail_to_a_deleted_user_does_not_work() {
    let fixture = TeamFixture::open().await;
    let user = fixture.user(&[(&fixture.bakery, OPERATOR)]).await;
    let owner = fixture.signed_in(&[(&fixture.bakery, OWNER)]).await;
    let forgot = json!({ "email": user.email });
    fixture
        .app
        .client()
        .post("/api/auth/forgot-password", forgot)
        .await;
    let received = fixture.app.last_email_to(&user.email).await;
    assert_eq!(delete(&owner, &path_of(&user), None).await.status, 204);
    let reset = json!({ "token": received.code(), "password": "uma-senha-nova" });
    let refused = fixture.app.client().post("/api/auth/reset-password", reset).await;
    assert_eq!(refused.status, 422, "{}", refused.body);
}
