//! The sandbox's HTTP server.

use std::net::SocketAddr;
use std::time::Duration;

use async_trait::async_trait;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use chrono::Utc;
use gateway_environment::clock::BusinessClock;
use ledger_domain::Cents;
use ledger_store::Supervisor;
use ledger_store::supervisor::{Failure, Pulse, Supervised, Task, spawn_once};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::acquirers::{self, ChargeBook, ChargeOptions, Charges};
use super::bank::{self, Bank, BankOptions};
use super::delivery::{Deliveries, Delivery, ReceivingGateway};
use super::facts::{FactsRequest, FactsResponse};
use super::front_page::show_rules;
use super::sales::{SaleRequest, SaleResponse};
use super::stream::{self, StreamRequest, Target};
use super::terminals::TerminalProvider;
use super::{postal_codes, refunds};

/// The largest number of facts about one sale in one request.
const FACTS_MAX: usize = 20;
/// An hour. A far longer pause is beyond the range of instants.
const DELAY_MS_MAX: u64 = 60 * 60 * 1_000;

pub struct SandboxOptions {
    pub addr: SocketAddr,
    pub gateway: ReceivingGateway,
    /// The targets of automatic sales, and of requested streams that name none.
    pub targets: Vec<Target>,
    /// Automatic sales per minute; zero for none.
    pub rate: u32,
    pub clock: BusinessClock,
    pub bank: BankOptions,
    pub charges: ChargeOptions,
}

/// A running sandbox. Dropping it closes its port and ends the automatic sales.
pub struct Sandbox {
    pub addr: SocketAddr,
    charges: Charges,
    _tasks: Vec<Supervised>,
}

#[derive(Clone)]
struct SandboxState {
    deliveries: Deliveries,
    targets: Vec<Target>,
    clock: BusinessClock,
}

impl Sandbox {
    pub async fn start(options: SandboxOptions, supervisor: &Supervisor) -> std::io::Result<Self> {
        let listener = TcpListener::bind(options.addr).await?;
        Self::start_on(listener.into_std()?, options, supervisor)
    }

    /// Serves on this listener and ignores `options.addr`. So a gateway can be configured with the address before the
    /// sandbox starts, and no other program takes the port in between.
    pub fn start_on(
        listener: std::net::TcpListener,
        options: SandboxOptions,
        supervisor: &Supervisor,
    ) -> std::io::Result<Self> {
        let deliveries = Deliveries::new(options.gateway).map_err(std::io::Error::other)?;
        listener.set_nonblocking(true)?;
        let addr = listener.local_addr()?;
        let acquirer = refunds::Acquirer::new(deliveries.clone(), options.bank.delay, options.clock);
        let terminals = TerminalProvider::new(options.clock);
        let bank = Bank::open(options.bank, options.clock, deliveries.clone())?;
        let charges = Charges::open(options.charges, options.clock, deliveries.clone())?;
        let sandbox = SandboxState {
            deliveries: deliveries.clone(),
            targets: options.targets.clone(),
            clock: options.clock,
        };
        let app = router(sandbox)
            .merge(acquirer.router())
            .merge(terminals.router())
            .merge(bank::router(bank))
            .merge(acquirers::router(charges.clone()))
            .merge(postal_codes::router());
        let mut tasks = vec![supervisor.start("sandbox", SandboxServer { listener, app })];
        if options.rate > 0 {
            let task = SaleStream {
                deliveries,
                targets: options.targets,
                clock: options.clock,
                rate: options.rate,
            };
            tasks.push(supervisor.start("sandbox's stream of sales", task));
        }
        Ok(Self {
            addr,
            charges,
            _tasks: tasks,
        })
    }

    /// Through it, the demo's loader adds past charges to this running sandbox.
    pub fn charge_book(&self) -> ChargeBook {
        ChargeBook::Running(self.charges.clone())
    }
}

struct SandboxServer {
    /// Each start serves on a copy, so that the port stays open between two starts.
    listener: std::net::TcpListener,
    app: Router,
}

#[async_trait]
impl Task for SandboxServer {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        let listener = TcpListener::from_std(self.listener.try_clone()?)?;
        pulse.beat();
        Ok(axum::serve(listener, self.app.clone()).await?)
    }
}

struct SaleStream {
    deliveries: Deliveries,
    targets: Vec<Target>,
    clock: BusinessClock,
    rate: u32,
}

#[async_trait]
impl Task for SaleStream {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        let seed = Utc::now().timestamp().unsigned_abs();
        pulse.beat();
        stream::run(
            self.deliveries.clone(),
            self.targets.clone(),
            self.clock,
            self.rate,
            None,
            seed,
        )
        .await;
        Ok(())
    }
}

fn router(sandbox: SandboxState) -> Router {
    Router::new()
        .route("/", get(show_rules))
        .route("/sandbox/sales", post(create_sale))
        .route("/sandbox/facts", post(create_facts))
        .route("/sandbox/stream", post(create_stream))
        .route("/sandbox/deliveries", get(list_deliveries))
        .with_state(sandbox)
}

pub(super) type Refused = (StatusCode, Json<Value>);

pub(super) fn refused(status: StatusCode, message: &str) -> Refused {
    (status, Json(json!({ "message": message })))
}

/// Longer than every client waits by default (10 s).
const HANG_TIME: Duration = Duration::from_secs(90);

pub(super) async fn hang() -> Refused {
    tokio::time::sleep(HANG_TIME).await;
    refused(StatusCode::GATEWAY_TIMEOUT, "timed out on purpose")
}

fn unprocessable(message: &str) -> Refused {
    refused(StatusCode::UNPROCESSABLE_ENTITY, message)
}

fn check_delay(delay_ms: u64) -> Result<(), Refused> {
    if delay_ms <= DELAY_MS_MAX {
        Ok(())
    } else {
        Err(unprocessable("delay_ms: up to 3600000"))
    }
}

async fn create_sale(
    State(sandbox): State<SandboxState>,
    Json(request): Json<SaleRequest>,
) -> Result<(StatusCode, Json<SaleResponse>), Refused> {
    if Cents::checked_amount(request.amount).is_err() {
        return Err(unprocessable("amount: whole cents, from 1 to 9999999999"));
    }
    if !request.payment_type.takes_installments(request.installments) {
        return Err(unprocessable("installments: 1 to 21 by credit, 1 otherwise"));
    }
    if request.business_id.is_none() && request.terminal.is_none() {
        return Err(unprocessable("terminal or business_id: one of them is required"));
    }
    check_delay(request.delay_ms)?;
    let (response, notices) = request.decide(sandbox.clock.now());
    sandbox.deliveries.send(request.provider, notices);
    Ok((StatusCode::CREATED, Json(response)))
}

async fn create_facts(
    State(sandbox): State<SandboxState>,
    Json(request): Json<FactsRequest>,
) -> Result<(StatusCode, Json<FactsResponse>), Refused> {
    if !(1..=FACTS_MAX).contains(&request.facts.len()) {
        return Err(unprocessable("facts: 1 to 20"));
    }
    check_delay(request.delay_ms)?;
    let (response, notices) = request.notices(sandbox.clock.now());
    sandbox.deliveries.send(request.provider, notices);
    Ok((StatusCode::CREATED, Json(response)))
}

async fn create_stream(
    State(sandbox): State<SandboxState>,
    Json(request): Json<StreamRequest>,
) -> Result<(StatusCode, Json<Value>), Refused> {
    if !(1..=stream::COUNT_MAX).contains(&request.count) {
        return Err(unprocessable("count: 1 to 10000"));
    }
    if !(1..=stream::PER_MINUTE_MAX).contains(&request.per_minute) {
        return Err(unprocessable("per_minute: 1 to 6000"));
    }
    let targets = if request.targets.is_empty() {
        sandbox.targets
    } else {
        request.targets
    };
    let is_empty = |target: &Target| target.terminal.is_none() && target.business_id.is_none();
    if targets.is_empty() || targets.iter().any(is_empty) {
        return Err(unprocessable(
            "targets: at least one, each with a terminal or a business_id",
        ));
    }
    let count = request.count;
    spawn_once(
        "sandbox's stream of sales",
        stream::run(
            sandbox.deliveries,
            targets,
            sandbox.clock,
            request.per_minute,
            Some(count),
            request.seed,
        ),
    );
    Ok((StatusCode::ACCEPTED, Json(json!({ "count": count }))))
}

async fn list_deliveries(State(sandbox): State<SandboxState>) -> Json<Vec<Delivery>> {
    Json(sandbox.deliveries.list())
}
