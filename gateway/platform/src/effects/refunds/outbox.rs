//! The outbox of refunds of sales that the platform did not charge. Sends requests to the acquirer, and looks them up
//! until the acquirer has decided.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{Pool, Transaction};
use gateway_outbox::{
    End, Fault, Job, Outbox, Outcome, RetryPolicy, Table, Unreadable, UnreadableRow, WorkerHandle, lease_of,
};
use ledger_domain::ids::RefundId;
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, Cents, SaleId};
use ledger_store::Supervisor;
use tokio::sync::Notify;
use tokio_postgres::{Client, Row};
use uuid::Uuid;

use super::queue;
use crate::effects::BACKOFF;
use crate::error::PlatformError;
use crate::exceptions::work;
use crate::outboxes::{REFUNDS, Work};
use crate::providers::refunds::{RefundAnswer, RefundRequest, RefundResult, Refunds};

pub struct RefundOutbox {
    pub pool: Pool,
    pub acquirer: Arc<dyn Refunds>,
    /// The longest time to wait for the acquirer's answer.
    pub timeout: Duration,
    /// Notified of new rows.
    pub woken: Arc<Notify>,
}

pub enum RefundEnd {
    /// The buyer has the money.
    Done,
    /// The acquirer's final refusal, with its reason.
    Refused(Option<String>),
}

impl End for RefundEnd {
    fn status(&self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Refused(_) => "refused",
        }
    }
}

impl RefundOutbox {
    pub fn start(self, supervisor: &Supervisor) -> WorkerHandle {
        let woken = Arc::clone(&self.woken);
        gateway_outbox::start(self, woken, supervisor)
    }
}

#[async_trait]
impl Outbox for RefundOutbox {
    type Order = RefundRequest;
    type Answer = RefundAnswer;
    type End = RefundEnd;
    type Error = PlatformError;

    const NAME: &'static str = "refunds";
    const TABLE: Table = Table {
        open_condition: "ended_at IS NULL AND NOT charged",
        ..REFUNDS
    };

    fn pool(&self) -> &Pool {
        &self.pool
    }

    fn retry_policy(&self) -> RetryPolicy {
        RetryPolicy {
            lease: lease_of(self.timeout),
            backoff: BACKOFF,
        }
    }

    fn read(id: Uuid, row: &Row) -> Result<RefundRequest, Unreadable> {
        read_row(id, row)
    }

    async fn remove_from_queue(&self, client: &Client, row: &UnreadableRow) -> Result<(), PlatformError> {
        Ok(work::add(client, Work::Refund, row).await?)
    }

    async fn send(&self, job: &Job<RefundRequest>) -> Result<RefundAnswer, PlatformError> {
        Ok(self.acquirer.send(&job.order).await)
    }

    async fn look_up(&self, job: &Job<RefundRequest>) -> Result<Option<RefundAnswer>, PlatformError> {
        Ok(self
            .acquirer
            .look_up(job.order.refund_id)
            .await
            .none_if_not_found())
    }

    async fn outcome(
        &self,
        job: &Job<RefundRequest>,
        answer: Option<RefundAnswer>,
    ) -> Result<Outcome<RefundEnd>, PlatformError> {
        let answer = answer.unwrap_or(RefundAnswer::NotFound);
        let provider = self.acquirer.provider().as_str();
        metrics::counter!("razao_refund_answers_total", "provider" => provider, "answer" => label(&answer))
            .increment(1);
        let refund_id = job.order.refund_id;
        Ok(match answer {
            RefundAnswer::Answered(RefundResult::Accepted) => Outcome::Accepted,
            RefundAnswer::Answered(RefundResult::Done) => Outcome::Ended(RefundEnd::Done),
            RefundAnswer::Answered(RefundResult::Refused { reason }) => {
                Outcome::Ended(RefundEnd::Refused(reason))
            }
            RefundAnswer::NotFound => {
                tracing::error!(
                    code = "refund_forgotten", %refund_id,
                    "an acquirer does not know a refund that it had accepted: staff must check it"
                );
                Outcome::Retry(Fault::code("forgotten"))
            }
            RefundAnswer::Unknown(fault) => Outcome::Retry(fault.into()),
            RefundAnswer::Rejected(fault) => {
                tracing::error!(
                    code = "refund_rejected", %refund_id, fault = fault.0,
                    "an acquirer rejected a refund request: staff must check it"
                );
                Outcome::Retry(fault.into())
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

/// A migration of a newer version may allow providers that this version does not know.
pub(super) fn read_row(id: Uuid, row: &Row) -> Result<RefundRequest, Unreadable> {
    let business_id: Uuid = row.get("business_id");
    let provider = u8::try_from(row.get::<_, i16>("provider")).ok();
    let provider = provider.and_then(|number| Provider::from_number(number).ok());
    Ok(RefundRequest {
        refund_id: RefundId::from_uuid(id),
        business_id: BusinessId::from_uuid(business_id),
        sale_id: SaleId::from_uuid(row.get("sale_id")),
        provider: provider.ok_or(Unreadable {
            column: "provider",
            business_id: Some(business_id),
        })?,
        external_id: row.get("external_id"),
        amount: Cents::new(row.get("amount")),
    })
}

pub(super) async fn end_row(
    tx: &Transaction<'_>,
    request: &RefundRequest,
    end: &RefundEnd,
) -> Result<(), PlatformError> {
    match end {
        RefundEnd::Done => queue::done(tx, request.refund_id).await?,
        RefundEnd::Refused(reason) => queue::refuse(tx, request, reason.as_deref()).await?,
    }
    Ok(())
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
