//! The clocks of the tests, which do not depend on the machine's date.

use std::sync::atomic::{AtomicI64, Ordering};

use chrono::TimeDelta;
use ledger_domain::calendar::Instant;
use ledger_store::Clock;

/// Noon in Brasília on a Saturday.
pub const NOON: &str = "2026-11-21T12:00:00-03:00";

pub fn noon() -> Instant {
    NOON.parse().expect("an instant")
}

/// Starts at noon and advances by a millisecond with each reading, so that later events have later times.
#[derive(Default)]
pub struct TickingClock(AtomicI64);

impl Clock for TickingClock {
    fn now(&self) -> Instant {
        noon() + TimeDelta::milliseconds(self.0.fetch_add(1, Ordering::SeqCst))
    }
}
