//! Asks acquirers for refunds, and about those that were asked for, until they have said their last word.
//!
//! What was possibly sent is looked up before it is sent again, and always under its one id. A kill at any point leaves
//! a row that the next claim pursues: nothing depends on what this process remembers.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::Pool;
use ledger_store::Supervisor;
use tokio::sync::Notify;
use uuid::Uuid;

use super::queue::{self, Claimed};
use crate::effects::working::{self, Known, WorkError, Worker, Working, pause};
use crate::providers::calls::CallFault;
use crate::providers::refunds::{RefundAnswer, RefundTold, Refunds};

pub struct RefundWorker {
    pub pool: Pool,
    pub acquirer: Arc<dyn Refunds>,
    /// How long the acquirer is waited for.
    pub timeout: Duration,
    /// New rows.
    pub woken: Arc<Notify>,
}

impl RefundWorker {
    pub fn start(self, supervisor: &Supervisor) -> Working {
        let woken = Arc::clone(&self.woken);
        working::start(self, woken, supervisor)
    }

    async fn ask(&self, claimed: &Claimed) -> RefundAnswer {
        let refund_id = claimed.request.refund_id;
        let looked_up = match claimed.known {
            Known::Unsent => RefundAnswer::NotFound,
            Known::Sent | Known::Uncertain => self.acquirer.look_up(refund_id).await,
        };
        let answer = match (looked_up, claimed.known) {
            // Lost on its way there, or still on it: then the id makes one request of the two.
            (RefundAnswer::NotFound, Known::Unsent | Known::Uncertain) => {
                self.acquirer.send(&claimed.request).await
            }
            (answer, _) => answer,
        };
        let provider = self.acquirer.provider().as_str();
        metrics::counter!("razao_refund_answers_total", "provider" => provider, "answer" => label(&answer))
            .increment(1);
        answer
    }

    async fn later(&self, claimed: &Claimed, fault: CallFault) -> Result<(), WorkError> {
        let client = self.pool.get().await?;
        Ok(queue::later(&**client, claimed, fault, pause(claimed.tries)).await?)
    }

    async fn refused(&self, claimed: &Claimed, reason: Option<&str>) -> Result<(), WorkError> {
        let mut client = self.pool.get().await?;
        let tx = client.transaction().await?;
        let news = queue::refuse(&tx, &claimed.request, reason).await?;
        tx.commit().await?;
        if news {
            metrics::counter!("razao_refunds_refused_total").increment(1);
            tracing::error!(
                code = "refund_refused", refund_id = %claimed.request.refund_id, sale_id = %claimed.request.sale_id,
                amount = claimed.request.amount.get(),
                "an acquirer refuses a refund for good: staff must look"
            );
        }
        Ok(())
    }
}

#[async_trait]
impl Worker for RefundWorker {
    type Claimed = Claimed;

    fn name(&self) -> &'static str {
        "refunds"
    }

    fn id(claimed: &Claimed) -> Uuid {
        claimed.request.refund_id.uuid()
    }

    async fn claim(&self, most: usize) -> Result<Vec<Claimed>, WorkError> {
        let client = self.pool.get().await?;
        let claimed = queue::claim(&**client, most, working::lease(self.timeout)).await?;
        working::readable(&**client, claimed).await
    }

    async fn try_once(&self, claimed: &Claimed) -> Result<(), WorkError> {
        let refund_id = claimed.request.refund_id;
        match self.ask(claimed).await {
            RefundAnswer::Told(RefundTold::Accepted) => {
                let client = self.pool.get().await?;
                Ok(queue::sent(&**client, claimed, pause(claimed.tries)).await?)
            }
            RefundAnswer::Told(RefundTold::Done) => {
                let client = self.pool.get().await?;
                Ok(queue::done(&**client, refund_id).await?)
            }
            RefundAnswer::Told(RefundTold::Refused { reason }) => {
                self.refused(claimed, reason.as_deref()).await
            }
            // It is not sent again: an acquirer that forgets requests may have forgotten that it refunded.
            RefundAnswer::NotFound => {
                tracing::error!(
                    code = "refund_forgotten", %refund_id,
                    "an acquirer does not know a refund that it had taken: staff must look"
                );
                self.later(claimed, CallFault("forgotten")).await
            }
            RefundAnswer::Unknown(fault) => self.later(claimed, fault).await,
            RefundAnswer::Rejected(fault) => {
                tracing::error!(
                    code = "refund_rejected", %refund_id, fault = fault.0,
                    "an acquirer does not take a refund's request: staff must look"
                );
                self.later(claimed, fault).await
            }
        }
    }
}

fn label(answer: &RefundAnswer) -> &'static str {
    match answer {
        RefundAnswer::Told(RefundTold::Accepted) => "accepted",
        RefundAnswer::Told(RefundTold::Done) => "done",
        RefundAnswer::Told(RefundTold::Refused { .. }) => "refused",
        RefundAnswer::NotFound => "not_found",
        RefundAnswer::Unknown(_) => "unknown",
        RefundAnswer::Rejected(_) => "rejected",
    }
}
