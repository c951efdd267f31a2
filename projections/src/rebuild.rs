//! Rebuilds read models from the log: new tables are filled next to the old ones and replace them in one step.
//!
//! The new tables are in a separate schema, which the rebuild's connection searches first. So the followers' own
//! statements fill them, and readers wait only for the moment of the swap.

use std::time::Duration;

use deadpool_postgres::{Client, Pool, Transaction};
use ledger_store::follower::{ApplyError, Log, NextRange, Step, apply_window, follow_window};
use ledger_store::{Shard, log};
use tokio_postgres::GenericClient;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::Type;

use crate::follower::ReadModels;
use crate::{Error, ReadModelGroup, freshness};

/// The schema in which the new tables are filled.
const NEW: &str = "rebuild";
/// The schema that holds the old tables until the end of the transaction that drops them.
const OLD: &str = "rebuild_retired";
const LIVE: &str = "public";

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
    let rebuilt = fill_and_swap(&mut client, models, &mut progress).await;
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

async fn fill_and_swap(
    client: &mut Client,
    models: &[ReadModelGroup],
    progress: &mut (impl FnMut(RebuildProgress) + Send),
) -> Result<(), Error> {
    create_tables(client, models).await?;
    client
        .batch_execute(&format!("SET search_path = {NEW}, {LIVE}"))
        .await?;
    fill(client, models, progress).await?;
    for _ in 0..CATCH_UP_PASSES {
        if behind_live(client, models).await? <= WINDOW {
            break;
        }
        fill(client, models, progress).await?;
    }
    for _ in 0..SWAP_ATTEMPTS {
        match swap(client, models).await {
            Err(Error::Database(error)) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => {
                // A reader held a table, or a follower a checkpoint. The events recorded since then are folded now, so
                // that the next attempt is short.
                fill(client, models, progress).await?;
            }
            swapped => return swapped,
        }
    }
    Err(Error::SwapTimedOut)
}

/// Creates the tables empty, with the keys, indexes and settings of the current ones.
async fn create_tables(client: &Client, models: &[ReadModelGroup]) -> Result<(), Error> {
    client
        .batch_execute(&format!(
            "DROP SCHEMA IF EXISTS {NEW} CASCADE; DROP SCHEMA IF EXISTS {OLD} CASCADE; CREATE SCHEMA {NEW}"
        ))
        .await?;
    for table in tables(models) {
        create_like(client, table).await?;
    }
    create_like(client, "projection_checkpoint").await?;
    let sql = format!(
        "INSERT INTO {NEW}.projection_checkpoint (model, shard)
         SELECT model, shard FROM {LIVE}.projection_checkpoint WHERE model = ANY ($1)"
    );
    client
        .execute_typed(&sql, &[(&names(models), Type::TEXT_ARRAY)])
        .await?;
    Ok(())
}

/// `LIKE` leaves out a table's settings, and it gives keys and indexes new names. Both are copied explicitly.
async fn create_like(client: &Client, table: &str) -> Result<(), Error> {
    let live = format!("{LIVE}.{table}");
    client
        .batch_execute(&format!(
            "CREATE TABLE {NEW}.{table} (LIKE {live} INCLUDING ALL EXCLUDING INDEXES)"
        ))
        .await?;
    let statements = client
        .query_typed(
            "SELECT format('ALTER TABLE %I.%I SET (%s)', $2, relname, array_to_string(reloptions, ', '))
               FROM pg_class WHERE oid = $1::text::regclass AND reloptions IS NOT NULL
              UNION ALL
             SELECT format('ALTER TABLE %I.%I ADD CONSTRAINT %I %s', $2, relname, conname,
                           pg_get_constraintdef(pg_constraint.oid))
               FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
              WHERE conrelid = $1::text::regclass AND contype IN ('p', 'u', 'x')
              UNION ALL
             SELECT replace(pg_get_indexdef(indexrelid), format(' ON %I.', $3), format(' ON %I.', $2))
               FROM pg_index
              WHERE indrelid = $1::text::regclass
                AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)",
            &[(&live, Type::TEXT), (&NEW, Type::TEXT), (&LIVE, Type::TEXT)],
        )
        .await?;
    for statement in statements {
        client.batch_execute(statement.get(0)).await?;
    }
    Ok(())
}

/// One pass over all shards: folds each to the end that its log has when the pass comes to it.
async fn fill(
    client: &mut Client,
    models: &[ReadModelGroup],
    progress: &mut (impl FnMut(RebuildProgress) + Send),
) -> Result<(), Error> {
    for shard in Shard::all() {
        fill_shard(client, shard, models, progress).await?;
    }
    Ok(())
}

async fn fill_shard(
    client: &mut Client,
    shard: Shard,
    models: &[ReadModelGroup],
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
        match follow_window(client, &ReadModels, &Log, &names(models), &next).await? {
            // A shard is left out only if its checkpoints differ, which those of a rebuild never do.
            Step::Applied(ranges) if ranges.is_empty() => return Ok(()),
            Step::Applied(_) => {}
            Step::Rejected(rejected) => return Err(Error::RebuildPoisoned(rejected.to_string())),
        }
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

/// One short transaction: the followers wait at their checkpoints, the last events are folded, and the tables are
/// swapped. Checkpoints are locked before tables, as in the followers, so that no deadlock occurs.
async fn swap(client: &mut Client, models: &[ReadModelGroup]) -> Result<(), Error> {
    let tx = client.transaction().await?;
    tx.batch_execute(&format!(
        "SET LOCAL lock_timeout = {}",
        SWAP_LOCK_TIMEOUT.as_millis()
    ))
    .await?;
    tx.query_typed(
        &format!(
            "SELECT 1 FROM {LIVE}.projection_checkpoint WHERE model = ANY ($1) ORDER BY model, shard FOR UPDATE"
        ),
        &[(&names(models), Type::TEXT_ARRAY)],
    )
    .await?;
    for shard in Shard::all() {
        catch_up(&tx, shard, models).await?;
    }
    let moves: String = tables(models)
        .map(|table| {
            format!(
                "ALTER TABLE {LIVE}.{table} SET SCHEMA {OLD}; ALTER TABLE {NEW}.{table} SET SCHEMA {LIVE};"
            )
        })
        .collect();
    tx.batch_execute(&format!(
        "CREATE SCHEMA {OLD};
         {moves}
         UPDATE {LIVE}.projection_checkpoint AS live
            SET position = new.position, poison = NULL, poison_position = NULL, moved_at = now()
           FROM {NEW}.projection_checkpoint AS new
          WHERE live.model = new.model AND live.shard = new.shard;
         DROP SCHEMA {OLD} CASCADE;
         DROP SCHEMA {NEW} CASCADE;"
    ))
    .await?;
    tx.commit().await?;
    Ok(())
}

/// Folds the shard to the position of the live tables, so that a reader that waited for a position still finds its
/// events after the swap. It does not fold to the log's end, because writers do not wait for the swap and move that
/// end. A rebuild that is slower than the writers would never reach it, and would hold the followers' checkpoints
/// forever.
async fn catch_up(tx: &Transaction<'_>, shard: Shard, models: &[ReadModelGroup]) -> Result<(), Error> {
    let live = live_position(&**tx, shard, models).await?;
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
        match apply_window(tx, &ReadModels, &Log, &names(models), &next).await {
            Ok(window) if window.positions() == 0 => return Ok(()),
            Ok(_) => {}
            Err(ApplyError::Rejected(rejected)) => return Err(Error::RebuildPoisoned(rejected.to_string())),
            Err(ApplyError::Failed(error)) => return Err(error),
        }
    }
}

/// The number of positions that the live tables have folded and the new ones have not.
async fn behind_live(client: &Client, models: &[ReadModelGroup]) -> Result<i64, Error> {
    let mut behind = 0;
    for shard in Shard::all() {
        let live = live_position(&***client, shard, models).await?;
        behind += (live - position_of(&***client, shard).await?).max(0);
    }
    Ok(behind)
}

/// The furthest position of the live models in the shard.
async fn live_position(
    client: &impl GenericClient,
    shard: Shard,
    models: &[ReadModelGroup],
) -> Result<i64, Error> {
    let sql = format!(
        "SELECT coalesce(max(position), 0) FROM {LIVE}.projection_checkpoint
          WHERE model = ANY ($1) AND shard = $2"
    );
    let row = client
        .query_typed_one(
            &sql,
            &[(&names(models), Type::TEXT_ARRAY), (&shard.sql(), Type::INT2)],
        )
        .await?;
    Ok(row.get(0))
}

fn tables(models: &[ReadModelGroup]) -> impl Iterator<Item = &'static str> {
    models
        .iter()
        .flat_map(|model| model.tables().iter().copied().chain(model.shared_tables()))
}

fn names(models: &[ReadModelGroup]) -> Vec<&'static str> {
    models.iter().map(|model| model.as_str()).collect()
}
