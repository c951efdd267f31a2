//! The task of an outbox: claims rows that are due and attempts several of them concurrently. New rows wake it, and it
//! polls for due rows every second.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use ledger_store::supervisor::{Failure, Pulse, Supervised, Task, note_panic, working_for};
use ledger_store::trace::{Span, SpanKind, recall};
use ledger_store::{Causes, Supervisor};
use tokio::sync::{Notify, watch};
use tokio::task::{JoinError, JoinSet};
use tokio::time::{sleep, timeout};

use crate::attempt::attempt;
use crate::claim::claim;
use crate::outages::Outages;
use crate::outbox::{Job, Outbox};
use crate::retry::{awaited, make_due_awaiting};

/// The largest number of concurrent tries.
const IN_FLIGHT_MAX: usize = 16;
const POLL: Duration = Duration::from_secs(1);

/// The longest wait of a stop for the tries in hand. It is that of the HTTP server for its requests.
const DRAIN_MAX: Duration = Duration::from_secs(10);

/// A running worker. Dropping it aborts its calls, which is safe at any point.
#[must_use = "dropping it stops the worker"]
pub struct WorkerHandle {
    stop: watch::Sender<bool>,
    task: Supervised,
}

impl WorkerHandle {
    /// Claims no more rows and waits for the tries in hand. The row of an aborted try is due again only after its
    /// lease, so each deployment would delay such a row.
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        if timeout(DRAIN_MAX, self.task.ended()).await.is_err() {
            tracing::warn!(
                task = self.task.name(),
                "some tries were cut off when the worker stopped"
            );
        }
    }
}

/// Starts a worker. `wake` is notified of new rows. The supervisor restarts a worker that failed, and readiness
/// reports it until a claim succeeds.
pub fn start<O: Outbox>(outbox: O, wake: Arc<Notify>, supervisor: &Supervisor) -> WorkerHandle {
    let (stop, stopping) = watch::channel(false);
    let task = WorkerTask {
        outbox: Arc::new(outbox),
        wake,
        stopping: stopping.clone(),
        tries: JoinSet::new(),
        outages: Arc::default(),
    };
    WorkerHandle {
        stop,
        task: supervisor.start_until(format!("worker of {}", O::NAME), stopping, task),
    }
}

struct WorkerTask<O> {
    outbox: Arc<O>,
    wake: Arc<Notify>,
    stopping: watch::Receiver<bool>,
    /// These tries continue if claiming fails.
    tries: JoinSet<()>,
    outages: Arc<Outages>,
}

#[async_trait]
impl<O: Outbox> Task for WorkerTask<O> {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        self.find_outages().await?;
        while !*self.stopping.borrow_and_update() {
            self.end_pauses().await?;
            let jobs = claim_readable(&*self.outbox, IN_FLIGHT_MAX - self.tries.len()).await?;
            jobs.into_iter().for_each(|job| self.start(job));
            pulse.beat();
            tokio::select! {
                Some(ended) = self.tries.join_next() => note_end::<O>(ended),
                () = self.wake.notified() => {}
                _ = self.stopping.changed() => {}
                () = sleep(POLL) => {}
            }
        }
        while let Some(ended) = self.tries.join_next().await {
            note_end::<O>(ended);
        }
        Ok(())
    }
}

impl<O: Outbox> WorkerTask<O> {
    /// A process that starts during an outage does not know it.
    async fn find_outages(&self) -> Result<(), O::Error> {
        let client = self.outbox.pool().get().await?;
        for provider in awaited(&**client, &O::TABLE).await? {
            self.outages.found(&provider, Instant::now());
        }
        Ok(())
    }

    /// Makes rows due that wait for a provider: all of them once it answers, and one at a time while it is silent.
    async fn end_pauses(&self) -> Result<(), O::Error> {
        for (provider, most) in self.outages.due(Instant::now()) {
            let client = self.outbox.pool().get().await?;
            let rows = make_due_awaiting(&**client, &O::TABLE, &provider, most).await?;
            if most == i64::MAX && rows > 0 {
                self.outages.release_again(&provider);
                tracing::info!(
                    work = O::NAME,
                    provider,
                    rows,
                    "orders that waited for a provider are due"
                );
            }
        }
        Ok(())
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "a try ends by itself, and its panic is noted"
    )]
    fn start(&mut self, job: Job<O::Order>) {
        let outbox = Arc::clone(&self.outbox);
        let outages = Arc::clone(&self.outages);
        self.tries.spawn(working_for(O::NAME, async move {
            let span = Span::after(&[recall(job.id)], || format!("effect {}", O::NAME), SpanKind::Consumer);
            span.set("razao.attempt", i64::from(job.attempt));
            span.set_with("razao.work_id", || job.id.to_string());
            let began = Instant::now();
            match span.within(attempt(&*outbox, &job)).await {
                // After the row is written: the rows that wait include it.
                Ok(health) => outages.note::<O>(outbox.provider(&job), health, began),
                Err(error) => {
                    span.fail("the result was not recorded");
                    tracing::error!(work = O::NAME, id = %job.id, error = %Causes(&error), "the result of a try was not recorded");
                }
            }
        }));
    }
}

/// After a panic the lease of the row ends, and the row is claimed again.
fn note_end<O: Outbox>(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        note_panic(O::NAME, error);
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
