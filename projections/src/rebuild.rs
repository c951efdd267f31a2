//! Rebuilds read models from the log: new tables are filled next to the old ones and replace them in one step.
//!
//! The new tables are in a separate schema, which the rebuild's connection searches first. So the followers' own
//! statements fill them, and readers wait only for the moment of the swap. In layout `schemas` the tables of each shard
//! are rebuilt one after another.

use std::time::Duration;

use deadpool_postgres::{Client, Pool, Transaction};
use ledger_store::follower::{ApplyError, Log, NextRange, Step, apply_window, follow_window};
use ledger_store::layout::{Place, create_like, replace_in_views};
use ledger_store::{Layout, Shard, log};
use tokio_postgres::GenericClient;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::Type;

use crate::follower::ReadModels;
use crate::{Error, ReadModelGroup, freshness};

/// The schema in which the new tables are filled.
const NEW: &str = "rebuild";
/// The schema that holds the old tables until the end of the transaction that drops them.
const OLD: &str = "rebuild_retired";
/// Where the tables without a shard are.
const PUBLIC: &str = "public";

/// The greatest number of positions in one window.
const WINDOW: i64 = 500;

/// The greatest number of further passes over the log. They leave little for the swap. A rebuild that is slower than
/// the followers would never reach them, so the passes are limited.
const CATCH_UP_PASSES: u32 = 5;

/// The advisory lock that allows one rebuild at a time ("rebuild" in ASCII).
const LOCK: i64 = 0x0072_6562_7569_6c64;

/// The longest wait for one lock while the tables are swapped. Readers may hold a table, and followers a checkpoint.
const SWAP_LOCK_TIMEOUT: Duration = Duration::from_secs(1);
/// The number of attempts to swap.
const SWAP_ATTEMPTS: u32 = 30;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RebuildProgress {
    pub shard: u8,
    pub position: i64,
    /// The shard's last position when this pass over it began.
    pub log_end: i64,
}

/// Fills the models again and swaps them in. The old rows stay until then, and stay if the rebuild fails.
pub async fn rebuild(
    pool: &Pool,
    models: &[ReadModelGroup],
    mut progress: impl FnMut(RebuildProgress) + Send,
) -> Result<(), Error> {
    let mut client = pool.get().await?;
    let row = client
        .query_typed_one("SELECT pg_try_advisory_lock($1)", &[(&LOCK, Type::INT8)])
        .await?;
    if !row.get::<_, bool>(0) {
        return Err(Error::RebuildRunning);
    }
    let rebuilt = rebuild_places(&mut client, models, &mut progress).await;
    // The connection returns to the pool with its settings restored, or not at all.
    let cleaned = client
        .batch_execute(&format!(
            "RESET search_path; DROP SCHEMA IF EXISTS {NEW} CASCADE; SELECT pg_advisory_unlock({LOCK})"
        ))
        .await;
    if cleaned.is_err() {
        drop(deadpool_postgres::Object::take(client));
    }
    rebuilt.and(cleaned.map_err(Error::from))
}

async fn rebuild_places(
    client: &mut Client,
    models: &[ReadModelGroup],
    progress: &mut (impl FnMut(RebuildProgress) + Send),
) -> Result<(), Error> {
    let layout = Layout::of(&***client).await?;
    for place in layout.places() {
        let rebuild = Rebuild {
            layout,
            place,
            models,
        };
        rebuild.fill_and_swap(client, progress).await?;
    }
    Ok(())
}

/// The rebuild of the tables of one place.
struct Rebuild<'a> {
    layout: Layout,
    place: Place,
    models: &'a [ReadModelGroup],
}

impl Rebuild<'_> {
    async fn fill_and_swap(
        &self,
        client: &mut Client,
        progress: &mut (impl FnMut(RebuildProgress) + Send),
    ) -> Result<(), Error> {
        self.create_tables(client).await?;
        client
            .batch_execute(&format!(
                "SET search_path = {NEW}, {}, {PUBLIC}",
                self.place.schema
            ))
            .await?;
        self.fill(client, progress).await?;
        for _ in 0..CATCH_UP_PASSES {
            if self.behind_live(client).await? <= WINDOW {
                break;
            }
            self.fill(client, progress).await?;
        }
        for _ in 0..SWAP_ATTEMPTS {
            match self.swap(client).await {
                Err(Error::Database(error)) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => {
                    // A reader held a table, or a follower a checkpoint. The events recorded since then are folded now, so
                    // that the next attempt is short.
                    self.fill(client, progress).await?;
                }
                swapped => return swapped,
            }
        }
        Err(Error::SwapTimedOut)
    }

    /// Creates the tables empty, with the keys, indexes and settings of the current ones.
    async fn create_tables(&self, client: &Client) -> Result<(), Error> {
        let (live, models) = (&self.place.schema, self.models);
        client
        .batch_execute(&format!(
            "DROP SCHEMA IF EXISTS {NEW} CASCADE; DROP SCHEMA IF EXISTS {OLD} CASCADE; CREATE SCHEMA {NEW}"
        ))
        .await?;
        for table in tables(models) {
            create_like(&***client, NEW, live, table).await?;
        }
        create_like(&***client, NEW, live, "projection_checkpoint").await?;
        let sql = format!(
            "INSERT INTO {NEW}.projection_checkpoint (model, shard)
         SELECT model, shard FROM {live}.projection_checkpoint WHERE model = ANY ($1)"
        );
        client
            .execute_typed(&sql, &[(&names(models), Type::TEXT_ARRAY)])
            .await?;
        Ok(())
    }

    /// One pass over all shards: folds each to the end that its log has when the pass comes to it.
    async fn fill(
        &self,
        client: &mut Client,
        progress: &mut (impl FnMut(RebuildProgress) + Send),
    ) -> Result<(), Error> {
        for shard in &self.place.shards {
            self.fill_shard(client, *shard, progress).await?;
        }
        Ok(())
    }

    async fn fill_shard(
        &self,
        client: &mut Client,
        shard: Shard,
        progress: &mut (impl FnMut(RebuildProgress) + Send),
    ) -> Result<(), Error> {
        let log_end = log::shard_positions(&***client).await?.get(shard);
        loop {
            let position = position_of(&***client, shard).await?;
            progress(RebuildProgress {
                shard: shard.number(),
                position,
                log_end,
            });
            if position >= log_end {
                return Ok(());
            }
            let next = [NextRange {
                shard,
                position,
                limit: WINDOW,
            }];
            let names = names(self.models);
            // The session sees the new tables. A path of the shard would hide them.
            match follow_window(client, &ReadModels, &Log, &names, &next, Layout::One).await? {
                // A shard is left out only if its checkpoints differ, which those of a rebuild never do.
                Step::Applied(ranges) if ranges.is_empty() => return Ok(()),
                Step::Applied(_) => {}
                Step::Rejected(rejected) => return Err(Error::RebuildPoisoned(rejected.to_string())),
            }
        }
    }

    /// One short transaction: the followers wait at their checkpoints, the last events are folded, and the tables are
    /// swapped. Checkpoints are locked before tables, as in the followers, and views before their tables, as by readers:
    /// otherwise they would wait for each other.
    async fn swap(&self, client: &mut Client) -> Result<(), Error> {
        let (live, models) = (&self.place.schema, self.models);
        let tx = client.transaction().await?;
        tx.batch_execute(&format!(
            "SET LOCAL lock_timeout = {}",
            SWAP_LOCK_TIMEOUT.as_millis()
        ))
        .await?;
        tx.query_typed(
        &format!(
            "SELECT 1 FROM {live}.projection_checkpoint WHERE model = ANY ($1) ORDER BY model, shard FOR UPDATE"
        ),
        &[(&names(models), Type::TEXT_ARRAY)],
    )
    .await?;
        for shard in &self.place.shards {
            self.catch_up(&tx, *shard).await?;
        }
        if self.layout == Layout::Schemas {
            replace_in_views(&*tx, (live, NEW), tables(models)).await?;
        }
        let moves: String = tables(models)
        .map(|table| {
            format!(
                "ALTER TABLE {live}.{table} SET SCHEMA {OLD}; ALTER TABLE {NEW}.{table} SET SCHEMA {live};"
            )
        })
        .collect();
        tx.batch_execute(&format!(
            "CREATE SCHEMA {OLD};
         {moves}
         UPDATE {live}.projection_checkpoint AS live
            SET position = new.position, poison = NULL, poison_position = NULL, moved_at = now()
           FROM {NEW}.projection_checkpoint AS new
          WHERE live.model = new.model AND live.shard = new.shard;"
        ))
        .await?;
        tx.batch_execute(&format!("DROP SCHEMA {OLD} CASCADE; DROP SCHEMA {NEW} CASCADE"))
            .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Folds the shard to the position of the live tables, so that a reader that waited for a position still finds its
    /// events after the swap. It does not fold to the log's end, because writers do not wait for the swap and move that
    /// end. A rebuild that is slower than the writers would never reach it, and would hold the followers' checkpoints
    /// forever.
    async fn catch_up(&self, tx: &Transaction<'_>, shard: Shard) -> Result<(), Error> {
        let live = self.live_position(&**tx, shard).await?;
        loop {
            let position = position_of(&**tx, shard).await?;
            if position >= live {
                return Ok(());
            }
            let next = [NextRange {
                shard,
                position,
                limit: WINDOW.min(live - position),
            }];
            match apply_window(tx, &ReadModels, &Log, &names(self.models), &next).await {
                Ok(window) if window.positions() == 0 => return Ok(()),
                Ok(_) => {}
                Err(ApplyError::Rejected(rejected)) => {
                    return Err(Error::RebuildPoisoned(rejected.to_string()));
                }
                Err(ApplyError::Failed(error)) => return Err(error),
            }
        }
    }

    /// The number of positions that the live tables have folded and the new ones have not.
    async fn behind_live(&self, client: &Client) -> Result<i64, Error> {
        let mut behind = 0;
        for shard in &self.place.shards {
            let live = self.live_position(&***client, *shard).await?;
            behind += (live - position_of(&***client, *shard).await?).max(0);
        }
        Ok(behind)
    }

    /// The furthest position of the live models in the shard.
    async fn live_position(&self, client: &impl GenericClient, shard: Shard) -> Result<i64, Error> {
        let sql = format!(
            "SELECT coalesce(max(position), 0) FROM {}.projection_checkpoint
          WHERE model = ANY ($1) AND shard = $2",
            self.place.schema
        );
        let models = self.models;
        let row = client
            .query_typed_one(
                &sql,
                &[(&names(models), Type::TEXT_ARRAY), (&shard.sql(), Type::INT2)],
            )
            .await?;
        Ok(row.get(0))
    }
}

/// The position of the new tables in a shard. All models of a rebuild have the same position.
///
/// The statement names no schema. The connection's `search_path` begins with `NEW`, so it reads the new checkpoints.
async fn position_of(client: &impl GenericClient, shard: Shard) -> Result<i64, Error> {
    Ok(freshness::positions(client, shard)
        .await?
        .into_values()
        .min()
        .unwrap_or(0))
}

fn tables(models: &[ReadModelGroup]) -> impl Iterator<Item = &'static str> {
    models
        .iter()
        .flat_map(|model| model.tables().iter().copied().chain(model.shared_tables()))
}

fn names(models: &[ReadModelGroup]) -> Vec<&'static str> {
    models.iter().map(|model| model.as_str()).collect()
}
