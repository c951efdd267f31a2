//! The task that polls how far a consumer is behind. It wakes the followers of shards that are behind, and publishes
//! metrics.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::Pool;
use tokio::sync::{Notify, watch};
use tokio::time::{MissedTickBehavior, interval};

use super::checkpoint::Lag;
use super::consumer::Consumer;
use crate::supervisor::{Failure, Pulse, Task};

pub(super) struct LagWatch<C> {
    pub consumer: Arc<C>,
    pub pool: Pool,
    /// By shard.
    pub behind: Vec<Arc<Notify>>,
    pub poll: Duration,
    pub stopping: watch::Receiver<bool>,
}

#[async_trait]
impl<C: Consumer> Task for LagWatch<C> {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        let mut ticks = interval(self.poll);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = self.stopping.wait_for(|stop| *stop) => return Ok(()),
                _ = ticks.tick() => {}
            }
            let lag = self.lag().await?;
            for lag in lag.iter().filter(|lag| lag.is_behind()) {
                self.behind[lag.shard.index()].notify_one();
            }
            self.consumer.publish_lag(&lag);
            pulse.beat();
        }
    }
}

impl<C: Consumer> LagWatch<C> {
    async fn lag(&self) -> Result<Vec<Lag>, C::Error> {
        let client = self.pool.get().await?;
        let consumer = &self.consumer;
        Ok(consumer.checkpoints().lag(&**client, consumer.names()).await?)
    }
}
