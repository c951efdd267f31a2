//! Changes of a user. Fields of the user as a whole require authority in all companies of that user.

use serde_json::{Value, json};

use super::{
    ACCESS_NOT_ALLOWED, ADMIN, NOT_MANAGED_EVERYWHERE, OPERATOR, OWNER, ROLE_NOT_ALLOWED, TeamFixture,
    acting_for, assert_field, assert_message, change,
};
use crate::support::PASSWORD;

#[tokio::test]
async fn authority_in_all_companies_of_a_user_allows_changes_of_the_fields_of_the_user() {
    let fixture = TeamFixture::open().await;
    let user = fixture
        .user(&[(&fixture.bakery, OPERATOR), (&fixture.pharmacy, ADMIN)])
        .await;
    let owner = fixture
        .signed_in(&[(&fixture.bakery, ADMIN), (&fixture.pharmacy, OWNER)])
        .await;
    let body =
        json!({ "name": " Outro Nome ", "email": "Novo@Padaria.example", "document": "390.533.447-05" });
    let changed = change(&owner, &user, body).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    let reported = ["/name", "/pending_email", "/document"].map(|field| changed.text(field));
    assert_eq!(reported, ["Outro Nome", "novo@padaria.example", "39053344705"]);
    assert_eq!(changed.at("/editable"), &json!(true));
    // The old address can refuse the change, and the new address must be confirmed.
    let old = fixture.app.last_email_to(&user.email).await;
    assert!(old.text.contains("novo@padaria.example"), "{}", old.text);
    // The notice does not reveal the IP address of the caller who made the change.
    assert!(!old.text.contains("a partir do IP"), "{}", old.text);
    let new = fixture.app.last_email_to("novo@padaria.example").await;
    assert!(new.link().contains("/verificar-email?code="));
    assert_eq!(
        (changed.text("/email"), changed.at("/email_verified")),
        (user.email.as_str(), &json!(false))
    );
}

#[tokio::test]
async fn authority_in_only_one_company_changes_no_field_of_the_user_but_accepts_equal_values() {
    let fixture = TeamFixture::open().await;
    let user = fixture
        .user(&[(&fixture.bakery, OPERATOR), (&fixture.pharmacy, OPERATOR)])
        .await;
    let owner = fixture.signed_in(&[(&fixture.bakery, OWNER)]).await;
    for body in [
        json!({ "name": "Outro" }),
        json!({ "email": "outro@padaria.example" }),
        json!({ "password": "outra-senha-1" }),
        json!({ "document": "39053344705" }),
        json!({ "active": false }),
    ] {
        assert_message(
            &change(&owner, &user, body.clone()).await,
            403,
            NOT_MANAGED_EVERYWHERE,
        );
    }
    assert_message(
        &super::delete(&owner, &super::path_of(&user), None).await,
        403,
        NOT_MANAGED_EVERYWHERE,
    );
    let same = json!({
        "name": "Ana Souza", "email": user.email.to_uppercase(), "document": "529.982.247-25", "active": true,
    });
    assert_eq!(change(&owner, &user, same).await.status, 200);
    // Their role in this company can still be changed.
    let promoted = change(&owner, &user, json!({ "role_id": ADMIN.id() })).await;
    assert_eq!((promoted.status, promoted.text("/role")), (200, "admin"));
    assert_eq!(
        fixture.accesses(&user).await,
        json!([["Farmácia", "operator"], ["Padaria", "admin"]])
    );
    let updates = fixture
        .app
        .count("SELECT count(*) FROM audit_log WHERE action = 'update'")
        .await;
    assert_eq!(updates, 0, "no field of the user was changed");
}

#[tokio::test]
async fn no_user_changes_peers_superiors_or_themselves() {
    let fixture = TeamFixture::open().await;
    let bakery = &fixture.bakery;
    let admin = fixture.user(&[(bakery, ADMIN)]).await;
    let others = [
        fixture.user(&[(bakery, OWNER)]).await,
        fixture.user(&[(bakery, ADMIN)]).await,
    ];
    let client = fixture.app.sign_in(&admin).await;
    for other in others.iter().chain([&admin]) {
        let named = change(&client, other, json!({ "name": "Outro" })).await;
        assert_message(&named, 403, NOT_MANAGED_EVERYWHERE);
        let password = change(&client, other, json!({ "password": "outra-senha-1" })).await;
        assert_message(&password, 403, NOT_MANAGED_EVERYWHERE);
        let gone = super::delete(&client, &super::path_of(other), None).await;
        assert_message(&gone, 403, NOT_MANAGED_EVERYWHERE);
    }
    for other in &others {
        let regrouped = change(&client, other, json!({ "role_id": OPERATOR.id() })).await;
        assert_message(&regrouped, 403, ACCESS_NOT_ALLOWED);
    }
    // Only staff can change an owner. Other owners cannot.
    let owner = fixture.signed_in(&[(bakery, OWNER)]).await;
    assert_message(
        &change(&owner, &others[0], json!({ "active": false })).await,
        403,
        NOT_MANAGED_EVERYWHERE,
    );
    assert_eq!(
        change(&owner, &others[1], json!({ "active": false }))
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn a_change_of_the_own_access_is_refused_but_an_unchanged_form_is_not() {
    let fixture = TeamFixture::open().await;
    let (bakery, pharmacy) = (&fixture.bakery, &fixture.pharmacy);
    let user = fixture
        .user(&[(bakery, ADMIN), (pharmacy, OWNER), (&fixture.bookshop, OPERATOR)])
        .await;
    let client = acting_for(&fixture.app.sign_in(&user).await, bakery);
    let ids = |companies: &[&crate::support::Company]| -> Value {
        companies.iter().map(|company| company.id.to_string()).collect()
    };
    for body in [
        json!({ "role_id": OPERATOR.id() }),
        json!({ "businesses_ids": ids(&[pharmacy]) }),
        json!({ "businesses_ids": ids(&[bakery, pharmacy, &fixture.bookshop]) }),
        json!({ "role_id": OWNER.id(), "businesses_ids": ids(&[bakery, pharmacy]) }),
    ] {
        let refused = change(&client, &user, body).await;
        assert_message(&refused, 403, "Você não pode alterar seu próprio acesso.");
    }
    let same =
        json!({ "name": "Ana Souza", "role_id": ADMIN.id(), "businesses_ids": ids(&[pharmacy, bakery]) });
    let answer = change(&client, &user, same).await;
    assert_eq!(
        (answer.status, answer.at("/is_self")),
        (200, &json!(true)),
        "{}",
        answer.body
    );
    assert_eq!(
        fixture.accesses(&user).await,
        json!([
            ["Farmácia", "owner"],
            ["Livraria", "operator"],
            ["Padaria", "admin"]
        ])
    );
}

#[tokio::test]
async fn a_list_of_companies_replaces_the_accesses_that_the_caller_may_manage() {
    let fixture = TeamFixture::open().await;
    let (bakery, pharmacy, bookshop) = (&fixture.bakery, &fixture.pharmacy, &fixture.bookshop);
    let user = fixture.user(&[(bakery, OPERATOR), (bookshop, OPERATOR)]).await;
    let owner = fixture.signed_in(&[(bakery, OWNER), (pharmacy, OWNER)]).await;
    let ids = |companies: &[&crate::support::Company]| -> Vec<String> {
        companies.iter().map(|company| company.id.to_string()).collect()
    };
    let missing = json!({ "businesses_ids": ids(&[bakery, pharmacy]) });
    assert_field(
        &change(&owner, &user, missing).await,
        "role_id",
        "Selecione o grupo.",
    );
    // The bookshop's access stays, whether the list names it or not.
    let moved = json!({ "role_id": ADMIN.id(), "businesses_ids": ids(&[pharmacy, bookshop]) });
    let answer = change(&owner, &user, moved).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(
        (answer.at("/role_id"), answer.at("/other_businesses")),
        (&Value::Null, &json!(1))
    );
    assert_eq!(
        fixture.accesses(&user).await,
        json!([["Farmácia", "admin"], ["Livraria", "operator"]])
    );
    // The bakery no longer sees the user.
    assert_eq!(change(&owner, &user, json!({})).await.status, 404);
    let at_pharmacy = acting_for(&owner, pharmacy);
    let forbidden = json!({ "role_id": OWNER.id(), "businesses_ids": ids(&[pharmacy]) });
    assert_field(
        &change(&at_pharmacy, &user, forbidden).await,
        "role_id",
        ROLE_NOT_ALLOWED,
    );
    let out = change(&at_pharmacy, &user, json!({ "businesses_ids": [] })).await;
    assert_eq!(out.status, 200);
    assert_eq!(fixture.accesses(&user).await, json!([["Livraria", "operator"]]));
    // A list without companies cannot remove a user's last access.
    let alone = fixture.user(&[(bakery, OPERATOR)]).await;
    let none = change(&owner, &alone, json!({ "businesses_ids": [] })).await;
    assert_field(&none, "businesses_ids", "Selecione pelo menos uma empresa");
}

#[tokio::test]
async fn if_one_part_is_refused_nothing_changes() {
    let fixture = TeamFixture::open().await;
    let user = fixture.user(&[(&fixture.bakery, OPERATOR)]).await;
    let admin = fixture.signed_in(&[(&fixture.bakery, ADMIN)]).await;
    let body = json!({ "name": "Outro Nome", "role_id": ADMIN.id() });
    assert_message(&change(&admin, &user, body).await, 403, ROLE_NOT_ALLOWED);
    let taken = fixture.user(&[(&fixture.pharmacy, OPERATOR)]).await;
    let owner = fixture.signed_in(&[(&fixture.bakery, OWNER)]).await;
    let body = json!({ "role_id": ADMIN.id(), "email": taken.email });
    assert_eq!(change(&owner, &user, body).await.status, 422);
    let seen = owner.get(&format!("/api/business/users/{}", user.id)).await;
    assert_eq!(
        (seen.text("/name"), seen.text("/role")),
        ("Ana Souza", "operator")
    );
}

#[tokio::test]
async fn deactivation_ends_access_at_the_next_request_and_a_new_password_ends_old_sessions() {
    let fixture = TeamFixture::open().await;
    let user = fixture.user(&[(&fixture.bakery, OPERATOR)]).await;
    let owner = fixture.signed_in(&[(&fixture.bakery, OWNER)]).await;
    let theirs = fixture.app.sign_in(&user).await;
    assert_eq!(theirs.get("/api/sellers/me").await.status, 200);
    let off = change(&owner, &user, json!({ "active": false })).await;
    assert_eq!((off.status, off.at("/active")), (200, &json!(false)));
    assert_eq!(theirs.get("/api/sellers/me").await.status, 401);
    assert_eq!(fixture.app.try_sign_in(&user, PASSWORD).await.status, 422);
    let on = change(&owner, &user, json!({ "active": true })).await;
    assert_eq!(on.status, 200);
    // The ended session stays ended.
    assert_eq!(theirs.get("/api/sellers/me").await.status, 401);
    let theirs = fixture.app.sign_in(&user).await;
    let set = change(&owner, &user, json!({ "password": "  outra senha  " })).await;
    assert_eq!(set.status, 200);
    assert_eq!(theirs.get("/api/sellers/me").await.status, 401);
    assert_eq!(fixture.app.try_sign_in(&user, PASSWORD).await.status, 422);
    assert_eq!(
        fixture.app.try_sign_in(&user, "  outra senha  ").await.status,
        200
    );
    let why =
        "SELECT string_agg(revoked_for, ',' ORDER BY created_at) FROM session WHERE revoked_at IS NOT NULL";
    assert_eq!(fixture.app.text(why).await, "deactivated,password");
    let received = fixture.app.last_email_to(&user.email).await;
    assert!(!received.text.contains("outra senha"), "{}", received.text);
}

#[tokio::test]
async fn invalid_fields_are_named_on_a_change_too() {
    let fixture = TeamFixture::open().await;
    let user = fixture.user(&[(&fixture.bakery, OPERATOR)]).await;
    let owner = fixture.signed_in(&[(&fixture.bakery, OWNER)]).await;
    let body = json!({ "name": " ", "email": "x", "password": "", "document": "1", "role_id": 9 });
    let refused = change(&owner, &user, body).await;
    let expected = json!({
        "name": ["Nome é requerido."], "email": ["Email inválido."], "password": ["Senha é requerida."],
        "document": ["CPF inválido."], "role_id": ["Selecione o grupo."],
    });
    assert_eq!((refused.status, refused.at("/errors")), (422, &expected));
}

#[tokio::test]
async fn repeated_changes_of_a_colleague_s_address_are_limited() {
    let fixture = TeamFixture::open().await;
    let user = fixture.user(&[(&fixture.bakery, OPERATOR)]).await;
    let owner = fixture.signed_in(&[(&fixture.bakery, OWNER)]).await;
    let body = |n: usize| json!({ "name": "Outro Nome", "email": format!("caixa{}@padaria.example", n % 2) });
    // A user may change the addresses of others 60 times at once (`LimitKind::EmailToOther`).
    for n in 0..60 {
        assert_eq!(change(&owner, &user, body(n)).await.status, 200, "e-mail {n}");
    }
    let refused = change(&owner, &user, body(60)).await;
    assert_eq!(refused.status, 429, "{}", refused.body);
    assert!(refused.header("retry-after").is_some());
    // Changes that send no e-mail still work, and so do e-mails of other callers.
    assert_eq!(
        change(&owner, &user, json!({ "name": "Mais Um" }))
            .await
            .text("/pending_email"),
        "caixa1@padaria.example"
    );
    let another = fixture.signed_in(&[(&fixture.bakery, OWNER)]).await;
    assert_eq!(change(&another, &user, body(60)).await.status, 200);
}
