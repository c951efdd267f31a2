//! The interface of a consumer: a follower applies events to it. All read models together are one consumer. Each effect
//! is another.

use std::error::Error;
use std::fmt;

use async_trait::async_trait;
use deadpool_postgres::{PoolError, Transaction};

use super::checkpoint::{CheckpointTable, Lag};
use super::source::Window;
use crate::log::LogError;
use crate::position::Shard;

#[async_trait]
pub trait Consumer: Send + Sync + 'static {
    type Error: Error + From<tokio_postgres::Error> + From<PoolError> + From<LogError> + Send + Sync + 'static;

    fn checkpoints(&self) -> CheckpointTable;

    /// The names of its checkpoints, one for each part of the consumer (such as a group of read models). Parts at the
    /// same position get the same window.
    fn names(&self) -> &[&'static str];

    /// The types of the events that it needs; `None` for all. Events of other types are skipped unread.
    fn event_types(&self) -> Option<&'static [&'static str]> {
        None
    }

    /// The `SET LOCAL` statements that each transaction begins with, such as a time-out.
    fn transaction_settings(&self) -> &'static str;

    /// Writes the results of the events in the transaction that advances the checkpoints. It must have no other effect:
    /// the transaction may fail, and the same events are then applied again.
    async fn apply(
        &self,
        tx: &Transaction<'_>,
        names: &[&'static str],
        window: &Window,
    ) -> Result<(), ApplyError<Self::Error>>;

    /// Called after the transaction was committed.
    fn committed(&self, window: &Window);

    /// Called regularly, for metrics.
    fn publish_lag(&self, lag: &[Lag]);

    /// Logs that the event at this position stopped parts of the consumer.
    fn log_stop(&self, shard: Shard, position: i64, rejected: &Rejected);
}

/// Why a window could not be applied.
#[derive(Debug)]
pub enum ApplyError<E> {
    Rejected(Rejected),
    /// The database failed. A later try may succeed.
    Failed(E),
}

/// Why parts of the consumer cannot apply a window: it has a poison event. The event's place is unknown if the database
/// rejected the rows of the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    pub names: Vec<&'static str>,
    pub at: Option<(Shard, i64)>,
    pub reason: String,
}

impl<E: From<tokio_postgres::Error>> From<tokio_postgres::Error> for ApplyError<E> {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl<E: From<LogError>> ApplyError<E> {
    pub(super) fn of_log(error: LogError) -> Self {
        Self::Failed(error.into())
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for name in &self.names {
            write!(f, "{name} ")?;
        }
        match self.at {
            Some((_, position)) => write!(f, "at position {position}: {}", self.reason),
            None => write!(f, "within a window: {}", self.reason),
        }
    }
}
