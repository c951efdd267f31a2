//! Staff create a company with a new seller user, or for an existing user.

use gateway_identity::roles::AdminRole;
use serde_json::{Value, json};

use crate::support::{Client, TestApp};

const PATH: &str = "/api/admin/sellers/create";

/// A gateway with one company, whose receiving plan is the default, and signed-in staff.
async fn open() -> (TestApp, Client) {
    let app = TestApp::start().await;
    app.company("Padaria").await;
    app.execute("UPDATE receiving_plan SET is_default = true").await;
    let staff = app.sign_in(&app.admin(&[AdminRole::Commercial]).await).await;
    (app, staff)
}

fn form(document: &str) -> Value {
    json!({
        "seller": {
            "name": "Bia Lima", "email": "bia@loja.example", "password": "uma-senha-longa",
            "document": "529.982.247-25",
        },
        "business": {
            "type": "PJ", "document": document, "name": "Loja da Bia Ltda", "statement_descriptor": "LOJA DA BIA",
            "email": "contato@loja.example", "phone": "11999998888", "mcc": "5691",
            "representative_name": "Bia Lima", "representative_document": "52998224725",
        },
        "address": {
            "address": "Praça da Sé", "number": "1", "neighborhood": "Sé", "city": "São Paulo", "state": "SP",
            "postal_code": "01001000",
        },
        "bank_account": {
            "bank_code": "001", "type": "SAVINGS", "routing_number": "3201", "routing_digit": "X",
            "account_number": "48210", "account_digit": "3",
        },
    })
}

#[tokio::test]
async fn a_company_is_created_with_its_owner_and_waits_for_approval() {
    let (app, staff) = open().await;
    let created = staff.post(PATH, form("12.ABC.345/01DE-35")).await;
    assert_eq!(created.status, 201, "{}", created.body);
    for (place, value) in [
        ("/approval", json!("pending")),
        ("/document", json!("12ABC34501DE35")),
        ("/type", json!("PJ")),
        ("/addresses/0/postal_code", json!("01001000")),
        ("/bank_accounts/0/is_default", json!(true)),
        ("/users/0/email", json!("bia@loja.example")),
        ("/users/0/role", json!("owner")),
        ("/version", json!(1)),
    ] {
        assert_eq!(created.at(place), &value, "{place}");
    }
    let mails = "SELECT count(*) FROM mail";
    assert_eq!(app.count(mails).await, 1, "a welcome");
}

#[tokio::test]
async fn a_second_company_belongs_to_the_same_seller() {
    let (_app, staff) = open().await;
    let first = staff.post(PATH, form("12.ABC.345/01DE-35")).await;
    let mut second = form("");
    second["seller_id"] = first.at("/users/0/id").clone();
    second.as_object_mut().expect("a form").remove("seller");
    second["business"] =
        json!({ "type": "PF", "document": "529.982.247-25", "name": "Bia Lima", "birth_date": "1990-05-20" });
    let created = staff.post(PATH, second.clone()).await;
    assert_eq!(created.status, 201, "{}", created.body);
    assert_eq!(created.at("/users/0/id"), first.at("/users/0/id"));
    assert_eq!(created.at("/birth_date"), &json!("1990-05-20"));
    second["business"]["document"] = json!("111.444.777-35");
    second["seller_id"] = json!("usr_00000000-0000-4000-8000-000000000000");
    let unknown = staff.post(PATH, second).await;
    assert_eq!(
        (unknown.status, unknown.at("/errors/seller_id")),
        (422, &json!(["Usuário não encontrado."]))
    );
}

#[tokio::test]
async fn a_known_document_is_an_error_and_creates_nothing() {
    let (app, staff) = open().await;
    staff.post(PATH, form("12.ABC.345/01DE-35")).await;
    let mut again = form("12ABC34501DE35");
    again["seller"]["email"] = json!("outra@loja.example");
    let refused = staff.post(PATH, again).await;
    assert_eq!(
        (refused.status, refused.at("/errors/business.document")),
        (422, &json!(["Este CNPJ já está cadastrado."]))
    );
    assert_eq!(app.rows("business").await, 2, "Padaria and the first one");
    assert_eq!(
        app.rows("seller_user WHERE email = 'outra@loja.example'").await,
        0
    );
}

#[tokio::test]
async fn a_repeat_under_the_same_key_creates_one_company() {
    let (app, staff) = open().await;
    let keyed = staff.clone().with("idempotency-key", "nova-1");
    let first = keyed.post(PATH, form("12.ABC.345/01DE-35")).await;
    let second = keyed.post(PATH, form("12.ABC.345/01DE-35")).await;
    assert_eq!((second.status, second.at("/id")), (201, first.at("/id")));
    assert_eq!(app.rows("business").await, 2, "Padaria and the first one");
}

#[tokio::test]
async fn a_plan_that_is_not_in_force_is_refused_and_creates_nothing() {
    let (app, staff) = open().await;
    // The plan has no version, so it is in force at no time.
    app.execute(
        "INSERT INTO plan (id, description, solution)
         VALUES ('0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01', 'Depois', 1)",
    )
    .await;
    let mut with_plan = form("11.222.333/0001-81");
    with_plan["plans"] = json!([{ "solution_id": 1, "plan_id": "pln_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01" }]);
    let refused = staff.post(PATH, with_plan).await;
    assert_eq!(refused.status, 422, "{}", refused.body);
    let message = json!(["Escolha planos ativos e em vigor, um por solução."]);
    assert_eq!(refused.at("/errors/plans"), &message);
    let rows = "SELECT count(*) FROM business WHERE document = '11222333000181'";
    assert_eq!(app.count(rows).await, 0);
    assert_eq!(app.rows("seller_user").await, 0);
}

#[tokio::test]
async fn a_day_of_birth_in_another_format_or_before_1900_is_refused() {
    let (_app, staff) = open().await;
    let unreadable = "A data deve estar no formato AAAA-MM-DD.";
    for (day, message) in [
        ("-9999-1-01", unreadable),
        ("-900-01-01", unreadable),
        ("1990-5-020", unreadable),
        ("1899-12-31", "Confira o ano de nascimento."),
    ] {
        let mut bad = form("529.982.247-25");
        bad["business"] =
            json!({ "type": "PF", "document": "529.982.247-25", "name": "Bia Lima", "birth_date": day });
        let refused = staff.post(PATH, bad).await;
        assert_eq!(
            (refused.status, refused.at("/errors/business.birth_date")),
            (422, &json!([message])),
            "{day}"
        );
    }
}

#[tokio::test]
async fn every_part_reports_its_invalid_fields() {
    let (_app, staff) = open().await;
    let empty = staff.post(PATH, json!({})).await;
    let expected = json!({
        "seller.name": ["Nome é requerido."], "seller.email": ["Email é requerido."],
        "seller.password": ["Senha é requerida."], "seller.document": ["CPF é requerido."],
        "business.type": ["Selecione uma opção"], "business.name": ["Nome é requerido."],
        "address.address": ["requerido"], "address.postal_code": ["requerido"],
        "address.neighborhood": ["requerido"], "address.city": ["requerido"],
        "address.state": ["O Estado é requerido."],
    });
    assert_eq!((empty.status, empty.at("/errors")), (422, &expected));
    for (kind, document, message) in [
        ("PJ", "", "Informe o CNPJ."),
        ("PJ", "11.222.333/0001-82", "CNPJ inválido."),
        ("PF", "", "CPF é requerido."),
        ("PF", "11111111111", "CPF inválido."),
        ("PF", "11.222.333/0001-81", "CPF inválido."),
    ] {
        let mut bad = form(document);
        bad["business"]["type"] = json!(kind);
        let refused = staff.post(PATH, bad).await;
        assert_eq!(
            refused.at("/errors/business.document"),
            &json!([message]),
            "{document}"
        );
    }
    let mut minor = form("52998224725");
    minor["business"] = json!({ "type": "PF", "document": "52998224725", "name": "Bia", "birth_date": "2015-01-01", "representative_name": "Ana" });
    minor["bank_account"] = json!({});
    let refused = staff.post(PATH, minor).await;
    assert_eq!(
        refused.at("/errors/business.birth_date"),
        &json!(["A pessoa deve ter 18 anos ou mais."])
    );
    assert!(refused.at("/errors/business.representative_name").is_array());
    assert_eq!(
        refused.at("/errors/bank_account.bank_code"),
        &json!(["O Banco é requerido."])
    );
}

#[tokio::test]
async fn the_address_of_a_new_company_is_in_the_state_of_its_postal_code() {
    let (app, staff) = open().await;
    let mut wrong = form("11222333000181");
    wrong["address"]["postal_code"] = json!("80010-000");
    let before = app.rows("business").await;
    let refused = staff.post(PATH, wrong).await;
    let expected = json!({ "address.state": ["O CEP 80010-000 é de PR. Confira o CEP e o estado."] });
    assert_eq!((refused.status, refused.at("/errors")), (422, &expected));
    assert_eq!(app.rows("business").await, before);
}

#[tokio::test]
async fn the_owners_address_may_have_a_domain_with_letters_outside_ascii() {
    let (app, staff) = open().await;
    let mut accented = form("11222333000181");
    accented["seller"]["email"] = json!("bia@padaria-são-joão.example");
    let created = staff.post(PATH, accented).await;
    assert_eq!(created.status, 201, "{}", created.body);
    let stored = "bia@xn--padaria-so-joo-yhbe.example";
    assert_eq!(created.text("/users/0/email"), stored);
    for email in ["bia@padaria-são-joão.example", stored] {
        let sign_in = json!({ "email": email, "password": "uma-senha-longa" });
        let signed_in = app.client().post("/api/auth/sign-in", sign_in).await;
        assert_eq!(signed_in.status, 200, "{email}: {}", signed_in.body);
    }
}
