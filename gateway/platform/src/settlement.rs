//! The settlement job: settles installments that are due.
//!
//! The job only submits commands. The read model suggests the due installments. The ledger decides each one on its
//! state and skips those that are settled. So any number of processes can run the job concurrently: each settles for
//! the companies whose shards it owns.

use std::time::Duration;

use deadpool_postgres::Pool;
use futures::{StreamExt, stream};
use gateway_environment::clock::BusinessClock;
use ledger_domain::BusinessId;
use ledger_domain::business::{
    BusinessCommand, BusinessEvent, INSTALLMENTS_PER_EVENT, SaleEvent, SettleReceivables,
};
use ledger_domain::calendar::Date;
use ledger_store::{Actor, Job, LedgerPosition, Metadata, Outcome, Submission, Writer};
use projections::receivables::due::{DueInstallments, due_installments};
use projections::{Freshness, ReadModelGroup, Wake};
use thiserror::Error;
use uuid::Uuid;

/// The most installments in one pass. A pass takes those of one due date, the oldest one first, so overdue installments
/// of a sale settle in the order of their dates.
const INSTALLMENTS_PER_PASS: u32 = 2_000;
/// Much less than the 256 commands of a batch, so that live commands do not wait behind a whole day's settlement.
const IN_FLIGHT: usize = 8;
/// How long a pass waits until the read model shows the previous pass.
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

/// The result of a run so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Settled {
    pub commands: usize,
    pub installments: usize,
    /// The number of commands that the ledger could not record. The program's log has the details.
    pub failed: usize,
}

impl Settlement {
    /// Settles all installments that are due today or earlier.
    ///
    /// A pass begins where the last one ended, so that a run sends each command once, and neither failing commands nor
    /// outdated suggestions keep it from the installments after them. The next run sends failing commands again.
    ///
    /// While the machine's clock is ahead of the database's, it settles nothing: money would be withdrawable before its
    /// day.
    pub async fn run(&self, mut progress: impl FnMut(Settled)) -> Result<Settled, SettlementError> {
        let mut settled = Settled::default();
        if self.writer.owned().next().is_none() || self.clock.alarm_if_ahead("settlement") {
            return Ok(settled);
        }
        let mut after = None;
        loop {
            let today = self.clock.today();
            let page =
                due_installments(&**self.pool.get().await?, today, after, INSTALLMENTS_PER_PASS).await?;
            if page.end.is_none() {
                return Ok(settled);
            }
            after = page.end;
            let (pass, reached) = self.settle(today, page.days).await?;
            settled.commands += pass.commands;
            settled.installments += pass.installments;
            settled.failed += pass.failed;
            progress(settled);
            if pass.installments == 0 {
                continue;
            }
            // The next pass finds the later installments of the sales once the read model shows this one.
            let waited = self
                .wake
                .wait_for(&self.pool, &[ReadModelGroup::Sales], &reached, CATCH_UP);
            if waited.await? == Freshness::Stale {
                return Err(SettlementError::Behind);
            }
        }
    }

    async fn settle(
        &self,
        today: Date,
        due: Vec<DueInstallments>,
    ) -> Result<(Settled, LedgerPosition), SettlementError> {
        let own = due
            .into_iter()
            .filter(|(business_id, ..)| self.writer.owns(*business_id));
        let commands = own.flat_map(|(business_id, due_date, installments)| {
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
                // It is settled, or the shard was lost just now, or the next run sees whether it was recorded.
                Outcome::Duplicate { .. } | Outcome::NotOwner | Outcome::Unknown => {}
                Outcome::Refused(_) | Outcome::BelongsToOther(_) | Outcome::KeyReused | Outcome::Rejected => {
                    // A failure of one company must not delay the others.
                    tracing::error!(%business_id, ?outcome, "a settlement could not be recorded");
                    settled.failed += 1;
                }
            }
        }
        Ok((settled, reached))
    }

    /// One run of the scheduled job.
    pub async fn tick(&self) -> Result<(), SettlementError> {
        let settled = self.run(|_| ()).await?;
        if settled.installments > 0 {
            tracing::info!(installments = settled.installments, "receivables settled");
        }
        Ok(())
    }
}

fn settled_in(event: &BusinessEvent) -> usize {
    if let BusinessEvent::Sale(SaleEvent::ReceivablesSettled(event)) = event {
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
        // The state of each installment prevents a second settlement.
        idempotency: None,
    }
}
