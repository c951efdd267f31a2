//! How far the read models are behind the log: for readers of their own writes, for readiness and for staff.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use deadpool_postgres::Pool;
use ledger_store::follower::{self, Stop};
use ledger_store::{LedgerPosition, Shard};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};
use tokio_postgres::GenericClient;

use crate::follower::CHECKPOINTS;
use crate::{Error, ReadModelGroup};

/// How long a reader of its own write waits for the read models.
pub const READ_YOUR_WRITES_MAX: Duration = Duration::from_secs(2);

/// The result of waiting for a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// The read models have reached the position.
    Fresh,
    /// The wait timed out before that.
    Stale,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardLag {
    pub shard: u8,
    /// The shard's last position.
    pub log_end: i64,
    pub models: Vec<ModelPosition>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelPosition {
    pub model: ReadModelGroup,
    pub position: i64,
    /// When the position last moved.
    pub moved_at: DateTime<Utc>,
    pub stopped: Option<Stop>,
}

impl ShardLag {
    /// The number of events that the slowest model has still to fold.
    pub fn events(&self) -> i64 {
        self.models
            .iter()
            .map(|at| self.log_end - at.position)
            .max()
            .unwrap_or(0)
    }
}

/// Every shard's last position, and every model's position in the shard.
pub async fn lag(client: &impl GenericClient) -> Result<Vec<ShardLag>, Error> {
    let mut shards: BTreeMap<Shard, ShardLag> = BTreeMap::new();
    for lag in CHECKPOINTS.lag(client, &ReadModelGroup::NAMES).await? {
        let Ok(model) = lag.name.parse() else { continue };
        let shard = shards.entry(lag.shard).or_insert(ShardLag {
            shard: lag.shard.number(),
            log_end: lag.log_end,
            models: vec![],
        });
        shard.models.push(ModelPosition {
            model,
            position: lag.position,
            moved_at: lag.moved_at,
            stopped: lag.stopped,
        });
    }
    Ok(shards.into_values().collect())
}

/// The position of every model in a shard, including stopped models.
pub(crate) async fn positions(
    client: &impl GenericClient,
    shard: Shard,
) -> Result<BTreeMap<ReadModelGroup, i64>, Error> {
    let positions = CHECKPOINTS.positions(client, shard).await?;
    // A row of a model that this program does not have belongs to another version.
    let known = |(name, position): (String, i64)| Some((name.parse().ok()?, position));
    Ok(positions.into_iter().filter_map(known).collect())
}

/// A model with more unfolded events than this in a shard counts as incomplete.
const FAR_BEHIND_EVENTS: i64 = 2_000;
/// How long one reading of the checkpoints answers `is_incomplete`.
const READING_VALID_FOR: Duration = Duration::from_secs(1);

/// Tells whether a read model is far behind the log or has stopped. Clones share one reading of the checkpoints.
#[derive(Debug, Clone, Default)]
pub struct ReadModelCompleteness(Arc<Mutex<Option<(Instant, bool)>>>);

impl ReadModelCompleteness {
    pub async fn is_incomplete(&self, pool: &Pool) -> Result<bool, Error> {
        let mut last = self.0.lock().await;
        if let Some((read_at, is_incomplete)) = *last
            && read_at.elapsed() < READING_VALID_FOR
        {
            return Ok(is_incomplete);
        }
        let lag = CHECKPOINTS
            .lag(&**pool.get().await?, &ReadModelGroup::NAMES)
            .await?;
        let is_incomplete = lag
            .iter()
            .any(|lag| lag.stopped.is_some() || lag.events() > FAR_BEHIND_EVENTS);
        *last = Some((Instant::now(), is_incomplete));
        Ok(is_incomplete)
    }
}

/// Wakes the followers of this process for readers that wait for a position.
#[derive(Debug, Clone, Default)]
pub struct Wake(follower::Wake);

impl Wake {
    /// The part for `FollowerOptions`: followers with these options are woken.
    pub fn of_followers(&self) -> follower::Wake {
        self.0.clone()
    }

    pub fn notify(&self, to: &LedgerPosition) {
        self.0.notify(to);
    }

    /// The same as `freshness::wait_for`. The followers of this process skip the poll interval during the wait.
    pub async fn wait_for(
        &self,
        pool: &Pool,
        models: &[ReadModelGroup],
        position: &LedgerPosition,
        timeout: Duration,
    ) -> Result<Freshness, Error> {
        self.notify(position);
        wait_for(pool, models, position, timeout).await
    }
}

/// The pause between the first two reads of the checkpoints. Each later pause is twice as long, up to `PAUSE_MAX`.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
const PAUSE_MAX: Duration = Duration::from_millis(50);

/// Waits until each of the models has folded the position in every shard that it names. Gives up after about `timeout`.
pub async fn wait_for(
    pool: &Pool,
    models: &[ReadModelGroup],
    position: &LedgerPosition,
    timeout: Duration,
) -> Result<Freshness, Error> {
    let names: Vec<_> = models.iter().map(|model| model.as_str()).collect();
    let deadline = Instant::now() + timeout;
    let mut pause = FIRST_PAUSE;
    loop {
        // The connection goes back to the pool between two reads, because the followers need connections too.
        if CHECKPOINTS
            .reached(&**pool.get().await?, &names, position)
            .await?
        {
            return Ok(Freshness::Fresh);
        }
        let next = Instant::now() + pause;
        if next >= deadline {
            return Ok(Freshness::Stale);
        }
        sleep_until(next).await;
        pause = (pause * 2).min(PAUSE_MAX);
    }
}
