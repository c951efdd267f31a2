//! How far each effect handler has followed each shard, and where one has stopped. The row is also the lock for
//! following, so that several processes can run the same handler.

use deadpool_postgres::Transaction;
use ledger_store::Shard;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

/// A stopped effect handler. It met an event that it cannot take and waits for staff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoppedEffectHandler {
    pub effect_handler: String,
    pub shard: i16,
    /// The position of the event that it cannot take.
    pub position: i64,
}

pub async fn stopped(client: &impl GenericClient) -> Result<Vec<StoppedEffectHandler>, Error> {
    let rows = client
        .query_typed(
            "SELECT reactor, shard, poison_position FROM reactor_checkpoint
              WHERE poison IS NOT NULL ORDER BY reactor, shard",
            &[],
        )
        .await?;
    Ok(rows
        .iter()
        .map(|row| StoppedEffectHandler {
            effect_handler: row.get(0),
            shard: row.get(1),
            position: row.get(2),
        })
        .collect())
}

/// A shard that a handler has not followed to its end, and the number of events that remain.
pub(super) struct Behind {
    pub shard: Shard,
    pub events: i64,
    pub stopped: bool,
}

pub(super) async fn behind(client: &impl GenericClient, effect_handler: &str) -> Result<Vec<Behind>, Error> {
    let rows = client
        .query_typed(
            "SELECT checkpoint.shard, log_shard.position - checkpoint.position, checkpoint.poison IS NOT NULL
               FROM reactor_checkpoint checkpoint JOIN log_shard USING (shard)
              WHERE checkpoint.reactor = $1 AND checkpoint.position < log_shard.position
              ORDER BY checkpoint.shard",
            &[(&effect_handler, Type::TEXT)],
        )
        .await?;
    let behind = rows.iter().filter_map(|row| {
        Some(Behind {
            shard: Shard::new(u8::try_from(row.get::<_, i16>(0)).ok()?)?,
            events: row.get(1),
            stopped: row.get(2),
        })
    });
    Ok(behind.collect())
}

/// The checkpoint's position; `None` if the handler is stopped or another process holds the lock.
pub(super) async fn lock(
    tx: &Transaction<'_>,
    effect_handler: &str,
    shard: Shard,
) -> Result<Option<i64>, Error> {
    let statement = tx
        .prepare_cached(
            "SELECT position FROM reactor_checkpoint WHERE reactor = $1 AND shard = $2 AND poison IS NULL
                FOR UPDATE SKIP LOCKED",
        )
        .await?;
    let row = tx.query_opt(&statement, &[&effect_handler, &shard.sql()]).await?;
    Ok(row.map(|row| row.get(0)))
}

pub(super) async fn advance(
    tx: &Transaction<'_>,
    effect_handler: &str,
    shard: Shard,
    position: i64,
) -> Result<(), Error> {
    let statement = tx
        .prepare_cached(
            "UPDATE reactor_checkpoint SET position = $3, moved_at = now() WHERE reactor = $1 AND shard = $2",
        )
        .await?;
    tx.execute(&statement, &[&effect_handler, &shard.sql(), &position])
        .await
        .map(drop)
}

/// Stops the handler at `position`, with the reason why it cannot take the next event.
pub(super) async fn stop(
    client: &impl GenericClient,
    effect_handler: &str,
    shard: Shard,
    position: i64,
    reason: &str,
) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE reactor_checkpoint SET poison = $4, poison_position = $3 + 1, moved_at = now()
              WHERE reactor = $1 AND shard = $2 AND position = $3",
            &[
                (&effect_handler, Type::TEXT),
                (&shard.sql(), Type::INT2),
                (&position, Type::INT8),
                (&reason, Type::TEXT),
            ],
        )
        .await
        .map(drop)
}

/// Lets the handler continue where it stopped: a newer version of the program may be able to take the event.
pub(super) async fn try_again(client: &impl GenericClient, effect_handler: &str) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE reactor_checkpoint SET poison = NULL, poison_position = NULL
              WHERE reactor = $1 AND poison IS NOT NULL",
            &[(&effect_handler, Type::TEXT)],
        )
        .await
        .map(drop)
}
