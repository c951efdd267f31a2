//! Reads from a replica of the database: the calls that `fixtures/access/calls.tsv` marks.
//!
//! Rows of a read model and its checkpoint are one transaction, also on the replica, so the replica's own checkpoints
//! tell whether it has a `Ledger-Position`. Whoever may make a call is decided on the primary. Whatever the replica cannot
//! answer, the primary does.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use deadpool_postgres::Pool;
use ledger_store::Causes;
use projections::{Freshness, ReadModelGroup};
use thiserror::Error;
use tokio::time::{Instant, timeout};

use super::position;
use crate::AppState;

/// A replica that is further behind answers nothing.
pub const LAG_MAX: Duration = Duration::from_secs(1);
/// What was seen of the replica counts for so long.
const SEEN_FOR: Duration = Duration::from_secs(3);
const REPLY_TIMEOUT: Duration = Duration::from_secs(2);
/// A read that names a position waits for the replica for so long; the primary has it already.
const POSITION_WAIT: Duration = Duration::from_millis(300);

tokio::task_local! {
    /// The pool from which the handler of this task reads.
    static READS: Pool;
}

/// The pool of the replica, in a request that it answers.
pub(super) fn pool_of_this_read() -> Option<Pool> {
    READS.try_with(Pool::clone).ok()
}

pub struct Replica {
    pool: Pool,
    primary: Pool,
    watch: Mutex<Watch>,
}

#[derive(Default)]
struct Watch {
    /// The ends of the primary's WAL that the replica has not replayed, with when they were read, oldest first.
    ahead: VecDeque<(Instant, i64)>,
    seen: Option<Seen>,
}

struct Seen {
    at: Instant,
    lag: Result<Duration, String>,
}

#[derive(Debug, Error)]
enum ReplicaError {
    #[error("no connection: {}", Causes(.0))]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("{}", Causes(.0))]
    Database(#[from] tokio_postgres::Error),
    #[error("it did not answer in time")]
    Silent,
    #[error("it is no replica: nothing is replayed there")]
    NotAReplica,
}

impl Replica {
    pub fn new(pool: Pool, primary: Pool) -> Self {
        Self {
            pool,
            primary,
            watch: Mutex::default(),
        }
    }

    /// Compares how far the primary has written and the replica has replayed. A fault is no failure of the caller: the
    /// primary answers instead, and operators see an alarm.
    pub async fn look(&self) -> Result<(), std::convert::Infallible> {
        let positions = timeout(REPLY_TIMEOUT, self.positions()).await;
        let positions = positions.unwrap_or(Err(ReplicaError::Silent));
        let now = Instant::now();
        let mut watch = self.watch();
        let lag = match positions {
            Ok((written, replayed)) => Ok(watch.lag(now, written, replayed)),
            Err(error) => Err(error.to_string()),
        };
        if let (Err(fault), true) = (&lag, watch.seen.as_ref().is_none_or(|seen| seen.lag.is_ok())) {
            tracing::warn!(fault, "the replica answers no reads");
        }
        // The last known lag would look like a present one.
        let shown = lag.as_ref().map_or(f64::NAN, Duration::as_secs_f64);
        metrics::gauge!("razao_replica_lag_seconds").set(shown);
        watch.seen = Some(Seen { at: now, lag });
        drop(watch);
        let usable = u8::from(self.fault().is_none());
        metrics::gauge!("razao_replica_usable").set(f64::from(usable));
        Ok(())
    }

    /// The end of the primary's WAL, and how far the replica has replayed it, in bytes.
    async fn positions(&self) -> Result<(i64, i64), ReplicaError> {
        let written = self
            .primary
            .get()
            .await?
            .query_one("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::int8", &[])
            .await?
            .get(0);
        let row = self
            .pool
            .get()
            .await?
            .query_one(
                "SELECT pg_is_in_recovery(), coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0)::int8",
                &[],
            )
            .await?;
        if row.get(0) {
            Ok((written, row.get(1)))
        } else {
            Err(ReplicaError::NotAReplica)
        }
    }

    /// Why the replica answers no reads now.
    pub fn fault(&self) -> Option<String> {
        match &self.watch().seen {
            None => Some("it was not asked yet".to_owned()),
            Some(Seen { at, .. }) if at.elapsed() > SEEN_FOR => Some("it was not asked of late".to_owned()),
            Some(Seen { lag: Err(fault), .. }) => Some(fault.clone()),
            Some(Seen { lag: Ok(lag), .. }) if *lag > LAG_MAX => {
                Some(format!("it is {} ms behind", lag.as_millis()))
            }
            Some(_) => None,
        }
    }

    fn watch(&self) -> MutexGuard<'_, Watch> {
        self.watch.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch {
    /// The age of the oldest end of the WAL that the replica has not replayed. Exact to the time between two looks, also
    /// while nothing is written.
    fn lag(&mut self, now: Instant, written: i64, replayed: i64) -> Duration {
        self.ahead.push_back((now, written));
        while self.ahead.front().is_some_and(|(_, end)| *end <= replayed) {
            self.ahead.pop_front();
        }
        self.ahead
            .front()
            .map_or(Duration::ZERO, |(since, _)| now.duration_since(*since))
    }
}

/// Lets the replica answer, if it can.
pub async fn layer(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let Some(replica) = state.replica.as_ref().filter(|replica| replica.fault().is_none()) else {
        return next.run(request).await;
    };
    let required = request.headers().get(position::POSITION);
    if let Some(Ok(required)) = required.map(position::position) {
        let reached =
            projections::wait_for(&replica.pool, &ReadModelGroup::ALL, &required, POSITION_WAIT).await;
        if !matches!(reached, Ok(Freshness::Fresh)) {
            return fall_back(request, next).await;
        }
    }
    let (parts, _) = request.into_parts();
    let again = Request::from_parts(parts.clone(), Body::empty());
    let request = Request::from_parts(parts, Body::empty());
    let response = READS.scope(replica.pool.clone(), next.clone().run(request)).await;
    if response.status().is_server_error() {
        tracing::warn!(status = %response.status(), "the replica could not answer a read");
        return fall_back(again, next).await;
    }
    metrics::counter!("razao_replica_reads_total").increment(1);
    response
}

async fn fall_back(request: Request, next: Next) -> Response {
    metrics::counter!("razao_replica_fallbacks_total").increment(1);
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lag_is_the_age_of_the_oldest_end_that_is_not_replayed() {
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        let mut watch = Watch::default();
        let mut lag = |second, written, replayed| watch.lag(at(second), written, replayed).as_secs();
        assert_eq!(lag(0, 100, 100), 0);
        assert_eq!(lag(1, 200, 100), 0, "its age is not known yet");
        assert_eq!(lag(2, 300, 150), 1);
        assert_eq!(lag(3, 400, 250), 1);
        assert_eq!(lag(4, 400, 400), 0, "it has all");
        assert_eq!(lag(60, 400, 400), 0, "nothing was written since");
    }
}
