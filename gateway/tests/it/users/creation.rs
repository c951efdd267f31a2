//! New users: form errors, who may give which role, the e-mail, a taken address, and a request that is sent twice.

use gateway_identity::users::{ActingUser, NewSeller, NewTeamMember, SellerCaller, team_member_create};
use ledger_domain::ids::UserId;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    ADMIN, NOT_SAVED, OPERATOR, OWNER, ROLE_NOT_ALLOWED, TeamFixture, assert_field, assert_message, form,
};
use crate::support::{Company, PASSWORD, User};

const PATH: &str = "/api/business/sellers";

#[tokio::test]
async fn a_created_operator_can_sign_in_and_is_asked_to_confirm_the_address() {
    let fixture = TeamFixture::open().await;
    let owner = fixture
        .signed_in(&[(&fixture.bakery, OWNER), (&fixture.pharmacy, OWNER)])
        .await;
    let body = form(
        " Celia@Padaria.example ",
        OPERATOR,
        &[&fixture.bakery, &fixture.pharmacy],
    );
    let made = owner.post(PATH, body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    assert_eq!(made.text("/email"), "celia@padaria.example");
    assert_eq!(made.text("/document"), "52998224725");
    assert_eq!(made.at("/businesses").as_array().map(Vec::len), Some(2));
    assert_eq!(
        (made.at("/active"), made.at("/editable")),
        (&json!(true), &json!(true))
    );
    let sign_in = json!({ "email": "celia@padaria.example", "password": PASSWORD });
    let signed_in = fixture.app.client().post("/api/auth/sign-in", sign_in).await;
    assert_eq!(signed_in.status, 200, "{}", signed_in.body);
    let welcome = fixture.app.last_email_to("celia@padaria.example").await;
    assert!(
        welcome.link().contains("/verificar-email?code="),
        "{}",
        welcome.link()
    );
    let confirmed = fixture
        .app
        .client()
        .get(&format!("/api/auth/verifyemail/{}", welcome.code()))
        .await;
    assert_eq!(confirmed.status, 200, "{}", confirmed.body);
    let seen = owner
        .get(&format!("/api/business/users/{}", made.text("/id")))
        .await;
    assert_eq!(seen.at("/email_verified"), &json!(true));
}

#[tokio::test]
async fn all_invalid_fields_are_named_at_once() {
    let fixture = TeamFixture::open().await;
    let owner = fixture.signed_in(&[(&fixture.bakery, OWNER)]).await;
    let empty = owner.post(PATH, json!({})).await;
    assert_eq!(empty.status, 422);
    let expected = json!({
        "name": ["Nome é requerido."],
        "email": ["Email é requerido."],
        "password": ["Senha é requerida."],
        "document": ["CPF é requerido."],
        "role_id": ["Selecione o grupo."],
        "businesses_ids": ["Selecione pelo menos uma empresa"],
    });
    assert_eq!(empty.at("/errors"), &expected);
    let body = |field: &str, value: Value| {
        let mut body = form("celia@padaria.example", OPERATOR, &[&fixture.bakery]);
        body[field] = value;
        body
    };
    let too_long = "x".repeat(129);
    for (field, value, message) in [
        ("email", json!("celia@"), "Email inválido."),
        (
            "password",
            json!("1234567"),
            "A senha deve ter pelo menos 8 caracteres",
        ),
        ("password", json!(too_long), "A senha deve ter até 128 caracteres"),
        ("document", json!("529.982.247-26"), "CPF inválido."),
        ("document", json!("11.222.333/0001-81"), "CPF inválido."),
        ("role_id", json!(3), "Selecione o grupo."),
        ("businesses_ids", json!([]), "Selecione pelo menos uma empresa"),
        ("businesses_ids", json!(["x"]), "Empresa não encontrada."),
        ("active", json!("yes"), "Valor inválido."),
    ] {
        assert_field(&owner.post(PATH, body(field, value)).await, field, message);
    }
    assert_eq!(fixture.app.count("SELECT count(*) FROM mail").await, 0);
}

#[tokio::test]
async fn a_role_can_be_given_only_where_the_caller_may_give_it() {
    let fixture = TeamFixture::open().await;
    let (bakery, pharmacy, bookshop) = (&fixture.bakery, &fixture.pharmacy, &fixture.bookshop);
    let client = fixture
        .signed_in(&[(bakery, OWNER), (pharmacy, ADMIN), (bookshop, OPERATOR)])
        .await;
    for (role, companies) in [
        (OWNER, &[bakery][..]),
        (ADMIN, &[bakery, pharmacy]),
        (OPERATOR, &[bakery, bookshop]),
        (OPERATOR, &[bookshop]),
    ] {
        let refused = client
            .post(PATH, form("celia@padaria.example", role, companies))
            .await;
        assert_field(&refused, "role_id", ROLE_NOT_ALLOWED);
    }
    let mut unknown = form("celia@padaria.example", OPERATOR, &[bakery]);
    unknown["businesses_ids"] = json!(["biz_00000000-0000-4000-8000-000000000000"]);
    assert_field(&client.post(PATH, unknown).await, "role_id", ROLE_NOT_ALLOWED);
    assert_eq!(fixture.app.count("SELECT count(*) FROM seller_user").await, 1);

    let admin = client
        .post(PATH, form("um@padaria.example", ADMIN, &[bakery]))
        .await;
    assert_eq!((admin.status, admin.text("/role")), (201, "admin"));
    let operator = client
        .post(PATH, form("dois@padaria.example", OPERATOR, &[bakery, pharmacy]))
        .await;
    assert_eq!(operator.status, 201);
    // The new user has no role in the company of the request, so `role_id` is null.
    let of_pharmacy = client
        .post(PATH, form("tres@padaria.example", OPERATOR, &[pharmacy]))
        .await;
    assert_eq!(
        (of_pharmacy.status, of_pharmacy.at("/role_id")),
        (201, &Value::Null)
    );
}

#[tokio::test]
async fn an_admin_of_the_company_gives_only_the_operator_s_role() {
    let fixture = TeamFixture::open().await;
    let admin = fixture.signed_in(&[(&fixture.bakery, ADMIN)]).await;
    for role in [OWNER, ADMIN] {
        let refused = admin
            .post(PATH, form("celia@padaria.example", role, &[&fixture.bakery]))
            .await;
        assert_field(&refused, "role_id", ROLE_NOT_ALLOWED);
    }
    let made = admin
        .post(PATH, form("celia@padaria.example", OPERATOR, &[&fixture.bakery]))
        .await;
    assert_eq!(made.status, 201);
}

#[tokio::test]
async fn a_user_acts_in_each_company_with_the_role_of_that_company() {
    let fixture = TeamFixture::open().await;
    let user = fixture
        .user(&[(&fixture.bakery, OPERATOR), (&fixture.pharmacy, ADMIN)])
        .await;
    let client = fixture.app.sign_in(&user).await;
    let at_bakery = super::acting_for(&client, &fixture.bakery);
    let at_pharmacy = super::acting_for(&client, &fixture.pharmacy);
    assert_eq!(at_bakery.get("/api/business/users").await.status, 403);
    let body = |companies: &[&Company]| form("celia@farmacia.example", OPERATOR, companies);
    assert_eq!(at_bakery.post(PATH, body(&[&fixture.pharmacy])).await.status, 403);
    let refused = at_pharmacy.post(PATH, body(&[&fixture.bakery])).await;
    assert_field(&refused, "role_id", ROLE_NOT_ALLOWED);
    assert_eq!(
        at_pharmacy.post(PATH, body(&[&fixture.pharmacy])).await.status,
        201
    );
}

#[tokio::test]
async fn a_taken_address_is_refused_without_the_reason() {
    let fixture = TeamFixture::open().await;
    let taken = fixture.user(&[(&fixture.pharmacy, OPERATOR)]).await;
    let own = fixture.user(&[(&fixture.bakery, OPERATOR)]).await;
    let owner = fixture.signed_in(&[(&fixture.bakery, OWNER)]).await;
    let refused = owner
        .post(PATH, form(&taken.email, OPERATOR, &[&fixture.bakery]))
        .await;
    assert_message(&refused, 422, NOT_SAVED);
    assert!(refused.body.get("errors").is_none(), "{}", refused.body);
    let changed = super::change(&owner, &own, json!({ "email": taken.email })).await;
    assert_message(&changed, 422, NOT_SAVED);
    assert!(changed.body.get("errors").is_none());
    // A staff user may have the same address: staff are another audience.
    let staff = fixture
        .app
        .admin(&[gateway_identity::roles::AdminRole::Sac])
        .await;
    let both = owner
        .post(PATH, form(&staff.email, OPERATOR, &[&fixture.bakery]))
        .await;
    assert_eq!(both.status, 201);
}

#[tokio::test]
async fn a_request_sent_twice_under_one_key_creates_one_user() {
    let fixture = TeamFixture::open().await;
    let owner = fixture.signed_in(&[(&fixture.bakery, OWNER)]).await;
    let keyed = owner.clone().with("idempotency-key", "chave-1");
    let body = form("celia@padaria.example", OPERATOR, &[&fixture.bakery]);
    let (one, two) = tokio::join!(keyed.post(PATH, body.clone()), keyed.post(PATH, body.clone()));
    assert_eq!((one.status, two.status), (201, 201), "{} {}", one.body, two.body);
    assert_eq!(one.body, two.body);
    let replayed = [&one, &two].map(|answer| answer.header("idempotent-replayed") == Some("true"));
    assert!(replayed[0] != replayed[1], "one of the two is a replay");
    assert_eq!(
        fixture
            .app
            .count("SELECT count(*) FROM seller_user WHERE email = 'celia@padaria.example'")
            .await,
        1
    );
    let other = keyed
        .post(PATH, form("outra@padaria.example", OPERATOR, &[&fixture.bakery]))
        .await;
    assert_eq!(other.status, 409);
    assert_eq!(fixture.app.emails_to("celia@padaria.example").await.len(), 1);
    // Without the key, the address is already taken.
    assert_message(&owner.post(PATH, body).await, 422, NOT_SAVED);
}

#[tokio::test]
async fn a_user_who_loses_access_between_guard_and_change_creates_no_user() {
    let fixture = TeamFixture::open().await;
    let owner = fixture.user(&[(&fixture.bakery, OWNER)]).await;
    for concurrent_change in [
        format!("UPDATE business_access SET role_id = {}", OPERATOR.id()),
        // An admin may create users too, but `allowed` below lists only the owner's role.
        format!("UPDATE business_access SET role_id = {}", ADMIN.id()),
        "DELETE FROM business_access".to_owned(),
    ] {
        fixture.app.execute(&concurrent_change).await;
        assert_creates_no_user(&fixture, &owner).await;
    }
}

async fn assert_creates_no_user(fixture: &TeamFixture, owner: &User) {
    let mut client = fixture.app.app.state.pool.get().await.expect("a connection");
    let transaction = client.transaction().await.expect("a transaction");
    let hash = gateway_identity::credentials::passwords::hash(PASSWORD).expect("a hash");
    let new = NewTeamMember {
        seller: NewSeller {
            id: UserId::from_uuid(Uuid::now_v7()),
            name: "Célia",
            email: "celia@padaria.example",
            password_hash: &hash,
            document: "52998224725",
            active: true,
        },
        role: OPERATOR,
        companies: [fixture.bakery.id].into(),
    };
    let by = ActingUser::Seller(SellerCaller {
        id: owner.id,
        company: fixture.bakery.id,
        allowed: &[OWNER],
    });
    let refused = team_member_create(&*transaction, by, &new).await;
    assert!(
        matches!(refused, Err(gateway_identity::users::UserError::ActorAccessEnded)),
        "{refused:?}"
    );
}
