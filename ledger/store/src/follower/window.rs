//! Applies one window of events to some parts of a consumer. Every follower repeats this step.
//!
//! Rows and checkpoints change in one transaction, under a lock on the checkpoints, so that each event counts once. The
//! transaction spans shards, because its statements cost about as much for all shards as for one.

use deadpool_postgres::{Client, Transaction};

use super::consumer::{ApplyError, Consumer, Rejected};
use super::source::{EventSource, Range, Window, WindowRequest};
use crate::layout::Layout;
use crate::position::Shard;
use crate::trace::{self, Span, SpanKind};

#[derive(Debug)]
pub enum Step {
    /// The ranges that were applied. A range without positions means that nothing was new in its shard. A shard is
    /// missing if another process holds or has changed its checkpoints.
    Applied(Vec<Range>),
    /// An event could not be applied, and nothing was written.
    Rejected(Rejected),
}

/// The next window of a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextRange {
    pub shard: Shard,
    /// The position after which the window begins: the checkpoint of the parts.
    pub position: i64,
    /// The greatest number of positions.
    pub limit: i64,
}

/// Applies the next windows of some shards to parts of a consumer, in one transaction. `names` are the checkpoints of
/// the parts. A shard is left out unless all these checkpoints are where its window begins, not stopped, and not locked
/// by another process. In layout `schemas` there is one range: the session sees the tables of its shard.
pub async fn follow_window<C: Consumer>(
    client: &mut Client,
    consumer: &C,
    source: &impl EventSource,
    names: &[&'static str],
    next: &[NextRange],
    layout: Layout,
) -> Result<Step, C::Error> {
    let Some(first) = next.first() else {
        return Ok(Step::Applied(vec![]));
    };
    let tx = layout.begin(client, first.shard).await?;
    tx.batch_execute(consumer.transaction_settings()).await?;
    let next = consumer.checkpoints().lock(&tx, names, next).await?;
    let mut span = Span::default();
    match apply_traced(&tx, consumer, source, names, &next, &mut span).await {
        Ok(window) => {
            tx.commit().await?;
            drop(span);
            consumer.committed(&window);
            Ok(Step::Applied(window.ranges))
        }
        Err(ApplyError::Rejected(rejected)) => Ok(Step::Rejected(rejected)),
        Err(ApplyError::Failed(error)) => Err(error),
    }
}

/// The same within the caller's transaction, which holds the lock on the checkpoints.
pub async fn apply_window<C: Consumer>(
    tx: &Transaction<'_>,
    consumer: &C,
    source: &impl EventSource,
    names: &[&'static str],
    next: &[NextRange],
) -> Result<Window, ApplyError<C::Error>> {
    apply_traced(tx, consumer, source, names, next, &mut Span::default()).await
}

/// `span` is that of a window with events of known traces. The caller ends it after the commit.
async fn apply_traced<C: Consumer>(
    tx: &Transaction<'_>,
    consumer: &C,
    source: &impl EventSource,
    names: &[&'static str],
    next: &[NextRange],
    span: &mut Span,
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
        let window_of = source.window(tx, request).await;
        let (range, events) = window_of.map_err(ApplyError::of_log)?;
        window.ranges.push(range);
        window.events.extend(events);
    }
    if window.positions() > 0 {
        if trace::is_on() {
            *span = window_span(source, names, &window);
        }
        span.within(consumer.apply(tx, names, &window)).await?;
        consumer.checkpoints().advance(tx, names, &window.ranges).await?;
    }
    Ok(window)
}

fn window_span(source: &impl EventSource, names: &[&'static str], window: &Window) -> Span {
    let ranges = window.ranges.iter();
    let mut places: Vec<_> = ranges.flat_map(|range| source.traces(range)).collect();
    // A batch of several shards is one place.
    places.dedup_by_key(|place| place.traceparent());
    if places.is_empty() {
        return Span::default();
    }
    let span = Span::after(
        &places,
        || format!("follow {}", names.join(",")),
        SpanKind::Internal,
    );
    span.set(
        "razao.events",
        i64::try_from(window.events.len()).unwrap_or(i64::MAX),
    );
    let shards: Vec<_> = window
        .ranges
        .iter()
        .map(|range| range.shard.to_string())
        .collect();
    span.set("razao.shards", shards.join(","));
    span
}

impl Window {
    /// The number of positions that its ranges cover.
    pub fn positions(&self) -> i64 {
        self.ranges.iter().map(Range::positions).sum()
    }
}

impl Range {
    pub const fn positions(&self) -> i64 {
        self.until - self.after
    }
}
