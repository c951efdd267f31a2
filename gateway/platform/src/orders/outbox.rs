//! The outbox of attempts: sends their charges, and looks the charges up until they have ended.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{Pool, Transaction};
use gateway_acquirers::charge::{Charge, ChargeAnswer};
use gateway_outbox::{
    Fault, Health, Job, Outbox, Outcome, RetryPolicy, SendState, Table, Unreadable, UnreadableRow,
    WorkerHandle, lease_of,
};
use ledger_store::{Shard, Supervisor};
use tokio_postgres::{Client, Row};
use uuid::Uuid;

use super::Orders;
use super::attempt::{Attempt, AttemptEnd};
use super::ends;
use super::report::ReportOutcome;
use super::send::{ChargeDetails, NotChargeable, SaleCreation};
use crate::effects::BACKOFF;
use crate::error::PlatformError;
use crate::exceptions::work;
use crate::outboxes::{ORDER_ATTEMPTS, Work};
use crate::providers::calls::CallOutcome;

/// The calls of one try: a look-up, the charge, a second look-up if the charge was rejected, and the capture; or, if the
/// code was refused, a look-up, the cancel and another look-up. Some of them need several calls. A search of Barte's list can need more than these: if the lease ends during the search,
/// Barte's idempotency key prevents a second charge.
const CALLS_PER_TRY: u32 = 8;

pub struct OrderOutbox {
    pub orders: Arc<Orders>,
    /// The longest time to wait for an acquirer's answer.
    pub timeout: Duration,
}

pub enum OrderAnswer {
    Charge(Box<ChargeAnswer>),
    /// It was not charged: it was not sent, or the acquirer rejected it and a look-up did not find it.
    NotCharged,
    /// The acquirer could not be asked now. The code is the reason.
    NotAsked(&'static str),
}

impl OrderOutbox {
    pub fn start(self, supervisor: &Supervisor) -> WorkerHandle {
        let woken = Arc::clone(&self.orders.woken);
        gateway_outbox::start(self, woken, supervisor)
    }
}

#[async_trait]
impl Outbox for OrderOutbox {
    type Order = Attempt;
    type Answer = OrderAnswer;
    type End = AttemptEnd;
    type Error = PlatformError;

    const NAME: &'static str = "orders";
    const TABLE: Table = ORDER_ATTEMPTS;

    fn pool(&self) -> &Pool {
        &self.orders.pool
    }

    fn retry_policy(&self) -> RetryPolicy {
        RetryPolicy {
            lease: lease(self.timeout),
            backoff: BACKOFF,
        }
    }

    /// An attempt's sale is recorded before its charge, and the charge's result after it.
    fn shards(&self) -> Option<Vec<i16>> {
        Some(self.orders.writer.owned().map(Shard::sql).collect())
    }

    fn read(id: Uuid, row: &Row) -> Result<Attempt, Unreadable> {
        Attempt::read(id, row)
    }

    fn provider(&self, job: &Job<Attempt>) -> &'static str {
        job.order.provider.slug()
    }

    fn health(answer: &OrderAnswer) -> Health {
        match answer {
            OrderAnswer::Charge(answer) => answer.health(),
            OrderAnswer::NotCharged | OrderAnswer::NotAsked(_) => Health::Unsaid,
        }
    }

    async fn remove_from_queue(&self, client: &Client, row: &UnreadableRow) -> Result<(), PlatformError> {
        Ok(work::add(client, Work::OrderAttempt, row).await?)
    }

    /// An attempt whose cancel was requested is no longer charged. It was never sent, or the look-up just before this
    /// did not find it.
    async fn check_superseded(
        &self,
        job: &Job<Attempt>,
    ) -> Result<Option<Outcome<AttemptEnd>>, PlatformError> {
        if !job.order.cancel_asked {
            return Ok(None);
        }
        let report = self
            .orders
            .never_charged(&job.order, AttemptEnd::Canceled)
            .await?;
        Ok(Some(outcome_of(report)))
    }

    async fn send(&self, job: &Job<Attempt>) -> Result<OrderAnswer, PlatformError> {
        let (orders, attempt) = (&self.orders, &job.order);
        let details = ChargeDetails::fetch(&**orders.pool.get().await?, attempt).await?;
        match orders.create_sale(attempt, &details).await {
            SaleCreation::Created => {}
            SaleCreation::NotCreated => return Ok(OrderAnswer::NotCharged),
            SaleCreation::Unavailable => return Ok(OrderAnswer::NotAsked("ledger_unavailable")),
        }
        let answer = match orders.charge(attempt, details).await {
            Ok(answer) => answer,
            Err(reason) => return Ok(not_charged(attempt, reason)),
        };
        let answer = match answer {
            // By the acquirers' contracts, a rejected request charges nothing. The look-up proves it.
            CallOutcome::Rejected(fault) => match orders.look_up_and_complete(attempt).await {
                Some(CallOutcome::NotFound) => {
                    tracing::error!(
                        code = "charge_rejected", sale_id = %attempt.sale_id, provider = attempt.provider.slug(),
                        fault = fault.0, "an acquirer rejected a charge: staff must check its configuration"
                    );
                    return Ok(OrderAnswer::NotCharged);
                }
                Some(found) => found,
                None => CallOutcome::Rejected(fault),
            },
            other => orders.capture_or_cancel(attempt, other).await,
        };
        Ok(OrderAnswer::Charge(Box::new(answer)))
    }

    async fn look_up(&self, job: &Job<Attempt>) -> Result<Option<OrderAnswer>, PlatformError> {
        Ok(match self.orders.look_up_and_complete(&job.order).await {
            None => Some(OrderAnswer::NotAsked("acquirer_not_configured")),
            Some(answer) => answer.none_if_not_found().map(Box::new).map(OrderAnswer::Charge),
        })
    }

    async fn outcome(
        &self,
        job: &Job<Attempt>,
        answer: Option<OrderAnswer>,
    ) -> Result<Outcome<AttemptEnd>, PlatformError> {
        let attempt = &job.order;
        let answer = answer.unwrap_or_else(|| OrderAnswer::Charge(Box::new(CallOutcome::NotFound)));
        metrics::counter!(
            "razao_charge_answers_total", "provider" => attempt.provider.slug(), "answer" => label(&answer)
        )
        .increment(1);
        Ok(match answer {
            OrderAnswer::Charge(answer) => match *answer {
                CallOutcome::Answered(charge) => match self.orders.report(attempt, &charge).await? {
                    ReportOutcome::CodesDiffer(_) => self.cancel_refused(attempt, &charge).await?,
                    report => outcome_of(report),
                },
                CallOutcome::NotFound => {
                    if job.send_state == SendState::Sent {
                        tracing::error!(
                            code = "charge_forgotten", sale_id = %attempt.sale_id, provider = attempt.provider.slug(),
                            "an acquirer does not know a charge that it had: staff must check it"
                        );
                    }
                    Outcome::Retry(Fault::code("forgotten"))
                }
                CallOutcome::Unknown(fault) | CallOutcome::Rejected(fault) => Outcome::Retry(fault.into()),
            },
            OrderAnswer::NotAsked(fault) => Outcome::Retry(Fault::code(fault)),
            OrderAnswer::NotCharged => {
                outcome_of(self.orders.never_charged(attempt, AttemptEnd::Failed).await?)
            }
        })
    }

    async fn on_ended(
        &self,
        tx: &Transaction<'_>,
        job: &Job<Attempt>,
        _end: &AttemptEnd,
    ) -> Result<(), PlatformError> {
        work::resolve_ended(&**tx, Work::OrderAttempt, job.id).await?;
        let at = self.orders.clock.now();
        if let Some(order_id) = ends::update_order(&**tx, job.order.sale_id, at).await? {
            self.orders.changed(order_id);
        }
        Ok(())
    }
}

impl OrderOutbox {
    /// Cancels a charge at once whose code was refused, so that the buyer does not wait for the next try: the next
    /// acquirer is asked, or the buyer is told that none is left.
    async fn cancel_refused(
        &self,
        attempt: &Attempt,
        charge: &Charge,
    ) -> Result<Outcome<AttemptEnd>, PlatformError> {
        let refused = Attempt {
            charge_id: Some(charge.charge_id.clone()),
            cancel_asked: true,
            ..attempt.clone()
        };
        Ok(match self.orders.look_up_and_complete(&refused).await {
            Some(CallOutcome::Answered(charge)) => outcome_of(self.orders.report(&refused, &charge).await?),
            Some(CallOutcome::Unknown(fault) | CallOutcome::Rejected(fault)) => Outcome::Retry(fault.into()),
            Some(CallOutcome::NotFound) => Outcome::Retry(Fault::code("forgotten")),
            None => Outcome::Retry(Fault::code("acquirer_not_configured")),
        })
    }
}

fn lease(timeout: Duration) -> Duration {
    // `lease_of` counts two calls: each stands for half of the calls here.
    lease_of(timeout * (CALLS_PER_TRY / 2))
}

fn not_charged(attempt: &Attempt, reason: NotChargeable) -> OrderAnswer {
    tracing::error!(
        code = "order_not_charged", sale_id = %attempt.sale_id, provider = attempt.provider.slug(),
        reason = reason.as_str(), "an attempt cannot be charged at its acquirer: staff must check it"
    );
    match reason {
        NotChargeable::BuyerUnreadable => OrderAnswer::NotAsked(reason.as_str()),
        NotChargeable::BuyerErased
        | NotChargeable::AcquirerNotConfigured
        | NotChargeable::NoDebit
        | NotChargeable::NoCardToken
        | NotChargeable::NoDueDate => OrderAnswer::NotCharged,
    }
}

fn outcome_of(report: ReportOutcome) -> Outcome<AttemptEnd> {
    match report {
        ReportOutcome::Open => Outcome::Accepted,
        ReportOutcome::CodesDiffer(reason) => Outcome::Retry(Fault::code(reason)),
        ReportOutcome::Ended(end) => Outcome::Ended(end),
        ReportOutcome::WithStaff(reason) => Outcome::RetryRarely(Fault::code(reason)),
        ReportOutcome::LedgerUnavailable => Outcome::Retry(Fault::code("ledger_unavailable")),
        ReportOutcome::Unconfirmed => Outcome::Retry(Fault::code("unconfirmed")),
    }
}

fn label(answer: &OrderAnswer) -> &'static str {
    match answer {
        OrderAnswer::Charge(answer) => match **answer {
            CallOutcome::Answered(_) => "answered",
            CallOutcome::NotFound => "not_found",
            CallOutcome::Unknown(_) => "unknown",
            CallOutcome::Rejected(_) => "rejected",
        },
        OrderAnswer::NotCharged => "not_charged",
        OrderAnswer::NotAsked(_) => "not_asked",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_outlasts_the_longest_try_by_card_at_iugu() {
        // At Iugu: a search, the charge, a search after a conflict of keys, a look-up, the capture, and a look-up if
        // the capture is not allowed.
        let calls = 6;
        let timeout = Duration::from_secs(60);
        assert!(lease(timeout) > calls * timeout);
    }
}
