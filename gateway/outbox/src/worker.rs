//! The task of an outbox: claims rows that are due and attempts several of them concurrently. New rows wake it, and it
//! polls for due rows every second.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use ledger_store::Supervisor;
use ledger_store::supervisor::{Failure, Pulse, Supervised, Task, note_panic};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::attempt::attempt;
use crate::claim::claim;
use crate::outbox::{Job, Outbox};

/// The largest number of concurrent tries.
const IN_FLIGHT_MAX: usize = 16;
const POLL: Duration = Duration::from_secs(1);

/// A running worker. Dropping it aborts its calls, which is safe at any point.
#[must_use = "dropping it stops the worker"]
pub struct WorkerHandle {
    _task: Supervised,
}

/// Starts a worker. `wake` is notified of new rows. The supervisor restarts a worker that failed, and readiness
/// reports it until a claim succeeds.
pub fn start<O: Outbox>(outbox: O, wake: Arc<Notify>, supervisor: &Supervisor) -> WorkerHandle {
    let task = WorkerTask {
        outbox: Arc::new(outbox),
        wake,
        tries: JoinSet::new(),
    };
    WorkerHandle {
        _task: supervisor.start(format!("worker of {}", O::NAME), task),
    }
}

struct WorkerTask<O> {
    outbox: Arc<O>,
    wake: Arc<Notify>,
    /// These tries continue if claiming fails.
    tries: JoinSet<()>,
}

#[async_trait]
impl<O: Outbox> Task for WorkerTask<O> {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        loop {
            let jobs = claim_readable(&*self.outbox, IN_FLIGHT_MAX - self.tries.len()).await?;
            jobs.into_iter().for_each(|job| self.start(job));
            pulse.beat();
            tokio::select! {
                Some(ended) = self.tries.join_next() => {
                    if let Err(error) = ended {
                        // The lease of its row ends, and the row is claimed again.
                        note_panic(O::NAME, error);
                    }
                }
                () = self.wake.notified() => {}
                () = sleep(POLL) => {}
            }
        }
    }
}

impl<O: Outbox> WorkerTask<O> {
    #[expect(
        clippy::disallowed_methods,
        reason = "a try ends by itself, and its panic is noted"
    )]
    fn start(&mut self, job: Job<O::Order>) {
        let outbox = Arc::clone(&self.outbox);
        self.tries.spawn(async move {
            if let Err(error) = attempt(&*outbox, &job).await {
                tracing::error!(work = O::NAME, id = %job.id, %error, "the result of a try was not recorded");
            }
        });
    }
}

/// Claims at most `most` rows. Removes the unreadable ones from the queue, so that they are not claimed forever.
async fn claim_readable<O: Outbox>(outbox: &O, most: usize) -> Result<Vec<Job<O::Order>>, O::Error> {
    if most == 0 {
        return Ok(vec![]);
    }
    let client = outbox.pool().get().await?;
    let claimed = claim(&client, outbox, most).await?;
    let mut jobs = Vec::with_capacity(claimed.len());
    for row in claimed {
        match row {
            Ok(job) => jobs.push(job),
            Err(unreadable) => {
                tracing::error!(
                    code = "row_unreadable", table = O::TABLE.name, id = %unreadable.id,
                    column = unreadable.unreadable.column,
                    "a row of work can't be read: staff must check it"
                );
                metrics::counter!("razao_rows_unreadable_total", "table" => O::TABLE.name).increment(1);
                outbox.remove_from_queue(&client, &unreadable).await?;
            }
        }
    }
    Ok(jobs)
}
