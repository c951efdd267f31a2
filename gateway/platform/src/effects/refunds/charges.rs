//! The outbox of refunds of charges: sales that the platform itself charged, through an order's attempt. The acquirer's
//! adapter refunds the whole charge, and the charge's own state tells whether the buyer has the money back.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{Pool, Transaction};
use gateway_acquirers::calls::{CallFault, CallOutcome};
use gateway_acquirers::charge::{Charge, ChargeAnswer, ChargeKey, ChargeState, WholeCharge};
use gateway_acquirers::port::Acquirer;
use gateway_outbox::{
    Fault, Job, Outbox, Outcome, RetryPolicy, SendState, Table, Unreadable, UnreadableRow, WorkerHandle,
    lease_of,
};
use ledger_store::Supervisor;
use tokio::sync::Notify;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Row};
use uuid::Uuid;

use super::outbox::{RefundEnd, end_row, read_row};
use crate::acquirers::Acquirers;
use crate::effects::BACKOFF;
use crate::error::PlatformError;
use crate::exceptions::work;
use crate::outboxes::{REFUNDS, Work};
use crate::providers::refunds::RefundRequest;

/// The most calls of one try: it looks the charge up, refunds it, and looks it up again, and an adapter may need two
/// calls for each step. `lease_of` counts two calls.
const CALLS_PER_TRY: u32 = 6;

pub struct ChargeRefundOutbox {
    pub pool: Pool,
    pub acquirers: Arc<Acquirers>,
    /// The longest time to wait for an acquirer's answer.
    pub timeout: Duration,
    /// Notified of new rows.
    pub woken: Arc<Notify>,
}

/// The state of a refund that follows from the acquirer's answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChargeRefundAnswer {
    /// The buyer has the money back.
    Refunded,
    /// The acquirer took the request, and has not refunded the charge yet.
    Pending,
    /// It is certain that the acquirer does not refund the charge.
    Refused(String),
    Unknown(CallFault),
    /// Staff must check the configuration or the charge.
    Rejected(CallFault),
}

impl ChargeRefundOutbox {
    pub fn start(self, supervisor: &Supervisor) -> WorkerHandle {
        let woken = Arc::clone(&self.woken);
        gateway_outbox::start(self, woken, supervisor)
    }

    fn acquirer(&self, order: &RefundRequest) -> Result<&dyn Acquirer, ChargeRefundAnswer> {
        let acquirer = self.acquirers.of(order.provider);
        acquirer.ok_or(ChargeRefundAnswer::Rejected(CallFault("not_configured")))
    }

    /// The acquirer's id is read again for each try: it may have been unknown when the refund was requested.
    async fn charge_of(&self, order: &RefundRequest) -> Result<ChargeKey, PlatformError> {
        let client = self.pool.get().await?;
        let row = client
            .query_typed_opt(
                "SELECT acquirer_id FROM order_attempt WHERE sale_id = $1",
                &[(&order.sale_id.uuid(), Type::UUID)],
            )
            .await?;
        Ok(ChargeKey {
            sale_id: order.sale_id,
            charge_id: row.and_then(|row| row.get(0)),
        })
    }
}

/// The state of the refund that follows from the state of its charge. `None`: the charge is not refunded yet.
fn answer_by_state(charge: &Charge) -> Option<ChargeRefundAnswer> {
    match charge.state {
        ChargeState::Refunded | ChargeState::Reversed | ChargeState::Canceled => {
            Some(ChargeRefundAnswer::Refunded)
        }
        ChargeState::Paid | ChargeState::Authorized | ChargeState::Pending => None,
        ChargeState::Disputed => Some(refused("O pagamento está em disputa na adquirente")),
        ChargeState::ChargedBack => Some(refused("O pagamento foi devolvido por uma disputa")),
        ChargeState::Declined(_) => Some(refused("A adquirente não tem este pagamento como pago")),
    }
}

fn refused(reason: &str) -> ChargeRefundAnswer {
    ChargeRefundAnswer::Refused(reason.to_owned())
}

/// The state of the refund that follows from the answer to a call. `None`: the charge is not refunded yet.
fn answer_by_call(answer: ChargeAnswer) -> Option<ChargeRefundAnswer> {
    match answer {
        CallOutcome::Answered(charge) => answer_by_state(&charge),
        // Not sent again: an acquirer that lost the charge may also have lost the refund.
        CallOutcome::NotFound => Some(ChargeRefundAnswer::Rejected(CallFault("charge_unknown"))),
        CallOutcome::Unknown(fault) => Some(ChargeRefundAnswer::Unknown(fault)),
        CallOutcome::Rejected(fault) => Some(ChargeRefundAnswer::Rejected(fault)),
    }
}

#[async_trait]
impl Outbox for ChargeRefundOutbox {
    type Order = RefundRequest;
    type Answer = ChargeRefundAnswer;
    type End = RefundEnd;
    type Error = PlatformError;

    const NAME: &'static str = "refunds of charges";
    const TABLE: Table = Table {
        open_condition: "ended_at IS NULL AND charged",
        ..REFUNDS
    };

    fn pool(&self) -> &Pool {
        &self.pool
    }

    fn retry_policy(&self) -> RetryPolicy {
        RetryPolicy {
            lease: lease_of(self.timeout * (CALLS_PER_TRY / 2)),
            backoff: BACKOFF,
        }
    }

    fn read(id: Uuid, row: &Row) -> Result<RefundRequest, Unreadable> {
        read_row(id, row)
    }

    async fn remove_from_queue(&self, client: &Client, row: &UnreadableRow) -> Result<(), PlatformError> {
        Ok(work::add(client, Work::Refund, row).await?)
    }

    async fn send(&self, job: &Job<RefundRequest>) -> Result<ChargeRefundAnswer, PlatformError> {
        let acquirer = match self.acquirer(&job.order) {
            Ok(acquirer) => acquirer,
            Err(answer) => return Ok(answer),
        };
        let charge = self.charge_of(&job.order).await?;
        let refund = WholeCharge {
            key: charge.clone(),
            amount: job.order.amount,
        };
        let answer = acquirer.refund(&refund).await;
        let CallOutcome::Rejected(fault) = answer else {
            return Ok(answer_by_call(answer).unwrap_or(ChargeRefundAnswer::Pending));
        };
        // A rejection is final if the acquirer still has the payment. An acquirer that rejects every call answers the
        // look-up in the same way.
        Ok(match acquirer.look_up(&charge).await {
            CallOutcome::Answered(charge) => answer_by_state(&charge)
                .unwrap_or_else(|| refused(&format!("Recusado pela adquirente ({})", fault.0))),
            _ => ChargeRefundAnswer::Rejected(fault),
        })
    }

    async fn look_up(&self, job: &Job<RefundRequest>) -> Result<Option<ChargeRefundAnswer>, PlatformError> {
        let acquirer = match self.acquirer(&job.order) {
            Ok(acquirer) => acquirer,
            Err(answer) => return Ok(Some(answer)),
        };
        let charge = self.charge_of(&job.order).await?;
        let answer = answer_by_call(acquirer.look_up(&charge).await);
        // `answer` is `None` if the charge is not refunded yet. An acquirer that took the request is still working on
        // it. In any other case `None` makes the worker send the request.
        let taken = (job.send_state == SendState::Sent).then_some(ChargeRefundAnswer::Pending);
        Ok(answer.or(taken))
    }

    async fn outcome(
        &self,
        job: &Job<RefundRequest>,
        answer: Option<ChargeRefundAnswer>,
    ) -> Result<Outcome<RefundEnd>, PlatformError> {
        // It is never `None`, because `look_up` has an answer for each request that the acquirer took.
        let answer = answer.unwrap_or(ChargeRefundAnswer::Pending);
        let provider = job.order.provider.slug();
        metrics::counter!("razao_refund_answers_total", "provider" => provider, "answer" => label(&answer))
            .increment(1);
        let refund_id = job.order.refund_id;
        Ok(match answer {
            ChargeRefundAnswer::Refunded => Outcome::Ended(RefundEnd::Done),
            ChargeRefundAnswer::Pending => Outcome::Accepted,
            ChargeRefundAnswer::Refused(reason) => Outcome::Ended(RefundEnd::Refused(Some(reason))),
            ChargeRefundAnswer::Unknown(fault) => Outcome::Retry(fault.into()),
            ChargeRefundAnswer::Rejected(fault) => {
                tracing::error!(
                    code = "refund_rejected", %refund_id, provider, fault = fault.0,
                    "an acquirer rejected the refund of a charge: staff must check it"
                );
                Outcome::RetryRarely(Fault::from(fault))
            }
        })
    }

    async fn on_ended(
        &self,
        tx: &Transaction<'_>,
        job: &Job<RefundRequest>,
        end: &RefundEnd,
    ) -> Result<(), PlatformError> {
        end_row(tx, &job.order, end).await
    }
}

const fn label(answer: &ChargeRefundAnswer) -> &'static str {
    match answer {
        ChargeRefundAnswer::Refunded => "done",
        ChargeRefundAnswer::Pending => "accepted",
        ChargeRefundAnswer::Refused(_) => "refused",
        ChargeRefundAnswer::Unknown(_) => "unknown",
        ChargeRefundAnswer::Rejected(_) => "rejected",
    }
}
