//! The seller's side: the quote, and the request with its refusals, duplicates and repeats.

use gateway_identity::roles::SellerRole;
use ledger_domain::transfer::{DestinationKind, TransferKind, TransferStatus};
use serde_json::{Value, json};

use super::{Balances, FEE, WithdrawalFixture, request, seller_of};
use crate::support::{PASSWORD, TestApp};

const PATH: &str = "/api/balance/transfers";

#[tokio::test]
async fn the_quote_has_the_balance_the_fee_the_minimum_and_the_destinations() {
    let fixture = WithdrawalFixture::open().await;
    fixture.balances().await;
    let quote = fixture.seller.get("/api/balance/transfers/quote").await;
    let document = fixture.app.text("SELECT document FROM business").await;
    let account = json!({
        "type": "bank_account", "bank_code": "341", "bank_name": "ITAÚ UNIBANCO S.A.", "account_type": "CHECKING",
        "routing_number": "0071", "routing_digit": null, "account_number": "0012345", "account_digit": "6",
    });
    let expected = json!({
        "available": 1_000_00, "withdrawal_fee": FEE, "minimum": FEE,
        "destinations": [
            { "destination": 0, "available": true, "reason": null, "details": account },
            { "destination": 1, "available": true, "reason": null, "details": { "type": "pix", "key": document } },
        ],
    });
    assert_eq!(quote.body, expected);
}

#[tokio::test]
async fn without_a_bank_account_the_quote_has_a_reason_and_the_request_an_error_on_destination() {
    let fixture = WithdrawalFixture::open().await;
    fixture.app.execute("DELETE FROM bank_account").await;
    let quote = fixture.seller.get("/api/balance/transfers/quote").await;
    let missing = "Cadastre uma conta bancária para solicitar o saque.";
    let account = json!({ "destination": 0, "available": false, "reason": missing, "details": null });
    assert_eq!(quote.at("/destinations/0"), &account);
    let refused = fixture.seller.post(PATH, request(100_00)).await;
    assert_eq!(
        (refused.status, refused.at("/errors/destination")),
        (422, &json!([missing]))
    );
    let by_pix = json!({ "amount": 100_00, "destination": 1, "password": PASSWORD });
    let response = fixture.seller.post(PATH, by_pix).await;
    assert_eq!(
        (response.status, response.at("/destination_details/type")),
        (201, &json!("pix"))
    );
}

#[tokio::test]
async fn a_request_reserves_its_amount_and_is_pending() {
    let fixture = WithdrawalFixture::open().await;
    let response = fixture.seller.post(PATH, request(400_00)).await;
    assert_eq!(response.status, 201, "{}", response.body);
    assert!(response.header("ledger-position").is_some());
    assert!(response.header("idempotent-replayed").is_none());
    let expected = [
        ("kind", json!(TransferKind::Withdrawal)),
        ("status", json!(TransferStatus::Pending)),
        ("amount", json!(400_00)),
        ("fee", json!(FEE)),
        ("net_amount", json!(400_00 - FEE)),
        ("destination", json!(DestinationKind::BankAccount)),
        ("direction", Value::Null),
        ("reason", Value::Null),
        // Internal details of the processing are only for staff.
        ("by_hand", Value::Null),
        ("payout_id", Value::Null),
        ("approvals", Value::Null),
        ("approvals_needed", Value::Null),
        ("available_now", Value::Null),
        ("needs_attention", Value::Null),
    ];
    for (field, value) in expected {
        assert_eq!(response.at(&format!("/{field}")), &value, "{field}");
    }
    assert_eq!(response.text("/business/name"), "Padaria");
    assert_eq!(response.text("/requested_by/name"), "Ana Souza");
    assert_eq!(
        response.at("/author"),
        &json!({ "kind": "seller", "name": "Ana Souza" })
    );
    assert_eq!(
        fixture.balances().await,
        Balances::available(600_00).in_transfer(400_00)
    );
    let position = response.header("ledger-position").expect("a position").to_owned();
    let reader = fixture.seller.clone().with("ledger-position", &position);
    let listed = reader.get(PATH).await;
    assert!(listed.header("ledger-stale").is_none());
    assert_eq!(
        listed.at("/data/0"),
        &response.body,
        "the list has the same values as the answer"
    );
}

#[tokio::test]
async fn invalid_fields_have_the_specified_messages() {
    let fixture = WithdrawalFixture::open().await;
    let valid = json!({ "amount": 100_00, "destination": 0, "password": PASSWORD });
    let refusals = [
        (json!({ "amount": null }), "amount", "requerido"),
        (json!({ "amount": "" }), "amount", "requerido"),
        (json!({ "amount": "dez" }), "amount", "O valor deve ser numérico"),
        (json!({ "amount": 10.5 }), "amount", "O valor deve ser numérico"),
        (
            json!({ "amount": FEE - 1 }),
            "amount",
            "Valor mínimo é de R$ 3,50",
        ),
        (json!({ "amount": 0 }), "amount", "Valor mínimo é de R$ 3,50"),
        (json!({ "amount": -1 }), "amount", "Valor mínimo é de R$ 3,50"),
        (
            json!({ "amount": 1_000_01 }),
            "amount",
            "Valor não pode ser maior que o saldo",
        ),
        (
            json!({ "amount": i64::MAX }),
            "amount",
            "Valor não pode ser maior que o saldo",
        ),
        (json!({ "destination": null }), "destination", "Requerido"),
        (json!({ "destination": 2 }), "destination", "Deve ser 0 ou 1."),
        (json!({ "password": null }), "password", "A senha é requerida."),
        (json!({ "password": "" }), "password", "A senha é requerida."),
        (
            json!({ "password": "outra-senha-1" }),
            "password",
            "Senha incorreta.",
        ),
    ];
    for (change, field, message) in refusals {
        let mut body = valid.clone();
        body.as_object_mut()
            .expect("an object")
            .extend(change.as_object().expect("an object").clone());
        let refused = fixture.seller.post(PATH, body).await;
        assert_eq!(refused.status, 422, "{change}");
        assert_eq!(
            refused.at("/errors"),
            &json!({ field: [message] }),
            "{change}: {}",
            refused.body
        );
    }
    let nothing = fixture.seller.post(PATH, json!({})).await;
    let all = json!({ "amount": ["requerido"], "destination": ["Requerido"], "password": ["A senha é requerida."] });
    assert_eq!(nothing.at("/errors"), &all, "all fields at once");
    assert_eq!(
        fixture.balances().await,
        Balances::available(1_000_00),
        "nothing was recorded"
    );
}

#[tokio::test]
async fn query_and_body_may_both_name_the_company_and_must_agree() {
    let fixture = WithdrawalFixture::open().await;
    let other = fixture.app.company("Farmácia").await;
    let owner = [(&fixture.company, SellerRole::Owner), (&other, SellerRole::Owner)];
    let owner = fixture.app.sign_in(&fixture.app.seller(&owner).await).await;
    let named = |company: &str| {
        let mut body = request(100_00);
        body["business_id"] = json!(company);
        body
    };
    let in_query = format!("{PATH}?business_id={}", fixture.company.id);
    let refused = owner.post(&in_query, named(&other.id.to_string())).await;
    assert_eq!(
        (refused.status, refused.at("/errors")),
        (
            422,
            &json!({ "business_id": ["A empresa da URL e a do corpo são diferentes."] })
        )
    );
    assert_eq!(fixture.app.count_events("TransferRequested").await, 0);
    let response = owner
        .post(&in_query, named(&fixture.company.id.to_string()))
        .await;
    assert_eq!(
        (response.status, response.text("/business_id")),
        (201, fixture.company.id.to_string().as_str())
    );
}

#[tokio::test]
async fn wrong_passwords_are_counted_and_a_right_one_resets_the_count() {
    let fixture = WithdrawalFixture::open().await;
    let wrong = json!({ "amount": 100_00, "destination": 0, "password": "outra-senha-1" });
    for _ in 0..7 {
        assert_eq!(fixture.seller.post(PATH, wrong.clone()).await.status, 422);
    }
    assert_eq!(fixture.seller.post(PATH, request(10_00)).await.status, 201);
    let mut tries = 0;
    while fixture.seller.post(PATH, wrong.clone()).await.status == 422 {
        tries += 1;
        assert!(tries < 20, "wrong passwords are not counted");
    }
    // Eight wrong passwords are allowed at once, and one more every 30 seconds.
    assert!(tries >= 8, "the seven earlier failures no longer count: {tries}");
    let locked = fixture.seller.post(PATH, request(10_00)).await;
    assert_eq!(
        (locked.status, locked.header("retry-after").is_some()),
        (429, true),
        "the correct password is limited too"
    );
}

#[tokio::test]
async fn an_equal_withdrawal_within_15_minutes_must_be_confirmed() {
    let fixture = WithdrawalFixture::open().await;
    let body = json!({ "amount": 100_00, "destination": 0, "password": PASSWORD });
    assert_eq!(fixture.seller.post(PATH, body.clone()).await.status, 201);
    let again = fixture.seller.post(PATH, body.clone()).await;
    assert_eq!(
        (again.status, again.text("/type")),
        (409, "/problems/duplicate-transfer")
    );
    assert!(again.text("/message").contains("R$ 100,00"), "{}", again.body);
    let other = json!({ "amount": 100_01, "destination": 0, "password": PASSWORD });
    assert_eq!(
        fixture.seller.post(PATH, other).await.status,
        201,
        "another amount"
    );
    let to_other_destination = json!({ "amount": 100_00, "destination": 1, "password": PASSWORD });
    assert_eq!(
        fixture.seller.post(PATH, to_other_destination).await.status,
        201,
        "another destination"
    );
    assert_eq!(
        fixture.seller.post(PATH, request(100_00)).await.status,
        201,
        "confirmed"
    );
    assert_eq!(fixture.app.count_events("TransferRequested").await, 4);
}

#[tokio::test]
async fn the_same_key_gets_the_same_answer_and_withdraws_once() {
    let fixture = WithdrawalFixture::open().await;
    let keyed = fixture.seller.clone().with("idempotency-key", "b7e0c1f2");
    let first = keyed.post(PATH, request(100_00)).await;
    assert_eq!(fixture.step(first.text("/id"), "refuse").await.status, 200);
    let again = keyed.post(PATH, request(100_00)).await;
    assert_eq!(
        (again.status, again.header("idempotent-replayed")),
        (201, Some("true"))
    );
    assert_eq!(
        again.body, first.body,
        "the first answer, although the withdrawal has changed since"
    );
    let other = keyed.post(PATH, request(200_00)).await;
    assert_eq!(
        (other.status, other.text("/message")),
        (
            409,
            "Esta solicitação já foi enviada com outros dados. Recarregue a página e confira antes de repetir."
        )
    );
    let colleague = seller_of(&fixture.app, &fixture.company, SellerRole::Admin).await;
    let response_to_colleague = colleague
        .with("idempotency-key", "b7e0c1f2")
        .post(PATH, request(100_00))
        .await;
    assert_eq!(response_to_colleague.status, 201);
    assert_ne!(
        response_to_colleague.text("/id"),
        first.text("/id"),
        "a key belongs to its caller"
    );
    assert_eq!(fixture.app.count_events("TransferRequested").await, 2);
    let with_long_key = fixture.seller.clone().with("idempotency-key", &"x".repeat(201));
    let refused = with_long_key.post(PATH, request(100_00)).await;
    assert_eq!(
        (refused.status, refused.at("/errors/Idempotency-Key").is_array()),
        (422, true)
    );
}

#[tokio::test]
async fn a_refusal_is_not_stored_under_its_key() {
    let fixture = WithdrawalFixture::open().await;
    let keyed = fixture.seller.clone().with("idempotency-key", "k");
    assert_eq!(keyed.post(PATH, request(2_000_00)).await.status, 422);
    super::credit(&fixture.app, &fixture.company, 1_000_00).await;
    let response = keyed.post(PATH, request(2_000_00)).await;
    assert_eq!(
        (response.status, response.header("idempotent-replayed")),
        (201, None),
        "{}",
        response.body
    );
}

#[tokio::test]
async fn a_withdrawal_of_exactly_the_fee_is_accepted_and_nothing_reaches_the_bank() {
    let fixture = WithdrawalFixture::open_with(&[("RAZAO_PAYOUTS", "sandbox")]).await;
    let id = fixture.pending_withdrawal(FEE).await;
    let approved = fixture.step(&id, "approve").await;
    assert_eq!(
        (
            approved.at("/status"),
            approved.at("/net_amount"),
            approved.at("/payout_id")
        ),
        (&json!(TransferStatus::Approved), &json!(0), &Value::Null),
        "there is nothing to send, so it is approved at once"
    );
    assert_eq!(fixture.balances().await, Balances::available(1_000_00 - FEE));
}

#[tokio::test]
async fn a_request_keeps_the_fee_and_the_account_of_its_time() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(100_00).await;
    fixture
        .app
        .execute("UPDATE receiving_plan SET flat_rate = 900; UPDATE bank_account SET account_number = '99'")
        .await;
    let approved = fixture.step(&id, "approve").await;
    assert_eq!(
        (
            approved.at("/fee"),
            approved.text("/destination_details/account_number")
        ),
        (&json!(FEE), "0012345")
    );
}

#[tokio::test]
async fn an_operator_can_neither_request_nor_see_withdrawals() {
    let app = TestApp::start().await;
    let company = app.company("Padaria").await;
    let operator = seller_of(&app, &company, SellerRole::Operator).await;
    assert_eq!(operator.post(PATH, request(100_00)).await.status, 403);
    assert_eq!(operator.get(PATH).await.status, 403);
    assert_eq!(operator.get("/api/balance/transfers/quote").await.status, 403);
}

#[tokio::test]
async fn a_user_who_loses_access_during_the_request_is_refused() {
    let fixture = WithdrawalFixture::open().await;
    let mut client = fixture.app.app.state.pool.get().await.expect("a connection");
    let removal = client.transaction().await.expect("a transaction");
    let taken = "SELECT FROM seller_user FOR UPDATE; DELETE FROM business_access";
    removal.batch_execute(taken).await.expect("the access is taken");
    let requesting = fixture.seller.post(PATH, request(100_00));
    let (response, ()) = tokio::join!(requesting, async {
        fixture.app.until_sessions_wait_for_locks(1).await;
        removal.commit().await.expect("the removal");
    });
    assert_eq!(response.status, 403, "{}", response.body);
    assert_eq!(
        fixture.app.count("SELECT count(*) FROM transfer_state").await,
        1,
        "only the credit"
    );
}

#[tokio::test]
async fn a_request_is_completed_although_its_client_disconnects() {
    let fixture = WithdrawalFixture::open().await;
    let mut client = fixture.app.app.state.pool.get().await.expect("a connection");
    let blocking = client.transaction().await.expect("a transaction");
    let block = "SELECT FROM seller_user FOR UPDATE";
    blocking.batch_execute(block).await.expect("a lock");
    tokio::select! {
        response = fixture.seller.post(PATH, request(100_00)) => panic!("it waits for the lock: {}", response.body),
        () = fixture.app.until_sessions_wait_for_locks(1) => {}
    }
    blocking.commit().await.expect("the end of the lock");
    drop(client);
    // The select has dropped the request and closed its connection. The two transfers are the credit and the
    // withdrawal.
    fixture
        .app
        .until_count("SELECT count(*) FROM transfer_state", 2)
        .await;
}
