//! Sends orders and asks about them until they end, and tells the ledger how they did.
//!
//! What was possibly sent is looked up before it is sent again, and always under its one id. A kill at any point leaves
//! a row that the next claim pursues: nothing depends on what this process remembers.

use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::Pool;
use ledger_domain::business::{BusinessCommand, PayoutFailed, PayoutPaid, Refusal, TransferRefusal};
use ledger_domain::calendar::Instant;
use ledger_store::{Metadata, Outcome, Submission, Writer, log};
use thiserror::Error;
use tokio::sync::Notify;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::sleep;
use uuid::Uuid;

use super::queue::{self, Claimed, Known, PayoutEnd};
use crate::providers::payouts::{PayoutAnswer, PayoutFault, PayoutOrder, PayoutTold, Payouts};

/// Calls under way at once.
const IN_FLIGHT_MAX: usize = 16;
const POLL: Duration = Duration::from_secs(1);
/// Between two tries of a payout: doubled at each, up to the last.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LAST_PAUSE: Duration = Duration::from_secs(15 * 60);
/// Beyond the calls of a try, a look-up and a sending: for what the ledger and the database take.
const LEASE_MARGIN: Duration = Duration::from_secs(5);

pub struct PayoutWorker {
    pub pool: Pool,
    pub writer: Writer,
    pub bank: Arc<dyn Payouts>,
    /// How long the bank is waited for.
    pub timeout: Duration,
    /// New rows.
    pub woken: Arc<Notify>,
}

/// A worker's task. Dropping it cuts its calls off, which is safe at any point.
pub struct Working(JoinHandle<()>);

impl Drop for Working {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[derive(Debug, Error)]
enum WorkError {
    #[error("the database failed: {0}")]
    Database(#[from] tokio_postgres::Error),
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the ledger could not be read: {0}")]
    Ledger(#[from] log::LogError),
}

/// What came of a try.
enum Heard {
    /// The bank told the end, and the ledger knows it, now or before.
    Known(PayoutEnd),
    /// Neither is nearer to an end.
    Nothing(PayoutFault),
    /// The ledger has recorded something else than the bank tells, which only people can resolve.
    Contradicted(PayoutFault),
}

impl PayoutWorker {
    pub fn start(self) -> Working {
        Working(tokio::spawn(Arc::new(self).run()))
    }

    async fn run(self: Arc<Self>) {
        let mut calls = JoinSet::new();
        loop {
            let free = IN_FLIGHT_MAX - calls.len();
            match self.claim(free).await {
                Ok(claimed) => {
                    for claimed in claimed {
                        let worker = Arc::clone(&self);
                        calls.spawn(async move { worker.pursue(claimed).await });
                    }
                }
                Err(error) => tracing::error!(%error, "payouts cannot be looked at"),
            }
            tokio::select! {
                Some(ended) = calls.join_next() => {
                    if let Err(error) = ended {
                        tracing::error!(%error, "a payout's try ended by a panic");
                    }
                }
                () = self.woken.notified() => {}
                () = sleep(POLL) => {}
            }
        }
    }

    async fn claim(&self, most: usize) -> Result<Vec<Claimed>, WorkError> {
        if most == 0 {
            return Ok(vec![]);
        }
        let client = self.pool.get().await?;
        let lease = 2 * self.timeout + LEASE_MARGIN;
        Ok(queue::claim(&**client, self.bank.provider(), most, lease).await?)
    }

    async fn pursue(&self, claimed: Claimed) {
        if let Err(error) = self.try_once(&claimed).await {
            // The lease ends, and the next claim asks the bank what came of this one.
            tracing::error!(payout_id = %claimed.order.payout_id, %error, "a payout's try was not recorded");
        }
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
                queue::later(&**client, claimed, PayoutFault("not_in_flight"), LAST_PAUSE).await?;
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
                actor: Some(format!("bank:{}", self.bank.provider())),
                audience: Some("system".to_owned()),
                cause: Some(order.payout_id.to_string()),
                ..Metadata::default()
            },
            // The transfer's own state is the guard.
            idempotency: None,
        };
        match self.writer.submit(submission).await {
            Outcome::Recorded(_) | Outcome::Already { .. } => Heard::Known(end),
            Outcome::NotOwner => Heard::Nothing(PayoutFault("ledger_unavailable")),
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
fn forgotten(claimed: &Claimed) -> PayoutFault {
    tracing::error!(
        code = "payout_forgotten", payout_id = %claimed.order.payout_id,
        "a bank does not know a payout that it had taken: staff must look"
    );
    PayoutFault("forgotten")
}

fn contradiction(outcome: &Outcome) -> PayoutFault {
    PayoutFault(match outcome {
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

/// After the try of this number, which is 1 for the first.
fn pause(tries: i32) -> Duration {
    let doublings = u32::try_from(tries.saturating_sub(1)).unwrap_or(0).min(20);
    (FIRST_PAUSE * 2_u32.pow(doublings)).min(LAST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_a_quarter_of_an_hour() {
        let seconds: Vec<_> = [1, 2, 3, 10, 11, i32::MAX]
            .iter()
            .map(|tries| pause(*tries).as_secs())
            .collect();
        assert_eq!(seconds, [1, 2, 4, 512, 900, 900]);
    }
}
