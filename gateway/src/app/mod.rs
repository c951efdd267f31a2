//! The program's parts. They start in the order of their dependencies: database, writer, followers, jobs, HTTP,
//! sandbox, effects. At the end, `App::drain` goes on answering while balancers look for another process. `App::stop`
//! accepts no more requests and gives the shards up, so that another process records at once, and then waits for the open
//! requests. One process can run all parts, or some of them while other processes
//! run the rest. Jobs and effects that end in the ledger run where the writer runs: they work for the owned shards only.

mod acquirers;
mod clock;
mod database;
#[cfg(feature = "dev")]
mod development;
mod effects;
mod file_limit;
mod jobs;
mod slow_statements;
mod state;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use ledger_store::supervisor::Supervised;
use ledger_store::{Supervisor, WriterError, WriterTask};
use projections::{FollowerOptions, Following};
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::time::{Instant, sleep_until, timeout_at};

pub(crate) use clock::start as start_clock;
pub use database::{Database, DatabaseError};
use effects::Effects;
pub use effects::EffectsError;
#[cfg(feature = "dev")]
use gateway_dev::sandbox::Sandbox;
use gateway_environment::config::{Config, HttpLimits, NoCheckpointKey, PostalCodeService};
use gateway_http::assets::Panels;
use gateway_http::reports::emails::{ReportCalls, report_emails};
use gateway_http::server::{HttpServer, OPERATIONS, PUBLIC};
use gateway_http::{AppState, metrics, router};
use gateway_peers::{IdentityError, PeerServer};
use gateway_platform::adjustments::Adjustments;
use gateway_platform::buyers::Retention;
use gateway_platform::heads_outside::{HeadsOutside, OutsideError};
use gateway_platform::hold_release::HoldRelease;
use gateway_platform::orders::FollowedOrdersJob;
use gateway_platform::plans::impact::Impacts;
use gateway_platform::reach::Reach;
use gateway_platform::recent_audit::RecentAudit;
use gateway_platform::reconciliation::Reconciliation;
use gateway_platform::rentals::Rentals;
use gateway_platform::reports::ReportEmails;
use gateway_platform::settlement::Settlement;
use gateway_platform::tree_heads::TreeHeads;
use gateway_platform::withdrawals::schedule::ScheduledWithdrawals;
use gateway_platform::witnesses::Witnesses;
use state::start_writer;

use crate::traces::{Traces, TracesError};

/// The parts that this process runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    /// HTTP: the API and the panels.
    pub gateway: bool,
    /// The operators' listener: health, readiness, metrics.
    pub operations: bool,
    /// The lanes that decide commands. Without them, commands are answered with 503.
    pub writer: bool,
    /// The listener for other processes, if it is configured, and the share of the shards that goes with it.
    pub peers: bool,
    /// The followers that update the read models.
    pub projections: bool,
    /// The scheduled jobs of `jobs`.
    pub scheduled_jobs: bool,
    /// The effects: the effect handlers that follow the log, the workers of payouts, refunds and orders, the expiry of
    /// orders, and the e-mail sender.
    pub effects: bool,
    /// The job that tries waiting notices again.
    pub exceptions: bool,
    /// The acquirer and bank simulator. It does not exist in a build without the feature `dev`.
    pub sandbox: bool,
}

impl Parts {
    pub const ALL: Self = Self {
        gateway: true,
        operations: true,
        writer: true,
        peers: true,
        projections: true,
        scheduled_jobs: true,
        effects: true,
        exceptions: true,
        sandbox: true,
    };
    /// Whether a part records events. Without shards of the log such a process is not ready.
    pub const fn writes(self) -> bool {
        self.gateway || self.writer || self.scheduled_jobs || self.effects || self.exceptions
    }

    /// The parts with which a command of the command line can write to the ledger and read what it wrote.
    pub const LEDGER: Self = Self {
        gateway: false,
        operations: false,
        peers: false,
        scheduled_jobs: false,
        effects: false,
        exceptions: false,
        sandbox: false,
        ..Self::ALL
    };
}

/// How long a process takes to end after a signal, unless its drain is longer. Service managers kill it later.
pub const STOP_MAX: Duration = Duration::from_secs(10);
/// What is left of it after a long drain.
const STOP_MIN: Duration = Duration::from_secs(4);
/// While no other process takes shards, a drain looks for one that starts.
const TAKERS_EVERY: Duration = Duration::from_millis(100);

#[derive(Debug, Error)]
pub enum AppError {
    #[error(transparent)]
    Database(#[from] DatabaseError),
    #[error(transparent)]
    Writer(#[from] WriterError),
    #[error("no connection to the database")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("cannot listen on {addr}: {source}")]
    Listen {
        addr: SocketAddr,
        source: std::io::Error,
    },
    #[error("{0}. `just release` builds them into the program, and RAZAO_UI names another folder")]
    Panels(String),
    #[error("a socket cannot be used: {0}")]
    Socket(#[from] std::io::Error),
    #[error("the database's clock cannot be read")]
    Clock(#[source] tokio_postgres::Error),
    #[error(transparent)]
    Effects(#[from] EffectsError),
    #[error(transparent)]
    HeadsOutside(#[from] OutsideError),
    #[error(transparent)]
    Peers(#[from] IdentityError),
    #[error(transparent)]
    Checkpoint(#[from] NoCheckpointKey),
    #[error(transparent)]
    Traces(#[from] TracesError),
}

/// The running program.
pub struct App {
    pub state: AppState,
    parts: Parts,
    web: Option<HttpServer>,
    operations: Option<HttpServer>,
    /// The listener for other processes.
    peers: Option<PeerServer>,
    #[cfg(feature = "dev")]
    sandbox: Option<Sandbox>,
    followed_orders: Option<FollowedOrdersJob>,
    effects: Option<Effects>,
    jobs: Vec<Supervised>,
    followers: Option<Following>,
    writer: WriterTask,
    traces: Option<Traces>,
    _metrics: Supervised,
    _clock: Option<Supervised>,
    _hosts: Option<Supervised>,
    slow_statements: Option<Supervised>,
    database: Database,
}

impl App {
    /// Opens the database, migrates it if the configuration says so, and starts the parts.
    pub async fn start(config: Config, parts: Parts) -> Result<Self, AppError> {
        let listeners = Listeners::open(&config, parts).await?;
        let database = Database::open(&config.database).await?;
        Self::start_parts(database, config, parts, listeners).await
    }

    /// Like `start`, on a database that is already open.
    pub async fn start_on(database: Database, config: Config, parts: Parts) -> Result<Self, AppError> {
        let listeners = Listeners::open(&config, parts).await?;
        Self::start_parts(database, config, parts, listeners).await
    }

    async fn start_parts(
        database: Database,
        config: Config,
        parts: Parts,
        listeners: Listeners,
    ) -> Result<Self, AppError> {
        metrics::install();
        let supervisor = Supervisor::default();
        #[cfg(feature = "dev")]
        let database = database.keep_running(&supervisor);
        let hosts = database.connector().keep_watching(&supervisor);
        database.prepare(&config.database).await?;
        #[cfg(feature = "dev")]
        let database = database.with_data_folder(&config.database).await?;
        database.warn_of_weak_commit().await?;
        let clock = clock::start(&config, database.pool()).await?;
        let peers = listeners.peers;
        let started = start_writer(&database, config, parts, clock, supervisor, peers).await?;
        let (state, writer, peers) = started;
        // Before the first request.
        let settings = &state.config;
        let traces = Traces::start(&settings.traces, settings.build.version, state.writer.owner())?;
        let clock = clock::keep_comparing(&state);
        let metrics = metrics::start_upkeep(&state.supervisor);
        let slow_statements = database.watch_slow_statements(&state);
        let recorded = state.writer.recorded();
        let followers = parts.projections.then(|| {
            let options = FollowerOptions {
                wake: state.wake.of_followers(),
                supervisor: state.supervisor.clone(),
                ..FollowerOptions::default()
            };
            projections::follow_log(state.pool.clone(), Some(&recorded), options)
        });
        let mut app = Self {
            state,
            parts,
            web: None,
            operations: None,
            peers,
            #[cfg(feature = "dev")]
            sandbox: None,
            followed_orders: None,
            effects: None,
            jobs: vec![],
            followers,
            writer,
            traces,
            _metrics: metrics,
            _clock: clock,
            _hosts: hosts,
            slow_statements,
            database,
        };
        app.jobs = jobs::start(&app, parts, app.witnesses()?, app.heads_outside()?);
        app.start_servers(listeners.public, listeners.operations)?;
        #[cfg(feature = "dev")]
        if parts.sandbox {
            app.sandbox = Some(app.start_sandbox().await?);
        }
        let sandbox = app.state.config.sandbox.addr;
        #[cfg(feature = "dev")]
        let sandbox = app.sandbox_address().unwrap_or(sandbox);
        effects::set_terminal_provider(&app.state, sandbox)?;
        acquirers::set_acquirers(&app.state, sandbox, app.address())?;
        if app.state.config.postal_codes.service == Some(PostalCodeService::Sandbox) {
            app.state
                .postal_codes
                .set_service_url(&format!("http://{sandbox}/postal-codes"));
        }
        if parts.effects {
            app.effects = Some(Effects::start(&app.state, sandbox)?);
        }
        Ok(app)
    }

    fn start_servers(
        &mut self,
        public: Option<TcpListener>,
        operations: Option<TcpListener>,
    ) -> Result<(), AppError> {
        let state = &self.state;
        let limits = state.config.server.limits;
        let connections = file_limit::raise_limit_and_share_connections(limits.connections);
        let with = |connections| HttpLimits {
            connections,
            ..limits
        };
        if let Some(listener) = public {
            self.followed_orders = Some(state.orders.start_following(&state.supervisor));
            let (router, limits) = (router::public(state.clone()), with(connections.public));
            let server = HttpServer::start(listener, PUBLIC, router, limits, &state.supervisor)?;
            self.web = Some(server);
        }
        if let Some(listener) = operations {
            let (router, limits) = (router::operations(state.clone()), with(connections.operations));
            let server = HttpServer::start(listener, OPERATIONS, router, limits, &state.supervisor)?;
            self.operations = Some(server);
        }
        Ok(())
    }

    /// The address of the API and the panels, if this process runs them.
    pub fn address(&self) -> Option<SocketAddr> {
        self.web.as_ref().map(|web| web.addr)
    }

    /// The address of the operators' listener, if this process runs it.
    pub fn operations_address(&self) -> Option<SocketAddr> {
        self.operations.as_ref().map(|web| web.addr)
    }

    /// The address of the listener for other processes, if this process has one.
    pub fn peer_address(&self) -> Option<SocketAddr> {
        self.peers.as_ref().map(|peers| peers.addr)
    }

    /// Whether this process decides commands and updates the read models.
    pub const fn runs_ledger(&self) -> bool {
        self.parts.writer && self.parts.projections
    }

    /// Whether this process records for every company: no other process owns a shard of the log.
    pub fn owns_all_shards(&self) -> bool {
        self.state.writer.owns_all()
    }

    pub const fn database(&self) -> &Database {
        &self.database
    }

    pub fn settlement(&self) -> Settlement {
        let state = &self.state;
        Settlement {
            pool: state.pool.clone(),
            writer: state.writer.clone(),
            clock: state.clock,
            reach: Reach::Own,
            wake: state.wake.clone(),
        }
    }

    pub fn rentals(&self) -> Rentals {
        let state = &self.state;
        Rentals {
            pool: state.pool.clone(),
            writer: state.writer.clone(),
            clock: state.clock,
            reach: Reach::Own,
            defaults: state.default_settings(),
        }
    }

    pub fn scheduled_withdrawals(&self) -> ScheduledWithdrawals {
        let state = &self.state;
        ScheduledWithdrawals {
            pool: state.pool.clone(),
            writer: state.writer.clone(),
            clock: state.clock,
            reach: Reach::Own,
        }
    }

    pub fn hold_release(&self) -> HoldRelease {
        self.state.hold_release()
    }

    pub fn adjustments(&self) -> Adjustments {
        self.state.adjustments()
    }

    pub fn tree_heads(&self) -> TreeHeads {
        let state = &self.state;
        TreeHeads {
            pool: state.pool.clone(),
            keys: state.config.keys.checkpoint.clone(),
            name: state.config.proofs.ledger_name.clone(),
            clock: state.clock,
        }
    }

    pub fn recent_audit(&self) -> RecentAudit {
        RecentAudit {
            pool: self.state.pool.clone(),
        }
    }

    fn heads_outside(&self) -> Result<HeadsOutside, OutsideError> {
        let state = &self.state;
        HeadsOutside::new(state.pool.clone(), state.config.proofs.heads.as_ref())
    }

    fn witnesses(&self) -> Result<Witnesses, AppError> {
        let addresses = self.state.config.proofs.witnesses.clone();
        let witnesses = Witnesses::new(self.state.pool.clone(), addresses);
        Ok(witnesses.map_err(EffectsError::Provider)?)
    }

    pub fn retention(&self) -> Retention {
        let state = &self.state;
        Retention {
            pool: state.pool.clone(),
            clock: state.clock,
            defaults: state.default_settings(),
        }
    }

    pub fn report_emails(&self) -> ReportEmails<ReportCalls> {
        report_emails(self.state.clone())
    }

    pub fn impacts(&self) -> Impacts {
        Impacts::new(self.state.pool.clone())
    }

    pub fn reconciliation(&self) -> Reconciliation {
        Reconciliation {
            pool: self.state.pool.clone(),
            ids: self.state.ids.clone(),
            clock: self.state.clock,
            acquirers: Arc::clone(&self.state.acquirers),
        }
    }

    /// Is not ready from now on, and goes on answering for so long, so that balancers send their requests elsewhere. If
    /// other processes take shards, they get them at once, and commands are sent to them. Otherwise nobody else would record
    /// the commands of these requests, and the shards stay until `stop`. It can be dropped at any point.
    pub async fn drain(&self, time: Duration) {
        self.state.stopping.store(true, Ordering::Relaxed);
        let end = Instant::now() + time;
        while Instant::now() < end {
            if self.state.writer.has_takers() {
                self.state.writer.shutdown();
                return sleep_until(end).await;
            }
            sleep_until(end.min(Instant::now() + TAKERS_EVERY)).await;
        }
    }

    /// Ends the process within `STOP_MAX`.
    pub async fn stop(self) {
        self.stop_after(Duration::ZERO).await;
    }

    /// Accepts no more requests and gives the shards up. Then it waits for the open requests, and the other parts end. With
    /// the drain before it, this takes `STOP_MAX` at most; after a long drain, open requests still get some seconds.
    pub async fn stop_after(self, drained: Duration) {
        let (begun, time) = (Instant::now(), STOP_MAX.saturating_sub(drained).max(STOP_MIN));
        // Requests may take half of it. A slow client must not keep the calls to a bank from their answers.
        let (requests_end, effects_end, end) = (begun + time / 2, begun + time * 4 / 5, begun + time);
        self.state.stopping.store(true, Ordering::Relaxed);
        // The server would otherwise wait for the browsers' streams of order changes.
        self.state.orders.close();
        if let Some(web) = &self.web {
            web.close();
        }
        // Commands in the queue are completed. A request that comes to its command later sends it to another process, or
        // gets a 503 if there is none: one slow client must not keep all others from those that record now.
        self.state.writer.shutdown();
        let owners = timeout_at(requests_end, self.writer.join()).await;
        // Answers of the last commands are on their way. Other processes ask the new owners from now on.
        drop(self.peers);
        if let Some(web) = self.web {
            web.stop(requests_end).await;
        }
        drop(owners);
        // A call that is cut off is looked up by the next process before it is repeated.
        if let Some(effects) = self.effects
            && timeout_at(effects_end, effects.stop()).await.is_err()
        {
            tracing::warn!("some calls of effects were cut off when the process stopped");
        }
        #[cfg(feature = "dev")]
        drop(self.sandbox);
        drop(self.followed_orders);
        drop(self.jobs);
        if let Some(followers) = self.followers
            && timeout_at(end, followers.stop()).await.is_err()
        {
            tracing::warn!("followers were cut off when the process stopped");
        }
        // Operators can watch the shutdown until here.
        if let Some(operations) = self.operations {
            operations.stop(end).await;
        }
        if let Some(traces) = self.traces
            && timeout_at(end, traces.stop()).await.is_err()
        {
            tracing::warn!("the last traces were cut off when the process stopped");
        }
        // It reads through the pool.
        drop(self.slow_statements);
        self.state.pool.close();
        self.database.close().await;
    }
}

/// The sockets of the servers. They are opened before any part starts: a port in use, or panels that are missing, ends the
/// start at once.
struct Listeners {
    public: Option<TcpListener>,
    operations: Option<TcpListener>,
    peers: Option<TcpListener>,
}

impl Listeners {
    async fn open(config: &Config, parts: Parts) -> Result<Self, AppError> {
        // Development says on each page how to build them.
        if parts.gateway
            && config.is_production()
            && let Some(fault) = Panels::of(config).fault().await
        {
            return Err(AppError::Panels(fault));
        }
        let (mut public, mut operations, mut peers) = (None, None, None);
        if parts.gateway {
            public = Some(listen(config.server.addr).await?);
        }
        if parts.operations {
            operations = Some(listen(config.server.ops_addr).await?);
        }
        if let Some(addr) = config.server.peer_addr.filter(|_| parts.peers) {
            peers = Some(listen(addr).await?);
        }
        Ok(Self {
            public,
            operations,
            peers,
        })
    }
}

async fn listen(addr: SocketAddr) -> Result<TcpListener, AppError> {
    TcpListener::bind(addr)
        .await
        .map_err(|source| AppError::Listen { addr, source })
}
