//! A company's links: creating, reading and changing them, by the rules of its approval and its plan.

use serde_json::{Value, json};

use super::{LINKS, LinkFixture, assert_errors, form, path};

#[tokio::test]
async fn a_link_has_a_new_code_of_twelve_characters_and_its_audit_entry() {
    let fixture = LinkFixture::open().await;
    let link = fixture
        .link(json!({ "expires_on": "2026-12-31", "use_limit": 10 }))
        .await;
    let code = link["code"].as_str().expect("a code");
    assert!(
        code.len() == 12
            && code
                .bytes()
                .all(|byte| byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte)),
        "{code}"
    );
    assert_eq!(
        (&link["status"], &link["uses"], &link["opened"]),
        (&json!("active"), &json!(0), &json!(0))
    );
    let read = fixture.seller.get(&path(&link)).await;
    assert_eq!((read.status, &read.body), (200, &link));
    let log = fixture.audit_log().await;
    let (action, before, after) = &log[0];
    assert_eq!((log.len(), action.as_str(), before), (1, "create", &Value::Null));
    assert_eq!((&after["amount"], &after["code"]), (&json!(180_00), &json!(code)));
}

#[tokio::test]
async fn a_repeated_request_makes_one_link() {
    let fixture = LinkFixture::open().await;
    let seller = fixture.seller.clone().with("idempotency-key", "bolo-1");
    let first = seller.post(LINKS, form(json!({}))).await;
    let second = seller.post(LINKS, form(json!({}))).await;
    assert_eq!(
        (first.status, second.status, &second.body),
        (201, 201, &first.body)
    );
    assert_eq!(second.header("idempotent-replayed"), Some("true"));
    assert_eq!(fixture.app.count("SELECT count(*) FROM payment_link").await, 1);
}

#[tokio::test]
async fn a_change_is_audited_and_raises_the_version() {
    let fixture = LinkFixture::open().await;
    let link = fixture.link(json!({})).await;
    let open = json!({ "amount": null, "amount_min": 10_00, "amount_max": 500_00, "payer": "buyer" });
    let open = fixture.changed(&link, open).await;
    assert_eq!(
        (
            &open["amount"],
            &open["amount_min"],
            &open["payer"],
            &open["version"]
        ),
        (&Value::Null, &json!(10_00), &json!("buyer"), &json!(2))
    );
    let off = fixture.changed(&open, json!({ "active": false })).await;
    assert_eq!((&off["status"], &off["version"]), (&json!("inactive"), &json!(3)));
    let same = fixture.changed(&off, json!({ "active": false })).await;
    assert_eq!(same["version"], 3, "the same values are no change");
    let log = fixture.audit_log().await;
    let actions: Vec<_> = log.iter().map(|(action, ..)| action.as_str()).collect();
    assert_eq!(actions, ["create", "update", "disable"]);
    assert_eq!(log[2].1, json!({ "active": true, "version": 2 }));
    assert_eq!(log[2].2, json!({ "active": false, "version": 3 }));
    assert_eq!(log[1].1["amount"], 180_00);
}

#[tokio::test]
async fn a_change_of_an_older_version_is_a_409_that_names_the_changed_fields() {
    let fixture = LinkFixture::open().await;
    let link = fixture.link(json!({})).await;
    fixture
        .changed(&link, json!({ "amount": 200_00, "use_limit": 5 }))
        .await;
    let late = fixture.change(&link, json!({ "description": "Torta" })).await;
    assert_eq!(
        (late.status, late.text("/message")),
        (
            409,
            "Outra pessoa mudou este link enquanto você editava: limite de usos, valor. \
             Confira os valores atuais antes de salvar."
        )
    );
    let without = fixture
        .seller
        .patch(&path(&link), json!({ "active": false }))
        .await;
    assert_errors(&without, json!({ "version": ["Informe a versão lida do link."] }));
}

#[tokio::test]
async fn every_invalid_field_has_its_message() {
    let fixture = LinkFixture::open().await;
    let invalid = json!({ "description": "", "amount": 0, "payment_types": [], "installments_max": 22,
                          "expires_on": "2026-11-20", "use_limit": 0 });
    let refused = fixture.seller.post(LINKS, form(invalid)).await;
    assert_errors(
        &refused,
        json!({
            "amount": ["O valor deve ser de R$ 0,01 a R$ 99.999.999,99."],
            "description": ["Informe a descrição."],
            "expires_on": ["A validade deve ser hoje ou um dia futuro."],
            "installments_max": ["Deve ser um número de 1 a 21."],
            "payment_types": ["Selecione pelo menos uma forma de pagamento."],
            "use_limit": ["Deve ser um número de 1 a 1.000.000."],
        }),
    );
    let not_above_the_fee = json!({ "amount": 3_49, "payment_types": ["boleto"], "installments_max": 1 });
    assert_errors(
        &fixture.seller.post(LINKS, form(not_above_the_fee)).await,
        json!({ "amount": ["Com este valor, as taxas do plano não deixam nada a receber por boleto."] }),
    );
    // With the fees, the total would be above the greatest amount of a sale.
    let too_high_with_fees = json!({ "amount": 9_999_999_999_i64, "payer": "buyer" });
    assert_errors(
        &fixture.seller.post(LINKS, form(too_high_with_fees)).await,
        json!({ "amount": ["Neste plano, nenhum valor de venda resulta neste valor líquido por cartão e PIX."] }),
    );
}

#[tokio::test]
async fn a_company_without_a_plan_for_links_makes_none() {
    let fixture = LinkFixture::open().await;
    let refused = fixture.of_pharmacy().await.post(LINKS, form(json!({}))).await;
    assert_errors(
        &refused,
        json!({ "payment_types": ["A empresa não tem plano em vigor para links de pagamento."] }),
    );
}

#[tokio::test]
async fn only_an_approved_company_makes_links_or_switches_one_on() {
    let fixture = LinkFixture::open().await;
    let link = fixture.link(json!({})).await;
    for (approval, message) in [
        (
            "pending",
            "O cadastro da empresa ainda está em análise. Os links de pagamento ficam disponíveis depois da aprovação.",
        ),
        (
            "denied",
            "A empresa está negada ou deletada e não pode vender por link de pagamento.",
        ),
    ] {
        let sql = format!("UPDATE business SET approval = '{approval}' WHERE name = 'Padaria'");
        fixture.app.execute(&sql).await;
        let refused = fixture.seller.post(LINKS, form(json!({}))).await;
        assert_eq!((refused.status, refused.text("/message")), (409, message));
    }
    let off = fixture.changed(&link, json!({ "active": false })).await;
    assert_eq!(fixture.change(&off, json!({ "active": true })).await.status, 409);
    assert_eq!(fixture.app.count("SELECT count(*) FROM payment_link").await, 1);
}

#[tokio::test]
async fn a_link_of_another_company_is_a_404() {
    let fixture = LinkFixture::open().await;
    let link = fixture.link(json!({})).await;
    let other = fixture.of_pharmacy().await;
    assert_eq!(other.get(&path(&link)).await.status, 404);
    let change = json!({ "active": false, "version": 1 });
    assert_eq!(other.patch(&path(&link), change).await.status, 404);
    for unknown in ["x", "lnk_00000000-0000-4000-8000-000000000000"] {
        assert_eq!(
            fixture.seller.get(&format!("{LINKS}/{unknown}")).await.status,
            404
        );
    }
    assert_eq!(other.get(LINKS).await.at("/meta/total"), &json!(0));
}
