//! The settlement job: settles installments that are due, and releases what the reserve held until today.
//!
//! The job only submits commands. The read models suggest the due installments. The ledger decides each one on its
//! state and skips those that are settled or released. So any number of processes can run the job concurrently: each settles for
//! the companies whose shards it owns.

use std::time::Duration;

use deadpool_postgres::Pool;
use futures::{StreamExt, stream};
use gateway_environment::clock::BusinessClock;
use ledger_domain::business::{
    BalanceEvent, BusinessCommand, BusinessEvent, INSTALLMENTS_PER_EVENT, ReleaseReserve, SaleEvent,
    SettleReceivables,
};
use ledger_domain::calendar::{Calendar, Date};
use ledger_domain::{BusinessId, SaleId};
use ledger_store::{Actor, Job, LedgerPosition, Metadata, Outcome, Submission, Writer};
use projections::holds::reserve::reserve_due;
use projections::receivables::due::{DueInstallments, due_installments};
use projections::{Freshness, ReadModelGroup, Wake};
use thiserror::Error;
use uuid::Uuid;

use crate::reach::Reach;
use crate::reserves::{company_reserves, release_calendar};

/// The most installments in one pass. A pass takes those of one due date, the oldest one first, so overdue installments
/// of a sale settle in the order of their dates.
const INSTALLMENTS_PER_PASS: u32 = 2_000;
/// Much less than the 256 commands of a batch, so that live commands do not wait behind a whole day's settlement.
const IN_FLIGHT: usize = 8;
/// How long a pass waits until the read model shows the previous pass.
const CATCH_UP: Duration = Duration::from_secs(30);

#[derive(Debug, Error)]
pub enum SettlementError {
    #[error("the database failed: {0}")]
    Database(#[from] tokio_postgres::Error),
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
    pub reach: Reach,
    pub wake: Wake,
}

/// The result of a run so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Settled {
    pub commands: usize,
    pub installments: usize,
    /// The installments of which the reserve released a part.
    pub released: usize,
    /// The number of commands that the ledger could not record. The program's log has the details.
    pub failed: usize,
}

impl Settlement {
    /// Settles all installments that are due today or earlier, and releases what the reserve held until then.
    ///
    /// A pass begins where the last one ended, so that a run sends each command once, and neither failing commands nor
    /// outdated suggestions keep it from the installments after them. The next run sends failing commands again.
    ///
    /// While the machine's clock and the database's differ too much, it settles nothing: money would be withdrawable before
    /// its day.
    pub async fn run(&self, mut progress: impl FnMut(Settled)) -> Result<Settled, SettlementError> {
        let mut settled = Settled::default();
        if self.reach.is_empty(&self.writer) || self.clock.stops("settlement") {
            return Ok(settled);
        }
        self.settle_all(&mut settled, &mut progress).await?;
        self.release_all(&mut settled, &mut progress).await?;
        Ok(settled)
    }

    async fn settle_all(
        &self,
        settled: &mut Settled,
        progress: &mut impl FnMut(Settled),
    ) -> Result<(), SettlementError> {
        let mut after = None;
        loop {
            let today = self.clock.today();
            let page =
                due_installments(&**self.pool.get().await?, today, after, INSTALLMENTS_PER_PASS).await?;
            if page.end.is_none() {
                return Ok(());
            }
            after = page.end;
            let commands = self.settlements(today, page.days).await?;
            let (pass, reached) = self.submit_all(commands).await;
            settled.add(pass);
            progress(*settled);
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

    /// Releases what the reserve holds until today or an earlier day. Like the settlement, it goes on after a command that
    /// fails.
    async fn release_all(
        &self,
        settled: &mut Settled,
        progress: &mut impl FnMut(Settled),
    ) -> Result<(), SettlementError> {
        let mut after = None;
        loop {
            let today = self.clock.today();
            let page = reserve_due(&**self.pool.get().await?, today, after, INSTALLMENTS_PER_PASS).await?;
            let Some(end) = page.end else { return Ok(()) };
            after = Some(end);
            let own = page.days.into_iter();
            let own = own.filter(|(business_id, ..)| self.reach.includes(&self.writer, *business_id));
            let commands = own.flat_map(|(business_id, release_on, installments)| {
                in_chunks(installments).map(move |installments| {
                    let release = ReleaseReserve {
                        release_on,
                        today,
                        installments,
                    };
                    (business_id, BusinessCommand::ReleaseReserve(release))
                })
            });
            let (pass, _) = self.submit_all(commands.collect()).await;
            settled.add(pass);
            progress(*settled);
        }
    }

    /// The settlements of what is due, each with the terms of its day for the reserve.
    async fn settlements(
        &self,
        today: Date,
        due: Vec<DueInstallments>,
    ) -> Result<Vec<(BusinessId, BusinessCommand)>, SettlementError> {
        let own = due
            .into_iter()
            .filter(|(business_id, ..)| self.reach.includes(&self.writer, *business_id));
        let own: Vec<DueInstallments> = own.collect();
        let companies: Vec<BusinessId> = own.iter().map(|(business_id, ..)| *business_id).collect();
        let client = self.pool.get().await?;
        let reserves = company_reserves(&**client, &companies).await?;
        let days = own.iter().map(|(_, due_date, _)| *due_date);
        let calendar = match (reserves.is_empty(), days.clone().min(), days.max()) {
            (false, Some(first), Some(last)) => release_calendar(&**client, first, last).await?,
            _ => Calendar::default(),
        };
        let commands = own.into_iter().flat_map(|(business_id, due_date, installments)| {
            let reserve = reserves.get(&business_id);
            let reserve = reserve.and_then(|reserve| reserve.terms_on(due_date, &calendar));
            in_chunks(installments).map(move |installments| {
                let settle = SettleReceivables {
                    due_date,
                    today,
                    installments,
                    reserve: reserve.clone(),
                };
                (business_id, BusinessCommand::SettleReceivables(settle))
            })
        });
        Ok(commands.collect())
    }

    async fn submit_all(&self, commands: Vec<(BusinessId, BusinessCommand)>) -> (Settled, LedgerPosition) {
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
                    for recorded in &receipt.events {
                        settled.count(&recorded.event);
                    }
                    reached.merge(&receipt.position());
                }
                // It is settled, or the shard was lost just now, or the next run sees whether it was recorded.
                Outcome::Duplicate { .. } | Outcome::NotOwner | Outcome::Unknown => {}
                Outcome::Refused(_) | Outcome::BelongsToOther(_) | Outcome::KeyReused | Outcome::Rejected => {
                    // A failure of one company must not delay the others.
                    tracing::error!(%business_id, ?outcome, "a settlement or a release of the reserve could not be recorded");
                    settled.failed += 1;
                }
            }
        }
        (settled, reached)
    }

    /// One run of the scheduled job.
    pub async fn tick(&self) -> Result<(), SettlementError> {
        let settled = self.run(|_| ()).await?;
        if settled.installments > 0 {
            tracing::info!(installments = settled.installments, "receivables settled");
        }
        if settled.released > 0 {
            tracing::info!(installments = settled.released, "reserve released");
        }
        Ok(())
    }
}

impl Settled {
    const fn add(&mut self, pass: Self) {
        self.commands += pass.commands;
        self.installments += pass.installments;
        self.released += pass.released;
        self.failed += pass.failed;
    }

    const fn count(&mut self, event: &BusinessEvent) {
        match event {
            BusinessEvent::Sale(SaleEvent::ReceivablesSettled(event)) => {
                self.installments += event.settled.len();
            }
            BusinessEvent::Balance(BalanceEvent::ReserveReleased(event)) => {
                self.released += event.released.len();
            }
            _ => {}
        }
    }
}

fn in_chunks(installments: Vec<(SaleId, u8)>) -> impl Iterator<Item = Vec<(SaleId, u8)>> {
    let chunks: Vec<_> = installments
        .chunks(INSTALLMENTS_PER_EVENT)
        .map(<[_]>::to_vec)
        .collect();
    chunks.into_iter()
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
