//! What time it is, asked by the writer's shell alone: it stamps `recorded_at`. Leases go by the database's clock.

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
