//! Applies one window of the log to the parts of a consumer at one position. Every follower repeats this step.
//!
//! Rows and checkpoints change in one transaction, under a lock on the checkpoints, so that each event counts once.

use deadpool_postgres::{Client, Transaction};

use super::consumer::{ApplyError, Consumer, Rejected};
use super::source::{EventSource, Window, WindowRequest};
use crate::position::Shard;

#[derive(Debug)]
pub enum Step {
    /// This number of positions was applied.
    Applied(i64),
    /// There was nothing new, or another process holds the checkpoints.
    Idle,
    /// An event could not be applied, and nothing was written.
    Rejected(Rejected),
}

/// The window of a shard for the parts of a consumer that are at its beginning.
#[derive(Debug, Clone, Copy)]
pub struct NextWindow<'a> {
    pub shard: Shard,
    pub position: i64,
    pub limit: i64,
    pub names: &'a [&'static str],
}

/// Applies the window in a transaction.
pub async fn follow_window<C: Consumer>(
    client: &mut Client,
    consumer: &C,
    source: &impl EventSource,
    next: NextWindow<'_>,
) -> Result<Step, C::Error> {
    let tx = client.transaction().await?;
    tx.batch_execute(consumer.settings()).await?;
    let names = consumer
        .checkpoints()
        .lock(&tx, next.shard, next.position, next.names)
        .await?;
    if names.is_empty() {
        return Ok(Step::Idle);
    }
    let next = NextWindow {
        names: &names,
        ..next
    };
    match apply_window(&tx, consumer, source, next).await {
        Ok(None) => Ok(Step::Idle),
        Ok(Some(window)) => {
            tx.commit().await?;
            let positions = window.until - next.position;
            consumer.committed(&window, positions);
            Ok(Step::Applied(positions))
        }
        Err(ApplyError::Rejected(rejected)) => Ok(Step::Rejected(rejected)),
        Err(ApplyError::Failed(error)) => Err(error),
    }
}

/// The same within the caller's transaction, which holds the lock. `None` if there was nothing new.
pub async fn apply_window<C: Consumer>(
    tx: &Transaction<'_>,
    consumer: &C,
    source: &impl EventSource,
    next: NextWindow<'_>,
) -> Result<Option<Window>, ApplyError<C::Error>> {
    let request = WindowRequest {
        shard: next.shard,
        after: next.position,
        limit: next.limit,
        event_types: consumer.event_types(),
    };
    let window = source.window(tx, request).await?;
    if window.until == next.position {
        return Ok(None);
    }
    consumer.apply(tx, next.names, &window).await?;
    consumer
        .checkpoints()
        .advance(tx, next.shard, window.until, next.names)
        .await?;
    Ok(Some(window))
}
