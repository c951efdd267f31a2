//! The sandbox's own HTTP server.

use std::net::SocketAddr;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use chrono::Utc;
use ledger_domain::Cents;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::bank::{self, Bank, BankOptions};
use super::delivery::{Deliveries, Delivery, Gateway};
use super::sales::{SaleRequest, SaleTold};
use super::stream::{self, StreamRequest, Target};
use super::welcome::show_rules;

pub struct SandboxOptions {
    pub addr: SocketAddr,
    pub gateway: Gateway,
    /// Where streams sell when they name nobody.
    pub targets: Vec<Target>,
    /// Sales a minute that come by themselves; zero for none.
    pub rate: u32,
    pub bank: BankOptions,
}

/// A running sandbox; dropping it ends it.
pub struct Sandbox {
    pub addr: SocketAddr,
    tasks: Vec<JoinHandle<()>>,
}

#[derive(Clone)]
struct Acquirer {
    deliveries: Deliveries,
    targets: Vec<Target>,
}

impl Sandbox {
    pub async fn start(options: SandboxOptions) -> std::io::Result<Self> {
        let deliveries = Deliveries::new(options.gateway).map_err(std::io::Error::other)?;
        let listener = TcpListener::bind(options.addr).await?;
        let addr = listener.local_addr()?;
        let bank = Bank::open(options.bank, deliveries.clone())?;
        let app = router(deliveries.clone(), options.targets.clone()).merge(bank::router(bank));
        let mut tasks = vec![tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, app).await {
                tracing::error!(%error, "the sandbox stopped");
            }
        })];
        if options.rate > 0 {
            let seed = Utc::now().timestamp().unsigned_abs();
            tasks.push(tokio::spawn(stream::run(
                deliveries,
                options.targets,
                options.rate,
                None,
                seed,
            )));
        }
        Ok(Self { addr, tasks })
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

fn router(deliveries: Deliveries, targets: Vec<Target>) -> Router {
    Router::new()
        .route("/", get(show_rules))
        .route("/sandbox/sales", post(create_sale))
        .route("/sandbox/stream", post(create_stream))
        .route("/sandbox/deliveries", get(list_deliveries))
        .with_state(Acquirer { deliveries, targets })
}

type Refused = (StatusCode, Json<Value>);

fn refused(message: &str) -> Refused {
    (
        StatusCode::UNPROCESSABLE_ENTITY,
        Json(json!({ "message": message })),
    )
}

async fn create_sale(
    State(acquirer): State<Acquirer>,
    Json(request): Json<SaleRequest>,
) -> Result<(StatusCode, Json<SaleTold>), Refused> {
    if Cents::amount(request.amount).is_err() {
        return Err(refused("amount: whole cents, from 1 to 9999999999"));
    }
    if !request.payment_type.takes_installments(request.installments) {
        return Err(refused("installments: 1 to 21 by credit, 1 otherwise"));
    }
    if request.business_id.is_none() && request.terminal.is_none() {
        return Err(refused("terminal or business_id: one of them is needed"));
    }
    let (told, notices) = request.decide(Utc::now());
    acquirer.deliveries.send(request.provider, notices);
    Ok((StatusCode::CREATED, Json(told)))
}

async fn create_stream(
    State(acquirer): State<Acquirer>,
    Json(request): Json<StreamRequest>,
) -> Result<(StatusCode, Json<Value>), Refused> {
    if !(1..=stream::COUNT_MAX).contains(&request.count) {
        return Err(refused("count: 1 to 10000"));
    }
    if !(1..=stream::PER_MINUTE_MAX).contains(&request.per_minute) {
        return Err(refused("per_minute: 1 to 6000"));
    }
    let targets = if request.targets.is_empty() {
        acquirer.targets
    } else {
        request.targets
    };
    if targets.is_empty() {
        return Err(refused("targets: a terminal or a business_id for at least one"));
    }
    let count = request.count;
    tokio::spawn(stream::run(
        acquirer.deliveries,
        targets,
        request.per_minute,
        Some(count),
        request.seed,
    ));
    Ok((StatusCode::ACCEPTED, Json(json!({ "count": count }))))
}

async fn list_deliveries(State(acquirer): State<Acquirer>) -> Json<Vec<Delivery>> {
    Json(acquirer.deliveries.list())
}
