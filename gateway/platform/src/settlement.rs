//! The settlement job: installments whose due date has come become money that sellers can withdraw.
//!
//! It only asks. The read model suggests what is due, the ledger decides each installment by its own state, and whatever
//! was settled already is passed over: any number of nodes may run it at once.

use std::time::Duration;

use deadpool_postgres::Pool;
use futures::{StreamExt, stream};
use gateway_environment::clock::BusinessClock;
use ledger_domain::business::{BusinessCommand, BusinessEvent, INSTALLMENTS_PER_EVENT, SettleReceivables};
use ledger_domain::calendar::Date;
use ledger_domain::{BusinessId, SaleId};
use ledger_store::supervisor::Supervised;
use ledger_store::{Actor, Job, LedgerPosition, Metadata, Outcome, Submission, Supervisor, Writer};
use projections::{Freshness, Model, Wake, due};
use thiserror::Error;
use uuid::Uuid;

const EVERY: Duration = Duration::from_secs(60);
/// Sales looked at in one pass: one due date of each, so that what is overdue settles in the order of its dates.
const SALES_PER_PASS: u32 = 2_000;
/// Few beside the 256 that a batch holds, so that live commands never wait behind a day's settlement.
const IN_FLIGHT: usize = 8;
/// How long a pass waits for the read model to see what the last one settled.
const CATCH_UP: Duration = Duration::from_secs(30);

#[derive(Debug, Error)]
pub enum SettlementError {
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error(transparent)]
    Projections(#[from] projections::Error),
    #[error("the read models are more than {} seconds behind", CATCH_UP.as_secs())]
    Behind,
}

#[derive(Clone)]
pub struct Settlement {
    pub pool: Pool,
    pub writer: Writer,
    pub clock: BusinessClock,
    pub wake: Wake,
}

/// What a run has settled so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Settled {
    pub commands: usize,
    pub installments: usize,
    /// Commands that the ledger could not record; the log of the program says which.
    pub failed: usize,
}

type DueDate = (BusinessId, Date, Vec<(SaleId, u8)>);

impl Settlement {
    /// Settles everything due until today, to its end.
    pub async fn run(&self, mut progress: impl FnMut(Settled)) -> Result<Settled, SettlementError> {
        let mut settled = Settled::default();
        loop {
            let today = self.clock.today();
            let due = due::due_installments(&**self.pool.get().await?, today, SALES_PER_PASS).await?;
            let (pass, reached) = self.settle(today, due).await?;
            settled.commands += pass.commands;
            settled.installments += pass.installments;
            settled.failed += pass.failed;
            progress(settled);
            // Nothing new: what is still suggested was settled, or another node is about to show that it did.
            if pass.installments == 0 {
                return Ok(settled);
            }
            let waited = self
                .wake
                .wait_for(&self.pool, &[Model::Sales], &reached, CATCH_UP);
            if waited.await? == Freshness::Stale {
                return Err(SettlementError::Behind);
            }
        }
    }

    async fn settle(
        &self,
        today: Date,
        due: Vec<DueDate>,
    ) -> Result<(Settled, LedgerPosition), SettlementError> {
        let commands = due.into_iter().flat_map(|(business_id, due_date, installments)| {
            let chunks: Vec<_> = installments
                .chunks(INSTALLMENTS_PER_EVENT)
                .map(<[_]>::to_vec)
                .collect();
            chunks.into_iter().map(move |installments| {
                (
                    business_id,
                    BusinessCommand::SettleReceivables(SettleReceivables {
                        due_date,
                        today,
                        installments,
                    }),
                )
            })
        });
        let mut answers = stream::iter(commands)
            .map(|(business_id, command)| async move {
                (
                    business_id,
                    self.writer.submit(submission(business_id, command)).await,
                )
            })
            .buffered(IN_FLIGHT);
        let mut settled = Settled::default();
        let mut reached = LedgerPosition::default();
        while let Some((business_id, outcome)) = answers.next().await {
            match outcome {
                Outcome::Recorded(receipt) => {
                    settled.commands += 1;
                    settled.installments += receipt
                        .events
                        .iter()
                        .map(|recorded| settled_in(&recorded.event))
                        .sum::<usize>();
                    reached.merge(&receipt.position());
                }
                // Another node owns the shard and settles it, or was faster.
                Outcome::Duplicate { .. } | Outcome::NotOwner | Outcome::Unknown => {}
                Outcome::Refused(_) | Outcome::BelongsToOther(_) | Outcome::KeyReused | Outcome::Rejected => {
                    // One company's trouble keeps nobody else's money back.
                    tracing::error!(%business_id, ?outcome, "a settlement could not be recorded");
                    settled.failed += 1;
                }
            }
        }
        Ok((settled, reached))
    }

    /// At once, and then every minute.
    pub fn start(self, supervisor: &Supervisor) -> SettlementJob {
        let task = supervisor.every("settlement", EVERY, move || {
            let settlement = self.clone();
            async move {
                let settled = settlement.run(|_| ()).await?;
                if settled.installments > 0 {
                    tracing::info!(installments = settled.installments, "receivables settled");
                }
                Ok::<_, SettlementError>(())
            }
        });
        SettlementJob { _task: task }
    }
}

/// The job of one process; dropping it ends the job between two commands.
pub struct SettlementJob {
    _task: Supervised,
}

fn settled_in(event: &BusinessEvent) -> usize {
    if let BusinessEvent::ReceivablesSettled(event) = event {
        event.settled.len()
    } else {
        0
    }
}

fn submission(business_id: BusinessId, command: BusinessCommand) -> Submission {
    Submission {
        command_id: Uuid::now_v7(),
        business_id,
        command,
        metadata: Metadata::by(Actor::Job(Job::Settlement)),
        // Each installment's own state is the guard.
        idempotency: None,
    }
}
