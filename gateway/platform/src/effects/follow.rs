//! Turns one window of the log into an effect handler's rows. Rows and checkpoint change in one transaction, under a
//! lock on the checkpoint's row. So each event leads to its work once.

use deadpool_postgres::{Client, Transaction};
use ledger_store::{Shard, log};
use thiserror::Error;

use super::checkpoint;
use super::effect_handler::{EffectHandler, FollowedEvent, Setback};

/// The number of positions in one transaction. Most events are not of the handler's types, so that a large window takes
/// little time.
const WINDOW: i64 = 2_000;

#[derive(Debug, Error)]
pub(super) enum FollowError {
    #[error("the database failed: {0}")]
    Database(#[from] tokio_postgres::Error),
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
}

enum Step {
    /// Nothing new, the handler is stopped, or another process holds the lock.
    Idle,
    Moved {
        /// The window was full: more events may follow.
        full: bool,
    },
    /// The event that follows `before` positions cannot be taken. Nothing was written.
    Refused {
        position: i64,
        before: i64,
        reason: String,
    },
}

/// Follows a shard to its end, or to an event that the effect handler cannot take.
pub(super) async fn catch_up(
    client: &mut Client,
    effect_handler: &dyn EffectHandler,
    shard: Shard,
) -> Result<(), FollowError> {
    let mut limit = WINDOW;
    loop {
        match step(client, effect_handler, shard, limit).await? {
            Step::Idle => return Ok(()),
            Step::Moved { full } => {
                if !full {
                    return Ok(());
                }
                limit = WINDOW;
            }
            // The events before it are taken first.
            Step::Refused { before, .. } if before > 0 => limit = before,
            Step::Refused { position, reason, .. } => {
                tracing::error!(
                    code = "effect_stopped", effect = effect_handler.name(), %shard, position, reason,
                    "an effect handler stopped at an event that it cannot take"
                );
                checkpoint::stop(&***client, effect_handler.name(), shard, position - 1, &reason).await?;
                return Ok(());
            }
        }
    }
}

async fn step(
    client: &mut Client,
    effect_handler: &dyn EffectHandler,
    shard: Shard,
    limit: i64,
) -> Result<Step, FollowError> {
    let tx = client.transaction().await?;
    // A transaction must not hold a snapshot for longer: it would slow down the writer's frequently updated rows.
    tx.batch_execute("SET LOCAL statement_timeout = '5s'").await?;
    let Some(from) = checkpoint::lock(&tx, effect_handler.name(), shard).await? else {
        return Ok(Step::Idle);
    };
    let window = log::window_of_types(&*tx, shard, from, limit, effect_handler.event_types()).await?;
    if window.until == from {
        return Ok(Step::Idle);
    }
    let mut worked = false;
    for stored in &window.events {
        match take(&tx, effect_handler, stored).await {
            Ok(()) => worked = true,
            Err(Setback::Poison(reason)) => {
                return Ok(Step::Refused {
                    position: stored.position,
                    before: stored.position - from - 1,
                    reason,
                });
            }
            Err(Setback::Failed(error)) => return Err(error.into()),
        }
    }
    checkpoint::advance(&tx, effect_handler.name(), shard, window.until).await?;
    tx.commit().await?;
    if worked {
        effect_handler.committed();
    }
    Ok(Step::Moved {
        full: window.until - from >= limit,
    })
}

async fn take(
    tx: &Transaction<'_>,
    effect_handler: &dyn EffectHandler,
    stored: &ledger_store::StoredEvent,
) -> Result<(), Setback> {
    effect_handler.handle(tx, &FollowedEvent::decode(stored)?).await
}
