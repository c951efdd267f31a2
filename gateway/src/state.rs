//! What every handler may reach. Cheap to clone: handles only.

use std::sync::Arc;

use deadpool_postgres::Pool;
use ledger_store::Writer;

use crate::clock::BusinessClock;
use crate::config::Config;
use crate::ids::Ids;
use crate::notices::Notices;
use crate::sessions::Sessions;

#[derive(Clone)]
pub struct AppState {
    pub config: Arc<Config>,
    pub pool: Pool,
    pub writer: Writer,
    pub ids: Ids,
    pub clock: BusinessClock,
    pub sessions: Arc<Sessions>,
    pub notices: Arc<Notices>,
}
