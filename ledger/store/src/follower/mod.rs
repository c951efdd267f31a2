//! The followers: they read the log in windows and apply them to a consumer, such as the read models or an effect.
//!
//! One task follows each shard. The writer of this process wakes it, and a poll finds the events of other processes. A
//! consumer stops at an event that it cannot apply. The stop is logged, counted in a metric, and stored on the
//! checkpoint, where readiness and screens read it. The event is tried once more when a process starts; no event is
//! skipped.

mod checkpoint;
mod consumer;
mod lag_watch;
mod options;
mod shard;
mod source;
mod window;

use std::collections::BTreeMap;
use std::sync::Arc;

use deadpool_postgres::Pool;
use tokio::sync::{Notify, Semaphore, watch};

pub use checkpoint::{CheckpointTable, Lag, Stop};
pub use consumer::{ApplyError, Consumer, Rejected};
pub use options::{FollowerOptions, Wake};
pub use source::{EventSource, Log, Window, WindowRequest};
pub use window::{NextWindow, Step, apply_window, follow_window};

use crate::position::Shard;
use crate::supervisor::Supervised;
use lag_watch::LagWatch;
use shard::ShardFollower;

/// The running followers of a consumer. Dropping them ends them at once, which is safe at any point; stopping ends them
/// between two windows.
pub struct Following {
    stop: watch::Sender<bool>,
    tasks: Vec<Supervised>,
}

impl Following {
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        for task in &mut self.tasks {
            task.ended().await;
        }
    }
}

/// Starts the followers of a consumer. `name` is for operators, such as "effects of payouts".
pub fn follow<C: Consumer, S: EventSource>(
    name: &str,
    pool: Pool,
    consumer: C,
    source: S,
    options: FollowerOptions,
) -> Following {
    let (stop, stopping) = watch::channel(false);
    let supervisor = options.supervisor.clone();
    let consumer = Arc::new(consumer);
    let permits = Arc::new(Semaphore::new(options.concurrency.max(1)));
    let behind: Vec<_> = Shard::all().map(|_| Arc::new(Notify::new())).collect();
    let mut tasks = Vec::new();
    for shard in Shard::all() {
        let follower = ShardFollower {
            shard,
            consumer: Arc::clone(&consumer),
            new_positions: source.new_positions(shard),
            source: source.clone(),
            pool: pool.clone(),
            permits: Arc::clone(&permits),
            behind: Arc::clone(&behind[shard.index()]),
            options: options.clone(),
            stopping: stopping.clone(),
            stopped_parts_restarted: false,
            limits: BTreeMap::new(),
        };
        tasks.push(supervisor.start_until(format!("{name}, shard {shard}"), stopping.clone(), follower));
    }
    let watch = LagWatch {
        consumer,
        pool,
        behind,
        poll: options.poll,
        stopping: stopping.clone(),
    };
    tasks.push(supervisor.start_until(format!("{name}, lag"), stopping, watch));
    Following { stop, tasks }
}
