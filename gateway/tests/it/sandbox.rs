//! The sandbox with the running gateway, over real HTTP in both directions.

use ledger_domain::sale::Provider;
use serde_json::{Value, json};

use crate::support::wait::until_some;
use crate::support::{Answer, Client, Company, PARTS_AND_SANDBOX, TestApp};

async fn open() -> (TestApp, Company, Client) {
    let app = TestApp::start_with(&[], PARTS_AND_SANDBOX).await;
    let company = app.company("Padaria").await;
    let long_ago = "2026-01-01T00:00:00Z".parse().expect("an instant");
    app.terminal(&company, "PB-1", Some(long_ago)).await;
    let sandbox = Client::new(app.app.sandbox_address().expect("the sandbox listens"));
    (app, company, sandbox)
}

async fn sell(sandbox: &Client, sale: Value) -> Answer {
    let reported = sandbox.post("/sandbox/sales", sale).await;
    assert_eq!(reported.status, 201, "{}", reported.body);
    reported
}

async fn delivered(sandbox: &Client, notices: usize) -> Vec<Value> {
    until_some(&format!("{notices} notices delivered"), async || {
        let list = sandbox.get("/sandbox/deliveries").await;
        let all = list.body.as_array().expect("deliveries").clone();
        let decided = all.iter().all(|delivery| delivery["status"] != "waiting");
        (all.len() == notices && decided).then_some(all)
    })
    .await
}

#[tokio::test]
async fn a_card_sale_at_a_terminal_reaches_the_ledger() {
    let (app, _, sandbox) = open().await;
    let reported = sell(
        &sandbox,
        json!({ "terminal": "PB-1", "amount": 300_00, "installments": 3, "brand": "visa" }),
    )
    .await;
    assert_eq!(reported.text("/outcome"), "captured");
    let deliveries = delivered(&sandbox, 2).await;
    assert!(
        deliveries.iter().all(|delivery| delivery["http_status"] == 200),
        "{deliveries:?}"
    );
    assert_eq!(
        (
            app.count_events("SaleCreated").await,
            app.count_events("SaleCaptured").await
        ),
        (1, 1)
    );
}

#[tokio::test]
async fn test_cards_fail_or_are_canceled() {
    let (app, _, sandbox) = open().await;
    let refused = sell(
        &sandbox,
        json!({ "terminal": "PB-1", "amount": 100, "card_number": "4000000000000002" }),
    )
    .await;
    assert_eq!(refused.text("/outcome"), "failed");
    let canceled = sell(
        &sandbox,
        json!({ "terminal": "PB-1", "amount": 100, "last_four": "0077" }),
    )
    .await;
    assert_eq!(canceled.text("/outcome"), "canceled");
    delivered(&sandbox, 4).await;
    assert_eq!(
        (
            app.count_events("SaleFailed").await,
            app.count_events("SaleVoided").await
        ),
        (1, 1)
    );
}

#[tokio::test]
async fn duplicate_and_unordered_notices_count_once() {
    let (app, _, sandbox) = open().await;
    let sale = json!({ "terminal": "PB-1", "amount": 100, "payment_type": "pix", "duplicates": 2, "out_of_order": true });
    sell(&sandbox, sale).await;
    // Created and captured, each three times.
    let deliveries = delivered(&sandbox, 2 * 3).await;
    assert!(
        deliveries
            .iter()
            .all(|delivery| delivery["status"] == "delivered"),
        "{deliveries:?}"
    );
    assert_eq!(app.count_events("SaleCaptured").await, 1);
    assert_eq!(app.count("SELECT count(*) FROM exception").await, 0);
}

#[tokio::test]
async fn later_steps_of_a_sale_in_disorder_and_twice_count_once() {
    let (app, _, sandbox) = open().await;
    let sale = json!({ "terminal": "PB-1", "amount": 100_00, "then": ["dispute_opened", "dispute_lost"],
                       "duplicates": 1, "out_of_order": true });
    sell(&sandbox, sale).await;
    // Created, captured, dispute opened and lost, each twice.
    delivered(&sandbox, 4 * 2).await;
    app.until_events("SaleChargedBack", 1).await;
    let status = "SELECT count(*) FROM sale_state WHERE status = 'charged_back'";
    assert_eq!(app.count(status).await, 1);
}

#[tokio::test]
async fn later_steps_of_an_earlier_sale_are_reported_on_request() {
    let (app, company, sandbox) = open().await;
    sell(
        &sandbox,
        json!({ "business_id": company.id, "amount": 100_00, "external_id": "one" }),
    )
    .await;
    delivered(&sandbox, 2).await;
    let opened = json!({ "external_id": "one", "facts": ["dispute_opened"] });
    let reported = sandbox.post("/sandbox/facts", opened).await;
    assert_eq!(reported.status, 201, "{}", reported.body);
    let dispute_id = reported.text("/dispute_id").to_owned();
    delivered(&sandbox, 3).await;
    let won =
        json!({ "external_id": "one", "facts": ["dispute_won"], "dispute_id": dispute_id, "duplicates": 2 });
    assert_eq!(sandbox.post("/sandbox/facts", won).await.status, 201);
    delivered(&sandbox, 6).await;
    assert_eq!(
        (
            app.count_events("SaleDisputed").await,
            app.count_events("DisputeWon").await
        ),
        (1, 1)
    );
    let reversed = json!({ "external_id": "one", "facts": ["reversed"] });
    assert_eq!(sandbox.post("/sandbox/facts", reversed).await.status, 201);
    delivered(&sandbox, 7).await;
    let status = "SELECT count(*) FROM sale_state WHERE status = 'reversed'";
    assert_eq!(app.count(status).await, 1);
    let nothing = json!({ "external_id": "one", "facts": [] });
    assert_eq!(sandbox.post("/sandbox/facts", nothing).await.status, 422);
}

#[tokio::test]
async fn the_sandbox_can_act_as_any_provider() {
    let (app, company, sandbox) = open().await;
    for provider in Provider::ALL {
        sell(
            &sandbox,
            json!({ "business_id": company.id, "amount": 100, "provider": provider.number(), "external_id": "one" }),
        )
        .await;
    }
    delivered(&sandbox, 2 * Provider::ALL.len()).await;
    assert_eq!(
        app.count_events("SaleCaptured").await,
        Provider::ALL.len() as i64,
        "one id with each provider is as many sales"
    );
}

#[tokio::test]
async fn a_stream_creates_the_requested_number_of_sales_for_its_targets() {
    let (app, company, sandbox) = open().await;
    let stream =
        json!({ "count": 20, "per_minute": 6_000, "seed": 7, "targets": [{ "business_id": company.id }] });
    assert_eq!(sandbox.post("/sandbox/stream", stream).await.status, 202);
    let ended = "SELECT count(*) FROM sale WHERE status <> 'created' AND status <> 'pending'";
    app.until_count(ended, 20).await;
}

/// A millisecond more than an hour.
const TOO_LONG_MS: u64 = 3_600_001;

#[tokio::test]
async fn an_invalid_sale_stream_or_later_step_is_refused() {
    let (_app, _, sandbox) = open().await;
    for sale in [
        json!({ "terminal": "PB-1", "amount": 0 }),
        json!({ "terminal": "PB-1", "amount": 100, "payment_type": "pix", "installments": 2 }),
        json!({ "amount": 100 }),
        json!({ "terminal": "PB-1", "amount": 100, "surprise": true }),
        json!({ "terminal": "PB-1", "amount": 100, "delay_ms": TOO_LONG_MS }),
    ] {
        assert_eq!(
            sandbox.post("/sandbox/sales", sale.clone()).await.status,
            422,
            "{sale}"
        );
    }
    let facts = json!({ "external_id": "one", "facts": ["refunded"], "delay_ms": TOO_LONG_MS });
    assert_eq!(sandbox.post("/sandbox/facts", facts).await.status, 422);
    for stream in [
        json!({ "count": 0 }),
        json!({ "count": 1, "targets": [{ "terminal": "PB-1" }, {}] }),
    ] {
        assert_eq!(
            sandbox.post("/sandbox/stream", stream.clone()).await.status,
            422,
            "{stream}"
        );
    }
}
