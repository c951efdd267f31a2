//! The clock of `recorded_at`, which the writer's shell reads. Leases use the database's clock.

use chrono::Utc;
use ledger_domain::calendar::Instant;

pub trait Clock: Send + Sync + 'static {
    fn now(&self) -> Instant;
}

#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Utc::now()
    }
}
