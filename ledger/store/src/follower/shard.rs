//! The task that follows one shard for a consumer.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use deadpool_postgres::{Client, Pool};
use tokio::sync::{Notify, Semaphore, watch};
use tokio::time::sleep;

use super::consumer::{Consumer, Rejected};
use super::options::FollowerOptions;
use super::source::EventSource;
use super::window::{NextWindow, Step, follow_window};
use crate::position::Shard;
use crate::supervisor::{Failure, Pulse, Task};

/// A catch-up of more positions than this counts as load.
const POSITIONS_UNDER_LOAD: i64 = 32;

pub(super) struct ShardFollower<C, S> {
    pub shard: Shard,
    pub consumer: Arc<C>,
    pub source: S,
    pub pool: Pool,
    pub permits: Arc<Semaphore>,
    /// Notified when the poll finds events that are not applied.
    pub behind: Arc<Notify>,
    pub options: FollowerOptions,
    pub stopping: watch::Receiver<bool>,
    /// Receives the shard's last position when the source has new events; `None` if only the poll finds them.
    pub new_positions: Option<watch::Receiver<i64>>,
    /// Whether this follower restarted the parts of the consumer that an earlier process had stopped.
    pub stopped_parts_restarted: bool,
    /// The limit of the next window at a position where a window was rejected. Each position has its own, so that a
    /// part of the consumer that advances elsewhere does not reset it.
    pub limits: BTreeMap<i64, i64>,
}

/// The result of one round. A round applies one window to each group of consumer parts at the same position.
#[derive(Debug, Default)]
struct Round {
    /// The number of positions that were applied, over all groups.
    positions: i64,
    /// Whether a window was full or rejected, so that more events may follow.
    more: bool,
}

#[async_trait]
impl<C: Consumer, S: EventSource> Task for ShardFollower<C, S> {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        loop {
            let positions = self.catch_up(pulse).await?;
            let pause = if positions > POSITIONS_UNDER_LOAD {
                self.options.poll_interval_under_load
            } else {
                self.options.poll_interval_min
            };
            // The pause gathers events into larger windows.
            tokio::select! {
                _ = self.stopping.wait_for(|stop| *stop) => return Ok(()),
                () = sleep(pause) => {}
                () = self.options.wake.notified(self.shard) => {}
            }
            tokio::select! {
                _ = self.stopping.wait_for(|stop| *stop) => return Ok(()),
                () = self.behind.notified() => {}
                () = changed(&mut self.new_positions) => {}
            }
        }
    }
}

impl<C: Consumer, S: EventSource> ShardFollower<C, S> {
    /// Applies windows until none is full or another process holds the checkpoints, and returns the number of
    /// positions. An event recorded in between wakes the follower again.
    async fn catch_up(&mut self, pulse: &Pulse) -> Result<i64, C::Error> {
        let mut positions = 0;
        while !*self.stopping.borrow() {
            let round = self.round().await?;
            pulse.beat();
            positions += round.positions;
            if !round.more {
                break;
            }
        }
        Ok(positions)
    }

    /// Permit and connection are given back after each round. A shard that has far to go, such as after a read model
    /// was emptied, then takes turns with the others.
    async fn round(&mut self) -> Result<Round, C::Error> {
        let permits = Arc::clone(&self.permits);
        let _permit = permits.acquire().await;
        let mut client = self.pool.get().await?;
        let consumer = Arc::clone(&self.consumer);
        let (checkpoints, names) = (consumer.checkpoints(), consumer.names());
        if !self.stopped_parts_restarted {
            checkpoints.restart_stopped(&**client, self.shard, names).await?;
            self.stopped_parts_restarted = true;
        }
        let groups = checkpoints.groups(&**client, self.shard, names).await?;
        self.limits.retain(|position, _| groups.contains_key(position));
        let mut round = Round::default();
        for (position, names) in groups {
            let limit = self.limits.get(&position).copied();
            let next = NextWindow {
                shard: self.shard,
                position,
                limit: limit.unwrap_or(self.options.window),
                names: &names,
            };
            match follow_window(&mut client, &*consumer, &self.source, next).await? {
                Step::Idle => {}
                Step::Applied(positions) => {
                    self.limits.remove(&position);
                    round.positions += positions;
                    round.more |= positions >= next.limit;
                }
                Step::Rejected(rejected) => {
                    self.shrink_window(&client, next, &rejected).await?;
                    round.more = true;
                }
            }
        }
        Ok(round)
    }

    /// Limits the next window to the events before the rejected one. If the rejected event is the next one, the parts
    /// that cannot apply it stop.
    async fn shrink_window(
        &mut self,
        client: &Client,
        next: NextWindow<'_>,
        rejected: &Rejected,
    ) -> Result<(), C::Error> {
        let before = rejected
            .position
            .map_or(next.limit / 2, |position| position - next.position - 1);
        if before > 0 {
            self.limits.insert(next.position, before);
            return Ok(());
        }
        self.limits.remove(&next.position);
        self.consumer.log_stop(self.shard, next.position + 1, rejected);
        self.consumer
            .checkpoints()
            .stop(
                &***client,
                self.shard,
                next.position,
                &rejected.names,
                &rejected.reason,
            )
            .await?;
        Ok(())
    }
}

/// Waits for new events. If the source ends the channel, the follower polls from then on.
async fn changed(new_positions: &mut Option<watch::Receiver<i64>>) {
    let ended = match new_positions {
        Some(receiver) => receiver.changed().await.is_err(),
        None => std::future::pending().await,
    };
    if ended {
        *new_positions = None;
    }
}
