//! Staff manage staff users: the list, which roles can be given, and who may change an owner. Staff cannot lock out
//! themselves, nor all admins.

use gateway_identity::roles::AdminRole::{self, Admin, Owner, Sac};
use reqwest::Method;
use serde_json::{Value, json};

use super::assert_message;
use crate::spreadsheets::sheet::download;
use crate::support::{Answer, Client, PASSWORD, TestApp, User};

pub(super) const PATH: &str = "/api/admin/users";
const ONESELF: &str = "Você não pode desativar nem excluir seu próprio usuário, nem mudar o grupo dele.";
const OWNERS_ONLY: &str = "Só um proprietário pode alterar outro proprietário.";
pub(super) const LAST_ADMIN: &str = "Este é o último administrador ativo.";

pub(super) fn path(user: &User) -> String {
    format!("{PATH}/{}", user.id)
}

pub(super) fn form(email: &str, roles: &[&str]) -> Value {
    json!({ "name": "Célia Prado", "email": email, "password": PASSWORD, "roles": roles })
}

pub(super) async fn delete(client: &Client, user: &User) -> Answer {
    client.send(Method::DELETE, &path(user), None).await
}

/// A signed-in admin user with these roles.
pub(super) async fn staff(app: &TestApp, roles: &[AdminRole]) -> (User, Client) {
    let user = app.admin(roles).await;
    let client = app.sign_in(&user).await;
    (user, client)
}

#[tokio::test]
async fn a_created_staff_user_can_sign_in_and_is_asked_to_confirm_the_address() {
    let app = TestApp::start().await;
    let (_, admin) = staff(&app, &[Admin]).await;
    let made = admin
        .post(PATH, form("Celia@Razao.example", &["sac", "commercial"]))
        .await;
    assert_eq!(made.status, 201, "{}", made.body);
    assert_eq!(made.at("/roles"), &json!(["commercial", "sac"]));
    assert_eq!(
        (made.at("/editable"), made.at("/removable")),
        (&json!(true), &json!(true))
    );
    let sign_in = json!({ "email": "celia@razao.example", "password": PASSWORD });
    assert_eq!(
        app.staff_client()
            .post("/api/auth/admin/sign-in", sign_in)
            .await
            .status,
        200
    );
    let received = app.last_email_to("celia@razao.example").await;
    assert!(received.link().contains("/verificar-email?code="));
}

#[tokio::test]
async fn all_invalid_fields_are_named_at_once() {
    let app = TestApp::start().await;
    let (_, admin) = staff(&app, &[Admin]).await;
    let empty = admin.post(PATH, json!({})).await;
    let expected = json!({
        "name": ["Nome é requerido."], "email": ["Email é requerido."], "password": ["Senha é requerida."],
        "roles": ["Selecione o grupo."],
    });
    assert_eq!((empty.status, empty.at("/errors")), (422, &expected));
    for roles in [&["owner"][..], &["operator"], &["chefe"], &["sac", "owner"]] {
        let refused = admin.post(PATH, form("celia@razao.example", roles)).await;
        assert_eq!(refused.status, 422);
        assert_eq!(
            refused.at("/errors"),
            &json!({ "roles": ["Grupo desconhecido."] }),
            "{roles:?}"
        );
    }
    let (taken, _) = staff(&app, &[Sac]).await;
    let refused = admin.post(PATH, form(&taken.email, &["sac"])).await;
    assert_message(
        &refused,
        422,
        "Não foi possível salvar com estes dados. Confira cada um; se estiverem certos, fale com o suporte.",
    );
    assert!(refused.body.get("errors").is_none());
}

#[tokio::test]
async fn staff_are_listed_by_name_and_searched_and_the_spreadsheet_has_the_same_rows() {
    let app = TestApp::start().await;
    let (own, client) = staff(&app, &[Admin]).await;
    let (sac, _) = staff(&app, &[Sac]).await;
    let (owner, _) = staff(&app, &[Owner, Sac]).await;
    for (user, name, active) in [
        (&own, "Érica", true),
        (&sac, "eduardo", false),
        (&owner, "Zoé", true),
    ] {
        let sql = format!(
            "UPDATE admin_user SET name = '{name}', active = {active} WHERE id = '{}'",
            user.id.uuid()
        );
        app.execute(&sql).await;
    }
    for (query, expected) in [
        ("", &["eduardo", "Érica", "Zoé"][..]),
        ("?order=desc", &["Zoé", "Érica", "eduardo"]),
        ("?search=ERICA", &["Érica"]),
        ("?search=rica", &[]),
        ("?roles=sac", &["eduardo", "Zoé"]),
        ("?roles=admin,owner", &["Érica", "Zoé"]),
        ("?active=0", &["eduardo"]),
        ("?perPage=2&page=2", &["Zoé"]),
    ] {
        let list = client.get(&format!("{PATH}{query}")).await;
        let rows = list.at("/data").as_array().expect("rows");
        let names: Vec<&str> = rows
            .iter()
            .map(|row| row["name"].as_str().expect("a name"))
            .collect();
        assert_eq!(names, expected, "{query}");
    }
    let list = client.get(PATH).await;
    let reported = |field: &str| -> Vec<&Value> {
        list.at("/data")
            .as_array()
            .expect("rows")
            .iter()
            .map(|row| &row[field])
            .collect()
    };
    assert_eq!(reported("is_self"), [false, true, false]);
    // An admin can change neither an owner nor, in this list, themselves.
    assert_eq!(reported("editable"), [true, false, false]);
    assert_eq!(reported("removable"), [true, false, false]);
    let sheet = download(&client, PATH).await;
    assert_eq!(
        sheet.titles,
        ["Nome", "E-mail", "Grupos", "Status", "Último acesso"]
    );
    let rows: Vec<[String; 3]> = sheet
        .rows
        .iter()
        .map(|row| [0, 2, 3].map(|place| row[place].to_string()))
        .collect();
    assert_eq!(
        rows,
        [
            ["eduardo", "SAC", "Inativo"],
            ["Érica", "Administrador", "Ativo"],
            ["Zoé", "Proprietário, SAC", "Ativo"]
        ]
    );
}

#[tokio::test]
async fn a_change_takes_effect_at_once() {
    let app = TestApp::start().await;
    let (_, admin) = staff(&app, &[Admin]).await;
    let (other, theirs) = staff(&app, &[Admin]).await;
    assert_eq!(theirs.get(PATH).await.status, 200);
    let regrouped = admin.patch(&path(&other), json!({ "roles": ["sac"] })).await;
    assert_eq!(
        (regrouped.status, regrouped.at("/roles")),
        (200, &json!(["sac"])),
        "{}",
        regrouped.body
    );
    assert_eq!(theirs.get(PATH).await.status, 403);
    assert_eq!(theirs.get("/api/admin/me").await.status, 200);
    let off = admin.patch(&path(&other), json!({ "active": false })).await;
    assert_eq!(off.status, 200);
    assert_eq!(theirs.get("/api/admin/me").await.status, 401);
    assert_eq!(
        admin.patch(&path(&other), json!({ "active": true })).await.status,
        200
    );
    let theirs = app.sign_in(&other).await;
    assert_eq!(
        admin
            .patch(&path(&other), json!({ "password": "outra-senha-1" }))
            .await
            .status,
        200
    );
    assert_eq!(theirs.get("/api/admin/me").await.status, 401);
    assert_eq!(app.try_sign_in(&other, "outra-senha-1").await.status, 200);
    let renamed = admin
        .patch(
            &path(&other),
            json!({ "name": "Outro", "email": "outro@razao.example" }),
        )
        .await;
    assert_eq!(
        (renamed.text("/name"), renamed.text("/pending_email")),
        ("Outro", "outro@razao.example")
    );
    assert_eq!(delete(&admin, &other).await.status, 204);
    assert_eq!(admin.get(&path(&other)).await.status, 404);
    assert_eq!(delete(&admin, &other).await.status, 404);
    // The address can be used again.
    let again = admin.post(PATH, form(&other.email, &["sac"])).await;
    assert_eq!(again.status, 201);
}

#[tokio::test]
async fn no_user_can_deactivate_delete_or_regroup_themselves() {
    let app = TestApp::start().await;
    app.admin(&[Owner, Admin]).await;
    for roles in [&[Admin][..], &[Owner]] {
        let (own, client) = staff(&app, roles).await;
        for body in [
            json!({ "active": false }),
            json!({ "roles": ["sac"] }),
            json!({ "roles": ["admin", "sac"] }),
        ] {
            assert_message(&client.patch(&path(&own), body).await, 409, ONESELF);
        }
        assert_message(&delete(&client, &own).await, 409, ONESELF);
        for body in [
            json!({ "name": "Outro" }),
            json!({ "email": "outro@razao.example" }),
            json!({ "password": "outra-senha-1" }),
        ] {
            let message = "Mude seu nome, seu e-mail e sua senha em Minha conta.";
            assert_message(&client.patch(&path(&own), body).await, 409, message);
        }
        let names: Vec<&str> = roles.iter().map(|role| role.as_str()).collect();
        let same = json!({ "name": "Bruno Lima", "email": own.email, "active": true, "roles": names });
        assert_eq!(client.patch(&path(&own), same).await.status, 200);
        assert_eq!(client.get("/api/admin/me").await.status, 200);
    }
}

#[tokio::test]
async fn only_an_owner_can_change_an_owner() {
    let app = TestApp::start().await;
    let (target, theirs) = staff(&app, &[Owner, Sac]).await;
    let (_, admin) = staff(&app, &[Admin]).await;
    for body in [
        json!({ "name": "Outro" }),
        json!({ "email": "outro@razao.example" }),
        json!({ "password": "outra-senha-1" }),
        json!({ "active": false }),
        json!({ "roles": ["sac"] }),
    ] {
        assert_message(&admin.patch(&path(&target), body).await, 403, OWNERS_ONLY);
    }
    assert_message(&delete(&admin, &target).await, 403, OWNERS_ONLY);
    assert_eq!(theirs.get("/api/admin/me").await.status, 200);
    let (_, owner) = staff(&app, &[Owner]).await;
    // An owner keeps that role if the request lists it. Another owner removes it by leaving it out.
    let kept = owner
        .patch(&path(&target), json!({ "roles": ["owner", "financial"] }))
        .await;
    assert_eq!(kept.at("/roles"), &json!(["owner", "financial"]));
    let taken = owner
        .patch(&path(&target), json!({ "roles": ["financial"] }))
        .await;
    assert_eq!((taken.status, taken.at("/roles")), (200, &json!(["financial"])));
    let back = owner.patch(&path(&target), json!({ "roles": ["owner"] })).await;
    assert_eq!(back.at("/errors"), &json!({ "roles": ["Grupo desconhecido."] }));
    assert_eq!(
        admin
            .patch(&path(&target), json!({ "name": "Outro" }))
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn the_last_active_admin_and_the_last_active_owner_cannot_be_removed() {
    let app = TestApp::start().await;
    let (only_owner, owner) = staff(&app, &[Owner]).await;
    let (only_admin, admin) = staff(&app, &[Admin]).await;
    let inactive = app.admin(&[Admin, Owner]).await;
    app.execute(&format!(
        "UPDATE admin_user SET active = false WHERE id = '{}'",
        inactive.id.uuid()
    ))
    .await;
    for body in [json!({ "active": false }), json!({ "roles": ["sac"] })] {
        assert_message(&owner.patch(&path(&only_admin), body).await, 409, LAST_ADMIN);
    }
    assert_message(&delete(&owner, &only_admin).await, 409, LAST_ADMIN);
    assert_eq!(
        owner.get(&path(&only_admin)).await.at("/removable"),
        &json!(false)
    );
    assert_eq!(
        owner
            .patch(&path(&only_admin), json!({ "roles": ["admin", "sac"] }))
            .await
            .status,
        200
    );
    // Only an owner may change an owner, and no owner may change themselves.
    assert_message(&delete(&admin, &only_owner).await, 403, OWNERS_ONLY);
    assert_message(&delete(&owner, &only_owner).await, 409, ONESELF);
    assert_eq!(delete(&owner, &inactive).await.status, 204);
}
