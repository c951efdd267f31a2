//! Enabling a terminal by the token that it shows.

use serde_json::{Value, json};

use super::{TerminalFixture, serials};

#[tokio::test]
async fn a_valid_token_registers_the_terminal_for_the_company() {
    let fixture = TerminalFixture::open().await;
    let terminal = fixture.enable("PDV1").await;
    assert_eq!(terminal["serial_number"], "PDV1");
    assert_eq!(terminal["business"]["name"], "Padaria");
    assert_eq!(terminal["business_id"], json!(fixture.bakery.id));
    assert_eq!(
        (
            &terminal["billing_type"],
            &terminal["acquisition"],
            &terminal["monthly_price"]
        ),
        (&json!(0), &json!(0), &Value::Null)
    );
    let created_at = terminal["created_at"].as_str().expect("an instant");
    assert!(
        created_at.starts_with("2026-11-21T15:00:"),
        "by the business clock: {created_at}"
    );
    let (action, before, after) = fixture.audit_log().await.remove(0);
    assert_eq!((action.as_str(), before), ("create", Value::Null));
    assert_eq!(
        (&after["serial_number"], &after["business"]),
        (&json!("PDV1"), &json!("Padaria"))
    );
}

#[tokio::test]
async fn unknown_spent_and_expired_tokens_and_those_of_another_machine_are_refused_on_their_field() {
    let fixture = TerminalFixture::open().await;
    let spent = fixture.token(json!({})).await;
    let enabled = fixture.try_enable(&fixture.bakery, &spent, "PDV1").await;
    assert_eq!(enabled.status, 201, "{}", enabled.body);
    let expired = fixture.token(json!({ "valid_seconds": 0 })).await;
    let other = fixture.token(json!({ "serial_number": "PDV9" })).await;
    let unknown = if spent == "00000000" {
        "00000001"
    } else {
        "00000000"
    };
    for (token, field, message) in [
        (
            unknown,
            "token",
            "Token inválido. Confira os 8 dígitos na maquininha.",
        ),
        (
            &spent,
            "token",
            "Este token já foi usado. Gere outro na maquininha.",
        ),
        (&expired, "token", "Este token expirou. Gere outro na maquininha."),
        (
            &other,
            "serial_number",
            "O token é de uma maquininha com outro número de série.",
        ),
    ] {
        let refused = fixture.try_enable(&fixture.bakery, token, "PDV2").await;
        assert_eq!(refused.status, 422, "{}", refused.body);
        assert_eq!(refused.at("/errors"), &json!({ field: [message] }));
    }
    assert_eq!(
        serials(&fixture.staff.get("/api/admin/terminals").await),
        ["PDV1"]
    );
}

#[tokio::test]
async fn missing_and_invalid_fields_are_reported_together() {
    let fixture = TerminalFixture::open().await;
    let missing = fixture.try_enable(&fixture.bakery, " ", "").await;
    assert_eq!(
        (missing.status, missing.at("/errors")),
        (
            422,
            &json!({ "token": ["requerido"], "serial_number": ["requerido"] })
        )
    );
    // The last one has Arabic-Indic digits.
    for token in ["1234567", "123456789", "1234567a", "١٢٣٤٥٦٧٨"] {
        let invalid = fixture.try_enable(&fixture.bakery, token, "PDV 1").await;
        assert_eq!(
            invalid.at("/errors"),
            &json!({
                "token": ["O token deve ter 8 dígitos."],
                "serial_number": ["O número de série deve ter até 40 letras, números e sinais, sem espaços."],
            })
        );
    }
}

#[tokio::test]
async fn a_known_serial_number_is_a_conflict_that_spends_no_token() {
    let fixture = TerminalFixture::open().await;
    let terminal = fixture.enable("PDV1").await;
    let token = fixture.token(json!({})).await;
    let refused = fixture.try_enable(&fixture.pharmacy, &token, "PDV1").await;
    assert_eq!(
        (refused.status, refused.text("/message")),
        (409, "A maquininha PDV1 já está cadastrada para Padaria.")
    );
    assert_eq!(fixture.remove(&terminal, &fixture.bakery).await.status, 200);
    let refused = fixture.try_enable(&fixture.pharmacy, &token, "PDV1").await;
    assert_eq!(
        (refused.status, refused.text("/message")),
        (
            409,
            "A maquininha PDV1 já está cadastrada e está em estoque. Mude a empresa dela na lista."
        )
    );
    assert_eq!(
        fixture.try_enable(&fixture.pharmacy, &token, "PDV2").await.status,
        201
    );
}

#[tokio::test]
async fn a_call_without_an_answer_registers_nothing_and_can_be_repeated() {
    let fixture = TerminalFixture::open_with(&[("RAZAO_TERMINAL_TIMEOUT_MS", "300")]).await;
    let token = fixture.token(json!({ "times_out": true })).await;
    let unanswered = fixture.try_enable(&fixture.bakery, &token, "PDV1").await;
    assert_eq!(unanswered.status, 503, "{}", unanswered.body);
    assert!(unanswered.header("retry-after").is_some());
    assert!(
        unanswered
            .text("/message")
            .contains("Tente de novo com o mesmo token.")
    );
    assert!(serials(&fixture.staff.get("/api/admin/terminals").await).is_empty());
    let repeated = fixture.try_enable(&fixture.bakery, &token, "PDV1").await;
    assert_eq!(repeated.status, 201, "{}", repeated.body);
}

#[tokio::test]
async fn two_requests_for_one_serial_number_register_one_terminal() {
    let fixture = TerminalFixture::open().await;
    let (first, second) = (fixture.token(json!({})).await, fixture.token(json!({})).await);
    let (one, other) = tokio::join!(
        fixture.try_enable(&fixture.bakery, &first, "PDV1"),
        fixture.try_enable(&fixture.bakery, &second, "PDV1"),
    );
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409], "{} {}", one.body, other.body);
    assert_eq!(
        serials(&fixture.staff.get("/api/admin/terminals").await),
        ["PDV1"]
    );
}

#[tokio::test]
async fn a_repeat_under_the_same_key_gets_the_first_answer() {
    let fixture = TerminalFixture::open().await;
    let token = fixture.token(json!({})).await;
    let path = format!("/api/admin/businesses/{}/terminals", fixture.bakery.id);
    let client = fixture.staff.clone().with("idempotency-key", "terminal-1");
    let body = json!({ "token": token, "serial_number": "PDV1" });
    let first = client.post(&path, body.clone()).await;
    let repeated = client.post(&path, body).await;
    assert_eq!((first.status, repeated.status), (201, 201));
    assert_eq!(first.body, repeated.body);
    assert_eq!(repeated.header("idempotent-replayed"), Some("true"));
}

#[tokio::test]
async fn unknown_and_denied_companies_get_no_terminal() {
    let fixture = TerminalFixture::open().await;
    let token = fixture.token(json!({})).await;
    let path = "/api/admin/businesses/biz_00000000-0000-4000-8000-000000000000/terminals";
    let body = json!({ "token": token, "serial_number": "PDV1" });
    assert_eq!(fixture.staff.post(path, body).await.status, 404);
    fixture
        .app
        .execute("UPDATE business SET approval = 'denied' WHERE name = 'Padaria'")
        .await;
    let denied = fixture.try_enable(&fixture.bakery, &token, "PDV1").await;
    assert_eq!(
        (denied.status, denied.text("/message")),
        (
            409,
            "A empresa está negada ou deletada e não pode receber maquininhas."
        )
    );
    assert_eq!(
        fixture.try_enable(&fixture.pharmacy, &token, "PDV1").await.status,
        201
    );
}

#[tokio::test]
async fn a_terminal_is_not_enabled_while_no_provider_is_configured() {
    let fixture = TerminalFixture::open_with(&[("RAZAO_TERMINALS", "none")]).await;
    let refused = fixture.try_enable(&fixture.bakery, "12345678", "PDV1").await;
    assert_eq!(
        (refused.status, refused.text("/message")),
        (
            409,
            "A habilitação de maquininhas não está configurada nesta plataforma."
        )
    );
}
