//! The list of users, its order and its search; and which data of a user each caller sees.

use chrono::{DateTime, SubsecRound, Utc};
use serde_json::{Value, json};

use super::{ADMIN, OPERATOR, OWNER, TeamFixture, acting_for};
use crate::spreadsheets::sheet::download;
use crate::support::{Answer, Client};

fn names(answer: &Answer) -> Vec<&str> {
    assert_eq!(answer.status, 200, "{}", answer.body);
    let rows = answer.at("/data").as_array().expect("rows");
    rows.iter()
        .map(|row| row["name"].as_str().expect("a name"))
        .collect()
}

/// A bakery with an owner called Érica and three other users, and a user of the pharmacy.
async fn bakery() -> (TeamFixture, Client) {
    let fixture = TeamFixture::open().await;
    let owner = fixture.user(&[(&fixture.bakery, OWNER)]).await;
    let admin = fixture.user(&[(&fixture.bakery, ADMIN)]).await;
    let one = fixture.user(&[(&fixture.bakery, OPERATOR)]).await;
    let both = fixture
        .user(&[(&fixture.bakery, OPERATOR), (&fixture.pharmacy, ADMIN)])
        .await;
    let foreign = fixture.user(&[(&fixture.pharmacy, OWNER)]).await;
    let client = fixture.app.sign_in(&owner).await;
    for (user, name, email, document, active) in [
        (
            &owner,
            "Érica Alves",
            "erica@padaria.example",
            "52998224725",
            true,
        ),
        (&admin, "Eduardo Sá", "edu@padaria.example", "15350946056", true),
        (
            &one,
            "João da Conceição",
            "joao@padaria.example",
            "39053344705",
            false,
        ),
        (&both, "ana Lima", "ana@farmacia.example", "86288366757", true),
        (&foreign, "Bia Nunes", "bia@farmacia.example", "29537995593", true),
    ] {
        let sql = format!(
            "UPDATE seller_user SET name = '{name}', email = '{email}', document = '{document}', active = {active}
              WHERE id = '{}'",
            user.id.uuid()
        );
        fixture.app.execute(&sql).await;
    }
    (fixture, client)
}

#[tokio::test]
async fn only_the_team_is_listed_sorted_by_name_ignoring_case_and_accents() {
    let (_fixture, client) = bakery().await;
    let list = client.get("/api/business/users").await;
    let by_name = ["ana Lima", "Eduardo Sá", "Érica Alves", "João da Conceição"];
    assert_eq!(names(&list), by_name);
    assert_eq!(
        (list.at("/meta/total"), list.at("/meta/page")),
        (&json!(4), &json!(1))
    );
    let backwards = client.get("/api/business/users?order=desc").await;
    assert!(names(&backwards).into_iter().rev().eq(by_name));
    let second = client.get("/api/business/users?perPage=3&page=2").await;
    assert_eq!(names(&second), ["João da Conceição"]);
    assert_eq!(second.at("/meta/total_pages"), &json!(2));
}

#[tokio::test]
async fn users_are_searched_by_name_e_mail_and_cpf_and_filtered_by_role_and_status() {
    let (_fixture, client) = bakery().await;
    for (query, expected) in [
        ("search=conceicao", &["João da Conceição"][..]),
        ("search=%C3%89RICA", &["Érica Alves"]),
        ("search=sa", &["Eduardo Sá"]),
        ("search=farmacia.example", &["ana Lima"]),
        ("search=390.533", &["João da Conceição"]),
        ("search=39053344705", &["João da Conceição"]),
        ("search=edu@padaria", &["Eduardo Sá"]),
        ("search=alves%20padaria", &["Érica Alves"]),
        ("search=rica", &[]),
        ("search=ninguem", &[]),
        ("roles=admin", &["Eduardo Sá"]),
        ("roles=owner,admin", &["Eduardo Sá", "Érica Alves"]),
        ("roles=operator&active=1", &["ana Lima"]),
        ("active=0", &["João da Conceição"]),
    ] {
        let list = client.get(&format!("/api/business/users?{query}")).await;
        assert_eq!(names(&list), expected, "{query}");
        assert_eq!(list.at("/meta/total"), &json!(expected.len()), "{query}");
    }
    let wrong = client
        .get("/api/business/users?roles=chefe&active=2&order=up&page=0")
        .await;
    assert_eq!(wrong.status, 422);
    let fields: Vec<&String> = wrong.at("/errors").as_object().expect("fields").keys().collect();
    assert_eq!(fields, ["active", "order", "page", "roles"]);
}

#[tokio::test]
async fn companies_that_the_caller_does_not_manage_are_only_counted() {
    let fixture = TeamFixture::open().await;
    let (bakery, pharmacy, bookshop) = (&fixture.bakery, &fixture.pharmacy, &fixture.bookshop);
    let user = fixture
        .user(&[(bakery, OPERATOR), (pharmacy, OPERATOR), (bookshop, OPERATOR)])
        .await;
    // The caller is an operator of the bookshop, and so manages no user there.
    let client = fixture
        .signed_in(&[(bakery, ADMIN), (pharmacy, OWNER), (bookshop, OPERATOR)])
        .await;
    let seen = client.get(&format!("/api/business/users/{}", user.id)).await;
    let businesses = seen.at("/businesses").as_array().expect("companies");
    let reported: Vec<Value> = businesses
        .iter()
        .map(|business| json!([business["name"], business["role"], business["changeable"]]))
        .collect();
    assert_eq!(
        reported,
        [
            json!(["Farmácia", "operator", true]),
            json!(["Padaria", "operator", true])
        ]
    );
    assert_eq!(seen.at("/other_businesses"), &json!(1));
    assert_eq!(
        (seen.at("/editable"), seen.at("/is_self")),
        (&json!(false), &json!(false))
    );
    assert_eq!(
        (seen.text("/role"), seen.at("/role_id")),
        ("operator", &json!(OPERATOR.id()))
    );
    assert_eq!(
        (seen.at("/last_sign_in_at"), seen.at("/email_verified")),
        (&Value::Null, &json!(false))
    );
    let text = seen.body.to_string();
    assert!(
        !text.contains("password_hash") && !text.contains("argon2"),
        "{text}"
    );
    assert_eq!(seen.body.get("password"), None);
}

#[tokio::test]
async fn the_last_sign_in_is_shown() {
    let fixture = TeamFixture::open().await;
    let user = fixture.user(&[(&fixture.bakery, OPERATOR)]).await;
    let owner = fixture.signed_in(&[(&fixture.bakery, OWNER)]).await;
    let before = fixture.app.app.state.clock.now().trunc_subsecs(6);
    fixture.app.sign_in(&user).await;
    let after = fixture.app.app.state.clock.now();
    let seen = owner.get(&format!("/api/business/users/{}", user.id)).await;
    let at: DateTime<Utc> = seen.text("/last_sign_in_at").parse().expect("an instant");
    assert!(before <= at && at <= after, "{at}");
}

#[tokio::test]
async fn a_user_of_another_company_is_a_404() {
    let fixture = TeamFixture::open().await;
    let foreign = fixture.user(&[(&fixture.pharmacy, OPERATOR)]).await;
    let client = fixture.signed_in(&[(&fixture.bakery, OWNER)]).await;
    let unknown = "usr_00000000-0000-4000-8000-000000000000".to_owned();
    for id in [foreign.id.to_string(), unknown, "x".to_owned()] {
        for path in [
            format!("/api/business/users/{id}"),
            format!("/api/business/users/{id}/history"),
        ] {
            let answer = client.get(&path).await;
            assert_eq!(answer.status, 404, "{path}");
        }
        let path = format!("/api/business/sellers/{id}");
        assert_eq!(client.patch(&path, json!({ "name": "X" })).await.status, 404);
        assert_eq!(super::delete(&client, &path, None).await.status, 404);
    }
    // The user is visible from the company that they belong to, and not from another company of the caller.
    let both = fixture
        .signed_in(&[(&fixture.bakery, OWNER), (&fixture.pharmacy, ADMIN)])
        .await;
    let path = format!("/api/business/users/{}", foreign.id);
    assert_eq!(both.get(&path).await.status, 404);
    assert_eq!(acting_for(&both, &fixture.pharmacy).get(&path).await.status, 200);
}

#[tokio::test]
async fn the_spreadsheet_has_the_rows_of_the_list() {
    let (_fixture, client) = bakery().await;
    let sheet = download(&client, "/api/business/users?order=desc&active=1").await;
    let titles = [
        "Nome",
        "E-mail",
        "CPF",
        "Grupo",
        "Empresas",
        "Status",
        "Último acesso",
    ];
    assert_eq!(sheet.titles, titles);
    let list = client.get("/api/business/users?order=desc&active=1").await;
    assert_eq!(sheet.rows.len(), 3);
    for (row, name) in sheet.rows.iter().zip(names(&list)) {
        assert_eq!(row[0].to_string(), name);
    }
    // Without the last sign-in.
    let text = |row: usize| -> Vec<String> { sheet.rows[row][..6].iter().map(ToString::to_string).collect() };
    let erica = [
        "Érica Alves",
        "erica@padaria.example",
        "529.982.247-25",
        "Proprietário",
        "Padaria",
        "Ativo",
    ];
    assert_eq!(text(0), erica);
    // Ana also has access to the pharmacy, which the owner does not manage.
    assert_eq!(text(2)[3..5], ["Operador", "Padaria, mais 1"]);
}
