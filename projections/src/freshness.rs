//! How far the read models are behind the log: for readers of their own writes, for readiness and for metrics.

use std::collections::BTreeMap;
use std::time::Duration;

use deadpool_postgres::Pool;
use ledger_store::{LedgerPosition, Shard, log};
use tokio::time::{Instant, sleep_until};
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use crate::{Error, Model};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    Fresh,
    /// The time-out passed first.
    Stale,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardLag {
    pub shard: u8,
    /// The last position of the log.
    pub head: i64,
    pub models: Vec<ModelPosition>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelPosition {
    pub model: Model,
    pub position: i64,
    pub stopped: Option<Stop>,
}

/// A model that cannot take an event. It stays before that event until a program that starts can take it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    pub position: i64,
    pub reason: String,
}

impl ShardLag {
    /// Whether a model that is not stopped has events to fold.
    pub fn behind(&self) -> bool {
        self.models
            .iter()
            .any(|model| model.stopped.is_none() && model.position < self.head)
    }

    /// The number of events that the slowest model has still to fold.
    pub fn events(&self) -> i64 {
        self.models
            .iter()
            .map(|model| self.head - model.position)
            .max()
            .unwrap_or(0)
    }
}

/// Every shard's position in the log, and every model's position in the shard.
pub async fn lag(client: &impl GenericClient) -> Result<Vec<ShardLag>, Error> {
    // Checkpoints are read first. Read after the log's positions, they could be ahead of them.
    let rows = client
        .query_typed(
            "SELECT shard, model, position, poison_position, poison FROM projection_checkpoint ORDER BY shard, model",
            &[],
        )
        .await?;
    let heads = log::shard_positions(client).await?;
    let mut shards: BTreeMap<Shard, Vec<ModelPosition>> = BTreeMap::new();
    for row in rows {
        let Ok(model) = row.get::<_, &str>(1).parse() else {
            continue;
        };
        let stopped = row
            .get::<_, Option<i64>>(3)
            .zip(row.get::<_, Option<String>>(4))
            .map(|(position, reason)| Stop { position, reason });
        let shard: i16 = row.get(0);
        let shard = u8::try_from(shard)
            .ok()
            .and_then(Shard::new)
            .ok_or_else(|| Error::unreadable("projection_checkpoint.shard", shard))?;
        shards.entry(shard).or_default().push(ModelPosition {
            model,
            position: row.get(2),
            stopped,
        });
    }
    let shard_lag = |(shard, models): (Shard, _)| ShardLag {
        shard: shard.number(),
        head: heads.get(shard),
        models,
    };
    Ok(shards.into_iter().map(shard_lag).collect())
}

/// The time between two reads of the checkpoints. It doubles from the first: most waits end at the first read or two.
const LOOK_AGAIN: Duration = Duration::from_millis(2);
const LOOK_AGAIN_MAX: Duration = Duration::from_millis(50);

/// Waits until each of the models has folded the position in every shard that it names, but no longer than `timeout`.
pub async fn wait_for(
    pool: &Pool,
    models: &[Model],
    position: &LedgerPosition,
    timeout: Duration,
) -> Result<Freshness, Error> {
    let deadline = Instant::now() + timeout;
    let mut pause = LOOK_AGAIN;
    loop {
        // The connection goes back to the pool between two reads, because the followers need connections too.
        if reached(&**pool.get().await?, models, position).await? {
            return Ok(Freshness::Fresh);
        }
        let next = Instant::now() + pause;
        if next >= deadline {
            return Ok(Freshness::Stale);
        }
        sleep_until(next).await;
        pause = (pause * 2).min(LOOK_AGAIN_MAX);
    }
}

async fn reached(
    client: &tokio_postgres::Client,
    models: &[Model],
    position: &LedgerPosition,
) -> Result<bool, Error> {
    let names: Vec<_> = models.iter().map(|model| model.as_str()).collect();
    let (shards, positions): (Vec<_>, Vec<_>) = position
        .iter()
        .map(|(shard, position)| (shard.sql(), position))
        .unzip();
    let row = client
        .query_typed_one(
            "SELECT NOT EXISTS (SELECT FROM unnest($1::int2[], $2::int8[]) AS asked (shard, position)
                                  JOIN projection_checkpoint AS reached USING (shard)
                                 WHERE reached.model = ANY ($3) AND reached.position < asked.position)",
            &[
                (&shards, Type::INT2_ARRAY),
                (&positions, Type::INT8_ARRAY),
                (&names, Type::TEXT_ARRAY),
            ],
        )
        .await?;
    Ok(row.get(0))
}
