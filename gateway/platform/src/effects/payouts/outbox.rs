//! The outbox of payouts: sends orders to the bank, looks them up until they end, and reports the results to the
//! ledger.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{Pool, Transaction};
use gateway_acquirers::names::ReportedPayoutNames;
use gateway_environment::clock::BusinessClock;
use gateway_outbox::{
    Claimable, End, Fault, Health, Job, Outbox, Outcome, RetryPolicy, SendState, Table, Unreadable,
    UnreadableRow, WorkerHandle, lease_of,
};
use ledger_domain::business::{BusinessCommand, PayoutFailed, PayoutPaid, Refusal, TransferRefusal};
use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, Cents, PayoutId, TransferId};
use ledger_store::{Actor, Metadata, Outcome as LedgerOutcome, Shard, Submission, Supervisor, Writer, log};
use tokio::sync::Notify;
use tokio_postgres::types::Json;
use tokio_postgres::{Client, Row};
use uuid::Uuid;

use super::queue::PayoutEnd;
use super::steps::{CallKind, CallResult, PayoutCall};
use crate::effects::BACKOFF;
use crate::error::PlatformError;
use crate::exceptions::work;
use crate::outboxes::{PAYOUTS, Work};
use crate::providers::calls::with_status;
use crate::providers::payouts::{PayoutAnswer, PayoutOrder, PayoutResult, Payouts};
use crate::settings::returned_withdrawal_fee_at;

pub struct PayoutOutbox {
    pub pool: Pool,
    pub writer: Writer,
    pub bank: Arc<dyn Payouts>,
    /// The longest time to wait for the bank's answer.
    pub timeout: Duration,
    /// Notified of new rows.
    pub woken: Arc<Notify>,
    /// Dates the record of the calls, as the ledger's events.
    pub clock: BusinessClock,
}

impl End for PayoutEnd {
    fn status(&self) -> &'static str {
        self.as_str()
    }
}

impl PayoutOutbox {
    pub fn start(self, supervisor: &Supervisor) -> WorkerHandle {
        let woken = Arc::clone(&self.woken);
        gateway_outbox::start(self, woken, supervisor)
    }
}

#[async_trait]
impl Outbox for PayoutOutbox {
    type Order = PayoutOrder;
    type Answer = PayoutAnswer;
    type End = PayoutEnd;
    type Error = PlatformError;

    const NAME: &'static str = "payouts";
    const TABLE: Table = PAYOUTS;

    fn pool(&self) -> &Pool {
        &self.pool
    }

    fn retry_policy(&self) -> RetryPolicy {
        RetryPolicy {
            lease: lease_of(self.timeout),
            backoff: BACKOFF,
        }
    }

    fn claimable(&self) -> Claimable {
        Claimable::OfProvider(self.bank.provider().as_str())
    }

    /// A payout's result is reported to the ledger.
    fn shards(&self) -> Option<Vec<i16>> {
        Some(self.writer.owned().map(Shard::sql).collect())
    }

    fn read(id: Uuid, row: &Row) -> Result<PayoutOrder, Unreadable> {
        let business_id: Uuid = row.get("business_id");
        let Json(destination) = row.try_get("destination").map_err(|_| Unreadable {
            column: "destination",
            business_id: Some(business_id),
        })?;
        Ok(PayoutOrder {
            payout_id: PayoutId::from_uuid(id),
            transfer_id: TransferId::from_uuid(row.get("transfer_id")),
            business_id: BusinessId::from_uuid(business_id),
            amount: Cents::new(row.get("amount")),
            destination,
        })
    }

    fn provider(&self, _job: &Job<PayoutOrder>) -> &'static str {
        self.bank.provider().as_str()
    }

    fn health(answer: &PayoutAnswer) -> Health {
        answer.health()
    }

    async fn remove_from_queue(&self, client: &Client, row: &UnreadableRow) -> Result<(), PlatformError> {
        Ok(work::add(client, Work::Payout, row).await?)
    }

    /// The order is no longer in flight if, for example, an earlier payout of the transfer was reported as paid since
    /// this order was made. If it may have been sent, only its result can end it.
    async fn check_superseded(
        &self,
        job: &Job<PayoutOrder>,
    ) -> Result<Option<Outcome<PayoutEnd>>, PlatformError> {
        if self.is_in_flight(&job.order).await? {
            return Ok(None);
        }
        Ok(Some(match job.send_state {
            SendState::Unsent => Outcome::Ended(PayoutEnd::Failed),
            SendState::Sent | SendState::Uncertain => Outcome::RetryRarely(Fault::code("not_in_flight")),
        }))
    }

    async fn send(&self, job: &Job<PayoutOrder>) -> Result<PayoutAnswer, PlatformError> {
        self.recorded(job, CallKind::Order, self.bank.send(&job.order))
            .await
    }

    async fn look_up(&self, job: &Job<PayoutOrder>) -> Result<Option<PayoutAnswer>, PlatformError> {
        let call = self.bank.look_up(job.order.payout_id);
        let answer = self.recorded(job, CallKind::LookUp, call).await?;
        Ok(answer.none_if_not_found())
    }

    async fn outcome(
        &self,
        job: &Job<PayoutOrder>,
        answer: Option<PayoutAnswer>,
    ) -> Result<Outcome<PayoutEnd>, PlatformError> {
        let answer = answer.unwrap_or(PayoutAnswer::NotFound);
        let provider = self.bank.provider().as_str();
        let label = CallResult::of(&answer).as_str();
        metrics::counter!("razao_payout_answers_total", "provider" => provider, "answer" => label)
            .increment(1);
        Ok(match answer {
            PayoutAnswer::Answered(PayoutResult::Accepted) => Outcome::Accepted,
            PayoutAnswer::Answered(PayoutResult::Paid { at, names }) => {
                self.paid(&job.order, at, &names).await
            }
            PayoutAnswer::Answered(PayoutResult::Failed { at, reason }) => {
                self.failed(&job.order, at, reason).await?
            }
            PayoutAnswer::NotFound => {
                tracing::error!(
                    code = "payout_forgotten", payout_id = %job.order.payout_id,
                    "a bank does not know a payout that it had accepted: staff must check it"
                );
                Outcome::Retry(Fault::code("forgotten"))
            }
            PayoutAnswer::Unknown(fault) => Outcome::Retry(fault.into()),
            PayoutAnswer::Rejected(fault) => {
                tracing::error!(
                    code = "payout_rejected", payout_id = %job.order.payout_id, fault = fault.0,
                    "a bank rejected a payout order: staff must check it"
                );
                Outcome::Retry(fault.into())
            }
        })
    }

    /// The ledger has the result, or the order was never sent. Only an exception of the row may still be open.
    async fn on_ended(
        &self,
        tx: &Transaction<'_>,
        job: &Job<PayoutOrder>,
        _end: &PayoutEnd,
    ) -> Result<(), PlatformError> {
        Ok(work::resolve_ended(&**tx, Work::Payout, job.id).await?)
    }
}

impl PayoutOutbox {
    /// Makes a call, with its record before and after. A call whose record cannot be written is not made.
    async fn recorded(
        &self,
        job: &Job<PayoutOrder>,
        kind: CallKind,
        call: impl Future<Output = PayoutAnswer> + Send,
    ) -> Result<PayoutAnswer, PlatformError> {
        let begun = PayoutCall {
            payout_id: job.order.payout_id,
            kind,
            attempt: job.attempt,
            at: self.clock.now(),
        };
        let begun = begun.begin(&**self.pool.get().await?).await?;
        let (answer, status) = with_status(call).await;
        let client = self.pool.get().await?;
        begun
            .answered(&**client, &answer, status, self.clock.now())
            .await?;
        Ok(answer)
    }

    async fn is_in_flight(&self, order: &PayoutOrder) -> Result<bool, PlatformError> {
        let client = self.pool.get().await?;
        let found = log::transfer_states(&**client, &[order.transfer_id]).await?;
        Ok(found
            .iter()
            .any(|(_, found)| found.state.payout_in_flight() == Some(order.payout_id)))
    }

    async fn paid(
        &self,
        order: &PayoutOrder,
        occurred_at: Instant,
        reported: &ReportedPayoutNames,
    ) -> Outcome<PayoutEnd> {
        let (names, unreadable) = reported.checked();
        if !unreadable.is_empty() {
            tracing::error!(
                code = "payout_name_unreadable", payout_id = %order.payout_id, names = ?unreadable,
                "a bank named a payment in another form than the ledger's"
            );
        }
        let command = BusinessCommand::PayoutPaid(PayoutPaid {
            transfer_id: order.transfer_id,
            payout_id: order.payout_id,
            occurred_at,
            names,
        });
        self.report(order, command, PayoutEnd::Paid).await
    }

    async fn failed(
        &self,
        order: &PayoutOrder,
        occurred_at: Instant,
        reason: Option<String>,
    ) -> Result<Outcome<PayoutEnd>, PlatformError> {
        let client = self.pool.get().await?;
        // Counts only if the payment was recorded since the look-up began: then the money came back.
        let fee = returned_withdrawal_fee_at(&**client, occurred_at).await?;
        drop(client);
        let command = BusinessCommand::PayoutFailed(PayoutFailed {
            transfer_id: order.transfer_id,
            payout_id: order.payout_id,
            reason,
            occurred_at,
            fee,
        });
        Ok(self.report(order, command, PayoutEnd::Failed).await)
    }

    /// Reports the bank's result to the ledger. The row ends only with a result that the ledger has recorded, now or
    /// before.
    async fn report(
        &self,
        order: &PayoutOrder,
        command: BusinessCommand,
        end: PayoutEnd,
    ) -> Outcome<PayoutEnd> {
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
            LedgerOutcome::Recorded(_) | LedgerOutcome::Duplicate { .. } => Outcome::Ended(end),
            LedgerOutcome::NotOwner | LedgerOutcome::Unknown => {
                Outcome::Retry(Fault::code("ledger_unavailable"))
            }
            unexpected => {
                tracing::error!(
                    code = "payout_contradicted", payout_id = %order.payout_id, transfer_id = %order.transfer_id,
                    outcome = ?unexpected, "the ledger did not record a bank's result of a payout: staff must check it"
                );
                Outcome::RetryRarely(contradiction(&unexpected))
            }
        }
    }
}

fn contradiction(outcome: &LedgerOutcome) -> Fault {
    Fault::code(match outcome {
        LedgerOutcome::Refused(Refusal::Transfer(TransferRefusal::PaidTwice)) => "paid_twice",
        LedgerOutcome::Refused(_) => "refused_by_ledger",
        _ => "not_recorded",
    })
}
