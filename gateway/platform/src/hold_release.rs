//! The job that ends the holds of sales that were captured while their company's approval was pending.
//!
//! The job only submits commands. The read model suggests the sales, and the ledger ends each hold once, by the sale's
//! state. So any number of processes can run the job, each for the companies whose shards it owns. A capture that was decided shortly before the approval and
//! recorded after it is found by a later run.

use deadpool_postgres::Pool;
use gateway_environment::clock::BusinessClock;
use ledger_domain::BusinessId;
use ledger_domain::business::{
    BalanceEvent, BusinessCommand, BusinessEvent, ReleaseSales, SALES_PER_RELEASE,
};
use ledger_store::{Actor, Job, LedgerPosition, Metadata, Outcome, Submission, Writer};
use projections::awaiting_approval::{businesses_awaiting_approval, sales_awaiting_approval};
use thiserror::Error;
use uuid::Uuid;

use crate::companies::companies_approved;

#[derive(Debug, Error)]
pub enum HoldReleaseError {
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the database failed: {}", crate::error::DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
}

#[derive(Clone)]
pub struct HoldRelease {
    pub pool: Pool,
    pub writer: Writer,
    pub clock: BusinessClock,
}

/// The holds that a run has ended.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReleaseCounts {
    pub sales: usize,
    /// The number of commands that the ledger refused or rejected. The program's log has the details.
    pub failed: usize,
    pub reached: LedgerPosition,
}

impl HoldRelease {
    /// Ends these holds of all approved companies.
    pub async fn run(&self) -> Result<ReleaseCounts, HoldReleaseError> {
        if self.writer.owned().next().is_none() {
            return Ok(ReleaseCounts::default());
        }
        let db = self.pool.get().await?;
        let waiting = businesses_awaiting_approval(&**db).await?;
        let approved = companies_approved(&**db, &waiting).await?;
        drop(db);
        let mut all = ReleaseCounts::default();
        for business_id in approved.into_iter().filter(|id| self.writer.owns(*id)) {
            let of_one = self.release(business_id).await?;
            all.sales += of_one.sales;
            all.failed += of_one.failed;
            all.reached.merge(&of_one.reached);
        }
        Ok(all)
    }

    /// Ends these holds of one company, which must be approved.
    pub async fn release(&self, business_id: BusinessId) -> Result<ReleaseCounts, HoldReleaseError> {
        let mut released = ReleaseCounts::default();
        let mut after = None;
        let limit = i64::try_from(SALES_PER_RELEASE).unwrap_or(i64::MAX);
        loop {
            let db = self.pool.get().await?;
            let sale_ids = sales_awaiting_approval(&**db, business_id, after, limit).await?;
            drop(db);
            let Some(last) = sale_ids.last().copied() else {
                return Ok(released);
            };
            after = Some(last);
            let command = BusinessCommand::ReleaseSales(ReleaseSales {
                sale_ids,
                occurred_at: self.clock.now(),
            });
            match self.writer.submit(submission(business_id, command)).await {
                Outcome::Recorded(receipt) => {
                    let events = receipt.events.iter();
                    released.sales += events.map(|recorded| released_in(&recorded.event)).sum::<usize>();
                    released.reached.merge(&receipt.position());
                }
                // The holds were ended before, or the next run tries again.
                Outcome::Duplicate { .. } | Outcome::NotOwner | Outcome::Unknown => {}
                outcome @ (Outcome::Refused(_)
                | Outcome::BelongsToOther(_)
                | Outcome::KeyReused
                | Outcome::Rejected) => {
                    tracing::error!(%business_id, ?outcome, "the holds of an approved company could not be ended");
                    released.failed += 1;
                }
            }
        }
    }

    /// One run of the scheduled job.
    pub async fn tick(&self) -> Result<(), HoldReleaseError> {
        let released = self.run().await?;
        if released.sales > 0 {
            tracing::info!(sales = released.sales, "holds of approved companies ended");
        }
        Ok(())
    }
}

fn released_in(event: &BusinessEvent) -> usize {
    match event {
        BusinessEvent::Balance(BalanceEvent::AmountReleased(event)) => event.sales.len(),
        _ => 0,
    }
}

fn submission(business_id: BusinessId, command: BusinessCommand) -> Submission {
    Submission {
        command_id: Uuid::now_v7(),
        business_id,
        command,
        metadata: Metadata::by(Actor::Job(Job::Approvals)),
        // The state of each sale prevents a second release.
        idempotency: None,
    }
}
