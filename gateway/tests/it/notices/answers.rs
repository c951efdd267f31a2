//! `POST /api/webhooks/{provider}`: the answers to single signed notices.

use chrono::Utc;
use gateway::app::Parts;
use gateway_platform::providers::sign;
use ledger_domain::SaleId;
use ledger_domain::sale::Provider;
use serde_json::{Value, json};

use crate::support::acquirer::{SECRET, SECRETS, app_and_company, capture, json_of, with_type};
use crate::support::{Answer, PARTS, TestApp};

async fn assert_nothing_is_stored(app: &TestApp) {
    assert_eq!(
        app.count("SELECT (SELECT count(*) FROM exception) + (SELECT count(*) FROM event)")
            .await,
        0
    );
}

#[tokio::test]
async fn a_capture_is_recorded_once_and_its_repeats_are_duplicates() {
    let (app, company) = app_and_company().await;
    let notice = capture(&company, "nsu-1");
    let first = app.send(&notice).await;
    assert_eq!(
        (first.status, first.text("/result")),
        (200, "recorded"),
        "{}",
        first.body
    );
    assert!(first.header("ledger-position").is_some());
    let again = app.send(&notice).await;
    assert_eq!((again.status, again.text("/result")), (200, "already"));
    let another_id = app.send(&with_type(&notice, "sale.captured")).await;
    assert_eq!((another_id.status, another_id.text("/result")), (200, "already"));
    assert_eq!(app.count_events("SaleCaptured").await, 1);
}

#[tokio::test]
async fn unsigned_stale_and_wrongly_signed_notices_are_refused_and_not_stored() {
    let (app, company) = app_and_company().await;
    let body = capture(&company, "nsu-1").to_json();
    let now = Utc::now().timestamp();
    let unsigned = app
        .client()
        .post_text("/api/webhooks/zoop", "application/json", &body)
        .await;
    assert_eq!(unsigned.status, 401);
    // A signature is valid for 300 s before and after its time. The second has 5 s for the time that the test takes.
    for signature in [
        sign(SECRET.as_bytes(), now - 301, body.as_bytes()),
        sign(SECRET.as_bytes(), now + 305, body.as_bytes()),
        sign(b"somebody-else's-secret", now, body.as_bytes()),
        sign(SECRET.as_bytes(), now, b"another body"),
        "nonsense".to_owned(),
    ] {
        assert_eq!(
            app.send_signed("zoop", &signature, &body).await.status,
            401,
            "{signature}"
        );
    }
    let signature = sign(SECRET.as_bytes(), now, body.as_bytes());
    assert_eq!(
        app.send_signed("iugu", &signature, &body).await.status,
        401,
        "another provider's secret"
    );
    assert_eq!(app.send_signed("nobody", &signature, &body).await.status, 404);
    assert_nothing_is_stored(&app).await;
}

#[tokio::test]
async fn each_of_a_provider_s_secrets_is_valid() {
    let parts = PARTS;
    // While a secret is replaced, the variable has the new one and the previous one.
    let new_secret = "the-new-secret-of-zoop";
    let secrets = format!("{new_secret},{SECRET}");
    let app = TestApp::start_with(&[("RAZAO_PROVIDER_ZOOP_SECRETS", &secrets)], parts).await;
    let company = app.company("Padaria").await;
    for secret in [new_secret, SECRET] {
        let notice = json_of(&capture(&company, secret));
        let answer = send_as_provider(&app, "zoop", secret, &notice).await;
        assert_eq!(answer.status, 200, "{secret}: {}", answer.body);
    }
}

#[tokio::test]
async fn an_unreadable_notice_is_refused_with_the_place_of_the_error() {
    let (app, company) = app_and_company().await;
    let cut = app.send_text("{\n  \"id\": \"evt\",,\n}").await;
    assert_eq!(cut.status, 422);
    assert!(
        cut.at("/errors/").to_string().contains("linha 2, coluna 15"),
        "{}",
        cut.body
    );

    let mut faulty = json_of(&capture(&company, "nsu-1"));
    faulty["data"]["amount"] = json!(0);
    faulty["occurred_at"] = json!("ontem");
    let refused = app.send_json(&faulty).await;
    assert_eq!(refused.status, 422);
    let fields: Vec<_> = refused
        .at("/errors")
        .as_object()
        .expect("errors")
        .keys()
        .cloned()
        .collect();
    assert_eq!(fields, ["/data/amount", "/occurred_at"]);
    assert_nothing_is_stored(&app).await;
}

#[tokio::test]
async fn a_card_number_in_free_text_is_masked_and_never_stops_a_notice() {
    let (app, company) = app_and_company().await;
    let mut failed = json_of(&with_type(&capture(&company, "nsu-1"), "sale.failed"));
    failed["data"]["reason"] = json!("card 4242 4242 4242 4242\nexpired");
    failed["data"]["note"] = json!("5555555555554444");
    let answer = app.send_json(&failed).await;
    assert_eq!((answer.status, answer.text("/result")), (200, "recorded"));
    let reason = "SELECT count(*) FROM event WHERE payload->'SaleFailed'->>'reason' = 'card 4242 42** **** 4242 expired'";
    assert_eq!(app.count(reason).await, 1);

    let mut kept = json_of(&with_type(&capture(&company, "4242424242424242"), "moon.risen"));
    kept["data"]["note"] = json!("5555555555554444");
    // A repeated field would hide a card number from a reader that keeps only the last one.
    let repeated = kept
        .to_string()
        .replacen(r#""note""#, r#""note":"4000000000000002","note""#, 1);
    let answer = app.send_text(&repeated).await;
    assert_eq!((answer.status, answer.text("/reason")), (202, "unknown_type"));
    let masked = "SELECT count(*) FROM exception
                   WHERE body::json->'data'->>'note' = '555555******4444' AND body NOT LIKE '%4000000000000002%'
                     AND body::json->'data'->>'external_id' = '4242424242424242'";
    assert_eq!(app.count(masked).await, 1);
    let numbers = "SELECT (SELECT count(*) FROM exception WHERE body LIKE '%5555555555554444%')
                        + (SELECT count(*) FROM event WHERE payload::text LIKE '%4242 4242 4242%')";
    assert_eq!(app.count(numbers).await, 0);
}

/// Sends a notice that a provider signs with its secret.
async fn send_as_provider(app: &TestApp, provider: &str, secret: &str, notice: &Value) -> Answer {
    let body = notice.to_string();
    let signature = sign(secret.as_bytes(), Utc::now().timestamp(), body.as_bytes());
    app.send_signed(provider, &signature, &body).await
}

#[tokio::test]
async fn a_provider_cannot_change_the_sales_of_another() {
    const IUGU_SECRET: &str = "another-acquirer-signs-so";
    let parts = PARTS;
    let app = TestApp::start_with(&[SECRETS, ("RAZAO_PROVIDER_IUGU_SECRETS", IUGU_SECRET)], parts).await;
    let company = app.company("Padaria").await;
    app.send(&capture(&company, "nsu-1")).await;
    app.send(&with_type(&capture(&company, "nsu-2"), "sale.created"))
        .await;
    let sale_id = |external_id| app.app.state.ids.sale(Provider::Zoop, external_id);
    let about = |id: &str, r#type: &str, sale_id: SaleId, external_id: Option<&str>| {
        let data = json!({ "sale_id": sale_id, "external_id": external_id, "dispute_id": "dp-1" });
        json!({ "id": id, "type": r#type, "occurred_at": "2026-11-20T18:00:00Z", "data": data })
    };
    for (place, r#type) in [
        "sale.canceled",
        "sale.refunded",
        "sale.reversed",
        "dispute.opened",
        "dispute.lost",
    ]
    .into_iter()
    .enumerate()
    {
        // Signed by another provider, and by its own provider with the id of another sale.
        let other = about(&format!("other-{place}"), r#type, sale_id("nsu-1"), None);
        let answer = send_as_provider(&app, "iugu", IUGU_SECRET, &other).await;
        assert_eq!(
            (answer.status, answer.text("/reason")),
            (202, "sale_of_another_provider"),
            "{type}"
        );
        let contradicts = about(&format!("own-{place}"), r#type, sale_id("nsu-1"), Some("nsu-2"));
        let answer = send_as_provider(&app, "zoop", SECRET, &contradicts).await;
        assert_eq!(
            (answer.status, answer.text("/reason")),
            (202, "external_id_differs"),
            "{type}"
        );
    }
    let mut captured = json_of(&capture(&company, "nsu-2"));
    captured["data"]["sale_id"] = json!(sale_id("nsu-2"));
    let answer = send_as_provider(&app, "iugu", IUGU_SECRET, &captured).await;
    assert_eq!(
        (answer.status, answer.text("/reason")),
        (202, "sale_of_another_provider")
    );
    let reversals = "SELECT count(*) FROM event WHERE event_type NOT IN ('SaleCreated', 'SaleCaptured')";
    assert_eq!(app.count(reversals).await, 0);
    let own = about("own", "sale.refunded", sale_id("nsu-1"), Some("nsu-1"));
    assert_eq!(
        send_as_provider(&app, "zoop", SECRET, &own).await.text("/result"),
        "recorded"
    );
}

#[tokio::test]
async fn amounts_have_ten_digits_at_most() {
    let (app, company) = app_and_company().await;
    for (amount, status) in [(9_999_999_999_i64, 200), (10_000_000_000, 422), (-1, 422)] {
        let mut notice = json_of(&capture(&company, &format!("nsu-{amount}")));
        notice["data"]["amount"] = json!(amount);
        notice["id"] = json!(format!("evt-{amount}"));
        assert_eq!(app.send_json(&notice).await.status, status, "{amount}");
    }
}

#[tokio::test]
async fn a_cancel_reverses_a_captured_sale_voids_an_uncaptured_one_and_waits_if_dated_like_the_capture() {
    let (app, company) = app_and_company().await;
    let captured = capture(&company, "nsu-1");
    app.send(&captured).await;
    let mut canceled = with_type(&captured, "sale.canceled");
    let answer = app.send(&canceled).await;
    assert_eq!(
        (answer.status, answer.text("/reason")),
        (202, "capture_and_void_at_once")
    );
    canceled.id = "evt-later".to_owned();
    canceled.occurred_at = "2026-11-20T18:00:00Z".parse().expect("an instant");
    assert_eq!(app.send(&canceled).await.text("/result"), "recorded");
    assert_eq!(app.count_events("SaleCanceled").await, 1);

    let created = with_type(&capture(&company, "nsu-2"), "sale.created");
    assert_eq!(app.send(&created).await.text("/result"), "recorded");
    assert_eq!(
        app.send(&with_type(&created, "sale.canceled"))
            .await
            .text("/result"),
        "recorded"
    );
    assert_eq!(app.send(&with_type(&created, "sale.canceled")).await.status, 200);
    assert_eq!(app.count_events("SaleVoided").await, 1);
}

#[tokio::test]
async fn a_failure_is_recorded_and_so_is_a_later_capture() {
    let (app, company) = app_and_company().await;
    let captured = capture(&company, "nsu-1");
    assert_eq!(
        app.send(&with_type(&captured, "sale.failed"))
            .await
            .text("/result"),
        "recorded"
    );
    assert_eq!(app.send(&captured).await.text("/result"), "recorded");
    assert_eq!(
        (
            app.count_events("SaleFailed").await,
            app.count_events("SaleCaptured").await
        ),
        (1, 1)
    );
}

#[tokio::test]
async fn another_formatting_of_the_body_is_the_same_notice() {
    let (app, company) = app_and_company().await;
    let notice = json_of(&capture(&company, "nsu-1"));
    app.send_json(&notice).await;
    let answer = app
        .send_text(&format!(
            " {}\n",
            serde_json::to_string_pretty(&notice).expect("JSON")
        ))
        .await;
    assert_eq!(
        (answer.status, answer.text("/result")),
        (200, "already"),
        "{}",
        answer.body
    );
    assert_eq!(app.count_events("SaleCaptured").await, 1);
}

#[tokio::test]
async fn without_a_writer_the_provider_must_send_the_notice_again() {
    let parts = Parts {
        writer: false,
        ..PARTS
    };
    let app = TestApp::start_with(&[SECRETS], parts).await;
    let company = app.company("Padaria").await;
    let answer = app.send(&capture(&company, "nsu-1")).await;
    assert_eq!(answer.status, 503, "{}", answer.body);
    assert!(answer.header("retry-after").is_some());
    assert_nothing_is_stored(&app).await;
}
