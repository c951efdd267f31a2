//! The followers: one task for each shard, woken by the writer of this process and by a poll of the log every second.
//!
//! A model stops at an event that it cannot take. The stop is logged as an error, counted in a metric, and stored on
//! the model's checkpoint row, where readiness and screens read it. The event is tried once more when a process
//! starts; no event is skipped.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::Pool;
use ledger_store::supervisor::{Failure, Pulse, Supervised, Task};
use ledger_store::{LedgerPosition, RecordedPositions, Shard, Supervisor};
use tokio::sync::{Notify, Semaphore, watch};
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::follow::{Refused, Step, WINDOW, follow};
use crate::freshness::{self, wait_for};
use crate::{Error, Freshness, Model, checkpoint};

#[derive(Debug, Clone)]
pub struct RunnerOptions {
    /// The number of shards folded at once, each on a separate connection.
    pub concurrency: usize,
    /// How often the log is polled for events that other processes recorded.
    pub poll: Duration,
    /// The least time between two catch-ups of a shard. The first event after a quiet time is folded at once. The
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

    /// The same as `freshness::wait_for`. The followers of this process skip the poll interval during the wait.
    pub async fn wait_for(
        &self,
        pool: &Pool,
        models: &[Model],
        position: &LedgerPosition,
        timeout: Duration,
    ) -> Result<Freshness, Error> {
        self.notify(position);
        wait_for(pool, models, position, timeout).await
    }
}

impl Default for Wake {
    fn default() -> Self {
        Self(Shard::all().map(|_| Notify::new()).collect())
    }
}

impl Default for RunnerOptions {
    fn default() -> Self {
        Self {
            concurrency: 2,
            poll: Duration::from_secs(1),
            poll_interval_min: Duration::from_millis(150),
            poll_interval_under_load: Duration::from_secs(1),
            wake: Wake::default(),
            supervisor: Supervisor::default(),
        }
    }
}

/// More events than this in one catch-up count as load.
const MANY: usize = 32;

pub struct Runner;

/// The running followers. Dropping the handle ends them at once; stopping it ends them between two windows.
pub struct RunnerHandle {
    stop: watch::Sender<bool>,
    tasks: Vec<Supervised>,
}

impl RunnerHandle {
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        for task in &mut self.tasks {
            task.ended().await;
        }
    }
}

impl Runner {
    /// `recorded` wakes the followers after writes of this process. In a process without a writer they only poll.
    pub fn start(pool: Pool, recorded: Option<&RecordedPositions>, options: RunnerOptions) -> RunnerHandle {
        let (stop, stopping) = watch::channel(false);
        let supervisor = options.supervisor.clone();
        let mut tasks = Vec::new();
        let places = Arc::new(Semaphore::new(options.concurrency.max(1)));
        let mut behind = Vec::new();
        for shard in Shard::all() {
            let follower = Follower {
                shard,
                pool: pool.clone(),
                places: places.clone(),
                behind: Arc::new(Notify::new()),
                options: options.clone(),
                stopping: stopping.clone(),
                recorded: recorded.map(|recorded| recorded.follow(shard)),
                started: false,
            };
            behind.push(follower.behind.clone());
            tasks.push(supervisor.start_until(
                format!("follower of shard {shard}"),
                stopping.clone(),
                follower,
            ));
        }
        let watch = LagWatch {
            pool,
            behind,
            poll: options.poll,
            stopping: stopping.clone(),
        };
        tasks.push(supervisor.start_until("watch over the followers' lag", stopping, watch));
        RunnerHandle { stop, tasks }
    }
}

struct Follower {
    shard: Shard,
    pool: Pool,
    places: Arc<Semaphore>,
    /// Notified when the poll finds events that are not folded.
    behind: Arc<Notify>,
    options: RunnerOptions,
    stopping: watch::Receiver<bool>,
    recorded: Option<watch::Receiver<i64>>,
    /// Whether stopped models were tried once more.
    started: bool,
}

#[async_trait]
impl Task for Follower {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        loop {
            let events = self.drain().await?;
            pulse.beat();
            let poll_interval_min = if events > MANY {
                self.options.poll_interval_under_load
            } else {
                self.options.poll_interval_min
            };
            tokio::select! {
                _ = self.stopping.wait_for(|stop| *stop) => return Ok(()),
                () = sleep(poll_interval_min) => {}
                () = self.options.wake.0[self.shard.index()].notified() => {}
            }
            tokio::select! {
                _ = self.stopping.wait_for(|stop| *stop) => return Ok(()),
                () = self.behind.notified() => {}
                () = changed(&mut self.recorded) => {}
            }
        }
    }
}

impl Follower {
    /// Folds until a window is not full or another process holds the checkpoint, and returns the number of events. An
    /// event recorded during the fold wakes the follower again.
    async fn drain(&mut self) -> Result<usize, Error> {
        let _place = self.places.acquire().await;
        let mut client = self.pool.get().await?;
        if !self.started {
            checkpoint::try_again(&**client, self.shard).await?;
            self.started = true;
        }
        let mut limit = WINDOW;
        let mut found = 0;
        while !*self.stopping.borrow() {
            let mut moved = false;
            for (position, models) in checkpoint::groups(&**client, self.shard).await? {
                match follow(&mut client, self.shard, position, &models, limit).await? {
                    Step::Idle => {}
                    Step::Folded(events) => {
                        metrics::counter!("razao_projection_events_total").increment(events as u64);
                        found += events;
                        moved |= events as i64 >= limit;
                        limit = WINDOW;
                    }
                    Step::Refused(refused) => {
                        limit = self.shrink_window(&client, position, limit, &refused).await?;
                        moved = true;
                    }
                }
            }
            if !moved {
                break;
            }
        }
        Ok(found)
    }

    /// Limits the next window to the events before the refused one. If the refused event is the next one, its models
    /// stop.
    async fn shrink_window(
        &self,
        client: &tokio_postgres::Client,
        position: i64,
        limit: i64,
        refused: &Refused,
    ) -> Result<i64, Error> {
        let before = refused
            .position
            .map_or(limit / 2, |refused| refused - position - 1);
        if before > 0 {
            return Ok(before);
        }
        tracing::error!(
            shard = %self.shard, position = position + 1, reason = %refused,
            "a projection stopped at an event that it cannot take"
        );
        checkpoint::stop(
            client,
            self.shard,
            position,
            &refused.models,
            &refused.poison.to_string(),
        )
        .await?;
        Ok(WINDOW)
    }
}

async fn changed(recorded: &mut Option<watch::Receiver<i64>>) {
    let ended = match recorded {
        Some(receiver) => receiver.changed().await.is_err(),
        None => std::future::pending().await,
    };
    if ended {
        *recorded = None;
    }
}

/// Wakes the followers that are behind, and updates the metrics.
struct LagWatch {
    pool: Pool,
    behind: Vec<Arc<Notify>>,
    poll: Duration,
    stopping: watch::Receiver<bool>,
}

#[async_trait]
impl Task for LagWatch {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        let mut ticks = interval(self.poll);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = self.stopping.wait_for(|stop| *stop) => return Ok(()),
                _ = ticks.tick() => {}
            }
            let shards = lag(&self.pool).await?;
            for shard in shards.iter().filter(|shard| shard.behind()) {
                if let Some(follower) = self.behind.get(usize::from(shard.shard)) {
                    follower.notify_one();
                }
            }
            tell(&shards);
            pulse.beat();
        }
    }
}

async fn lag(pool: &Pool) -> Result<Vec<freshness::ShardLag>, Error> {
    freshness::lag(&**pool.get().await?).await
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a metric is a float, and no lag reaches 2^53"
)]
fn tell(shards: &[freshness::ShardLag]) {
    for model in Model::ALL {
        let of_model = || {
            shards.iter().flat_map(move |shard| {
                shard
                    .models
                    .iter()
                    .filter(move |at| at.model == model)
                    .map(|at| (shard.head - at.position, at))
            })
        };
        let events: i64 = of_model().map(|(events, _)| events.max(0)).sum();
        let stopped = of_model().filter(|(_, at)| at.stopped.is_some()).count();
        metrics::gauge!("razao_projection_lag_events", "model" => model.as_str()).set(events as f64);
        metrics::gauge!("razao_projection_stopped_shards", "model" => model.as_str()).set(stopped as f64);
    }
}
