//! What every handler may reach. One count to clone, because each layer of each request clones it.

use std::ops::Deref;
use std::sync::Arc;

use deadpool_postgres::Pool;
use gateway_environment::clock::BusinessClock;
use gateway_environment::config::Config;
use gateway_environment::ids::Ids;
use gateway_identity::mail::Mail;
use gateway_identity::own_account::Sessions;
use gateway_platform::back_office::SaleContexts;
use gateway_platform::notices::Notices;
use ledger_store::{Supervisor, Writer};
use projections::Wake;

#[derive(Clone)]
pub struct AppState(Arc<Handles>);

pub struct Handles {
    pub config: Arc<Config>,
    pub pool: Pool,
    pub writer: Writer,
    /// Keeps this process's long-lived tasks alive, and knows which of them fail.
    pub supervisor: Supervisor,
    /// The ledger's port to the back office, for whoever prices what is not recorded.
    pub back_office: Arc<SaleContexts>,
    /// For readers who wait for what was just recorded.
    pub wake: Wake,
    pub ids: Ids,
    pub clock: BusinessClock,
    pub sessions: Arc<Sessions>,
    /// Where letters are handed in.
    pub mail: Arc<Mail>,
    pub notices: Arc<Notices>,
}

impl From<Handles> for AppState {
    fn from(handles: Handles) -> Self {
        Self(Arc::new(handles))
    }
}

impl Deref for AppState {
    type Target = Handles;

    fn deref(&self) -> &Handles {
        &self.0
    }
}
