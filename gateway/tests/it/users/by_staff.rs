//! Staff read and change the seller users of every company, owners included.

use gateway_identity::roles::AdminRole;
use gateway_identity::users::{ActingUser, StaffCaller, UserError, team_member_delete};
use serde_json::{Value, json};

use super::{ADMIN, NOT_SAVED, OPERATOR, OWNER, TeamFixture, assert_field, assert_message, delete, form};
use crate::spreadsheets::sheet::download;
use crate::support::{Answer, Client, PASSWORD, User};

async fn signed_in_support_staff(fixture: &TeamFixture) -> Client {
    fixture
        .app
        .sign_in(&fixture.app.admin(&[AdminRole::Sac]).await)
        .await
}

fn path(user: &User) -> String {
    format!("/api/admin/sellers/{}", user.id)
}

fn ids(answer: &Answer) -> Vec<&str> {
    let rows = answer.at("/data").as_array().expect("rows");
    rows.iter()
        .map(|row| row["id"].as_str().expect("an id"))
        .collect()
}

#[tokio::test]
async fn staff_list_all_seller_users_and_filter_by_company() {
    let fixture = TeamFixture::open().await;
    let one = fixture.user(&[(&fixture.bakery, OWNER)]).await;
    let two = fixture
        .user(&[(&fixture.bakery, OPERATOR), (&fixture.pharmacy, ADMIN)])
        .await;
    let none = fixture.user(&[]).await;
    let staff = signed_in_support_staff(&fixture).await;
    let all = staff.get("/api/admin/sellers").await;
    assert_eq!((all.status, all.at("/meta/total")), (200, &json!(3)));
    for user in [&one, &two, &none] {
        assert!(ids(&all).contains(&user.id.to_string().as_str()));
    }
    let of_pharmacy = staff
        .get(&format!("/api/admin/sellers?business_id={}", fixture.pharmacy.id))
        .await;
    assert_eq!(ids(&of_pharmacy), [two.id.to_string()]);
    let row = &of_pharmacy.at("/data")[0];
    let reported: Vec<Value> = row["businesses"]
        .as_array()
        .expect("companies")
        .iter()
        .map(|business| json!([business["name"], business["role"]]))
        .collect();
    assert_eq!(
        reported,
        [json!(["Farmácia", "admin"]), json!(["Padaria", "operator"])]
    );
    let found = staff
        .get(&format!("/api/admin/sellers?search={}", one.email))
        .await;
    assert_eq!(ids(&found), [one.id.to_string()]);
    let sheet = download(&staff, "/api/admin/sellers").await;
    assert_eq!(
        sheet.titles,
        [
            "Nome",
            "E-mail",
            "CPF",
            "Grupos",
            "Empresas",
            "Status",
            "Último acesso"
        ]
    );
    let emails: Vec<String> = sheet.rows.iter().map(|row| row[1].to_string()).collect();
    let listed: Vec<&Value> = all
        .at("/data")
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| &row["email"])
        .collect();
    assert!(
        emails
            .iter()
            .eq(listed.iter().map(|email| email.as_str().expect("an e-mail")))
    );
}

#[tokio::test]
async fn staff_create_an_owner_for_a_company_and_the_e_mail_links_to_the_seller_panel() {
    let fixture = TeamFixture::open().await;
    let staff = signed_in_support_staff(&fixture)
        .await
        .with("host", "admin.localhost");
    let made = staff
        .post(
            "/api/admin/sellers",
            form("dona@padaria.example", OWNER, &[&fixture.bakery]),
        )
        .await;
    assert_eq!(
        (made.status, made.text("/businesses/0/role")),
        (201, "owner"),
        "{}",
        made.body
    );
    let received = fixture.app.last_email_to("dona@padaria.example").await;
    assert!(
        received
            .link()
            .starts_with("http://localhost:8080/verificar-email"),
        "{}",
        received.link()
    );
    let mut unknown = form("outra@padaria.example", OWNER, &[]);
    unknown["businesses_ids"] = json!(["biz_00000000-0000-4000-8000-000000000000"]);
    assert_field(
        &staff.post("/api/admin/sellers", unknown).await,
        "businesses_ids",
        "Empresa não encontrada.",
    );
    let again = form("dona@padaria.example", OPERATOR, &[&fixture.pharmacy]);
    assert_message(&staff.post("/api/admin/sellers", again).await, 422, NOT_SAVED);
}

#[tokio::test]
async fn staff_change_every_seller_user_also_owners_and_those_without_a_company() {
    let fixture = TeamFixture::open().await;
    let staff = signed_in_support_staff(&fixture).await;
    for user in [
        fixture.user(&[(&fixture.bakery, OWNER)]).await,
        fixture.user(&[]).await,
    ] {
        let theirs = fixture.app.sign_in(&user).await;
        let email = format!("novo-{}@padaria.example", user.id.uuid().simple());
        let changed = staff
            .patch(
                &path(&user),
                json!({ "name": "Outro", "email": email, "password": "outra-senha-1" }),
            )
            .await;
        assert_eq!(
            (changed.status, changed.text("/name")),
            (200, "Outro"),
            "{}",
            changed.body
        );
        assert_eq!(theirs.get("/api/sellers/me").await.status, 401);
        // The new address does not sign in yet.
        let sign_in = json!({ "email": user.email, "password": "outra-senha-1" });
        assert_eq!(
            fixture
                .app
                .client()
                .post("/api/auth/sign-in", sign_in)
                .await
                .status,
            200
        );
        assert_eq!(delete(&staff, &path(&user), None).await.status, 204);
        assert_eq!(staff.get(&path(&user)).await.status, 404);
        assert_eq!(staff.patch(&path(&user), json!({})).await.status, 404);
        assert_eq!(delete(&staff, &path(&user), None).await.status, 404);
    }
}

#[tokio::test]
async fn a_staff_user_who_loses_the_role_during_the_request_changes_no_user() {
    let fixture = TeamFixture::open().await;
    let user = fixture.user(&[(&fixture.bakery, OWNER)]).await;
    let gone = fixture.app.admin(&[AdminRole::Sac]).await;
    let caller = StaffCaller {
        id: gone.id,
        allowed: &[AdminRole::Sac],
    };
    for concurrent_change in [
        "UPDATE admin_user SET roles = ARRAY['operator', 'financial']",
        "UPDATE admin_user SET roles = ARRAY['sac'], active = false",
    ] {
        fixture.app.execute(concurrent_change).await;
        let mut client = fixture.app.app.state.pool.get().await.expect("a connection");
        let transaction = client.transaction().await.expect("a transaction");
        let refused = team_member_delete(&*transaction, ActingUser::Staff(caller), user.id).await;
        assert!(
            matches!(refused, Err(UserError::ActorAccessEnded)),
            "{concurrent_change}: {refused:?}"
        );
    }
}

#[tokio::test]
async fn staff_give_and_take_access_to_any_company() {
    let fixture = TeamFixture::open().await;
    let user = fixture.user(&[(&fixture.bakery, OWNER)]).await;
    let staff = signed_in_support_staff(&fixture).await;
    let access = format!("{}/business/access", path(&user));
    let company = fixture.pharmacy.id.to_string();
    let given = staff
        .post(&access, json!({ "business_id": company, "role_id": OWNER.id() }))
        .await;
    assert_eq!(given.status, 200, "{}", given.body);
    assert_eq!(
        fixture.accesses(&user).await,
        json!([["Farmácia", "owner"], ["Padaria", "owner"]])
    );
    let changed = staff
        .post(
            &access,
            json!({ "business_id": company, "role_id": OPERATOR.id() }),
        )
        .await;
    assert_eq!(changed.status, 200);
    let taken = delete(&staff, &access, Some(json!({ "business_id": company }))).await;
    assert_eq!(taken.status, 204);
    let none = delete(&staff, &access, Some(json!({ "business_id": company }))).await;
    assert_eq!(none.status, 404);
    assert_eq!(fixture.accesses(&user).await, json!([["Padaria", "owner"]]));
    let unknown =
        json!({ "business_id": "biz_00000000-0000-4000-8000-000000000000", "role_id": OPERATOR.id() });
    assert_field(
        &staff.post(&access, unknown).await,
        "business_id",
        "Empresa não encontrada.",
    );
    let empty = staff.post(&access, json!({})).await;
    let expected = json!({ "business_id": ["Informe a empresa."], "role_id": ["Selecione o grupo."] });
    assert_eq!((empty.status, empty.at("/errors")), (422, &expected));
    let unknown = "/api/admin/sellers/usr_00000000-0000-4000-8000-000000000000/business/access";
    let missing = staff
        .post(
            unknown,
            json!({ "business_id": company, "role_id": OPERATOR.id() }),
        )
        .await;
    assert_eq!(missing.status, 404);
}

#[tokio::test]
async fn a_staff_request_sent_twice_under_one_key_creates_one_user() {
    let fixture = TeamFixture::open().await;
    let staff = signed_in_support_staff(&fixture)
        .await
        .with("idempotency-key", "chave-1");
    let body = form("dona@padaria.example", OWNER, &[&fixture.bakery]);
    let first = staff.post("/api/admin/sellers", body.clone()).await;
    let second = staff.post("/api/admin/sellers", body).await;
    assert_eq!((first.status, second.status), (201, 201));
    assert_eq!(first.body, second.body);
    assert_eq!(second.header("idempotent-replayed"), Some("true"));
    assert_eq!(fixture.app.count("SELECT count(*) FROM seller_user").await, 1);
    let sign_in = json!({ "email": "dona@padaria.example", "password": PASSWORD });
    assert_eq!(
        fixture
            .app
            .client()
            .post("/api/auth/sign-in", sign_in)
            .await
            .status,
        200
    );
}
