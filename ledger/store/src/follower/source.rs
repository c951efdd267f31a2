//! The source from which followers read events: the log. A feed from memory could replace it without a change of the
//! followers.
//!
//! A source promises that a window has no gap: it holds every requested event up to its end. A feed that misses events
//! must read them from the log.

use std::future::Future;
use std::sync::Arc;

use deadpool_postgres::Transaction;
use tokio::sync::watch;

use crate::event::StoredEvent;
use crate::log;
use crate::position::Shard;
use crate::writer::RecordedPositions;

/// The events of a range of a shard's positions.
#[derive(Debug, Clone)]
pub struct Window {
    /// The last position of the range. It equals the requested position if nothing was recorded after it.
    pub until: i64,
    /// In the order of their positions. Shared, so that a feed can hand the same events to several followers.
    pub events: Vec<Arc<StoredEvent>>,
}

/// The part of a shard that a follower asks for.
#[derive(Debug, Clone, Copy)]
pub struct WindowRequest {
    pub shard: Shard,
    /// The position after which the window begins.
    pub after: i64,
    /// The greatest number of positions.
    pub limit: i64,
    /// The events that the follower needs; `None` for all.
    pub event_types: Option<&'static [&'static str]>,
}

pub trait EventSource: Clone + Send + Sync + 'static {
    /// Reads a window. A source that reads the log does so in the follower's transaction, which another source need not
    /// use: an event never changes once it is recorded. One transaction may read windows of several shards.
    fn window(
        &self,
        tx: &Transaction<'_>,
        request: WindowRequest,
    ) -> impl Future<Output = Result<Window, tokio_postgres::Error>> + Send;

    /// A channel with the shard's last position, which changes with each new event. `None` if followers must poll.
    fn new_positions(&self, shard: Shard) -> Option<watch::Receiver<i64>>;
}

/// The log in the database.
#[derive(Debug, Clone, Default)]
pub struct Log {
    recorded: Option<RecordedPositions>,
}

impl Log {
    /// With the positions of this process's writer, which wake the followers. Without them followers only poll.
    pub fn new(recorded: Option<&RecordedPositions>) -> Self {
        Self {
            recorded: recorded.cloned(),
        }
    }
}

impl EventSource for Log {
    async fn window(
        &self,
        tx: &Transaction<'_>,
        request: WindowRequest,
    ) -> Result<Window, tokio_postgres::Error> {
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
        Ok(Window {
            until,
            events: events.into_iter().map(Arc::new).collect(),
        })
    }

    fn new_positions(&self, shard: Shard) -> Option<watch::Receiver<i64>> {
        self.recorded.as_ref().map(|recorded| recorded.follow(shard))
    }
}
