//! The next acquirer of a route is asked only once it is proven that the one before charged nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use gateway_acquirers::charge::ApiKey;
use gateway_acquirers::port::Acquirer;
use gateway_acquirers::sandbox::{SandboxAccess, SandboxOnlineAcquirer};
use gateway_platform::orders::HintOutcome;
use ledger_domain::sale::Provider;
use serde_json::json;
use tokio::net::TcpListener;

use super::{OrderFixture, PRICE, pix};
use crate::support::PARTS_AND_SANDBOX;
use crate::support::fake_acquirer::NO_ACQUIRER;
use crate::support::wait::until;

/// An acquirer that refuses each charge, and whose look-up answers with a status that the test sets.
#[derive(Clone)]
struct RefusingAcquirer {
    look_up_status: Arc<AtomicU16>,
    look_ups: Arc<AtomicUsize>,
}

impl RefusingAcquirer {
    async fn serve(self) -> String {
        let router = Router::new()
            .route("/charges", post(async || StatusCode::UNPROCESSABLE_ENTITY))
            .route("/sales/{sale_id}/charge", get(Self::look_up))
            .with_state(self);
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let addr = listener.local_addr().expect("its address");
        tokio::spawn(async move { axum::serve(listener, router).await });
        format!("http://{addr}")
    }

    async fn look_up(State(refusing): State<Self>) -> StatusCode {
        refusing.look_ups.fetch_add(1, Ordering::Relaxed);
        StatusCode::from_u16(refusing.look_up_status.load(Ordering::Relaxed)).expect("a status")
    }
}

/// An acquirer that is registered as Zoop and speaks the sandbox's own contract.
fn zoop_at(url: String) -> Box<dyn Acquirer> {
    let access = SandboxAccess {
        url,
        key: ApiKey::fixed("sandbox"),
        provider: Provider::Zoop,
        timeout: Duration::from_millis(300),
    };
    Box::new(SandboxOnlineAcquirer::new(access).expect("a client"))
}

#[tokio::test]
async fn a_charge_goes_to_the_next_acquirer_only_once_a_look_up_proves_that_nothing_was_charged() {
    let fixture = OrderFixture::open_with(&NO_ACQUIRER, PARTS_AND_SANDBOX).await;
    let refusing = RefusingAcquirer {
        look_up_status: Arc::new(AtomicU16::new(500)),
        look_ups: Arc::default(),
    };
    let zoop = zoop_at(refusing.clone().serve().await);
    let state = &fixture.links.app.app.state;
    // Zoop comes first, then Valori.
    state
        .acquirers
        .set(vec![zoop, Box::new(fixture.acquirer())], None);
    let link = fixture.link(json!({})).await;
    let attempts = "SELECT count(*) FROM order_attempt";

    let order = fixture.placed(&link, pix(PRICE)).await;
    let retry_now = "UPDATE order_attempt SET next_try_at = now() WHERE ended_at IS NULL";
    for inconclusive in [500, 401, 429] {
        refusing.look_up_status.store(inconclusive, Ordering::Relaxed);
        let look_ups = refusing.look_ups.load(Ordering::Relaxed);
        until("two more look-ups", async || {
            fixture.links.app.execute(retry_now).await;
            refusing.look_ups.load(Ordering::Relaxed) > look_ups + 1
        })
        .await;
    }
    assert_eq!(fixture.status(&order).await.at("/attempt/status"), "processing");
    assert_eq!(
        (fixture.count(attempts).await, fixture.charges().await.len()),
        (1, 0)
    );

    refusing.look_up_status.store(404, Ordering::Relaxed);
    until("the next acquirer's charge", async || {
        fixture.links.app.execute(retry_now).await;
        fixture.charges().await.len() == 1
    })
    .await;
    let shown = fixture.until_attempt_is(&order, "to_pay").await;
    assert_eq!(shown.at("/attempt/number"), 2);
    let failed = format!(
        "SELECT count(*) FROM order_attempt WHERE number = 1 AND provider = {} AND status = 'failed'",
        Provider::Zoop.number()
    );
    assert_eq!(fixture.count(&failed).await, 1);
    let sale_id = fixture.sale(&order, 2).await;
    fixture.change_charge(sale_id, "pay").await;
    assert_eq!(fixture.hint(sale_id).await, HintOutcome::Handled);
    fixture.until_attempt_is(&order, "paid").await;
    assert_eq!(fixture.count(attempts).await, 2);
    fixture.assert_books_agree().await;
}

/// Through the adapters of two contracts, over HTTP.
#[tokio::test]
async fn a_pix_that_one_acquirer_declines_is_charged_by_the_next() {
    let variables = [
        ("RAZAO_ACQUIRER_ZOOP_URL", "sandbox"),
        ("RAZAO_ACQUIRER_IUGU_URL", "sandbox"),
    ];
    let fixture = OrderFixture::open_with(&variables, PARTS_AND_SANDBOX).await;
    let link = fixture.link(json!({})).await;
    let order = fixture.placed(&link, pix(PRICE)).await;
    let attempts = "SELECT count(*) FROM order_attempt";
    for (number, contract, change) in [(1, "zoop", "decline"), (2, "iugu", "pay")] {
        let shown = format!("{attempts} WHERE number = {number} AND pix_code IS NOT NULL");
        fixture.links.app.until_count(&shown, 1).await;
        let charges = fixture.charges().await;
        let last = charges.last().expect("a charge");
        assert_eq!(
            (charges.len(), &last["contract"]),
            (usize::try_from(number).expect("a number"), &json!(contract))
        );
        let sale_id = fixture.sale(&order, number).await;
        assert_eq!(fixture.change_charge(sale_id, change).await.status, 200);
    }
    let paid = fixture.until_attempt_is(&order, "paid").await;
    assert_eq!(paid.at("/status"), "paid");
    assert_eq!(fixture.links.app.count_events("SaleFailed").await, 1);
    fixture.assert_books_agree().await;
}

/// Zoop cannot cancel a PIX code. The buyer never saw it, so nobody waits until it expires.
#[tokio::test]
async fn a_refused_code_that_cannot_be_canceled_does_not_hold_up_the_next_acquirer() {
    // The cents make the sandbox return a code of another amount, whatever the contract.
    const WRONG_CODE: i64 = 100_27;
    let variables = [("RAZAO_ACQUIRER_ZOOP_URL", "sandbox")];
    let fixture = OrderFixture::open_with(&variables, PARTS_AND_SANDBOX).await;
    let link = fixture.link(json!({ "amount": WRONG_CODE })).await;
    let order = fixture.placed(&link, pix(WRONG_CODE)).await;
    let failed = fixture.until_attempt_is(&order, "declined").await;
    assert_eq!(
        (failed.at("/attempt/number"), failed.at("/attempt/decline/code")),
        (&json!(2), &json!("unavailable")),
        "{}",
        failed.body
    );
    assert_eq!(
        (failed.at("/can_retry"), failed.at("/earlier_pix")),
        (&json!(true), &serde_json::Value::Null)
    );
    let contracts: Vec<_> = fixture.charges().await;
    let contracts: Vec<_> = contracts
        .iter()
        .map(|charge| charge["contract"].clone())
        .collect();
    assert_eq!(contracts, ["zoop", "own"]);
    let open = "SELECT count(*) FROM order_attempt WHERE number = 1 AND ended_at IS NULL AND given_up_at IS NOT NULL";
    assert_eq!(fixture.count(open).await, 1, "the code stays open at Zoop");
    fixture.assert_books_agree().await;
}
