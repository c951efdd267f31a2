//! Sends payout orders to the bank, looks them up until they end, and reports the results to the ledger.
//!
//! An order that may have been sent is looked up before it is sent again, always under the same id. If the process is
//! killed at any point, the next claim of the row continues: nothing depends on memory.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::Pool;
use ledger_domain::business::{BusinessCommand, PayoutFailed, PayoutPaid, Refusal, TransferRefusal};
use ledger_domain::calendar::Instant;
use ledger_store::{Actor, Metadata, Outcome, Submission, Supervisor, Writer, log};
use tokio::sync::Notify;
use uuid::Uuid;

use super::queue::{self, PayoutEnd, PayoutJob};
use crate::effects::working::{self, LAST_PAUSE, SendState, WorkError, Worker, WorkerHandle, pause};
use crate::providers::calls::CallFault;
use crate::providers::payouts::{PayoutAnswer, PayoutOrder, PayoutResult, Payouts};

pub struct PayoutWorker {
    pub pool: Pool,
    pub writer: Writer,
    pub bank: Arc<dyn Payouts>,
    /// The longest time to wait for the bank's answer.
    pub timeout: Duration,
    /// Notified of new rows.
    pub woken: Arc<Notify>,
}

/// The outcome of a try.
enum CallOutcome {
    /// The bank reported a result, and the ledger has recorded it, now or before.
    Ended(PayoutEnd),
    /// The try gave no result.
    Nothing(CallFault),
    /// The ledger has recorded a different result. Staff must resolve it.
    Contradicted(CallFault),
}

impl PayoutWorker {
    pub fn start(self, supervisor: &Supervisor) -> WorkerHandle {
        let woken = Arc::clone(&self.woken);
        working::start(self, woken, supervisor)
    }
}

#[async_trait]
impl Worker for PayoutWorker {
    type Job = PayoutJob;

    fn name(&self) -> &'static str {
        "payouts"
    }

    fn id(job: &PayoutJob) -> Uuid {
        job.order.payout_id.uuid()
    }

    async fn claim(&self, most: usize) -> Result<Vec<PayoutJob>, WorkError> {
        let client = self.pool.get().await?;
        let lease = working::lease(self.timeout);
        let job = queue::claim(&**client, self.bank.provider(), most, lease).await?;
        working::readable(&**client, job).await
    }

    async fn try_once(&self, job: &PayoutJob) -> Result<(), WorkError> {
        let Some(answer) = self.ask(job).await? else {
            return self.end_or_postpone(job).await;
        };
        let outcome = match answer {
            PayoutAnswer::Answered(PayoutResult::Accepted) => {
                let client = self.pool.get().await?;
                return Ok(queue::sent(&**client, job, pause(job.tries)).await?);
            }
            PayoutAnswer::Answered(PayoutResult::Paid { at }) => self.paid(job, at).await,
            PayoutAnswer::Answered(PayoutResult::Failed { at, reason }) => self.failed(job, at, reason).await,
            PayoutAnswer::NotFound => CallOutcome::Nothing(lost_by_provider(job)),
            PayoutAnswer::Unknown(fault) => CallOutcome::Nothing(fault),
            PayoutAnswer::Rejected(fault) => {
                tracing::error!(
                    code = "payout_rejected", payout_id = %job.order.payout_id, fault = fault.0,
                    "a bank rejected a payout order: staff must check it"
                );
                CallOutcome::Nothing(fault)
            }
        };
        let client = self.pool.get().await?;
        match outcome {
            CallOutcome::Ended(end) => queue::end_open(&**client, job, end).await?,
            CallOutcome::Nothing(fault) => {
                queue::retry_later(&**client, job, fault, pause(job.tries)).await?
            }
            CallOutcome::Contradicted(fault) => queue::retry_later(&**client, job, fault, LAST_PAUSE).await?,
        }
        Ok(())
    }
}

impl PayoutWorker {
    /// `None` if the order is not with the bank and is no longer in flight in the ledger.
    async fn ask(&self, job: &PayoutJob) -> Result<Option<PayoutAnswer>, WorkError> {
        let order = &job.order;
        let looked_up = match job.send_state {
            SendState::Unsent => PayoutAnswer::NotFound,
            SendState::Sent | SendState::Uncertain => self.bank.look_up(order.payout_id).await,
        };
        let answer = match (looked_up, job.send_state) {
            // The order was lost or is still on its way. The id makes the two sendings one order.
            (PayoutAnswer::NotFound, SendState::Unsent | SendState::Uncertain) => {
                if !self.is_in_flight(order).await? {
                    return Ok(None);
                }
                self.bank.send(order).await
            }
            (answer, _) => answer,
        };
        let provider = self.bank.provider().as_str();
        metrics::counter!("razao_payout_answers_total", "provider" => provider, "answer" => label(&answer))
            .increment(1);
        Ok(Some(answer))
    }

    /// False if, for example, an earlier payout of the transfer was reported as paid since this order was made.
    async fn is_in_flight(&self, order: &PayoutOrder) -> Result<bool, WorkError> {
        let client = self.pool.get().await?;
        let found = log::transfer_states(&**client, &[order.transfer_id]).await?;
        Ok(found
            .iter()
            .any(|(_, found)| found.state.payout_in_flight() == Some(order.payout_id)))
    }

    /// Ends an order that was never sent. An order that may have been sent is looked up again, and never sent again.
    async fn end_or_postpone(&self, job: &PayoutJob) -> Result<(), WorkError> {
        let client = self.pool.get().await?;
        match job.send_state {
            SendState::Unsent => queue::end_open(&**client, job, PayoutEnd::Failed).await?,
            SendState::Sent | SendState::Uncertain => {
                queue::retry_later(&**client, job, CallFault("not_in_flight"), LAST_PAUSE).await?;
            }
        }
        Ok(())
    }

    async fn paid(&self, job: &PayoutJob, occurred_at: Instant) -> CallOutcome {
        let command = BusinessCommand::PayoutPaid(PayoutPaid {
            transfer_id: job.order.transfer_id,
            payout_id: job.order.payout_id,
            occurred_at,
        });
        self.report(job, command, PayoutEnd::Paid).await
    }

    async fn failed(&self, job: &PayoutJob, occurred_at: Instant, reason: Option<String>) -> CallOutcome {
        let command = BusinessCommand::PayoutFailed(PayoutFailed {
            transfer_id: job.order.transfer_id,
            payout_id: job.order.payout_id,
            reason,
            occurred_at,
        });
        self.report(job, command, PayoutEnd::Failed).await
    }

    async fn report(&self, job: &PayoutJob, command: BusinessCommand, end: PayoutEnd) -> CallOutcome {
        let order = &job.order;
        let submission = Submission {
            command_id: Uuid::now_v7(),
            business_id: order.business_id,
            command,
            metadata: Metadata {
                cause: Some(order.payout_id.to_string()),
                ..Metadata::by(Actor::Bank(self.bank.provider().to_string()))
            },
            // The state of the transfer prevents a second recording.
            idempotency: None,
        };
        match self.writer.submit(submission).await {
            Outcome::Recorded(_) | Outcome::Duplicate { .. } => CallOutcome::Ended(end),
            Outcome::NotOwner | Outcome::Unknown => CallOutcome::Nothing(CallFault("ledger_unavailable")),
            unexpected => {
                tracing::error!(
                    code = "payout_contradicted", payout_id = %order.payout_id, transfer_id = %order.transfer_id,
                    outcome = ?unexpected, "the ledger refused a bank's result of a payout: staff must check it"
                );
                CallOutcome::Contradicted(contradiction(&unexpected))
            }
        }
    }
}

/// The bank has accepted the order or was just sent it, and answers that it does not know it. The order is not sent
/// again: a bank that lost the order may also have lost the fact that it paid.
fn lost_by_provider(job: &PayoutJob) -> CallFault {
    tracing::error!(
        code = "payout_forgotten", payout_id = %job.order.payout_id,
        "a bank does not know a payout that it had accepted: staff must check it"
    );
    CallFault("forgotten")
}

fn contradiction(outcome: &Outcome) -> CallFault {
    CallFault(match outcome {
        Outcome::Refused(Refusal::Transfer(TransferRefusal::PaidTwice)) => "paid_twice",
        Outcome::Refused(_) => "refused_by_ledger",
        _ => "not_recorded",
    })
}

fn label(answer: &PayoutAnswer) -> &'static str {
    match answer {
        PayoutAnswer::Answered(PayoutResult::Accepted) => "accepted",
        PayoutAnswer::Answered(PayoutResult::Paid { .. }) => "paid",
        PayoutAnswer::Answered(PayoutResult::Failed { .. }) => "failed",
        PayoutAnswer::NotFound => "not_found",
        PayoutAnswer::Unknown(_) => "unknown",
        PayoutAnswer::Rejected(_) => "rejected",
    }
}
