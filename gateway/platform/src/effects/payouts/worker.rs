//! Sends orders and asks about them until they end, and tells the ledger how they did.
//!
//! What was possibly sent is looked up before it is sent again, and always under its one id. A kill at any point leaves
//! a row that the next claim pursues: nothing depends on what this process remembers.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::Pool;
use ledger_domain::business::{BusinessCommand, PayoutFailed, PayoutPaid, Refusal, TransferRefusal};
use ledger_domain::calendar::Instant;
use ledger_store::{Actor, Metadata, Outcome, Submission, Supervisor, Writer, log};
use tokio::sync::Notify;
use uuid::Uuid;

use super::queue::{self, Claimed, PayoutEnd};
use crate::effects::working::{self, Known, LAST_PAUSE, WorkError, Worker, Working, pause};
use crate::providers::calls::CallFault;
use crate::providers::payouts::{PayoutAnswer, PayoutOrder, PayoutTold, Payouts};

pub struct PayoutWorker {
    pub pool: Pool,
    pub writer: Writer,
    pub bank: Arc<dyn Payouts>,
    /// How long the bank is waited for.
    pub timeout: Duration,
    /// New rows.
    pub woken: Arc<Notify>,
}

/// What came of a try.
enum Heard {
    /// The bank told the end, and the ledger knows it, now or before.
    Known(PayoutEnd),
    /// Neither is nearer to an end.
    Nothing(CallFault),
    /// The ledger has recorded something else than the bank tells, which only people can resolve.
    Contradicted(CallFault),
}

impl PayoutWorker {
    pub fn start(self, supervisor: &Supervisor) -> Working {
        let woken = Arc::clone(&self.woken);
        working::start(self, woken, supervisor)
    }
}

#[async_trait]
impl Worker for PayoutWorker {
    type Claimed = Claimed;

    fn name(&self) -> &'static str {
        "payouts"
    }

    fn id(claimed: &Claimed) -> Uuid {
        claimed.order.payout_id.uuid()
    }

    async fn claim(&self, most: usize) -> Result<Vec<Claimed>, WorkError> {
        let client = self.pool.get().await?;
        let lease = working::lease(self.timeout);
        let claimed = queue::claim(&**client, self.bank.provider(), most, lease).await?;
        working::readable(&**client, claimed).await
    }

    async fn try_once(&self, claimed: &Claimed) -> Result<(), WorkError> {
        let Some(answer) = self.ask(claimed).await? else {
            return self.hold_back(claimed).await;
        };
        let heard = match answer {
            PayoutAnswer::Told(PayoutTold::Accepted) => {
                let client = self.pool.get().await?;
                return Ok(queue::sent(&**client, claimed, pause(claimed.tries)).await?);
            }
            PayoutAnswer::Told(PayoutTold::Paid { at }) => self.paid(claimed, at).await,
            PayoutAnswer::Told(PayoutTold::Failed { at, reason }) => self.failed(claimed, at, reason).await,
            PayoutAnswer::NotFound => Heard::Nothing(forgotten(claimed)),
            PayoutAnswer::Unknown(fault) => Heard::Nothing(fault),
            PayoutAnswer::Rejected(fault) => {
                tracing::error!(
                    code = "payout_rejected", payout_id = %claimed.order.payout_id, fault = fault.0,
                    "a bank does not take a payout's order: staff must look"
                );
                Heard::Nothing(fault)
            }
        };
        let client = self.pool.get().await?;
        match heard {
            Heard::Known(end) => queue::end_open(&**client, claimed, end).await?,
            Heard::Nothing(fault) => queue::later(&**client, claimed, fault, pause(claimed.tries)).await?,
            Heard::Contradicted(fault) => queue::later(&**client, claimed, fault, LAST_PAUSE).await?,
        }
        Ok(())
    }
}

impl PayoutWorker {
    /// None where the order is not with the bank, and the ledger wants it there no more.
    async fn ask(&self, claimed: &Claimed) -> Result<Option<PayoutAnswer>, WorkError> {
        let order = &claimed.order;
        let looked_up = match claimed.known {
            Known::Unsent => PayoutAnswer::NotFound,
            Known::Sent | Known::Uncertain => self.bank.look_up(order.payout_id).await,
        };
        let answer = match (looked_up, claimed.known) {
            // Lost on its way there, or still on it: then the id makes one order of the two.
            (PayoutAnswer::NotFound, Known::Unsent | Known::Uncertain) => {
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

    /// An earlier payout of the transfer may have been told paid since this one was ordered.
    async fn is_in_flight(&self, order: &PayoutOrder) -> Result<bool, WorkError> {
        let client = self.pool.get().await?;
        let found = log::transfer_states(&**client, &[order.transfer_id]).await?;
        Ok(found
            .iter()
            .any(|(_, found)| found.state.payout_in_flight() == Some(order.payout_id)))
    }

    /// What nobody sent has ended; what may be on its way is asked about further, and never sent again.
    async fn hold_back(&self, claimed: &Claimed) -> Result<(), WorkError> {
        let client = self.pool.get().await?;
        match claimed.known {
            Known::Unsent => queue::end_open(&**client, claimed, PayoutEnd::Failed).await?,
            Known::Sent | Known::Uncertain => {
                queue::later(&**client, claimed, CallFault("not_in_flight"), LAST_PAUSE).await?;
            }
        }
        Ok(())
    }

    async fn paid(&self, claimed: &Claimed, occurred_at: Instant) -> Heard {
        let command = BusinessCommand::PayoutPaid(PayoutPaid {
            transfer_id: claimed.order.transfer_id,
            payout_id: claimed.order.payout_id,
            occurred_at,
        });
        self.tell(claimed, command, PayoutEnd::Paid).await
    }

    async fn failed(&self, claimed: &Claimed, occurred_at: Instant, reason: Option<String>) -> Heard {
        let command = BusinessCommand::PayoutFailed(PayoutFailed {
            transfer_id: claimed.order.transfer_id,
            payout_id: claimed.order.payout_id,
            reason,
            occurred_at,
        });
        self.tell(claimed, command, PayoutEnd::Failed).await
    }

    async fn tell(&self, claimed: &Claimed, command: BusinessCommand, end: PayoutEnd) -> Heard {
        let order = &claimed.order;
        let submission = Submission {
            command_id: Uuid::now_v7(),
            business_id: order.business_id,
            command,
            metadata: Metadata {
                cause: Some(order.payout_id.to_string()),
                ..Metadata::by(Actor::Bank(self.bank.provider().to_string()))
            },
            // The transfer's own state is the guard.
            idempotency: None,
        };
        match self.writer.submit(submission).await {
            Outcome::Recorded(_) | Outcome::Already { .. } => Heard::Known(end),
            Outcome::NotOwner | Outcome::Unknown => Heard::Nothing(CallFault("ledger_unavailable")),
            outcome => {
                tracing::error!(
                    code = "payout_contradicted", payout_id = %order.payout_id, transfer_id = %order.transfer_id,
                    ?outcome, "the ledger does not take a bank's word of a payout: staff must look"
                );
                Heard::Contradicted(contradiction(&outcome))
            }
        }
    }
}

/// The bank had taken it, or was just told, and says that it never heard of it. It is not sent again: a bank that
/// forgets orders may have forgotten that it paid.
fn forgotten(claimed: &Claimed) -> CallFault {
    tracing::error!(
        code = "payout_forgotten", payout_id = %claimed.order.payout_id,
        "a bank does not know a payout that it had taken: staff must look"
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
        PayoutAnswer::Told(PayoutTold::Accepted) => "accepted",
        PayoutAnswer::Told(PayoutTold::Paid { .. }) => "paid",
        PayoutAnswer::Told(PayoutTold::Failed { .. }) => "failed",
        PayoutAnswer::NotFound => "not_found",
        PayoutAnswer::Unknown(_) => "unknown",
        PayoutAnswer::Rejected(_) => "rejected",
    }
}
