//! A company for its own users: what operators see, and what owners change.

use gateway_identity::roles::SellerRole;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Client, Company, TestApp};

struct OwnFixture {
    app: TestApp,
    company: Company,
    owner: Client,
}

impl OwnFixture {
    async fn open() -> Self {
        let app = TestApp::start().await;
        let company = app.company("Padaria").await;
        let owner = app
            .sign_in(&app.seller(&[(&company, SellerRole::Owner)]).await)
            .await;
        Self { app, company, owner }
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/business/{}{rest}", self.company.id)
    }
}

fn account() -> Value {
    json!({
        "bank_code": "341", "type": "CHECKING", "routing_number": "0071", "account_number": "111",
        "account_digit": "1",
    })
}

#[tokio::test]
async fn operators_see_four_fields_only() {
    let fixture = OwnFixture::open().await;
    let operator = fixture
        .app
        .seller(&[(&fixture.company, SellerRole::Operator)])
        .await;
    let operator = fixture.app.sign_in(&operator).await;
    let seen = operator.get(&fixture.path("")).await;
    let fields: Vec<&String> = seen.body.as_object().expect("an object").keys().collect();
    assert_eq!(fields, ["document", "id", "name", "statement_descriptor"]);
    let whole = fixture.owner.get(&fixture.path("")).await;
    assert_eq!(
        (whole.at("/version"), whole.at("/approval")),
        (&json!(1), &json!("enabled"))
    );
    let denied = operator.patch(&fixture.path(""), json!({ "version": 1 })).await;
    assert_eq!(denied.status, 403);
}

#[tokio::test]
async fn owners_change_the_descriptor_the_contact_and_the_address() {
    let fixture = OwnFixture::open().await;
    let change = json!({
        "version": 1, "statement_descriptor": "PADARIA", "email": "a@padaria.example", "phone": "1133334444",
        "address": {
            "address": "Praça da Sé", "neighborhood": "Sé", "city": "São Paulo", "state": "SP",
            "postal_code": "01001-000",
        },
        // Only staff change these.
        "name": "Outra", "approval": "denied",
    });
    let changed = fixture.owner.patch(&fixture.path(""), change.clone()).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    assert_eq!(changed.text("/name"), "Padaria");
    assert_eq!(changed.text("/approval"), "enabled");
    assert_eq!(changed.text("/addresses/0/city"), "São Paulo");
    let stale = fixture.owner.patch(&fixture.path(""), change.clone()).await;
    assert_eq!(stale.status, 409, "version 1 is not the latest");
    // A new address changes the version too, so a repeat of the request does not add another one.
    let address = json!({ "version": changed.at("/version"), "address": change["address"] });
    let added = fixture.owner.patch(&fixture.path(""), address.clone()).await;
    assert_eq!(
        (added.status, added.at("/addresses").as_array().map(Vec::len)),
        (200, Some(2))
    );
    let repeated = fixture.owner.patch(&fixture.path(""), address).await;
    assert_eq!(
        (repeated.status, repeated.text("/message")),
        (
            409,
            "Outra pessoa mudou este cadastro enquanto você editava: endereço. Confira os valores atuais antes de salvar."
        )
    );
    let invalid = fixture
        .owner
        .patch(
            &fixture.path(""),
            json!({ "version": 2, "statement_descriptor": "123" }),
        )
        .await;
    assert_eq!(
        (
            invalid.status,
            invalid.at("/errors/statement_descriptor").is_array()
        ),
        (422, true)
    );
    let mut elsewhere = change["address"].clone();
    elsewhere["postal_code"] = json!("80010-000");
    let elsewhere = json!({ "version": added.at("/version"), "address": elsewhere });
    let refused = fixture.owner.patch(&fixture.path(""), elsewhere).await;
    assert_eq!(
        refused.at("/errors/state"),
        &json!(["O CEP 80010-000 é de PR. Confira o CEP e o estado."]),
        "{}",
        refused.body
    );
    let other = fixture.app.company("Outra").await;
    let path = format!("/api/business/{}", other.id);
    assert_eq!(fixture.owner.get(&path).await.status, 404);
}

#[tokio::test]
async fn owners_manage_bank_accounts() {
    let fixture = OwnFixture::open().await;
    let path = fixture.path("/bank-accounts");
    let empty = fixture.owner.post(&path, json!({})).await;
    assert_eq!(
        (empty.status, empty.at("/errors/bank_code")),
        (422, &json!(["O Banco é requerido."]))
    );
    let added = fixture.owner.post(&path, account()).await;
    assert_eq!(added.status, 201, "{}", added.body);
    assert_eq!(added.text("/bank_accounts/0/bank_name"), "ITAÚ UNIBANCO S.A.");
    let first = added.text("/bank_accounts/0/id").to_owned();
    let mut other = account();
    other["account_number"] = json!("222");
    let added = fixture.owner.post(&path, other).await;
    let second = added.text("/bank_accounts/1/id").to_owned();
    let chosen = fixture
        .owner
        .post(&format!("{path}/{second}/default"), json!({}))
        .await;
    assert_eq!(
        (chosen.status, chosen.text("/bank_accounts/0/id")),
        (200, second.as_str()),
        "the default account comes first"
    );
    let removed = fixture
        .owner
        .send(Method::DELETE, &format!("{path}/{first}"), None)
        .await;
    assert_eq!(removed.status, 204);
    let company = fixture.owner.get(&fixture.path("")).await;
    assert_eq!(
        company.at("/bank_accounts").as_array().map(Vec::len),
        Some(1),
        "{}",
        company.body
    );
}
