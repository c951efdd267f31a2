//! How far each model has followed each shard, and where a model has stopped.
//!
//! The row is also the lock: only its holder folds, so that several processes may follow the same shard.

use std::collections::BTreeMap;

use deadpool_postgres::Transaction;
use ledger_store::Shard;
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use crate::{Error, Model};

/// The models of a shard by position. Models at the same position are folded together; stopped models are left out.
pub(crate) async fn groups(
    client: &impl GenericClient,
    shard: Shard,
) -> Result<BTreeMap<i64, Vec<Model>>, Error> {
    let rows = client
        .query_typed(
            "SELECT model, position FROM projection_checkpoint WHERE shard = $1 AND poison IS NULL ORDER BY model",
            &[(&shard.sql(), Type::INT2)],
        )
        .await?;
    let mut groups: BTreeMap<i64, Vec<Model>> = BTreeMap::new();
    for row in rows {
        // A row of a model that this program does not have belongs to a newer version.
        if let Ok(model) = row.get::<_, &str>(0).parse() {
            groups.entry(row.get(1)).or_default().push(model);
        }
    }
    Ok(groups)
}

/// Locks those of the models that are still at `position` and that no other process is folding.
pub(crate) async fn lock(
    tx: &Transaction<'_>,
    shard: Shard,
    position: i64,
    models: &[Model],
) -> Result<Vec<Model>, Error> {
    let statement = tx
        .prepare_cached(
            "SELECT model FROM projection_checkpoint
              WHERE shard = $1 AND position = $2 AND model = ANY ($3) AND poison IS NULL
              ORDER BY model FOR UPDATE SKIP LOCKED",
        )
        .await?;
    let names: Vec<_> = models.iter().map(|model| model.as_str()).collect();
    let rows = tx.query(&statement, &[&shard.sql(), &position, &names]).await?;
    Ok(rows
        .iter()
        .filter_map(|row| row.get::<_, &str>(0).parse().ok())
        .collect())
}

pub(crate) async fn advance(
    tx: &Transaction<'_>,
    shard: Shard,
    position: i64,
    models: &[Model],
) -> Result<(), Error> {
    let statement = tx
        .prepare_cached(
            "UPDATE projection_checkpoint
                SET position = $2, moved_at = now()
              WHERE shard = $1 AND model = ANY ($3)",
        )
        .await?;
    let names: Vec<_> = models.iter().map(|model| model.as_str()).collect();
    tx.execute(&statement, &[&shard.sql(), &position, &names]).await?;
    Ok(())
}

/// Stops the models at `position`, with the reason why they cannot take the event after it.
pub(crate) async fn stop(
    client: &impl GenericClient,
    shard: Shard,
    position: i64,
    models: &[Model],
    reason: &str,
) -> Result<(), Error> {
    let names: Vec<_> = models.iter().map(|model| model.as_str()).collect();
    client
        .execute_typed(
            "UPDATE projection_checkpoint SET poison = $4, poison_position = $2 + 1, moved_at = now()
              WHERE shard = $1 AND position = $2 AND model = ANY ($3)",
            &[
                (&shard.sql(), Type::INT2),
                (&position, Type::INT8),
                (&names, Type::TEXT_ARRAY),
                (&reason, Type::TEXT),
            ],
        )
        .await?;
    Ok(())
}

/// Restarts stopped models: the program that starts now may be able to take their event.
pub(crate) async fn try_again(client: &impl GenericClient, shard: Shard) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE projection_checkpoint SET poison = NULL, poison_position = NULL
              WHERE shard = $1 AND poison IS NOT NULL",
            &[(&shard.sql(), Type::INT2)],
        )
        .await?;
    Ok(())
}

/// The position of every model in a shard, including stopped models.
pub(crate) async fn positions(
    client: &impl GenericClient,
    shard: Shard,
) -> Result<BTreeMap<Model, i64>, Error> {
    let rows = client
        .query_typed(
            "SELECT model, position FROM projection_checkpoint WHERE shard = $1",
            &[(&shard.sql(), Type::INT2)],
        )
        .await?;
    let known = |row: &tokio_postgres::Row| Some((row.get::<_, &str>(0).parse().ok()?, row.get(1)));
    Ok(rows.iter().filter_map(known).collect())
}
