//! The writer's shell reads this clock for `recorded_at`. Leases use the database's clock.

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
