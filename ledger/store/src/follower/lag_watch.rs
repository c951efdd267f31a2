//! The task that polls how far a consumer is behind. It tells the follower which shards to follow, and publishes
//! metrics.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::Pool;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::checkpoint::Lag;
use super::consumer::Consumer;
use super::options::{ShardSet, ShardSignal};
use super::source::EventSource;
use crate::position::Shard;
use crate::supervisor::{Failure, Pulse, Task};

pub(super) struct LagWatch<C, S> {
    pub consumer: Arc<C>,
    pub source: S,
    pub pool: Pool,
    pub behind: Arc<ShardSignal>,
    /// Shards of other processes that this process keeps following.
    pub adopted: Arc<ShardSet>,
    pub poll: Duration,
    pub foreign_lag: Duration,
    pub stopping: watch::Receiver<bool>,
    /// For each shard of another process that is behind: the end that it must reach, and since when.
    pub ends_seen: BTreeMap<Shard, (i64, Instant)>,
}

#[async_trait]
impl<C: Consumer, S: EventSource> Task for LagWatch<C, S> {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        let mut ticks = interval(self.poll);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = self.stopping.wait_for(|stop| *stop) => return Ok(()),
                _ = ticks.tick() => {}
            }
            let lag = self.lag().await?;
            let behind = self.shards_to_follow(&lag, Instant::now());
            self.behind.notify(behind);
            self.consumer.publish_lag(&lag);
            pulse.beat();
        }
    }
}

impl<C: Consumer, S: EventSource> LagWatch<C, S> {
    async fn lag(&self) -> Result<Vec<Lag>, C::Error> {
        let client = self.pool.get().await?;
        let consumer = &self.consumer;
        Ok(consumer.checkpoints().lag(&**client, consumer.names()).await?)
    }

    /// The shards that are behind: own and adopted ones at once, others after `foreign_lag`.
    fn shards_to_follow(&mut self, lag: &[Lag], now: Instant) -> Vec<Shard> {
        let mut behind: BTreeMap<Shard, (i64, i64)> = BTreeMap::new();
        for lag in lag.iter().filter(|lag| lag.is_behind()) {
            let (position, _) = behind.entry(lag.shard).or_insert((lag.position, lag.log_end));
            *position = lag.position.min(*position);
        }
        self.ends_seen.retain(|shard, _| behind.contains_key(shard));
        let mut followed = vec![];
        for (shard, (position, log_end)) in behind {
            if self.source.leads(shard) || self.adopted.contains(shard) {
                followed.push(shard);
                continue;
            }
            let (end_seen, since) = self.ends_seen.entry(shard).or_insert((log_end, now));
            // A process has reached the end that was seen. The wait begins again.
            if position >= *end_seen {
                (*end_seen, *since) = (log_end, now);
            } else if now - *since >= self.foreign_lag {
                followed.push(shard);
            }
        }
        followed
    }
}
