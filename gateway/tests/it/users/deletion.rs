//! A deleted user loses access at once. The address can be used again, and the name stays in the history.

use serde_json::json;

use super::{ADMIN, OPERATOR, OWNER, Street, delete, form, path_of};
use crate::support::PASSWORD;

#[tokio::test]
async fn a_deleted_user_loses_access_at_once_and_cannot_sign_in() {
    let street = Street::open().await;
    let person = street
        .person(&[(&street.bakery, OPERATOR), (&street.pharmacy, OPERATOR)])
        .await;
    let owner = street
        .signed_in(&[(&street.bakery, OWNER), (&street.pharmacy, ADMIN)])
        .await;
    let theirs = street.app.sign_in(&person).await;
    assert_eq!(delete(&owner, &path_of(&person), None).await.status, 204);
    assert_eq!(theirs.get("/api/sellers/me").await.status, 401);
    let again = street.app.try_sign_in(&person, PASSWORD).await;
    assert_eq!(
        (again.status, again.text("/message")),
        (
            422,
            "E-mail ou senha incorretos. Confira ou use “Esqueci minha senha”."
        )
    );
    assert_eq!(
        owner
            .get(&format!("/api/business/users/{}", person.id))
            .await
            .status,
        404
    );
    assert_eq!(delete(&owner, &path_of(&person), None).await.status, 404);
    assert_eq!(street.accesses(&person).await, json!([]));
    let list = owner.get("/api/business/users").await;
    assert_eq!(list.at("/meta/total"), &json!(1));
    let forgot = json!({ "email": person.email });
    let asked = street
        .app
        .client()
        .post("/api/auth/forgot-password", forgot)
        .await;
    assert_eq!(asked.status, 202);
    assert!(street.app.letters_to(&person.email).await.is_empty());
}

#[tokio::test]
async fn the_address_of_a_deleted_user_can_belong_to_a_new_user() {
    let street = Street::open().await;
    let person = street.person(&[(&street.bakery, OPERATOR)]).await;
    let owner = street.signed_in(&[(&street.bakery, OWNER)]).await;
    assert_eq!(delete(&owner, &path_of(&person), None).await.status, 204);
    let mut wish = form(&person.email, 7, &[&street.bakery]);
    wish["password"] = json!("uma-senha-nova");
    let made = owner.post("/api/business/sellers", wish).await;
    assert_eq!(made.status, 201, "{}", made.body);
    assert_ne!(made.text("/id"), person.id.to_string());
    assert_eq!(street.app.try_sign_in(&person, PASSWORD).await.status, 422);
    assert_eq!(
        street.app.try_sign_in(&person, "uma-senha-nova").await.status,
        200
    );
    // The second user is deleted too: two deleted users may have the same address.
    let path = format!("/api/business/sellers/{}", made.text("/id"));
    assert_eq!(delete(&owner, &path, None).await.status, 204);
}

#[tokio::test]
async fn a_link_in_an_e_mail_to_a_deleted_user_does_not_work() {
    let street = Street::open().await;
    let person = street.person(&[(&street.bakery, OPERATOR)]).await;
    let owner = street.signed_in(&[(&street.bakery, OWNER)]).await;
    let forgot = json!({ "email": person.email });
    street
        .app
        .client()
        .post("/api/auth/forgot-password", forgot)
        .await;
    let received = street.app.last_letter_to(&person.email).await;
    assert_eq!(delete(&owner, &path_of(&person), None).await.status, 204);
    let reset = json!({ "token": received.code(), "password": "uma-senha-nova" });
    let refused = street.app.client().post("/api/auth/reset-password", reset).await;
    assert_eq!(refused.status, 422, "{}", refused.body);
}
