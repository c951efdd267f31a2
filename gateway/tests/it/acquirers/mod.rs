//! The acquirers of the checkout: which ones are asked to charge a payment, how staff set their order, their unsigned
//! notices, and refunds.

mod notices;
mod refunds;

use gateway_acquirers::port::Acquirer;
use gateway_identity::roles::AdminRole;
use ledger_domain::BusinessId;
use ledger_domain::sale::{PaymentType, Provider};
use serde_json::{Value, json};
use tokio_postgres::error::SqlState;

use crate::support::fake_acquirer::{FakeAcquirer, NO_ACQUIRER};
use crate::support::{Answer, Client, PARTS, TestApp};

const SETTINGS: &str = "/api/admin/settings/acquirers";

/// A gateway with four acquirers, of which Iugu and Valori take cards, and a signed-in owner of the platform.
async fn open() -> (TestApp, Client) {
    use PaymentType::{Boleto, Credit, Pix};
    let parts = PARTS;
    let app = TestApp::start_with(&NO_ACQUIRER, parts).await;
    let fake = |provider, payment_types, token_origin| -> Box<dyn Acquirer> {
        Box::new(FakeAcquirer {
            provider,
            payment_types,
            token_origin,
        })
    };
    let fakes = vec![
        fake(Provider::Barte, &[Pix], None),
        fake(
            Provider::Valori,
            &[Credit, Pix, Boleto],
            Some("http://127.0.0.1:8081"),
        ),
        fake(
            Provider::Iugu,
            &[Credit, Pix, Boleto],
            Some("https://api.iugu.com"),
        ),
        fake(Provider::Zoop, &[Pix, Boleto], None),
    ];
    app.app.state.acquirers.set(fakes, None);
    let owner = app.sign_in(&app.admin(&[AdminRole::Owner]).await).await;
    (app, owner)
}

/// Sets the acquirers for PIX on payment links: of one company, or of all companies. The revision is the one that the
/// caller read.
async fn set_pix(
    client: &Client,
    business_id: Option<BusinessId>,
    acquirers: Value,
    revision: i32,
) -> Answer {
    let body = json!({
        "business_id": business_id.map(|id| id.to_string()), "solution": 4, "payment_type": "pix",
        "acquirers": acquirers, "revision": revision,
    });
    client.post(SETTINGS, body).await
}

fn names(route: &Value) -> Vec<&str> {
    let listed = route["acquirers"].as_array().expect("a list");
    listed
        .iter()
        .map(|acquirer| acquirer["provider"].as_str().expect("a name"))
        .collect()
}

/// The acquirers that are asked to charge a payment to the company, in their order.
async fn asked(app: &TestApp, company: BusinessId, payment_type: PaymentType) -> Vec<Provider> {
    let client = app.database.client().await;
    let asked = app
        .app
        .state
        .acquirers
        .route(&client, company, payment_type)
        .await;
    asked.expect("the acquirers")
}

#[tokio::test]
async fn without_a_list_the_acquirers_that_take_the_type_are_asked_in_the_installation_s_order() {
    use PaymentType::{Boleto, Credit, Debit, Pix};
    use Provider::{Barte, Iugu, Valori, Zoop};
    let (app, owner) = open().await;
    let company = app.company("Padaria").await;
    assert_eq!(asked(&app, company.id, Credit).await, [Iugu, Valori]);
    assert_eq!(asked(&app, company.id, Pix).await, [Zoop, Iugu, Barte, Valori]);
    assert_eq!(asked(&app, company.id, Boleto).await, [Iugu, Zoop, Valori]);
    assert_eq!(asked(&app, company.id, Debit).await, []);
    let all = owner.get(SETTINGS).await;
    assert_eq!(all.status, 200, "{}", all.body);
    assert_eq!(
        all.at("/routes/1"),
        &json!({
            "solution": 4, "payment_type": "pix", "source": "installation", "valid_from": null, "set_by": null,
            "revision": 0, "acquirers": [
                {"provider": "zoop", "label": "Zoop", "usable": true}, {"provider": "iugu", "label": "Iugu", "usable": true},
                {"provider": "barte", "label": "Barte", "usable": true}, {"provider": "valori", "label": "Valori", "usable": true},
            ],
        })
    );
    let origins = app.app.state.acquirers.token_origins();
    assert_eq!(origins, ["http://127.0.0.1:8081", "https://api.iugu.com"]);
}

#[tokio::test]
async fn a_company_s_list_or_that_of_all_companies_decides_who_is_asked_and_in_which_order() {
    use PaymentType::{Boleto, Pix};
    use Provider::{Barte, Iugu, Valori, Zoop};
    let (app, owner) = open().await;
    let company = app.company("Padaria").await;
    let other = app.company("Farmácia").await;
    let general = set_pix(&owner, None, json!(["iugu", "zoop"]), 0).await;
    assert_eq!(general.status, 200, "{}", general.body);
    assert_eq!(
        (general.at("/source"), general.at("/revision")),
        (&json!("all"), &json!(1))
    );
    assert_eq!(general.text("/set_by"), "Bruno Lima");
    assert!(general.text("/valid_from").starts_with("2026-11-21T15:00:0"));
    let own = set_pix(&owner, Some(company.id), json!(["barte"]), 0).await;
    assert_eq!(
        (own.status, own.at("/source")),
        (200, &json!("company")),
        "{}",
        own.body
    );
    assert_eq!(asked(&app, company.id, Pix).await, [Barte]);
    assert_eq!(asked(&app, other.id, Pix).await, [Iugu, Zoop]);
    assert_eq!(
        asked(&app, company.id, Boleto).await,
        [Iugu, Zoop, Valori],
        "another type"
    );
    let of_company = owner.get(&format!("{SETTINGS}?business_id={}", company.id)).await;
    assert_eq!(names(of_company.at("/routes/1")), ["barte"]);
    assert_eq!(of_company.at("/companies/0/name"), "Padaria");
    let of_other = owner.get(&format!("{SETTINGS}?business_id={}", other.id)).await;
    assert_eq!(
        (of_other.at("/routes/1/source"), of_other.at("/routes/1/revision")),
        (&json!("all"), &json!(0))
    );

    // With an empty list, no acquirer is asked. Without a list, the company has that of all companies.
    assert_eq!(set_pix(&owner, Some(company.id), json!([]), 1).await.status, 200);
    assert_eq!(asked(&app, company.id, Pix).await, []);
    let withdrawn = set_pix(&owner, Some(company.id), Value::Null, 2).await;
    assert_eq!(
        (withdrawn.at("/source"), withdrawn.at("/revision")),
        (&json!("all"), &json!(3))
    );
    assert_eq!(asked(&app, company.id, Pix).await, [Iugu, Zoop]);
    assert!(
        owner
            .get(SETTINGS)
            .await
            .at("/companies")
            .as_array()
            .is_some_and(Vec::is_empty)
    );
    let withdrawn = set_pix(&owner, None, Value::Null, 1).await;
    assert_eq!(withdrawn.at("/source"), "installation");
    assert_eq!(asked(&app, company.id, Pix).await, [Zoop, Iugu, Barte, Valori]);
}

#[tokio::test]
async fn a_list_is_set_by_the_owner_from_its_latest_revision_with_configured_acquirers() {
    let (app, owner) = open().await;
    let company = app.company("Padaria").await;
    let admin = app.sign_in(&app.admin(&[AdminRole::Admin]).await).await;
    assert_eq!(admin.get(SETTINGS).await.status, 200);
    assert_eq!(set_pix(&admin, None, json!(["iugu"]), 0).await.status, 403);
    let sac = app.sign_in(&app.admin(&[AdminRole::Sac]).await).await;
    assert_eq!(sac.get(SETTINGS).await.status, 403);

    for (acquirers, message) in [
        (json!(["stone"]), "Escolha adquirentes da lista."),
        (json!(["iugu", "iugu"]), "Iugu aparece duas vezes."),
        (json!(["ceopag"]), "CeoPag não está configurada nesta instalação."),
    ] {
        let refused = set_pix(&owner, None, acquirers, 0).await;
        assert_eq!(
            (refused.status, refused.text("/errors/acquirers/0")),
            (422, message)
        );
    }
    let boleto = json!({
        "business_id": null, "solution": 4, "payment_type": "boleto", "acquirers": ["barte"], "revision": 0,
    });
    let refused = owner.post(SETTINGS, boleto).await;
    assert_eq!(refused.text("/errors/acquirers/0"), "Barte não recebe Boleto.");
    let refused = owner
        .post(SETTINGS, json!({ "business_id": "x", "solution": 1 }))
        .await;
    assert_eq!(
        refused.at("/errors"),
        &json!({
            "business_id": ["Empresa não encontrada."], "solution": ["Escolha uma solução da lista."],
            "payment_type": ["Escolha uma forma de pagamento da lista."], "acquirers": ["requerido"],
            "revision": ["requerido"],
        })
    );
    let unknown = format!("{SETTINGS}?business_id=biz_00000000-0000-4000-8000-000000000000");
    assert_eq!(owner.get(&unknown).await.status, 422);

    // Of two concurrent changes from the same revision, one is refused.
    let (first, second) = tokio::join!(
        set_pix(&owner, Some(company.id), json!(["iugu"]), 0),
        set_pix(&owner, Some(company.id), json!(["zoop"]), 0)
    );
    let mut both = [first, second];
    both.sort_by_key(|answer| answer.status);
    assert_eq!((both[0].status, both[1].status), (200, 409));
    assert_eq!(
        both[1].text("/message"),
        "Bruno Lima alterou as adquirentes de PIX enquanto você editava. Feche e abra de novo para ver a ordem atual."
    );
    // Saving the same list again is no change.
    let set_list = json!(names(&both[0].body));
    assert_eq!(
        set_pix(&owner, Some(company.id), set_list.clone(), 1)
            .await
            .at("/revision"),
        1
    );
    let history = owner.get(&format!("{SETTINGS}/history")).await;
    assert_eq!(history.at("/meta/total"), 1, "{}", history.body);
    assert_eq!(
        (history.at("/data/0/before"), history.at("/data/0/after")),
        (
            &json!({ "acquirers": null }),
            &json!({ "payment_type": "pix", "business": "Padaria", "acquirers": set_list })
        )
    );
}

#[tokio::test]
async fn the_configured_acquirers_are_shown_without_secrets() {
    let variables = [
        ("RAZAO_ACQUIRER_ZOOP_URL", "https://api.zoop.ws/"),
        ("RAZAO_ACQUIRER_ZOOP_KEY", "zpk_prod_0123456789"),
        ("RAZAO_ACQUIRER_ZOOP_ACCOUNT", "marketplace-0123456789"),
        ("RAZAO_ACQUIRER_ZOOP_SELLER", "seller-0123456789"),
        (
            "RAZAO_ACQUIRER_ZOOP_NOTICE_SECRETS",
            "path-secret-of-zoop-0123456789",
        ),
        ("RAZAO_ACQUIRER_IUGU_URL", "https://api.iugu.com/v1"),
        ("RAZAO_ACQUIRER_IUGU_KEY", "iugu-key-0123456789"),
        ("RAZAO_ACQUIRER_IUGU_ACCOUNT", "iugu-account-0123456789"),
        ("RAZAO_ACQUIRER_IUGU_TEST", "yes"),
        (
            "RAZAO_ACQUIRER_IUGU_NOTICE_SECRETS",
            "path-secret-of-iugu-0123456789",
        ),
    ];
    let parts = PARTS;
    let app = TestApp::start_with(&variables, parts).await;
    let owner = app.sign_in(&app.admin(&[AdminRole::Owner]).await).await;
    let shown = owner.get(SETTINGS).await;
    let acquirers = shown.at("/acquirers").as_array().expect("a list");
    let expected = json!([
        {"provider": "zoop", "label": "Zoop", "mode": "live", "host": "api.zoop.ws", "payment_types": ["pix", "boleto"]},
        {
            "provider": "iugu", "label": "Iugu", "mode": "test", "host": "api.iugu.com",
            "payment_types": acquirers[1]["payment_types"],
        },
        {
            "provider": "valori", "label": "Valori", "mode": "sandbox", "host": null,
            "payment_types": ["credit", "pix", "boleto"],
        },
    ]);
    assert_eq!(shown.at("/acquirers"), &expected);
    assert!(
        acquirers[1]["payment_types"]
            .as_array()
            .is_some_and(|types| types.contains(&json!("credit")))
    );
    // Keys, accounts, sellers and secrets end with these digits.
    let secrets = variables
        .iter()
        .filter(|(_, value)| value.ends_with("0123456789"));
    for (name, secret) in secrets {
        assert!(!shown.body.to_string().contains(secret), "{name}");
    }
    check_notice_addresses(&app, &shown.body.to_string());
}

/// Each acquirer has an address for its notices that ends with a secret. The text has neither the secret nor a key.
fn check_notice_addresses(app: &TestApp, text: &str) {
    let config = &app.app.state.config.acquirers;
    for acquirer in &config.configured {
        let secrets = config.notice_secrets.get();
        let secret = secrets.current(acquirer.provider).expect("a secret");
        let secret = std::str::from_utf8(secret).expect("text");
        let url = app
            .app
            .state
            .acquirers
            .notice_url(acquirer.provider)
            .expect("an address");
        assert!(
            url.0
                .ends_with(&format!("/api/webhooks/{}/{secret}", acquirer.provider.slug()))
        );
        assert!(!text.contains(acquirer.key.get().reveal().as_str()) && !text.contains(secret));
    }
}

#[tokio::test]
async fn the_table_of_lists_refuses_changes_deletions_and_invalid_rows() {
    let (app, owner) = open().await;
    assert_eq!(set_pix(&owner, None, json!(["valori"]), 0).await.status, 200);
    let client = app.database.client().await;
    let row = "business_id, solution, payment_type, number, providers, valid_from, set_by";
    let another =
        |values: &str| format!("INSERT INTO acquirer_route ({row}) SELECT {values} FROM acquirer_route");
    for (fault, refused) in [
        ("a deletion", "DELETE FROM acquirer_route".to_owned()),
        ("a truncation", "TRUNCATE acquirer_route".to_owned()),
        (
            "a change",
            "UPDATE acquirer_route SET providers = '{1}'".to_owned(),
        ),
        (
            "number 3 without a number 2",
            another("NULL, 4, 'pix', 3, '{1}', '2199-01-01', set_by"),
        ),
        (
            "a repeated provider",
            another("NULL, 4, 'pix', 2, '{1,1}', '2199-01-01', set_by"),
        ),
        (
            "a number that no provider can have",
            another("NULL, 4, 'pix', 2, '{0}', '2199-01-01', set_by"),
        ),
        (
            "a null provider",
            another("NULL, 4, 'pix', 2, '{NULL}', '2199-01-01', set_by"),
        ),
        (
            "a payment type that links do not take",
            another("NULL, 4, 'debit', 1, '{1}', '2199-01-01', set_by"),
        ),
        (
            "an instant in the past",
            another("NULL, 4, 'pix', 2, '{1}', '2020-01-01', set_by"),
        ),
    ] {
        let error = client.batch_execute(&refused).await.expect_err(fault);
        assert_eq!(
            error.code(),
            Some(&SqlState::CHECK_VIOLATION),
            "{fault}: {error:?}"
        );
    }
}
