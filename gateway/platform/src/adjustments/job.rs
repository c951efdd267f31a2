//! The job of requested adjustments. It records approved ones that are not in the ledger yet, after a crash or an outage
//! right after the yes, ends those that nobody decided in time, and counts those that wait, for operators.
//!
//! Any number of processes may run it: the ledger records an adjustment once, and an ended request stays ended.

use gateway_environment::request_context::RequestContext;
use thiserror::Error;

use super::decisions::expire;
use super::recording::Adjustments;
use super::requests::{
    AdjustmentRequestStatus, RequestRecord, request_locked, requests_approved, requests_pending,
    requests_to_expire,
};
use super::{AdjustmentError, Result};
use crate::error::PlatformError;

/// Requests of one run. The next run goes on.
const ROWS_MAX: i64 = 500;

/// The counts of one run of the job.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Approved requests that the ledger has answered.
    pub recorded: usize,
    pub expired: usize,
    /// Approved requests on which the ledger has not answered. The next run tries again.
    pub failed: usize,
}

#[derive(Debug, Error)]
pub enum AdjustmentsError {
    #[error("{0} approved adjustments are not recorded; the log has the details")]
    Failed(usize),
    #[error(transparent)]
    Unavailable(#[from] AdjustmentError),
}

impl Adjustments {
    /// One run of the scheduled job.
    pub async fn tick(&self) -> Result<(), AdjustmentsError> {
        match self.run().await?.failed {
            0 => Ok(()),
            failed => Err(AdjustmentsError::Failed(failed)),
        }
    }

    pub async fn run(&self) -> Result<RunCounts> {
        let context = RequestContext {
            clock: self.clock,
            ..RequestContext::default()
        };
        context.scope(self.run_in_context()).await
    }

    async fn run_in_context(&self) -> Result<RunCounts> {
        let mut counts = RunCounts::default();
        let client = self.pool.get().await.map_err(PlatformError::from)?;
        let approved = requests_approved(&**client, ROWS_MAX).await?;
        drop(client);
        // The ledger's work is done where the company's shard is.
        let is_ours = |request: &&RequestRecord| {
            request.adjustment.plans.is_some() || self.writer.owns(request.adjustment.business_id)
        };
        for request in approved.iter().filter(is_ours) {
            match self.record(request).await {
                Ok(()) => counts.recorded += 1,
                Err(_) => counts.failed += 1,
            }
        }
        let mut client = self.pool.get().await.map_err(PlatformError::from)?;
        let now = self.clock.now();
        let expired = match self.clock.stopping_fault() {
            None => requests_to_expire(&**client, now, ROWS_MAX).await?,
            Some(_) => vec![],
        };
        for ended in expired {
            let tx = client.transaction().await?;
            let request = request_locked(&*tx, ended.id).await?;
            // Somebody may have decided in between.
            let pending = request.filter(|request| request.status == AdjustmentRequestStatus::Pending);
            if let Some(request) = pending {
                expire(&*tx, &request, now).await?;
                tx.commit().await?;
                counts.expired += 1;
            }
        }
        let pending = requests_pending(&**client).await?;
        let age = pending
            .oldest_at
            .map_or(0, |at| (self.clock.now() - at).num_seconds().max(0));
        set_gauges(pending.count, age, counts.failed);
        Ok(counts)
    }
}

fn set_gauges(pending: i64, oldest_seconds: i64, unrecorded: usize) {
    // Gauges are floats. A count or an age of a request is far below 2^53.
    let float = |count: i64| u32::try_from(count).map_or(f64::from(u32::MAX), f64::from);
    metrics::gauge!("razao_adjustment_requests", "state" => "pending").set(float(pending));
    metrics::gauge!("razao_adjustment_requests", "state" => "unrecorded")
        .set(float(i64::try_from(unrecorded).unwrap_or(i64::MAX)));
    metrics::gauge!("razao_adjustment_requests_oldest_seconds").set(float(oldest_seconds));
}
