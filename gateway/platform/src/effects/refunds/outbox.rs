//! The outbox of refunds. Sends each request to who refunds the sale, looks it up until it is decided, and answers the
//! ledger's refund.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{Pool, Transaction};
use gateway_acquirers::names::ReportedNames;
use gateway_environment::clock::BusinessClock;
use gateway_outbox::{
    Claimable, End, Fault, Health, Job, Outbox, Outcome, RetryPolicy, SendState, Table, Unreadable,
    UnreadableRow, WorkerHandle, lease_of,
};
use ledger_domain::business::{AnswerRefund, BusinessCommand, NameSale};
use ledger_domain::ids::RefundId;
use ledger_domain::sale::{NamedPayment, Provider, RefundReference};
use ledger_domain::{BusinessId, Cents, SaleId};
use ledger_store::{Actor, Metadata, Outcome as LedgerOutcome, Shard, Submission, Supervisor, Writer};
use tokio::sync::Notify;
use tokio_postgres::{Client, Row};
use uuid::Uuid;

use super::queue;
use crate::effects::BACKOFF;
use crate::error::PlatformError;
use crate::exceptions::{unreadable_names, work};
use crate::notices::Notices;
use crate::outboxes::{REFUNDS, Work};
use crate::providers::calls::CallFault;
use crate::providers::refunds::{RefundAnswer, RefundRequest, RefundResult, Refunds};

pub struct RefundOutbox {
    pub pool: Pool,
    pub writer: Writer,
    /// An acquirer's notice of the refund may wait for the ledger's answer.
    pub notices: Arc<Notices>,
    pub clock: BusinessClock,
    /// Who refunds the sales that the platform charged for an order. `None`: their requests wait.
    pub charged: Option<Arc<dyn Refunds>>,
    /// Who refunds the sales that acquirers reported. `None`: their requests wait while staff refund at the acquirer; its
    /// notice then ends them.
    pub reported: Option<Arc<dyn Refunds>>,
    /// Notified of new rows.
    pub woken: Arc<Notify>,
}

pub struct RefundOrder {
    request: RefundRequest,
    /// Whether an order's attempt charged the sale.
    charged: bool,
}

pub enum RefundEnd {
    /// The buyer has the money.
    Done,
    /// The final refusal, with its reason.
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
    /// `None`: every request waits, so there is no worker.
    pub fn start(self, supervisor: &Supervisor) -> Option<WorkerHandle> {
        if self.charged.is_none() && self.reported.is_none() {
            return None;
        }
        let woken = Arc::clone(&self.woken);
        Some(gateway_outbox::start(self, woken, supervisor))
    }

    fn refunds(&self, order: &RefundOrder) -> Option<&dyn Refunds> {
        let refunds = if order.charged {
            &self.charged
        } else {
            &self.reported
        };
        refunds.as_deref()
    }
}

/// Only rows that this process can refund are claimed (`claimable`).
const NOT_CONFIGURED: RefundAnswer = RefundAnswer::Rejected(CallFault("not_configured"));

#[async_trait]
impl Outbox for RefundOutbox {
    type Order = RefundOrder;
    type Answer = RefundAnswer;
    type End = RefundEnd;
    type Error = PlatformError;

    const NAME: &'static str = "refunds";
    const TABLE: Table = REFUNDS;

    fn pool(&self) -> &Pool {
        &self.pool
    }

    fn claimable(&self) -> Claimable {
        match (&self.charged, &self.reported) {
            (Some(_), None) => Claimable::Where("charged"),
            (None, Some(_)) => Claimable::Where("NOT charged"),
            (Some(_), Some(_)) | (None, None) => Claimable::All,
        }
    }

    /// The ledger's refund is answered.
    fn shards(&self) -> Option<Vec<i16>> {
        Some(self.writer.owned().map(Shard::sql).collect())
    }

    fn retry_policy(&self) -> RetryPolicy {
        let all = [&self.charged, &self.reported].into_iter().flatten();
        let timeout = all.map(|refunds| refunds.timeout()).max();
        RetryPolicy {
            lease: lease_of(timeout.unwrap_or(Duration::ZERO)),
            backoff: BACKOFF,
        }
    }

    /// A newer version may write providers that this version does not know.
    fn read(id: Uuid, row: &Row) -> Result<RefundOrder, Unreadable> {
        let business_id: Uuid = row.get("business_id");
        let provider = u8::try_from(row.get::<_, i16>("provider")).ok();
        let provider = provider.and_then(|number| Provider::from_number(number).ok());
        let reference = row.get::<_, Option<&str>>("reference");
        let reference = reference.map(RefundReference::parse).transpose();
        Ok(RefundOrder {
            request: RefundRequest {
                refund_id: RefundId::from_uuid(id),
                business_id: BusinessId::from_uuid(business_id),
                sale_id: SaleId::from_uuid(row.get("sale_id")),
                provider: provider.ok_or(Unreadable {
                    column: "provider",
                    business_id: Some(business_id),
                })?,
                external_id: row.get("external_id"),
                amount: Cents::new(row.get("amount")),
                of_part: row.get("of_part"),
                reference: reference.map_err(|_| Unreadable {
                    column: "reference",
                    business_id: Some(business_id),
                })?,
            },
            charged: row.get("charged"),
        })
    }

    fn provider(&self, job: &Job<RefundOrder>) -> &'static str {
        let provider = job.order.request.provider;
        self.refunds(&job.order)
            .map_or(provider.slug(), |refunds| refunds.name(provider))
    }

    fn health(answer: &RefundAnswer) -> Health {
        answer.health()
    }

    async fn remove_from_queue(&self, client: &Client, row: &UnreadableRow) -> Result<(), PlatformError> {
        Ok(work::add(client, Work::Refund, row).await?)
    }

    async fn send(&self, job: &Job<RefundOrder>) -> Result<RefundAnswer, PlatformError> {
        match self.refunds(&job.order) {
            Some(refunds) => refunds.send(&job.order.request).await,
            None => Ok(NOT_CONFIGURED),
        }
    }

    async fn look_up(&self, job: &Job<RefundOrder>) -> Result<Option<RefundAnswer>, PlatformError> {
        let accepted = job.send_state == SendState::Sent;
        let answer = match self.refunds(&job.order) {
            Some(refunds) => refunds.look_up(&job.order.request, accepted).await?,
            None => NOT_CONFIGURED,
        };
        Ok(answer.none_if_not_found())
    }

    async fn outcome(
        &self,
        job: &Job<RefundOrder>,
        answer: Option<RefundAnswer>,
    ) -> Result<Outcome<RefundEnd>, PlatformError> {
        let answer = answer.unwrap_or(RefundAnswer::NotFound);
        let refund_id = job.order.request.refund_id;
        let provider = self.provider(job);
        metrics::counter!("razao_refund_answers_total", "provider" => provider, "answer" => label(&answer))
            .increment(1);
        Ok(match answer {
            RefundAnswer::Answered(RefundResult::Accepted) => Outcome::Accepted,
            RefundAnswer::Answered(RefundResult::Done { known_as, names }) => {
                self.done(&job.order.request, known_as, &names).await?
            }
            RefundAnswer::Answered(RefundResult::Refused { reason }) => {
                Outcome::Ended(RefundEnd::Refused(reason))
            }
            RefundAnswer::NotFound => {
                tracing::error!(
                    code = "refund_forgotten", %refund_id, provider,
                    "an acquirer does not know a refund that it had accepted: staff must check it"
                );
                Outcome::Retry(Fault::code("forgotten"))
            }
            RefundAnswer::Unknown(fault) => Outcome::Retry(fault.into()),
            RefundAnswer::Rejected(fault) => {
                tracing::error!(
                    code = "refund_rejected", %refund_id, provider, fault = fault.0,
                    "an acquirer rejected a refund request: staff must check it"
                );
                Outcome::RetryRarely(fault.into())
            }
        })
    }

    async fn on_ended(
        &self,
        tx: &Transaction<'_>,
        job: &Job<RefundOrder>,
        end: &RefundEnd,
    ) -> Result<(), PlatformError> {
        let request = &job.order.request;
        match end {
            RefundEnd::Done => queue::done(tx, request.refund_id).await?,
            RefundEnd::Refused(reason) => queue::refuse(tx, request, reason.as_deref()).await?,
        }
        Ok(())
    }
}

impl RefundOutbox {
    /// The row ends only once the ledger has the answer, now or before. A refund without an id has none there, and only
    /// its names are added.
    async fn done(
        &self,
        request: &RefundRequest,
        known_as: Option<RefundReference>,
        reported: &ReportedNames,
    ) -> Result<Outcome<RefundEnd>, PlatformError> {
        let sale_id = request.sale_id;
        let (names, unreadable) = reported.checked();
        if !unreadable.is_empty() {
            let client = self.pool.get().await?;
            let about = (Some(request.business_id), Some(sale_id));
            let report = request.refund_id.to_string();
            unreadable_names::add(&**client, request.provider, &report, about, &unreadable).await?;
        }
        let occurred_at = self.clock.now();
        let command = match request.reference.clone() {
            Some(refund) => BusinessCommand::AnswerRefund(AnswerRefund {
                sale_id,
                refund,
                known_as,
                occurred_at,
                names,
            }),
            None if names.is_empty() => return Ok(Outcome::Ended(RefundEnd::Done)),
            None => BusinessCommand::NameSale(NameSale {
                sale_id,
                of: NamedPayment::Return,
                names,
                occurred_at,
            }),
        };
        Ok(self.record(request, command).await)
    }

    async fn record(&self, request: &RefundRequest, command: BusinessCommand) -> Outcome<RefundEnd> {
        let sale_id = request.sale_id;
        let submission = Submission {
            command_id: Uuid::now_v7(),
            business_id: request.business_id,
            command,
            metadata: Metadata {
                cause: Some(request.refund_id.to_string()),
                ..Metadata::by(Actor::Provider(request.provider))
            },
            // A repeated answer adds nothing.
            idempotency: None,
        };
        match self.writer.submit(submission).await {
            LedgerOutcome::Recorded(_) | LedgerOutcome::Duplicate { .. } => {
                self.notices.waiting_sales.changed(sale_id);
                Outcome::Ended(RefundEnd::Done)
            }
            LedgerOutcome::NotOwner | LedgerOutcome::Unknown => {
                Outcome::Retry(Fault::code("ledger_unavailable"))
            }
            unexpected => {
                tracing::error!(
                    code = "refund_contradicted", refund_id = %request.refund_id, %sale_id, outcome = ?unexpected,
                    "the ledger did not record an acquirer's answer to a refund: staff must check it"
                );
                Outcome::RetryRarely(Fault::code("not_recorded"))
            }
        }
    }
}

fn label(answer: &RefundAnswer) -> &'static str {
    match answer {
        RefundAnswer::Answered(RefundResult::Accepted) => "accepted",
        RefundAnswer::Answered(RefundResult::Done { .. }) => "done",
        RefundAnswer::Answered(RefundResult::Refused { .. }) => "refused",
        RefundAnswer::NotFound => "not_found",
        RefundAnswer::Unknown(_) => "unknown",
        RefundAnswer::Rejected(_) => "rejected",
    }
}
