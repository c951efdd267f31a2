//! The task of a worker: claims rows whose turn it is, some at once, and tries each; woken by new rows, and by a look
//! every second for what other processes left. What a try is, is the worker's own matter.

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
pub enum SendState {
    /// Nobody sent it.
    Unsent,
    /// Somebody may have.
    Uncertain,
    /// It has arrived.
    Sent,
}

/// What operators see of a worker's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueueStats {
    /// Not ended.
    pub open: i64,
    /// Not ended for longer than the other side may take.
    pub late: i64,
}

#[async_trait]
pub trait Worker: Send + Sync + 'static {
    /// A row that is this process's to try, for as long as its lease.
    type Job: Send + Sync + 'static;

    /// Of its rows, for the program's log.
    fn name(&self) -> &'static str;

    /// Of the row, for the program's log.
    fn id(job: &Self::Job) -> Uuid;

    async fn claim(&self, most: usize) -> Result<Vec<Self::Job>, WorkError>;

    /// One try, to what came of it in the row. Where that could not be written the lease ends, and the next claim asks
    /// what came of this one.
    async fn try_once(&self, job: &Self::Job) -> Result<(), WorkError>;
}

/// A worker's task. Dropping it cuts its calls off, which is safe at any point.
pub struct Working {
    _task: Supervised,
}

/// `woken` tells of new rows.
pub fn start(worker: impl Worker, woken: Arc<Notify>, supervisor: &Supervisor) -> Working {
    let name = format!("worker of {}", worker.name());
    let task = WorkTask {
        worker: Arc::new(worker),
        woken,
        calls: JoinSet::new(),
    };
    Working {
        _task: supervisor.start(name, task),
    }
}

struct WorkTask<W> {
    worker: Arc<W>,
    woken: Arc<Notify>,
    /// They go on when looking for work fails.
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
                        // Its lease ends, and the row is claimed again.
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
                tracing::error!(work, %id, %error, "what came of a try was not recorded");
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

/// The claimed rows that can be read. The others go to staff, so that they are not claimed for ever.
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
