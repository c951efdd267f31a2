//! The billing of terminals: the price of each, and its past periods.

use gateway_identity::roles::AdminRole;
use serde_json::{Value, json};

use super::TerminalFixture;

#[tokio::test]
async fn a_rental_costs_the_terminals_own_price_or_the_platforms() {
    let fixture = TerminalFixture::open().await;
    let terminal = fixture.enable("PDV1").await;
    let at_platform_price = fixture
        .bill(&terminal, &fixture.bakery, json!({ "billing_type": 1 }))
        .await;
    assert_eq!(
        (
            at_platform_price.at("/rental_price"),
            at_platform_price.at("/monthly_price")
        ),
        (&Value::Null, &json!(4990))
    );
    let own_price = json!({ "billing_type": 1, "acquisition": 1, "rental_price": 5990 });
    let own_price = fixture.bill(&terminal, &fixture.bakery, own_price).await;
    assert_eq!(
        (own_price.at("/rental_price"), own_price.at("/monthly_price")),
        (&json!(5990), &json!(5990))
    );
    // Billing type 0 is Adesão. It has no monthly price.
    let adhesion = fixture
        .bill(
            &terminal,
            &fixture.bakery,
            json!({ "billing_type": 0, "acquisition": 1 }),
        )
        .await;
    assert_eq!(
        (adhesion.at("/acquisition"), adhesion.at("/monthly_price")),
        (&json!(1), &Value::Null)
    );
    let detail = fixture.detail(&terminal).await;
    let prices: Vec<&Value> = detail["billings"]
        .as_array()
        .expect("billings")
        .iter()
        .map(|billing| &billing["monthly_price"])
        .collect();
    assert_eq!(prices, [&Value::Null, &json!(5990), &json!(4990), &Value::Null]);
    let actions: Vec<String> = fixture
        .audit_log()
        .await
        .into_iter()
        .map(|entry| entry.0)
        .collect();
    assert_eq!(
        actions,
        ["create", "change-billing", "change-billing", "change-billing"]
    );
}

#[tokio::test]
async fn invalid_billings_are_refused_on_their_fields() {
    let fixture = TerminalFixture::open().await;
    let terminal = fixture.enable("PDV1").await;
    for (body, errors) in [
        (json!({}), json!({ "billing_type": ["Selecione uma opção"] })),
        (
            json!({ "billing_type": 2, "acquisition": 3, "rental_price": "x" }),
            json!({
                "billing_type": ["Selecione uma opção"], "acquisition": ["Selecione uma opção"],
                "rental_price": ["O valor deve ser numérico"],
            }),
        ),
        (
            json!({ "billing_type": 1, "acquisition": 0 }),
            json!({ "acquisition": ["Uma maquininha comprada não paga aluguel."] }),
        ),
        (
            json!({ "billing_type": 0, "rental_price": 100 }),
            json!({ "rental_price": ["Só o aluguel tem mensalidade."] }),
        ),
    ] {
        let refused = fixture.bill(&terminal, &fixture.bakery, body).await;
        assert_eq!((refused.status, refused.at("/errors")), (422, &errors));
    }
    let path = format!("/api/admin/terminals/{}", terminal["id"].as_str().expect("an id"));
    let refused = fixture.staff.patch(&path, json!({ "billing_type": 0 })).await;
    assert_eq!(
        refused.at("/errors"),
        &json!({ "business_id": ["Informe a empresa."] })
    );
    let of_stranger = fixture
        .bill(&terminal, &fixture.pharmacy, json!({ "billing_type": 0 }))
        .await;
    assert_eq!(of_stranger.status, 404, "the company never had the terminal");
}

#[tokio::test]
async fn a_past_period_has_the_price_of_its_time() {
    let fixture = TerminalFixture::open().await;
    let terminal = fixture.enable("PDV1").await;
    let rented = fixture
        .bill(&terminal, &fixture.bakery, json!({ "billing_type": 1 }))
        .await;
    assert_eq!(rented.status, 200, "{}", rented.body);
    let owner = fixture
        .app
        .sign_in(&fixture.app.admin(&[AdminRole::Owner]).await)
        .await;
    for (revision, price) in [(0, 5990), (1, 6990)] {
        let setting = json!({ "key": "terminal_rental", "value": price, "revision": revision });
        let set = owner.post("/api/admin/settings/platform", setting).await;
        assert_eq!(set.status, 200, "{}", set.body);
        if revision == 0 {
            let own = json!({ "billing_type": 1, "rental_price": 3000 });
            assert_eq!(fixture.bill(&terminal, &fixture.bakery, own).await.status, 200);
        }
    }
    let detail = fixture.detail(&terminal).await;
    let billings = detail["billings"].as_array().expect("billings");
    let prices: Vec<_> = billings.iter().map(|billing| &billing["monthly_price"]).collect();
    // Newest first: the terminal's own price, the platform's price of that time, the platform's first price, Adesão.
    // The platform's last price does not apply to a terminal with its own.
    assert_eq!(prices, [&json!(3000), &json!(5990), &json!(4990), &Value::Null]);
    for pair in billings.windows(2) {
        assert_eq!(pair[1]["until"], pair[0]["since"], "without a gap");
    }
}
