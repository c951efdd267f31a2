//! Staff manage companies: the list, one company, its change, addresses and bank accounts.

use gateway_identity::roles::{AdminRole, SellerRole};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::database::only_with_tables;
use crate::support::movements::{MovementsFixture, rows};
use crate::support::{Client, Company, Sale, TestApp};

struct StaffFixture {
    app: TestApp,
    company: Company,
    staff: Client,
}

impl StaffFixture {
    async fn open() -> Self {
        let app = TestApp::start().await;
        let company = app.company("Padaria Aurora").await;
        let staff = app.sign_in(&app.admin(&[AdminRole::Sac]).await).await;
        Self { app, company, staff }
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/admin/businesses/{}{rest}", self.company.id)
    }

    async fn patch(&self, body: Value) -> crate::support::Answer {
        self.staff.patch(&self.path(""), body).await
    }
}

fn address() -> Value {
    json!({
        "address": "Praça da Sé", "number": "100", "complement": "", "reference": "Ao lado do metrô",
        "neighborhood": "Sé", "city": "São Paulo", "state": "SP", "postal_code": "01001-000",
    })
}

fn account(number: &str) -> Value {
    json!({ "data": {
        "bank_code": "341", "type": "CHECKING", "routing_number": "0071", "account_number": number,
        "account_digit": "x",
    } })
}

#[tokio::test]
async fn the_list_is_searched_filtered_and_sorted() {
    let fixture = MovementsFixture::open().await;
    fixture
        .app
        .execute("UPDATE business SET approval = 'denied' WHERE name LIKE 'Padaria%'")
        .await;
    let names = async |query: &str| -> Vec<String> {
        let found = fixture.staff.get(&format!("/api/admin/businesses?{query}")).await;
        assert_eq!(found.status, 200, "{}", found.body);
        let name = |row: &Value| row["name"].as_str().expect("a name").to_owned();
        rows(&found.body).iter().map(name).collect()
    };
    let (padaria, farmacia) = ("Padaria Aurora", "Farmácia São João");
    assert_eq!(names("sort=name&order=asc").await, [farmacia, padaria]);
    assert_eq!(names("sort=name").await, [padaria, farmacia], "desc by default");
    assert_eq!(names("search=sao%20farm").await, [farmacia]);
    assert_eq!(names("search=aurora&status=denied").await, [padaria]);
    assert!(names("search=aurora&status=enabled").await.is_empty());
    assert_eq!(names("status=denied&type=PJ").await, [padaria]);
    assert!(names("type=PF").await.is_empty());
    let page = fixture
        .staff
        .get("/api/admin/businesses?perPage=1&page=2&sort=name&order=asc")
        .await;
    assert_eq!(
        (page.at("/meta/total"), page.text("/data/0/name")),
        (&json!(2), padaria)
    );
    for bad in ["sort=age", "status=open", "type=XX", "order=up", "perPage=0"] {
        let refused = fixture.staff.get(&format!("/api/admin/businesses?{bad}")).await;
        assert_eq!(refused.status, 422, "{bad}");
    }
}

#[tokio::test]
async fn a_company_is_shown_with_its_plans_users_and_latest_sales() {
    let fixture = MovementsFixture::open().await;
    let company = fixture
        .staff
        .get(&format!("/api/admin/businesses/{}", fixture.company.id))
        .await;
    assert_eq!(company.status, 200, "{}", company.body);
    assert_eq!(company.at("/version"), &json!(1));
    assert_eq!(company.at("/plans/0/description"), &json!("Padaria Aurora"));
    assert_eq!(company.at("/users/0/role"), &json!("owner"));
    assert_eq!(
        company.at("/latest_sales").as_array().map(Vec::len),
        Some(2),
        "{}",
        company.body
    );
}

#[tokio::test]
async fn the_users_of_a_company_are_sorted_by_name() {
    let StaffFixture { app, company, staff } = StaffFixture::open().await;
    for name in ["Carla", "ana", "Bruno"] {
        let user = app.seller(&[(&company, SellerRole::Operator)]).await;
        app.execute(&format!(
            "UPDATE seller_user SET name = '{name}' WHERE email = '{}'",
            user.email
        ))
        .await;
    }
    let found = staff.get(&format!("/api/admin/businesses/{}", company.id)).await;
    let names = ["/users/0/name", "/users/1/name", "/users/2/name"].map(|field| found.text(field));
    assert_eq!(names, ["ana", "Bruno", "Carla"], "{}", found.body);
}

#[tokio::test]
async fn a_change_is_stored_with_its_entry_in_the_audit_log() {
    let fixture = StaffFixture::open().await;
    let change = json!({
        "version": 1, "name": " Padaria da Ana ", "statement_descriptor": "PADARIA ANA", "trade_name": "Ana",
        "email": "Contato@Padaria.example", "phone": "(11) 3333-4444", "mcc": "5462",
        "representative_name": "Ana Souza", "representative_document": "529.982.247-25",
    });
    let changed = fixture.patch(change).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    for (field, value) in [
        ("version", json!(2)),
        ("name", json!("Padaria da Ana")),
        ("statement_descriptor", json!("PADARIA ANA")),
        ("email", json!("contato@padaria.example")),
        ("phone", json!("1133334444")),
        ("mcc", json!("5462")),
        ("representative_document", json!("52998224725")),
    ] {
        assert_eq!(changed.at(&format!("/{field}")), &value, "{field}");
    }
    let cleared = fixture.patch(json!({ "version": 2, "mcc": "" })).await;
    assert_eq!((cleared.status, cleared.at("/mcc")), (200, &Value::Null));
    let history = fixture.staff.get(&fixture.path("/history")).await;
    assert_eq!(history.at("/data/0/before"), &json!({ "mcc": "5462" }));
    assert_eq!(history.at("/data/0/after"), &json!({ "mcc": null, "version": 3 }));
    assert_eq!(history.at("/data/1/action"), &json!("update"));
    assert_eq!(history.at("/data/1/before/name"), &json!("Padaria Aurora"));
    let nothing = fixture
        .patch(json!({ "version": 3, "name": "Padaria da Ana" }))
        .await;
    assert_eq!(
        nothing.at("/version"),
        &json!(3),
        "an unchanged company keeps its version"
    );
}

#[tokio::test]
async fn a_companys_phone_is_read_as_people_paste_it() {
    let fixture = StaffFixture::open().await;
    let mut version = json!(1);
    for (pasted, digits) in [
        ("+55 11 98765-4321", "11987654321"),
        ("5511987654322", "11987654322"),
        ("011 98765-4323", "11987654323"),
        ("0800 123 4567", "08001234567"),
        ("（１１）９８７６５-４３２４", "11987654324"),
    ] {
        let changed = fixture
            .patch(json!({ "version": version, "phone": pasted }))
            .await;
        assert_eq!(
            (changed.status, changed.text("/phone")),
            (200, digits),
            "{pasted}: {}",
            changed.body
        );
        version = changed.at("/version").clone();
    }
    let foreign = fixture
        .patch(json!({ "version": version, "phone": "+1 415 555 2671" }))
        .await;
    assert_eq!(
        (foreign.status, foreign.text("/errors/phone/0")),
        (
            422,
            "Informe um telefone do Brasil. Números de outros países não são aceitos."
        )
    );
}

#[tokio::test]
async fn invalid_fields_are_reported_together() {
    let fixture = StaffFixture::open().await;
    let change = json!({
        "name": " ", "statement_descriptor": "AÇOUGUE", "email": "x", "phone": "12", "mcc": "1",
        "representative_document": "123",
    });
    let refused = fixture.patch(change).await;
    assert_eq!(refused.status, 422);
    for (field, message) in [
        ("version", "Informe a versão lida do cadastro."),
        ("name", "Nome é requerido."),
        ("email", "Email inválido."),
        ("phone", "Informe o telefone com DDD."),
        ("mcc", "O MCC tem 4 números."),
        ("representative_document", "CPF inválido."),
    ] {
        assert_eq!(refused.at(&format!("/errors/{field}")), &json!([message]));
    }
    // The company as it is decides about these, so they are reported once each field is valid by itself.
    for (field, value, message) in [
        ("approval", "pending", "Escolha Aprovado, Negado ou Deletado."),
        (
            "birth_date",
            "1990-01-01",
            "Só pessoa física tem data de nascimento.",
        ),
    ] {
        let refused = fixture.patch(json!({ "version": 1, field: value })).await;
        assert_eq!(refused.at("/errors"), &json!({ field: [message] }));
    }
    let plan = json!({ "version": 1, "receiving_plan_id": "00000000-0000-4000-8000-000000000000" });
    let refused = fixture.patch(plan).await;
    assert_eq!(
        refused.at("/errors/receiving_plan_id"),
        &json!(["Escolha um plano de recebimento ativo."])
    );
}

#[tokio::test]
async fn a_change_of_a_stale_version_is_a_conflict_that_names_the_changed_fields() {
    let fixture = StaffFixture::open().await;
    fixture.patch(json!({ "version": 1, "mcc": "5462" })).await;
    fixture
        .patch(json!({ "version": 2, "name": "Padaria Nova" }))
        .await;
    let stale = fixture.patch(json!({ "version": 1, "name": "Outra" })).await;
    assert_eq!(stale.status, 409);
    assert_eq!(
        stale.text("/message"),
        "Outra pessoa mudou este cadastro enquanto você editava: MCC, nome. Confira os valores atuais antes de salvar."
    );
    let company = fixture.staff.get(&fixture.path("")).await;
    assert_eq!(company.text("/name"), "Padaria Nova");
}

#[tokio::test]
async fn an_approval_by_staff_releases_the_holds_at_once() {
    let fixture = StaffFixture::open().await;
    fixture
        .app
        .execute("UPDATE business SET approval = 'pending'")
        .await;
    fixture
        .app
        .capture(&fixture.company, &Sale::card().days_ago(75))
        .await;
    fixture.app.settle_due().await;
    let held = "SELECT sum(held_by_staff)::int8 FROM business_head";
    assert_eq!(fixture.app.count(held).await, 190_00, "two installments");
    fixture.app.until_projected().await;
    let admin = fixture
        .app
        .sign_in(&fixture.app.admin(&[AdminRole::Admin]).await)
        .await;
    let body = json!({ "version": 1, "approval": "enabled", "reason": "Conhecida." });
    let approved = admin.patch(&fixture.path(""), body).await;
    assert_eq!((approved.status, approved.text("/approval")), (200, "enabled"));
    crate::support::wait::until("the hold is ended", async || fixture.app.count(held).await == 0).await;
    let again = fixture
        .patch(json!({ "version": 2, "approval": "pending" }))
        .await;
    assert_eq!(again.status, 422, "a decision is not taken back");
}

/// The read model of sales may still show a sale as open that has failed since.
#[tokio::test]
async fn a_deletion_is_not_decided_on_a_list_of_sales_that_is_behind() {
    only_with_tables!();
    let fixture = StaffFixture::open().await;
    let sale = Sale::card().days_ago(1);
    fixture.app.create_sale(&fixture.company, &sale).await;
    fixture.app.until_projected().await;
    let body = json!({ "version": 1, "approval": "deleted", "reason": "Pedido da empresa." });
    let refused = fixture.patch(body.clone()).await;
    assert_eq!(
        (
            refused.status,
            refused.text("/message").contains("vendas em aberto")
        ),
        (409, true)
    );
    fixture.app.stop_read_model("sales").await;
    fixture.app.fail(&fixture.company, &sale, "Cartão recusado").await;
    let unknown = fixture.patch(body.clone()).await;
    assert_eq!(unknown.status, 503, "{}", unknown.body);
    fixture.app.continue_read_models().await;
    let deleted = fixture.patch(body).await;
    assert_eq!(
        (deleted.status, deleted.text("/approval")),
        (200, "deleted"),
        "{}",
        deleted.body
    );
}

#[tokio::test]
async fn a_company_with_a_receivable_balance_is_not_deleted() {
    let fixture = StaffFixture::open().await;
    let empty = fixture.app.company("Loja Vazia").await;
    fixture
        .app
        .capture(&fixture.company, &Sale::card().days_ago(1))
        .await;
    let refused = fixture
        .patch(json!({ "version": 1, "approval": "deleted", "reason": "Pedido da empresa." }))
        .await;
    assert_eq!(
        (refused.status, refused.text("/message")),
        (
            409,
            "A empresa não pode ser deletada enquanto tiver: saldo a receber."
        )
    );
    let path = format!("/api/admin/businesses/{}", empty.id);
    let body = json!({ "version": 1, "approval": "deleted", "reason": "Pedido da empresa." });
    let deleted = fixture.staff.patch(&path, body).await;
    assert_eq!((deleted.status, deleted.text("/approval")), (200, "deleted"));
}

#[tokio::test]
async fn addresses_are_added_and_replaced() {
    let fixture = StaffFixture::open().await;
    let empty = fixture.staff.post(&fixture.path("/addresses"), json!({})).await;
    let expected = json!({
        "address": ["requerido"], "postal_code": ["requerido"], "neighborhood": ["requerido"], "city": ["requerido"],
        "state": ["O Estado é requerido."],
    });
    assert_eq!((empty.status, empty.at("/errors")), (422, &expected));
    let added = fixture.staff.post(&fixture.path("/addresses"), address()).await;
    assert_eq!(
        (added.status, added.at("/addresses/0/complement")),
        (201, &Value::Null)
    );
    assert_eq!(added.text("/addresses/0/postal_code"), "01001000");
    let id = added.text("/addresses/0/id").to_owned();
    let mut moved = address();
    moved["number"] = json!("200");
    let path = fixture.path(&format!("/addresses/{id}"));
    let replaced = fixture.staff.patch(&path, moved.clone()).await;
    assert_eq!(
        (replaced.status, replaced.text("/addresses/0/number")),
        (200, "200")
    );
    let other = fixture.app.company("Outra").await;
    let of_other = format!("/api/admin/businesses/{}/addresses/{id}", other.id);
    assert_eq!(fixture.staff.patch(&of_other, moved).await.status, 404);
    let history = fixture.staff.get(&fixture.path("/history")).await;
    let actions = [history.text("/data/0/action"), history.text("/data/1/action")];
    assert_eq!(actions, ["change-address", "add-address"]);
}

#[tokio::test]
async fn a_change_of_a_stale_address_is_a_conflict() {
    let fixture = StaffFixture::open().await;
    let versioned = |version: i32, number: &str| {
        let mut body = address();
        body["version"] = json!(version);
        body["number"] = json!(number);
        body
    };
    let added = fixture
        .staff
        .post(&fixture.path("/addresses"), versioned(1, "100"))
        .await;
    assert_eq!((added.status, added.at("/version")), (201, &json!(2)));
    let path = fixture.path(&format!("/addresses/{}", added.text("/addresses/0/id")));
    let first = fixture.staff.patch(&path, versioned(2, "200")).await;
    assert_eq!((first.status, first.at("/version")), (200, &json!(3)));
    let message = "Outra pessoa mudou este cadastro enquanto você editava: endereço. \
                   Confira os valores atuais antes de salvar.";
    for stale in [
        fixture.staff.patch(&path, versioned(2, "300")).await,
        fixture
            .staff
            .post(&fixture.path("/addresses"), versioned(2, "300"))
            .await,
        fixture.patch(json!({ "version": 2, "mcc": "5462" })).await,
    ] {
        assert_eq!((stale.status, stale.text("/message")), (409, message));
    }
    let same = fixture.staff.patch(&path, versioned(3, "200")).await;
    assert_eq!(
        same.at("/version"),
        &json!(3),
        "an unchanged address writes nothing"
    );
    let history = fixture.staff.get(&fixture.path("/history")).await;
    assert_eq!(history.at("/data/0/after/version"), &json!(3));
}

#[tokio::test]
async fn a_company_has_at_most_20_addresses() {
    let fixture = StaffFixture::open().await;
    let path = fixture.path("/addresses");
    for _ in 0..20 {
        assert_eq!(fixture.staff.post(&path, address()).await.status, 201);
    }
    let refused = fixture.staff.post(&path, address()).await;
    let message = "A empresa já tem 20 endereços. Edite um deles em vez de adicionar outro.";
    assert_eq!((refused.status, refused.text("/message")), (409, message));
}

#[tokio::test]
async fn bank_accounts_are_added_chosen_and_removed() {
    let fixture = StaffFixture::open().await;
    let path = fixture.path("/bank-accounts");
    let empty = fixture.staff.post(&path, json!({})).await;
    let expected = json!({
        "account_number": ["requerido"], "account_digit": ["requerido"], "routing_number": ["requerido"],
        "bank_code": ["O Banco é requerido."], "type": ["O tipo de conta é requerido."],
    });
    assert_eq!((empty.status, empty.at("/errors")), (422, &expected));
    let first = fixture.staff.post(&path, account("111")).await;
    assert_eq!(
        (first.status, first.at("/bank_accounts/0/is_default")),
        (201, &json!(true))
    );
    let again = fixture.staff.post(&path, account("111")).await;
    assert_eq!(again.status, 422, "the company has this account");
    let second = fixture.staff.post(&path, account("222")).await;
    let (old, new) = (
        second.text("/bank_accounts/0/id").to_owned(),
        second.text("/bank_accounts/1/id").to_owned(),
    );
    let remove_default = fixture
        .staff
        .send(Method::DELETE, &format!("{path}/{old}"), None)
        .await;
    assert_eq!(
        remove_default.status, 409,
        "the default account, while there is another one"
    );
    let chosen = fixture
        .staff
        .post(&format!("{path}/{new}/default"), json!({}))
        .await;
    assert_eq!(
        (chosen.status, chosen.text("/bank_accounts/0/id")),
        (200, new.as_str())
    );
    let removed = fixture
        .staff
        .send(Method::DELETE, &format!("{path}/{old}"), None)
        .await;
    assert_eq!(removed.status, 204);
    let removed = fixture
        .staff
        .send(Method::DELETE, &format!("{path}/{new}"), None)
        .await;
    assert_eq!(removed.status, 204, "the last one, although it is the default");
    let gone = fixture
        .staff
        .send(Method::DELETE, &format!("{path}/{new}"), None)
        .await;
    assert_eq!(gone.status, 404);
}

#[tokio::test]
async fn a_bank_account_is_taken_with_and_without_data() {
    let fixture = StaffFixture::open().await;
    let account = |number: &str| {
        json!({ "bank_code": "341", "type": "CHECKING", "routing_number": "0071", "account_number": number,
                "account_digit": "6" })
    };
    let path = fixture.path("/bank-accounts");
    // As section 7 of the specification writes the call, and flat.
    for (count, body) in [
        (1, json!({ "data": account("0012345") })),
        (2, account("0012346")),
    ] {
        let added = fixture.staff.post(&path, body).await;
        assert_eq!(added.status, 201, "{}", added.body);
        assert_eq!(added.at("/bank_accounts").as_array().map(Vec::len), Some(count));
    }
    for empty in [json!({}), json!({ "data": {} })] {
        let refused = fixture.staff.post(&path, empty).await;
        assert_eq!(
            (refused.status, refused.at("/errors/bank_code/0")),
            (422, &json!("O Banco é requerido."))
        );
    }
}

#[tokio::test]
async fn a_parameter_that_a_list_does_not_have_is_refused() {
    let fixture = StaffFixture::open().await;
    for path in [
        "/api/admin/holidays?search=natal",
        "/api/admin/terminals?serial=1",
        "/api/admin/me?x=1",
    ] {
        let refused = fixture.staff.get(path).await;
        let name = path
            .split_once('?')
            .and_then(|(_, query)| query.split_once('='))
            .map(|(name, _)| name);
        let error = refused.at(&format!("/errors/{}/0", name.unwrap_or_default()));
        assert_eq!(
            (refused.status, error),
            (422, &json!("Este parâmetro não existe nesta consulta.")),
            "{path}"
        );
    }
    assert_eq!(
        fixture
            .staff
            .get("/api/admin/terminals?serial_number=1")
            .await
            .status,
        200
    );
    // Who may not read a list is not told what it has.
    assert_eq!(
        fixture
            .app
            .staff_client()
            .get("/api/admin/holidays?search=natal")
            .await
            .status,
        401
    );
}

#[tokio::test]
async fn an_address_is_in_the_state_of_its_postal_code() {
    let fixture = StaffFixture::open().await;
    let mut wrong = address();
    wrong["postal_code"] = json!("80010-000");
    let refused = fixture
        .staff
        .post(&fixture.path("/addresses"), wrong.clone())
        .await;
    let expected = json!({ "state": ["O CEP 80010-000 é de PR. Confira o CEP e o estado."] });
    assert_eq!((refused.status, refused.at("/errors")), (422, &expected));
    wrong["state"] = json!("PR");
    assert_eq!(
        fixture
            .staff
            .post(&fixture.path("/addresses"), wrong)
            .await
            .status,
        201
    );
}
