//! Manual transfers, holds and releases by staff: their messages, effects and entries in the audit log.

use ledger_domain::transfer::{TransferKind, TransferStatus};
use serde_json::{Value, json};

use super::{HOLDS, MANUAL, release};
use crate::support::PASSWORD;
use crate::withdrawals::{Balances, WithdrawalFixture, request};

/// The form of a manual debit of R$ 120,00 (`direction` is `out` by default), with some fields changed.
fn manual_transfer(fixture: &WithdrawalFixture, change: Value) -> Value {
    let mut body = json!({
        "business_id": fixture.company.id, "amount": 120_00, "description": "Bobinas de papel", "password": PASSWORD,
    });
    body.as_object_mut()
        .expect("an object")
        .extend(change.as_object().expect("an object").clone());
    body
}

/// The form of a hold.
fn hold(fixture: &WithdrawalFixture, amount: i64) -> Value {
    json!({ "business_id": fixture.company.id, "amount": amount, "reason": "Vendas em análise" })
}

#[tokio::test]
async fn a_manual_debit_debits_the_balance_and_the_seller_sees_its_description() {
    let fixture = WithdrawalFixture::open().await;
    let made = fixture
        .staff
        .post(MANUAL, manual_transfer(&fixture, json!({})))
        .await;
    assert_eq!(made.status, 201, "{}", made.body);
    let expected = [
        ("kind", json!(TransferKind::Adjustment)),
        ("status", json!(TransferStatus::Approved)),
        ("amount", json!(120_00)),
        ("fee", json!(0)),
        ("direction", json!("out")),
        ("description", json!("Bobinas de papel")),
        ("destination", Value::Null),
        ("destination_details", Value::Null),
        ("by_hand", json!(true)),
    ];
    for (field, value) in expected {
        assert_eq!(made.at(&format!("/{field}")), &value, "{field}");
    }
    assert_eq!(made.text("/requested_by/name"), "Bruno Lima");
    assert_eq!(fixture.balances().await, Balances::available(880_00));
    let listed = fixture.seller.get("/api/balance/transfers").await;
    assert_eq!(listed.text("/data/0/description"), "Bobinas de papel");
    assert_eq!(
        listed.at("/data/0/requested_by"),
        &Value::Null,
        "sellers do not see which staff user it was"
    );
    assert_eq!(
        listed.at("/data/0/author"),
        &json!({ "kind": "staff", "name": null })
    );
    assert_eq!(
        made.at("/author"),
        &json!({ "kind": "staff", "name": "Bruno Lima" })
    );
    assert_eq!(
        fixture
            .audit_entries_count("make-manual-transfer", made.text("/id"))
            .await,
        1
    );
}

#[tokio::test]
async fn a_manual_credit_adds_to_the_balance() {
    let fixture = WithdrawalFixture::open().await;
    let made = fixture
        .staff
        .post(
            MANUAL,
            manual_transfer(&fixture, json!({ "direction": "in", "amount": 50 })),
        )
        .await;
    assert_eq!(
        (made.status, made.at("/direction")),
        (201, &json!("in")),
        "{}",
        made.body
    );
    assert_eq!(fixture.balances().await, Balances::available(1_000_50));
}

#[tokio::test]
async fn invalid_fields_of_a_manual_transfer_have_the_specified_messages() {
    let fixture = WithdrawalFixture::open().await;
    let refusals = [
        (
            json!({ "amount": 99 }),
            "amount",
            "Valor não pode ser menor que: R$ 1,00",
        ),
        (json!({ "amount": null }), "amount", "requerido"),
        (json!({ "amount": "x" }), "amount", "O valor deve ser numérico"),
        (
            json!({ "amount": 1_000_01 }),
            "amount",
            "Valor não pode ser maior que o saldo",
        ),
        (
            json!({ "description": " " }),
            "description",
            "Informe a descrição.",
        ),
        (json!({ "password": "" }), "password", "A senha é requerida."),
        (
            json!({ "password": "errada-123" }),
            "password",
            "Senha incorreta.",
        ),
        (
            json!({ "business_id": null }),
            "business_id",
            "Informe a empresa.",
        ),
        (
            json!({ "business_id": "biz_00000000-0000-4000-8000-000000000001" }),
            "business_id",
            "Empresa não encontrada.",
        ),
        (json!({ "direction": "up" }), "direction", "Deve ser out ou in."),
    ];
    for (change, field, message) in refusals {
        let refused = fixture
            .staff
            .post(MANUAL, manual_transfer(&fixture, change.clone()))
            .await;
        assert_eq!(refused.status, 422, "{change}: {}", refused.body);
        assert_eq!(refused.at("/errors"), &json!({ field: [message] }), "{change}");
    }
    assert_eq!(fixture.balances().await, Balances::available(1_000_00));
}

#[tokio::test]
async fn a_manual_debit_makes_the_balance_negative_only_if_staff_allow_it() {
    let fixture = WithdrawalFixture::open().await;
    for (allow_negative, status) in [(false, 422), (true, 201)] {
        let change = json!({ "amount": 1_500_00, "allow_negative": allow_negative });
        let made = fixture
            .staff
            .post(MANUAL, manual_transfer(&fixture, change))
            .await;
        assert_eq!(made.status, status, "{allow_negative}: {}", made.body);
    }
    assert_eq!(fixture.balances().await, Balances::available(-500_00));
}

#[tokio::test]
async fn query_and_body_may_both_name_the_company_and_must_agree() {
    let fixture = WithdrawalFixture::open().await;
    let in_query = format!("{MANUAL}?business_id={}", fixture.company.id);
    for in_body in [json!(fixture.company.id), Value::Null] {
        let body = manual_transfer(&fixture, json!({ "business_id": in_body }));
        assert_eq!(fixture.staff.post(&in_query, body).await.status, 201, "{in_body}");
    }
    let other = manual_transfer(
        &fixture,
        json!({ "business_id": "biz_00000000-0000-4000-8000-000000000001" }),
    );
    let refused = fixture.staff.post(&in_query, other).await;
    assert_eq!(
        (refused.status, refused.at("/errors/business_id").is_array()),
        (422, true)
    );
}

#[tokio::test]
async fn a_manual_debit_under_the_same_key_is_made_once() {
    let fixture = WithdrawalFixture::open().await;
    let keyed = fixture.staff.clone().with("idempotency-key", "k");
    let first = keyed.post(MANUAL, manual_transfer(&fixture, json!({}))).await;
    let again = keyed.post(MANUAL, manual_transfer(&fixture, json!({}))).await;
    assert_eq!((again.status, &again.body), (201, &first.body));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(fixture.balances().await, Balances::available(880_00));
    assert_eq!(
        fixture
            .audit_entries_count("make-manual-transfer", first.text("/id"))
            .await,
        1
    );
    let other = keyed
        .post(MANUAL, manual_transfer(&fixture, json!({ "amount": 130_00 })))
        .await;
    assert_eq!(other.status, 409);
}

#[tokio::test]
async fn a_hold_blocks_and_a_release_frees_it() {
    let fixture = WithdrawalFixture::open().await;
    let held = fixture.staff.post(HOLDS, hold(&fixture, 300_00)).await;
    assert_eq!(held.status, 201, "{}", held.body);
    assert!(held.header("ledger-position").is_some());
    assert_eq!(
        (held.text("/kind"), held.at("/amount")),
        ("analysis", &json!(300_00))
    );
    assert_eq!(
        fixture.balances().await,
        Balances::available(700_00).blocked(300_00)
    );
    let released = release(&fixture.staff, &held.body, 100_00).await;
    assert_eq!(
        (released.status, released.at("/amount"), released.at("/released")),
        (200, &json!(200_00), &json!(100_00)),
        "{}",
        released.body
    );
    assert_eq!(
        fixture.balances().await,
        Balances::available(800_00).blocked(200_00)
    );
    let id = held.text("/id");
    assert_eq!(
        (
            fixture.audit_entries_count("place-hold", id).await,
            fixture.audit_entries_count("release-hold", id).await
        ),
        (1, 1)
    );
    let refused = fixture
        .seller
        .post("/api/balance/transfers", request(800_01))
        .await;
    assert_eq!(refused.status, 422, "a held amount cannot be withdrawn");
}

#[tokio::test]
async fn invalid_holds_and_releases_have_the_specified_messages() {
    let fixture = WithdrawalFixture::open().await;
    let held = fixture.staff.post(HOLDS, hold(&fixture, 100_00)).await;
    assert_eq!(held.status, 201, "{}", held.body);
    let refusals = [
        (
            hold(&fixture, 900_01),
            "amount",
            "Valor não pode ser maior que o saldo",
        ),
        (hold(&fixture, 0), "amount", "Valor mínimo é de R$ 0,01"),
        (hold(&fixture, -5), "amount", "Valor mínimo é de R$ 0,01"),
        (
            json!({ "business_id": fixture.company.id, "amount": 1 }),
            "reason",
            "Informe o motivo.",
        ),
        (
            json!({ "amount": 1, "reason": "Em análise" }),
            "business_id",
            "Informe a empresa.",
        ),
    ];
    for (body, field, message) in refusals {
        let refused = fixture.staff.post(HOLDS, body.clone()).await;
        assert_eq!(refused.status, 422, "{body}: {}", refused.body);
        assert_eq!(refused.at("/errors"), &json!({ field: [message] }), "{body}");
    }
    for (amount, message) in [
        (100_01, "Esta retenção tem R$ 100,00, menos do que R$ 100,01."),
        (0, "Valor fora do limite permitido."),
        (-5, "Valor fora do limite permitido."),
    ] {
        let refused = release(&fixture.staff, &held.body, amount).await;
        assert_eq!(refused.status, 422, "{amount}: {}", refused.body);
        assert_eq!(refused.at("/errors"), &json!({ "amount": [message] }), "{amount}");
    }
    assert_eq!(
        fixture.balances().await,
        Balances::available(900_00).blocked(100_00)
    );
}

#[tokio::test]
async fn a_hold_under_the_same_key_is_made_once() {
    let fixture = WithdrawalFixture::open().await;
    let keyed = fixture.staff.clone().with("idempotency-key", "k");
    let first = keyed.post(HOLDS, hold(&fixture, 100_00)).await;
    let again = keyed.post(HOLDS, hold(&fixture, 100_00)).await;
    assert_eq!((again.status, &again.body), (201, &first.body));
    assert_eq!(
        fixture.balances().await,
        Balances::available(900_00).blocked(100_00)
    );
    assert_eq!(fixture.app.count_events("HoldPlaced").await, 1);
}
