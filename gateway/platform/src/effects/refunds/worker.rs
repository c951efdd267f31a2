//! Sends refund requests to acquirers and looks them up until the acquirer has decided.
//!
//! A request that may have been sent is looked up before it is sent again, always under the same id. If the process is
//! killed at any point, the next claim of the row continues: nothing depends on memory.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::Pool;
use ledger_store::Supervisor;
use tokio::sync::Notify;
use uuid::Uuid;

use super::queue::{self, RefundJob};
use crate::effects::working::{self, SendState, WorkError, Worker, WorkerHandle, pause};
use crate::providers::calls::CallFault;
use crate::providers::refunds::{RefundAnswer, RefundResult, Refunds};

pub struct RefundWorker {
    pub pool: Pool,
    pub acquirer: Arc<dyn Refunds>,
    /// The longest time to wait for the acquirer's answer.
    pub timeout: Duration,
    /// Notified of new rows.
    pub woken: Arc<Notify>,
}

impl RefundWorker {
    pub fn start(self, supervisor: &Supervisor) -> WorkerHandle {
        let woken = Arc::clone(&self.woken);
        working::start(self, woken, supervisor)
    }

    async fn ask(&self, job: &RefundJob) -> RefundAnswer {
        let refund_id = job.request.refund_id;
        let looked_up = match job.send_state {
            SendState::Unsent => RefundAnswer::NotFound,
            SendState::Sent | SendState::Uncertain => self.acquirer.look_up(refund_id).await,
        };
        let answer = match (looked_up, job.send_state) {
            // The request was lost or is still on its way. The id makes the two sendings one request.
            (RefundAnswer::NotFound, SendState::Unsent | SendState::Uncertain) => {
                self.acquirer.send(&job.request).await
            }
            (answer, _) => answer,
        };
        let provider = self.acquirer.provider().as_str();
        metrics::counter!("razao_refund_answers_total", "provider" => provider, "answer" => label(&answer))
            .increment(1);
        answer
    }

    async fn retry_later(&self, job: &RefundJob, fault: CallFault) -> Result<(), WorkError> {
        let client = self.pool.get().await?;
        Ok(queue::retry_later(&**client, job, fault, pause(job.tries)).await?)
    }

    async fn refused(&self, job: &RefundJob, reason: Option<&str>) -> Result<(), WorkError> {
        let mut client = self.pool.get().await?;
        let tx = client.transaction().await?;
        let news = queue::refuse(&tx, &job.request, reason).await?;
        tx.commit().await?;
        if news {
            metrics::counter!("razao_refunds_refused_total").increment(1);
            tracing::error!(
                code = "refund_refused", refund_id = %job.request.refund_id, sale_id = %job.request.sale_id,
                amount = job.request.amount.get(),
                "an acquirer refused a refund for good: staff must check it"
            );
        }
        Ok(())
    }
}

#[async_trait]
impl Worker for RefundWorker {
    type Job = RefundJob;

    fn name(&self) -> &'static str {
        "refunds"
    }

    fn id(job: &RefundJob) -> Uuid {
        job.request.refund_id.uuid()
    }

    async fn claim(&self, most: usize) -> Result<Vec<RefundJob>, WorkError> {
        let client = self.pool.get().await?;
        let job = queue::claim(&**client, most, working::lease(self.timeout)).await?;
        working::readable(&**client, job).await
    }

    async fn try_once(&self, job: &RefundJob) -> Result<(), WorkError> {
        let refund_id = job.request.refund_id;
        match self.ask(job).await {
            RefundAnswer::Answered(RefundResult::Accepted) => {
                let client = self.pool.get().await?;
                Ok(queue::sent(&**client, job, pause(job.tries)).await?)
            }
            RefundAnswer::Answered(RefundResult::Done) => {
                let client = self.pool.get().await?;
                Ok(queue::done(&**client, refund_id).await?)
            }
            RefundAnswer::Answered(RefundResult::Refused { reason }) => {
                self.refused(job, reason.as_deref()).await
            }
            // It is not sent again: an acquirer that lost the request may also have lost the fact that it refunded.
            RefundAnswer::NotFound => {
                tracing::error!(
                    code = "refund_forgotten", %refund_id,
                    "an acquirer does not know a refund that it had accepted: staff must check it"
                );
                self.retry_later(job, CallFault("forgotten")).await
            }
            RefundAnswer::Unknown(fault) => self.retry_later(job, fault).await,
            RefundAnswer::Rejected(fault) => {
                tracing::error!(
                    code = "refund_rejected", %refund_id, fault = fault.0,
                    "an acquirer rejected a refund request: staff must check it"
                );
                self.retry_later(job, fault).await
            }
        }
    }
}

fn label(answer: &RefundAnswer) -> &'static str {
    match answer {
        RefundAnswer::Answered(RefundResult::Accepted) => "accepted",
        RefundAnswer::Answered(RefundResult::Done) => "done",
        RefundAnswer::Answered(RefundResult::Refused { .. }) => "refused",
        RefundAnswer::NotFound => "not_found",
        RefundAnswer::Unknown(_) => "unknown",
        RefundAnswer::Rejected(_) => "rejected",
    }
}
