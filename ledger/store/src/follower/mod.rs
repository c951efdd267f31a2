//! The followers: they read the log in windows and apply them to a consumer, such as the read models or an effect.
//!
//! Each consumer has one task for all shards. The writer of this process wakes it and hands it the latest events, and a
//! poll finds the events of other processes. A shard of another process is left to that process, unless it is behind
//! for too long or a reader waits for it. A part of a consumer stops at an event that it cannot apply. The stop is
//! logged, counted in a metric, and stored on the checkpoint, where readiness and screens read it. The event is tried
//! again when a process starts; it is never skipped.

mod checkpoint;
mod consumer;
mod lag_watch;
mod options;
mod source;
mod task;
mod window;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::Pool;
use tokio::sync::watch;
use tokio::time::timeout;

pub use checkpoint::{CheckpointTable, Lag, Stop};
pub use consumer::{ApplyError, Consumer, Rejected};
pub use options::{FollowerOptions, Wake};
pub use source::{EventSource, Feed, Log, Range, Window, WindowRequest};
pub use window::{NextRange, Step, apply_window, follow_window};

use crate::layout::Layout;
use crate::supervisor::Supervised;
use lag_watch::LagWatch;
use options::{ShardSet, ShardSignal};
use task::{Follower, FollowerState};

/// A window that takes longer waits for a database that does not answer.
const STOP_MAX: Duration = Duration::from_secs(5);

/// The running followers of a consumer. Dropping them ends them at once, which is safe at any point; stopping ends them
/// between two windows.
pub struct Following {
    stop: watch::Sender<bool>,
    tasks: Vec<Supervised>,
}

impl Following {
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        let ended = async {
            for task in &mut self.tasks {
                task.ended().await;
            }
        };
        if timeout(STOP_MAX, ended).await.is_err() {
            tracing::warn!("followers were ended within a window, which another process or start repeats");
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
    let (behind, adopted) = (Arc::<ShardSignal>::default(), Arc::<ShardSet>::default());
    let follower = Follower {
        consumer: Arc::clone(&consumer),
        new_events: source.new_events(),
        source: source.clone(),
        pool: pool.clone(),
        behind: Arc::clone(&behind),
        adopted: Arc::clone(&adopted),
        options: options.clone(),
        layout: Layout::One,
        stopping: stopping.clone(),
        state: FollowerState::default(),
    };
    let watch = LagWatch {
        consumer,
        source,
        pool,
        behind,
        adopted,
        poll: options.poll,
        foreign_lag: options.foreign_lag,
        stopping: stopping.clone(),
        ends_seen: BTreeMap::new(),
    };
    let tasks = vec![
        supervisor.start_until(name, stopping.clone(), follower),
        supervisor.start_until(format!("{name}, lag"), stopping, watch),
    ];
    Following { stop, tasks }
}
