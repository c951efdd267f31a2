//! The sandbox's acquirers and a gateway that collects notices.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use futures::stream;
use gateway_acquirers::calls::client_builder;
use gateway_environment::clock::BusinessClock;
use gateway_environment::config::ProviderSecrets;
use ledger_domain::calendar::Instant;
use ledger_store::supervisor::spawn_once;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::sandbox::acquirers::{CONTRACTS, ChargeOptions, Charges, router};
use crate::sandbox::delivery::{Deliveries, ReceivingGateway};

pub struct World {
    pub charges: Charges,
    pub sandbox: SocketAddr,
    /// Has the same charges, and answers each refund with 429.
    pub limiting_sandbox: SocketAddr,
    /// The gateway's address.
    pub gateway: SocketAddr,
    pub http: reqwest::Client,
    received: watch::Receiver<Vec<Received>>,
    /// The requests that the sandbox received, as "GET /path".
    requests: Arc<watch::Sender<Vec<String>>>,
}

/// A notice as it reached the gateway.
#[derive(Clone)]
pub struct Received {
    pub path: String,
    pub content_type: Option<String>,
    pub body: Bytes,
}

const NOW: &str = "2026-11-23T15:00:00Z";

pub fn now() -> Instant {
    NOW.parse().expect("an instant")
}

impl World {
    pub async fn open() -> Self {
        Self::open_with(ChargeOptions::default()).await
    }

    pub async fn without_our_ids() -> Self {
        let options = ChargeOptions {
            hides_sale_ids: true,
            ..ChargeOptions::default()
        };
        Self::open_with(options).await
    }

    async fn open_with(options: ChargeOptions) -> Self {
        let (sender, received) = watch::channel(Vec::new());
        let gateway = serve(Router::new().fallback(collect).with_state(Arc::new(sender))).await;
        let deliveries = Deliveries::new(ReceivingGateway {
            url: format!("http://{gateway}"),
            secrets: ProviderSecrets::default(),
        });
        let notice_urls: HashMap<_, _> = CONTRACTS
            .iter()
            .map(|contract| {
                let address = format!("http://{gateway}/{}/secret", contract.0.name);
                (contract.0.provider, address)
            })
            .collect();
        let options = ChargeOptions {
            delay: Duration::from_millis(10),
            notice_urls,
            ends_lost_calls: true,
            ..options
        };
        let clock = BusinessClock::stopped_at(now());
        let charges =
            Charges::open(options, clock, deliveries.expect("a client")).expect("charges in memory");
        let requests = Arc::new(watch::channel(Vec::new()).0);
        let note = from_fn_with_state(Arc::clone(&requests), note_request);
        let sandbox = router(charges.clone()).layer(from_fn(end_lost_call)).layer(note);
        let sandbox = serve(sandbox).await;
        let limiting_sandbox = serve(router(charges.clone()).layer(from_fn(limit_refunds))).await;
        Self {
            charges,
            sandbox,
            limiting_sandbox,
            gateway,
            http: client_builder()
                .redirect(reqwest::redirect::Policy::none())
                .build()
                .expect("a client"),
            received,
            requests,
        }
    }

    /// The requests to the sandbox that name the charge by the acquirer's id.
    pub fn requests_of(&self, charge_id: &str) -> Vec<String> {
        let requests = self.requests.borrow();
        let of_charge = requests.iter().filter(|request| request.contains(charge_id));
        of_charge.cloned().collect()
    }

    /// Waits until at least `count` notices fit, and returns all that fit.
    pub async fn notices(
        &self,
        count: usize,
        fits: impl Fn(&Received) -> bool,
    ) -> Result<Vec<Received>, String> {
        let mut received = self.received.clone();
        let enough = received.wait_for(|all| all.iter().filter(|notice| fits(notice)).count() >= count);
        let all = timeout(NOTICES_WITHIN, enough)
            .await
            .map_err(|_| "too few notices came".to_owned())?
            .map_err(|error| error.to_string())?
            .clone();
        Ok(all.into_iter().filter(|notice| fits(notice)).collect())
    }
}

/// A missing notice fails the case after this time.
const NOTICES_WITHIN: Duration = Duration::from_secs(30);

async fn serve(app: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("its address");
    spawn_once("contract suite", async move { axum::serve(listener, app).await });
    address
}

async fn note_request(
    State(requests): State<Arc<watch::Sender<Vec<String>>>>,
    request: Request,
    next: Next,
) -> Response {
    let line = format!("{} {}", request.method(), request.uri().path());
    requests.send_modify(|all| all.push(line));
    next.run(request).await
}

/// Ends the connection of a call whose answer is lost. A time-out in its place would depend on how busy the machine is:
/// the call could time out before the sandbox has received it.
async fn end_lost_call(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    if response.status() != StatusCode::GATEWAY_TIMEOUT {
        return response;
    }
    let cut = io::Error::from(io::ErrorKind::ConnectionReset);
    Response::new(Body::from_stream(stream::iter([Err::<Bytes, _>(cut)])))
}

async fn limit_refunds(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if path.ends_with("/refund") || path.ends_with("/void") {
        return StatusCode::TOO_MANY_REQUESTS.into_response();
    }
    next.run(request).await
}

async fn collect(
    State(received): State<Arc<watch::Sender<Vec<Received>>>>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) {
    let content_type = headers.get("content-type").and_then(|value| value.to_str().ok());
    let notice = Received {
        path: uri.path().to_owned(),
        content_type: content_type.map(str::to_owned),
        body,
    };
    received.send_modify(|all| all.push(notice));
}
