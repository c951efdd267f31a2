//! The task of a worker: claims rows that are due and tries several of them concurrently. New rows wake it, and it
//! polls every second for rows of other processes. The `Worker` implements the try.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use ledger_store::supervisor::{Failure, Pulse, Supervised, Task, note_panic};
use ledger_store::{Supervisor, log};
use thiserror::Error;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use crate::exceptions::work::{self, UnreadableRow};

/// The largest number of concurrent tries.
const IN_FLIGHT_MAX: usize = 16;
const POLL: Duration = Duration::from_secs(1);
/// The pause after the first try of a row. It doubles with each try, up to `LAST_PAUSE`.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
pub const LAST_PAUSE: Duration = Duration::from_secs(15 * 60);
/// Added to the time of a try's two calls (look-up and sending), for the ledger and the database.
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

/// How much is known about the delivery of an order to its provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SendState {
    /// It was never sent.
    Unsent,
    /// It may have been sent.
    Uncertain,
    /// The provider has it.
    Sent,
}

/// The numbers that operators see about a worker's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueueStats {
    /// Rows that have not ended.
    pub open: i64,
    /// Rows that are open for longer than the provider is expected to take.
    pub late: i64,
}

#[async_trait]
pub trait Worker: Send + Sync + 'static {
    /// A row that this process may try until its lease ends.
    type Job: Send + Sync + 'static;

    /// The name of its rows in the program's log.
    fn name(&self) -> &'static str;

    /// The id of the row in the program's log.
    fn id(job: &Self::Job) -> Uuid;

    async fn claim(&self, most: usize) -> Result<Vec<Self::Job>, WorkError>;

    /// Tries once and writes the result to the row. If the result cannot be written, the lease ends, and the next claim
    /// looks the call up.
    async fn try_once(&self, job: &Self::Job) -> Result<(), WorkError>;
}

/// A running worker. Dropping it aborts its calls, which is safe at any point.
pub struct WorkerHandle {
    _task: Supervised,
}

/// `woken` is notified of new rows.
pub fn start(worker: impl Worker, woken: Arc<Notify>, supervisor: &Supervisor) -> WorkerHandle {
    let name = format!("worker of {}", worker.name());
    let task = WorkTask {
        worker: Arc::new(worker),
        woken,
        calls: JoinSet::new(),
    };
    WorkerHandle {
        _task: supervisor.start(name, task),
    }
}

struct WorkTask<W> {
    worker: Arc<W>,
    woken: Arc<Notify>,
    /// These calls continue if claiming fails.
    calls: JoinSet<()>,
}

#[async_trait]
impl<W: Worker> Task for WorkTask<W> {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        loop {
            let jobs = claim(&*self.worker, IN_FLIGHT_MAX - self.calls.len()).await?;
            jobs.into_iter().for_each(|job| self.call(job));
            pulse.beat();
            tokio::select! {
                Some(ended) = self.calls.join_next() => {
                    if let Err(error) = ended {
                        // The lease of its row ends, and the row is claimed again.
                        note_panic(self.worker.name(), error);
                    }
                }
                () = self.woken.notified() => {}
                () = sleep(POLL) => {}
            }
        }
    }
}

impl<W: Worker> WorkTask<W> {
    #[expect(
        clippy::disallowed_methods,
        reason = "a try ends by itself, and its panic is noted"
    )]
    fn call(&mut self, job: W::Job) {
        let worker = Arc::clone(&self.worker);
        self.calls.spawn(async move {
            if let Err(error) = worker.try_once(&job).await {
                let (work, id) = (worker.name(), W::id(&job));
                tracing::error!(work, %id, %error, "the result of a try was not recorded");
            }
        });
    }
}

async fn claim<W: Worker>(worker: &W, most: usize) -> Result<Vec<W::Job>, WorkError> {
    if most == 0 {
        return Ok(vec![]);
    }
    worker.claim(most).await
}

/// The claimed rows that can be read. Unreadable rows go to the exceptions queue, so that they are not claimed forever.
pub async fn readable<Job>(
    client: &impl GenericClient,
    jobs: Vec<Result<Job, UnreadableRow>>,
) -> Result<Vec<Job>, WorkError> {
    let mut readable = Vec::with_capacity(jobs.len());
    for row in jobs {
        match row {
            Ok(row) => readable.push(row),
            Err(unreadable) => work::park(client, &unreadable).await?,
        }
    }
    Ok(readable)
}

/// How long a claim excludes other processes: longer than the two calls of a try, each of which may take `timeout`.
pub fn lease(timeout: Duration) -> Duration {
    2 * timeout + LEASE_MARGIN
}

/// The pause after the try with this number. The first try is 1.
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
