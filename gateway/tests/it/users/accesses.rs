//! Access to one company: given, changed and removed. Two concurrent changes break no rule.

use gateway_identity::roles::SellerRole;
use serde_json::{Value, json};

use super::{
    ACCESS_NOT_ALLOWED, ADMIN, OPERATOR, OWNER, ROLE_NOT_ALLOWED, TeamFixture, acting_for, assert_field,
    assert_message, delete,
};
use crate::support::{Answer, Client, Company, User};

async fn give(client: &Client, company: &Company, user: &User, role: SellerRole) -> Answer {
    let body = json!({ "seller_id": user.id.to_string(), "role_id": role.id() });
    client.post(&path(company), body).await
}

async fn take(client: &Client, company: &Company, user: &User) -> Answer {
    let body = json!({ "seller_id": user.id.to_string(), "business_id": company.id.to_string() });
    delete(client, &path(company), Some(body)).await
}

fn path(company: &Company) -> String {
    format!("/api/business/{}/access", company.id)
}

#[tokio::test]
async fn a_user_of_one_company_gets_access_to_another_and_loses_it_again() {
    let fixture = TeamFixture::open().await;
    let (bakery, pharmacy) = (&fixture.bakery, &fixture.pharmacy);
    let user = fixture.user(&[(bakery, OPERATOR)]).await;
    let owner = fixture.signed_in(&[(bakery, ADMIN), (pharmacy, OWNER)]).await;
    let given = give(&owner, pharmacy, &user, ADMIN).await;
    assert_eq!(
        (given.status, given.text("/role")),
        (200, "admin"),
        "{}",
        given.body
    );
    let theirs = fixture.app.sign_in(&user).await;
    let at_pharmacy = |client: &Client| acting_for(client, pharmacy).clone();
    assert_eq!(at_pharmacy(&theirs).get("/api/business/users").await.status, 200);
    let changed = give(&owner, pharmacy, &user, OPERATOR).await;
    assert_eq!(
        (changed.status, changed.at("/role_id")),
        (200, &json!(OPERATOR.id()))
    );
    // Takes effect at once, in the same session as before.
    assert_eq!(at_pharmacy(&theirs).get("/api/business/users").await.status, 403);
    assert_eq!(take(&owner, pharmacy, &user).await.status, 204);
    assert_eq!(at_pharmacy(&theirs).get("/api/transactions").await.status, 404);
    assert_eq!(take(&owner, pharmacy, &user).await.status, 404);
    assert_eq!(fixture.accesses(&user).await, json!([["Padaria", "operator"]]));
}

#[tokio::test]
async fn an_invisible_user_is_a_404_and_one_whom_the_caller_may_not_manage_is_not_changed() {
    let fixture = TeamFixture::open().await;
    let (bakery, pharmacy, bookshop) = (&fixture.bakery, &fixture.pharmacy, &fixture.bookshop);
    let client = fixture.signed_in(&[(bakery, ADMIN), (bookshop, OPERATOR)]).await;
    let foreign = fixture.user(&[(pharmacy, OPERATOR)]).await;
    let in_bookshop = fixture.user(&[(bookshop, OPERATOR)]).await;
    for user in [&foreign, &in_bookshop] {
        assert_eq!(give(&client, bakery, user, OPERATOR).await.status, 404);
        assert_eq!(take(&client, bakery, user).await.status, 404);
    }
    let owner = fixture.user(&[(bakery, OWNER)]).await;
    let equal = fixture.user(&[(bakery, ADMIN)]).await;
    for user in [&owner, &equal] {
        assert_message(
            &give(&client, bakery, user, OPERATOR).await,
            403,
            ACCESS_NOT_ALLOWED,
        );
        assert_message(&take(&client, bakery, user).await, 403, ACCESS_NOT_ALLOWED);
    }
    let below = fixture.user(&[(bakery, OPERATOR)]).await;
    for role in [OWNER, ADMIN] {
        assert_message(&give(&client, bakery, &below, role).await, 403, ROLE_NOT_ALLOWED);
    }
    // A company in which the caller has no role is a 404. In the bookshop the caller is an operator, who manages no
    // accesses.
    assert_eq!(give(&client, pharmacy, &below, OPERATOR).await.status, 404);
    assert_eq!(give(&client, bookshop, &below, OPERATOR).await.status, 403);
}

#[tokio::test]
async fn an_invalid_company_in_the_path_is_not_replaced_by_the_current_company() {
    let fixture = TeamFixture::open().await;
    let user = fixture.user(&[(&fixture.bakery, OPERATOR)]).await;
    let owner = fixture.signed_in(&[(&fixture.bakery, OWNER)]).await;
    let body = json!({ "seller_id": user.id.to_string(), "role_id": ADMIN.id() });
    let nowhere = "/api/business/undefined/access";
    assert_eq!(owner.post(nowhere, body.clone()).await.status, 404);
    assert_eq!(delete(&owner, nowhere, Some(body)).await.status, 404);
    assert_eq!(fixture.accesses(&user).await, json!([["Padaria", "operator"]]));
}

#[tokio::test]
async fn missing_and_contradicting_fields_are_named_and_an_unknown_user_is_a_404() {
    let fixture = TeamFixture::open().await;
    let bakery = &fixture.bakery;
    let user = fixture.user(&[(bakery, OPERATOR)]).await;
    let owner = fixture.signed_in(&[(bakery, OWNER)]).await;
    let empty = owner.post(&path(bakery), json!({})).await;
    let expected = json!({ "seller_id": ["Informe o usuário."], "role_id": ["Selecione o grupo."] });
    assert_eq!((empty.status, empty.at("/errors")), (422, &expected));
    let id = user.id.to_string();
    let other =
        json!({ "seller_id": id, "role_id": OPERATOR.id(), "business_id": fixture.pharmacy.id.to_string() });
    assert_field(
        &owner.post(&path(bakery), other).await,
        "business_id",
        "Deve ser a empresa indicada na URL.",
    );
    let unknown = json!({ "seller_id": "x", "role_id": OPERATOR.id() });
    assert_eq!(owner.post(&path(bakery), unknown).await.status, 404);
}

#[tokio::test]
async fn the_last_access_can_be_removed_and_the_user_sees_no_company() {
    let fixture = TeamFixture::open().await;
    let user = fixture.user(&[(&fixture.bakery, OPERATOR)]).await;
    let owner = fixture.signed_in(&[(&fixture.bakery, OWNER)]).await;
    let theirs = fixture.app.sign_in(&user).await;
    assert_eq!(take(&owner, &fixture.bakery, &user).await.status, 204);
    assert_eq!(theirs.get("/api/transactions").await.status, 403);
    let me = theirs.get("/api/sellers/me").await;
    assert_eq!((me.status, me.at("/businesses")), (200, &json!([])));
}

#[tokio::test]
async fn two_users_who_remove_each_other_at_once_in_two_companies_both_succeed() {
    let fixture = TeamFixture::open().await;
    let (bakery, pharmacy) = (&fixture.bakery, &fixture.pharmacy);
    for _ in 0..10 {
        let one = fixture.user(&[(bakery, OWNER), (pharmacy, OPERATOR)]).await;
        let two = fixture.user(&[(bakery, OPERATOR), (pharmacy, OWNER)]).await;
        let (by_one, by_two) = (fixture.app.sign_in(&one).await, fixture.app.sign_in(&two).await);
        let (first, second) = tokio::join!(take(&by_one, bakery, &two), take(&by_two, pharmacy, &one));
        // Each can manage the other in another company, so both requests are allowed.
        assert_eq!(
            (first.status, second.status),
            (204, 204),
            "{} {}",
            first.body,
            second.body
        );
        assert_eq!(fixture.accesses(&one).await, json!([["Padaria", "owner"]]));
        assert_eq!(fixture.accesses(&two).await, json!([["Farmácia", "owner"]]));
        clear(&fixture, &[&one, &two]).await;
    }
}

#[tokio::test]
async fn a_removal_by_an_admin_who_is_demoted_at_once_is_done_or_refused_as_a_whole() {
    let fixture = TeamFixture::open().await;
    let bakery = &fixture.bakery;
    let owner = fixture.signed_in(&[(bakery, OWNER)]).await;
    for _ in 0..10 {
        let admin = fixture.user(&[(bakery, ADMIN)]).await;
        let below = fixture.user(&[(bakery, OPERATOR)]).await;
        let by_admin = fixture.app.sign_in(&admin).await;
        let (demoted, removed) = tokio::join!(
            give(&owner, bakery, &admin, OPERATOR),
            take(&by_admin, bakery, &below)
        );
        assert_eq!(demoted.status, 200, "{}", demoted.body);
        assert!([204, 403].contains(&removed.status), "{}", removed.body);
        let left = fixture.accesses(&below).await;
        let expected: Value = if removed.status == 204 {
            json!([])
        } else {
            json!([["Padaria", "operator"]])
        };
        assert_eq!(left, expected);
        clear(&fixture, &[&admin, &below]).await;
    }
}

/// Removes the accesses of these users before the next round.
async fn clear(fixture: &TeamFixture, users: &[&User]) {
    for user in users {
        let sql = format!(
            "DELETE FROM business_access WHERE seller_id = '{}'",
            user.id.uuid()
        );
        fixture.app.execute(&sql).await;
    }
}

#[tokio::test]
async fn only_the_company_segment_of_a_path_names_the_company() {
    let fixture = TeamFixture::open().await;
    let (bakery, pharmacy) = (&fixture.bakery, &fixture.pharmacy);
    let user = fixture.user(&[(bakery, OPERATOR)]).await;
    let owner = fixture.user(&[(bakery, OWNER), (pharmacy, OWNER)]).await;
    let owner = fixture.app.sign_in(&owner).await;
    // A company's id in the place of a sale's or a user's id does not select the company.
    for path in ["/api/transactions", "/api/business/users"] {
        let answer = owner.get(&format!("{path}/{}", bakery.id)).await;
        assert_eq!(answer.status, 422, "{path}: {}", answer.body);
        assert!(answer.at("/errors/business_id").is_array(), "{path}");
    }
    // An invalid company in the path is not replaced by a company that the request names elsewhere.
    let named = acting_for(&owner, bakery);
    let body = json!({ "seller_id": user.id.to_string(), "role_id": ADMIN.id(), "business_id": bakery.id.to_string() });
    let (id, upper) = (bakery.id.to_string(), bakery.id.to_string().to_uppercase());
    let bare = id.trim_start_matches("biz_").to_owned();
    for place in [
        "x",
        "biz_",
        "%20",
        "%2e%2e",
        &upper,
        &bare,
        &format!("{id}%2Faccess"),
    ] {
        let path = format!("/api/business/{place}/access?business_id={id}");
        let answer = named.post(&path, body.clone()).await;
        assert_eq!(answer.status, 404, "{place}: {}", answer.body);
    }
    assert_eq!(
        fixture.accesses(&user).await,
        json!([["Padaria", "operator"]]),
        "nothing was changed"
    );
}
