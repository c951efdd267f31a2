//! How often followers work, and how they are woken.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use crate::position::{LedgerPosition, Shard};
use crate::supervisor::Supervisor;

#[derive(Debug, Clone)]
pub struct FollowerOptions {
    /// The number of positions in one transaction: large enough to share its cost, small enough to be short.
    pub window: i64,
    /// The number of shards worked on at once, each on a separate connection.
    pub concurrency: usize,
    /// How often the log is polled for events that other processes recorded.
    pub poll: Duration,
    /// The least time between two catch-ups of a shard. The first event after a quiet time is taken at once. The
    /// interval gathers windows: a window of two events costs the database nearly as much as one of two hundred, and
    /// takes that capacity from the writer.
    pub poll_interval_min: Duration,
    /// The same after a catch-up that found many events: more will follow, and the writer needs the database.
    pub poll_interval_under_load: Duration,
    /// Ends the poll interval early.
    pub wake: Wake,
    /// Restarts the followers when they fail.
    pub supervisor: Supervisor,
}

impl Default for FollowerOptions {
    fn default() -> Self {
        Self {
            window: 500,
            concurrency: 2,
            poll: Duration::from_secs(1),
            poll_interval_min: Duration::from_millis(150),
            poll_interval_under_load: Duration::from_secs(1),
            wake: Wake::default(),
            supervisor: Supervisor::default(),
        }
    }
}

/// Wakes the followers of this process for readers that wait for a position. The followers then skip the poll
/// interval.
#[derive(Debug, Clone)]
pub struct Wake(Arc<[Notify]>);

impl Wake {
    pub fn notify(&self, to: &LedgerPosition) {
        for (shard, _) in to.iter() {
            self.0[shard.index()].notify_one();
        }
    }

    pub(super) async fn notified(&self, shard: Shard) {
        self.0[shard.index()].notified().await;
    }
}

impl Default for Wake {
    fn default() -> Self {
        Self(Shard::all().map(|_| Notify::new()).collect())
    }
}
