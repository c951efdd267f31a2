//! The task of a worker: claims rows whose turn it is, some at once, and tries each; woken by new rows, and by a look
//! every second for what other processes left. What a try is, is the worker's own matter.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use ledger_store::log;
use thiserror::Error;
use tokio::sync::Notify;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::sleep;
use uuid::Uuid;

/// Calls under way at once.
const IN_FLIGHT_MAX: usize = 16;
const POLL: Duration = Duration::from_secs(1);
/// Between two tries of a row: doubled at each, up to the last.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
pub const LAST_PAUSE: Duration = Duration::from_secs(15 * 60);
/// Beyond the calls of a try, a look-up and a sending: for what the ledger and the database take.
const LEASE_MARGIN: Duration = Duration::from_secs(5);

#[derive(Debug, Error)]
pub enum WorkError {
    #[error("the database failed: {0}")]
    Database(#[from] tokio_postgres::Error),
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the ledger could not be read: {0}")]
    Ledger(#[from] log::LogError),
}

/// What is known of an order's way to whom it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// Nobody sent it.
    Unsent,
    /// Somebody may have.
    Uncertain,
    /// It has arrived.
    Sent,
}

/// What operators see of a worker's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Standing {
    /// Not ended.
    pub open: i64,
    /// Not ended for longer than the other side may take.
    pub late: i64,
}

#[async_trait]
pub trait Worker: Send + Sync + 'static {
    /// A row that is this process's to try, for as long as its lease.
    type Claimed: Send + Sync + 'static;

    /// Of its rows, for the program's log.
    fn name(&self) -> &'static str;

    /// Of the row, for the program's log.
    fn id(claimed: &Self::Claimed) -> Uuid;

    async fn claim(&self, most: usize) -> Result<Vec<Self::Claimed>, WorkError>;

    /// One try, to what came of it in the row. Where that could not be written the lease ends, and the next claim asks
    /// what came of this one.
    async fn try_once(&self, claimed: &Self::Claimed) -> Result<(), WorkError>;
}

/// A worker's task. Dropping it cuts its calls off, which is safe at any point.
pub struct Working(JoinHandle<()>);

impl Drop for Working {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// `woken` tells of new rows.
pub fn start(worker: impl Worker, woken: Arc<Notify>) -> Working {
    Working(tokio::spawn(run(Arc::new(worker), woken)))
}

async fn run<W: Worker>(worker: Arc<W>, woken: Arc<Notify>) {
    let name = worker.name();
    let mut calls = JoinSet::new();
    loop {
        match claim(&*worker, IN_FLIGHT_MAX - calls.len()).await {
            Ok(claimed) => {
                for claimed in claimed {
                    let worker = Arc::clone(&worker);
                    calls.spawn(async move {
                        if let Err(error) = worker.try_once(&claimed).await {
                            let id = W::id(&claimed);
                            tracing::error!(work = name, %id, %error, "what came of a try was not recorded");
                        }
                    });
                }
            }
            Err(error) => tracing::error!(work = name, %error, "work cannot be looked at"),
        }
        tokio::select! {
            Some(ended) = calls.join_next() => {
                if let Err(error) = ended {
                    tracing::error!(work = name, %error, "a try ended by a panic");
                }
            }
            () = woken.notified() => {}
            () = sleep(POLL) => {}
        }
    }
}

async fn claim<W: Worker>(worker: &W, most: usize) -> Result<Vec<W::Claimed>, WorkError> {
    if most == 0 {
        return Ok(vec![]);
    }
    worker.claim(most).await
}

/// For how long a claim keeps others away: longer than the two calls of a try, of so much time each.
pub fn lease(timeout: Duration) -> Duration {
    2 * timeout + LEASE_MARGIN
}

/// After the try of this number, which is 1 for the first.
pub fn pause(tries: i32) -> Duration {
    let doublings = u32::try_from(tries.saturating_sub(1)).unwrap_or(0).min(20);
    (FIRST_PAUSE * 2_u32.pow(doublings)).min(LAST_PAUSE)
}

pub fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_a_quarter_of_an_hour() {
        let seconds: Vec<_> = [1, 2, 3, 10, 11, i32::MAX]
            .iter()
            .map(|tries| pause(*tries).as_secs())
            .collect();
        assert_eq!(seconds, [1, 2, 4, 512, 900, 900]);
    }
}
