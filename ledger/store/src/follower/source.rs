//! The sources from which followers read events: the log, or the feed.
//!
//! A source promises that a window has no gap: it holds every requested event up to its end. A feed that misses events
//! must read them from the log.

use std::future::Future;
use std::sync::Arc;

use deadpool_postgres::Transaction;
use tokio::sync::watch;

use crate::event::LogEvent;
use crate::log::{self, LogError};
use crate::position::Shard;
use crate::recorded::Recorded;
use crate::trace::Place;

/// A part of a shard's positions: those after `after`, up to `until`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    pub shard: Shard,
    pub after: i64,
    /// Equals `after` if nothing was recorded after it.
    pub until: i64,
}

/// The events of ranges of one or several shards.
#[derive(Debug, Clone, Default)]
pub struct Window {
    pub ranges: Vec<Range>,
    /// Those of each shard are in the order of their positions. Shared, because a feed hands the same events to several
    /// followers.
    pub events: Vec<Arc<LogEvent>>,
}

/// The part of a shard that a follower asks for.
#[derive(Debug, Clone, Copy)]
pub struct WindowRequest {
    pub shard: Shard,
    /// The position after which the window begins.
    pub after: i64,
    /// The greatest number of positions.
    pub limit: i64,
    /// The types of the events that the follower needs; `None` for all.
    pub event_types: Option<&'static [&'static str]>,
}

pub trait EventSource: Clone + Send + Sync + 'static {
    /// Reads the window of one shard. The log is read in the follower's transaction. A source in memory does not use
    /// that transaction, because a recorded event never changes.
    fn window(
        &self,
        tx: &Transaction<'_>,
        request: WindowRequest,
    ) -> impl Future<Output = Result<(Range, Vec<Arc<LogEvent>>), LogError>> + Send;

    /// Whether this process follows the shard at once. In other shards it first waits for another process to do so.
    fn leads(&self, shard: Shard) -> bool;

    /// The shard's last position, if this process knows it.
    fn end(&self, shard: Shard) -> Option<i64>;

    /// The traces of the batches of a range, if this process recorded them while traces were on.
    fn traces(&self, _: &Range) -> Vec<Place> {
        vec![]
    }

    /// A channel that changes with new events. `None` if followers must poll.
    fn new_events(&self) -> Option<watch::Receiver<u64>>;
}

/// The log in the database. Its followers lead every shard.
#[derive(Debug, Clone, Copy, Default)]
pub struct Log;

impl EventSource for Log {
    async fn window(
        &self,
        tx: &Transaction<'_>,
        request: WindowRequest,
    ) -> Result<(Range, Vec<Arc<LogEvent>>), LogError> {
        let WindowRequest {
            shard,
            after,
            limit,
            event_types,
        } = request;
        let (until, events) = match event_types {
            Some(types) => {
                let window = log::window_of_types(&**tx, shard, after, limit, types).await?;
                (window.until, window.events)
            }
            None => {
                let events = log::window(&**tx, shard, after, limit).await?;
                (events.last().map_or(after, |last| last.position), events)
            }
        };
        let events = events.into_iter().map(|event| Arc::new(event.into()));
        Ok((Range { shard, after, until }, events.collect()))
    }

    fn leads(&self, _: Shard) -> bool {
        true
    }

    fn end(&self, _: Shard) -> Option<i64> {
        None
    }

    fn new_events(&self) -> Option<watch::Receiver<u64>> {
        None
    }
}

/// The latest events that this process recorded, from memory; others from the log. Its followers lead the shards that
/// the writer owns.
#[derive(Debug, Clone)]
pub struct Feed(pub Recorded);

impl EventSource for Feed {
    async fn window(
        &self,
        tx: &Transaction<'_>,
        request: WindowRequest,
    ) -> Result<(Range, Vec<Arc<LogEvent>>), LogError> {
        match self.0.window(&request) {
            Some(window) => Ok(window),
            None => Log.window(tx, request).await,
        }
    }

    fn leads(&self, shard: Shard) -> bool {
        self.0.end(shard).is_some()
    }

    fn end(&self, shard: Shard) -> Option<i64> {
        self.0.end(shard)
    }

    fn traces(&self, range: &Range) -> Vec<Place> {
        self.0.traces(range)
    }

    fn new_events(&self) -> Option<watch::Receiver<u64>> {
        Some(self.0.batches())
    }
}
