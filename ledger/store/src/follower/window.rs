//! Applies one window of the log to the parts of a consumer at one position. Every follower repeats this step.
//!
//! Rows and checkpoints change in one transaction, under a lock on the checkpoints, so that each event counts once. The
//! transaction spans shards: its statements cost as much for one shard as for all.

use deadpool_postgres::{Client, Transaction};

use super::consumer::{ApplyError, Consumer, Rejected};
use super::source::{EventSource, Range, Window, WindowRequest};
use crate::position::Shard;

#[derive(Debug)]
pub enum Step {
    /// These ranges were applied; none if nothing was new. Another process holds or has moved the checkpoints of the
    /// other shards.
    Applied(Vec<Range>),
    /// An event could not be applied, and nothing was written.
    Rejected(Rejected),
}

/// The beginning of a shard's window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextRange {
    pub shard: Shard,
    pub position: i64,
    /// The greatest number of positions.
    pub limit: i64,
}

/// Applies the windows of some shards to the parts of a consumer that are at their beginning, in one transaction.
pub async fn follow_window<C: Consumer>(
    client: &mut Client,
    consumer: &C,
    source: &impl EventSource,
    names: &[&'static str],
    next: &[NextRange],
) -> Result<Step, C::Error> {
    let tx = client.transaction().await?;
    tx.batch_execute(consumer.transaction_settings()).await?;
    let next = consumer.checkpoints().lock(&tx, names, next).await?;
    match apply_window(&tx, consumer, source, names, &next).await {
        Ok(window) => {
            tx.commit().await?;
            consumer.committed(&window);
            Ok(Step::Applied(window.ranges))
        }
        Err(ApplyError::Rejected(rejected)) => Ok(Step::Rejected(rejected)),
        Err(ApplyError::Failed(error)) => Err(error),
    }
}

/// The same within the caller's transaction, which holds the lock.
pub async fn apply_window<C: Consumer>(
    tx: &Transaction<'_>,
    consumer: &C,
    source: &impl EventSource,
    names: &[&'static str],
    next: &[NextRange],
) -> Result<Window, ApplyError<C::Error>> {
    let mut window = Window::default();
    for NextRange {
        shard,
        position,
        limit,
    } in next
    {
        let request = WindowRequest {
            shard: *shard,
            after: *position,
            limit: *limit,
            event_types: consumer.event_types(),
        };
        let (range, events) = source.window(tx, request).await?;
        window.ranges.push(range);
        window.events.extend(events);
    }
    if window.positions() > 0 {
        consumer.apply(tx, names, &window).await?;
        consumer.checkpoints().advance(tx, names, &window.ranges).await?;
    }
    Ok(window)
}

impl Window {
    /// The number of positions of the log that it holds.
    pub fn positions(&self) -> i64 {
        self.ranges.iter().map(Range::positions).sum()
    }
}

impl Range {
    pub const fn positions(&self) -> i64 {
        self.until - self.after
    }
}
