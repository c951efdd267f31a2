//! The shared state of all handlers. It is a single `Arc`, because each layer clones it for each request.

use std::ops::Deref;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use chrono::{DateTime, Utc};
use deadpool_postgres::Pool;
use gateway_environment::clock::BusinessClock;
use gateway_environment::config::Config;
use gateway_environment::ids::Ids;
use gateway_identity::account::AccountService;
use gateway_identity::email_queue::Mail;
use gateway_identity::rate_limit::LimitedCaller;
use gateway_identity::rate_limit::local::LocalRateLimiter;
use gateway_platform::acquirers::Acquirers;
use gateway_platform::companies::PostalCodes;
use gateway_platform::hold_release::HoldRelease;
use gateway_platform::notices::Notices;
use gateway_platform::orders::Orders;
use gateway_platform::providers::terminals::TerminalActivation;
use gateway_platform::reference_data::PostgresReferenceData;
use gateway_platform::settings::{PlatformSettings, platform_settings_at};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use ledger_store::{Supervisor, Writer};
use projections::daily_sales::Rankings;
use projections::{ReadModelCompleteness, Wake};
use tokio_postgres::{Error, GenericClient};

use crate::edge::replica::Replica;
use crate::edge::slots::Slots;
use crate::health::slow_figures::KeptFigures;

#[derive(Clone)]
pub struct AppState(Arc<Handles>);

pub struct Handles {
    pub config: Arc<Config>,
    pub pool: Pool,
    /// Answers reads, if there is one.
    pub replica: Option<Arc<Replica>>,
    pub writer: Writer,
    /// Keeps the long-lived tasks of this process alive and tracks which of them fail.
    pub supervisor: Supervisor,
    /// The ledger's `ReferenceData` port, for handlers that price sales without recording them.
    pub reference_data: Arc<PostgresReferenceData>,
    /// Wakes the followers when a reader waits for an event that was just recorded.
    pub wake: Wake,
    /// Tells readers that read models lack events.
    pub completeness: ReadModelCompleteness,
    pub ids: Ids,
    pub clock: BusinessClock,
    pub accounts: Arc<AccountService>,
    /// Queues e-mails.
    pub mail: Arc<Mail>,
    pub notices: Arc<Notices>,
    /// The acquirers that take payments online. Their adapters are set once the program has started.
    pub acquirers: Arc<Acquirers>,
    pub orders: Arc<Orders>,
    /// Activates terminals. Set once the program has started, because the sandbox starts after the listeners.
    pub terminal_provider: OnceLock<Box<dyn TerminalActivation>>,
    pub postal_codes: PostalCodes,
    pub slots: RequestSlots,
    /// The sums by which reports rank companies.
    pub rankings: Rankings,
    pub local_limits: LocalRateLimiter,
    pub slow_figures: KeptFigures,
    /// Whether the parts of this process record events, so that it needs shards of the log to be ready.
    pub writes: bool,
    /// Whether it sends the pages of the panels.
    pub serves_panels: bool,
    /// Whether a signal ended it: it still answers, and is not ready.
    pub stopping: AtomicBool,
}

/// How many requests of one kind may run at once for one company, user or caller.
pub struct RequestSlots {
    /// A comparison reads a month of sales.
    pub plan_comparisons: Slots<BusinessId>,
    /// A slow sender keeps an upload open for a long time.
    pub uploads: Slots<UserId>,
    /// The stream of an order's status holds a connection of its client. Several buyers in a shop or a family share one
    /// address, so a caller may have many streams.
    pub streams: Slots<LimitedCaller>,
}

impl Default for RequestSlots {
    fn default() -> Self {
        Self {
            plan_comparisons: Slots::new(1),
            uploads: Slots::new(2),
            streams: Slots::new(20),
        }
    }
}

impl From<Handles> for AppState {
    fn from(handles: Handles) -> Self {
        Self(Arc::new(handles))
    }
}

impl AppState {
    /// The service that ends the holds of approved companies.
    pub fn hold_release(&self) -> HoldRelease {
        HoldRelease {
            pool: self.pool.clone(),
            writer: self.writer.clone(),
            clock: self.clock,
        }
    }

    /// The settings of an installation whose staff have set none.
    pub fn default_settings(&self) -> PlatformSettings {
        PlatformSettings::defaults(&self.config)
    }

    /// The platform's settings in force at an instant of the business clock.
    pub async fn settings_at(
        &self,
        client: &impl GenericClient,
        at: DateTime<Utc>,
    ) -> Result<PlatformSettings, Error> {
        platform_settings_at(client, self.default_settings(), at).await
    }
}

impl Deref for AppState {
    type Target = Handles;

    fn deref(&self) -> &Handles {
        &self.0
    }
}
