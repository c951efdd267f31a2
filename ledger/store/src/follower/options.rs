//! How often followers work, and how they are woken.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

use crate::position::{LedgerPosition, Shard};
use crate::supervisor::Supervisor;

#[derive(Debug, Clone)]
pub struct FollowerOptions {
    /// The greatest number of positions in one transaction, over all shards, but at least one in each: large enough to
    /// share the transaction's cost, small enough to keep it short.
    pub window: i64,
    /// How often the log is polled for events.
    pub poll: Duration,
    /// The least pause after a catch-up. The first event after a quiet time is taken at once. The pause collects events
    /// for larger windows. A small window costs the database nearly as much as a large one, and takes that capacity
    /// from the writer.
    pub pause_min: Duration,
    /// After a long catch-up the pause is longer, in proportion to it, and this at most.
    pub pause_max: Duration,
    /// How long another process may take to reach the end of its shard before this process follows the shard too.
    pub foreign_lag: Duration,
    /// Ends the pause early.
    pub wake: Wake,
    /// Restarts the followers when they fail.
    pub supervisor: Supervisor,
}

impl Default for FollowerOptions {
    fn default() -> Self {
        Self {
            window: 4_000,
            poll: Duration::from_secs(1),
            pause_min: Duration::from_millis(50),
            pause_max: Duration::from_millis(100),
            foreign_lag: Duration::from_secs(2),
            wake: Wake::default(),
            supervisor: Supervisor::default(),
        }
    }
}

/// Wakes the followers of this process for readers that wait for a position. The followers then skip the pause, and
/// also follow the position's shards of other processes.
#[derive(Debug, Clone, Default)]
pub struct Wake(Arc<ShardSignal>);

impl Wake {
    pub fn notify(&self, to: &LedgerPosition) {
        self.0.notify(to.iter().map(|(shard, _)| shard));
    }

    pub(super) async fn notified(&self) -> Vec<Shard> {
        self.0.notified().await
    }
}

/// Shards, as bits, for several tasks.
#[derive(Debug, Default)]
pub(super) struct ShardSet(AtomicU16);

impl ShardSet {
    pub fn insert(&self, shard: Shard) {
        self.0.fetch_or(bit(shard), Ordering::AcqRel);
    }

    pub fn remove(&self, shard: Shard) {
        self.0.fetch_and(!bit(shard), Ordering::AcqRel);
    }

    pub fn contains(&self, shard: Shard) -> bool {
        self.0.load(Ordering::Acquire) & bit(shard) != 0
    }

    /// Empties it.
    fn take(&self) -> Vec<Shard> {
        let bits = self.0.swap(0, Ordering::AcqRel);
        Shard::all().filter(|shard| bits & bit(*shard) != 0).collect()
    }
}

/// Names shards to a task that waits for them.
#[derive(Debug, Default)]
pub(super) struct ShardSignal {
    named: ShardSet,
    woken: Notify,
}

impl ShardSignal {
    pub fn notify(&self, shards: impl IntoIterator<Item = Shard>) {
        for shard in shards {
            self.named.insert(shard);
            self.woken.notify_one();
        }
    }

    /// The shards that were named since the last call.
    pub async fn notified(&self) -> Vec<Shard> {
        loop {
            let named = self.named.take();
            if !named.is_empty() {
                return named;
            }
            self.woken.notified().await;
        }
    }
}

const fn bit(shard: Shard) -> u16 {
    1 << shard.number()
}
