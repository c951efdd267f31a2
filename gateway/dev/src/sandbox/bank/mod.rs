//! The sandbox's bank. It accepts payouts under an idempotency key, decides them after a delay and reports each result
//! in a signed notice. The cents of the amount select a deviation from that (`PayoutBehavior`).

mod behavior;
mod payments;
mod routes;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ledger_domain::PayoutId;
use ledger_store::supervisor::spawn_once;
use uuid::Uuid;

pub use behavior::PayoutBehavior;
pub use payments::{Payment, PaymentStatus};
pub use routes::router;

use gateway_environment::clock::BusinessClock;
use gateway_environment::config::PayoutProvider;
use gateway_platform::providers::{CanonicalNotice, CanonicalPayout};
use payments::Payments;

use super::delivery::{Deliveries, OutgoingNotice};

const REASON: &str = "Conta de destino encerrada";

#[derive(Debug, Clone)]
pub struct BankOptions {
    /// The time until the bank decides a payout. The sandbox's pending refunds take as long.
    pub delay: Duration,
    /// The file of its payments, so that they survive a restart; in memory if `None`.
    pub payments_file: Option<PathBuf>,
}

#[derive(Clone)]
pub struct Bank {
    payments: Arc<Payments>,
    deliveries: Deliveries,
    delay: Duration,
    clock: BusinessClock,
}

impl Bank {
    /// Opens the payments and continues its undecided payouts.
    pub fn open(options: BankOptions, clock: BusinessClock, deliveries: Deliveries) -> std::io::Result<Self> {
        let bank = Self {
            payments: Arc::new(Payments::open(options.payments_file.as_deref())?),
            deliveries,
            delay: options.delay,
            clock,
        };
        for payment in bank.payments.list() {
            if payment.status == PaymentStatus::Pending {
                bank.decide_later(payment);
            }
        }
        Ok(bank)
    }

    fn decide_later(&self, payment: Payment) {
        let bank = self.clone();
        spawn_once("sandbox payout", async move {
            tokio::time::sleep(bank.delay).await;
            bank.decide(&payment).await;
        });
    }

    async fn decide(&self, payment: &Payment) {
        let payout_id = payment.order.payout_id;
        let behavior = PayoutBehavior::of_amount(payment.order.amount);
        if behavior.fails(payment.attempt) {
            self.end(payout_id, PaymentStatus::Failed).await;
            if behavior != PayoutBehavior::PaysAfterFailing {
                return;
            }
            tokio::time::sleep(2 * self.delay).await;
        }
        self.end(payout_id, PaymentStatus::Paid).await;
    }

    /// Stores the result and then sends its notices, as often as the behavior requires.
    async fn end(&self, payout_id: PayoutId, status: PaymentStatus) {
        let reason = (status != PaymentStatus::Paid).then_some(REASON);
        let Some(payment) = self.payments.decide(payout_id, status, reason, self.clock.now()) else {
            return;
        };
        let outgoing = notice(&payment);
        for _ in 0..PayoutBehavior::of_amount(payment.order.amount).notices() {
            self.deliveries
                .deliver(PayoutProvider::Sandbox.signs_notices_as(), outgoing.clone())
                .await;
        }
    }
}

fn notice(payment: &Payment) -> OutgoingNotice {
    let order = &payment.order;
    let r#type = match payment.status {
        PaymentStatus::Paid => "payout.paid",
        PaymentStatus::Returned => "payout.returned",
        PaymentStatus::Pending | PaymentStatus::Failed => "payout.failed",
    };
    let notice = CanonicalNotice {
        id: format!("evt-{}", Uuid::now_v7().simple()),
        r#type,
        occurred_at: payment.decided_at.unwrap_or(payment.taken_at),
        data: CanonicalPayout {
            business_id: Some(order.business_id.to_string()),
            transfer_id: order.transfer_id.to_string(),
            payout_id: order.payout_id.to_string(),
            reason: payment.reason.clone(),
            names: payment.names.clone(),
        },
    };
    OutgoingNotice::about(&notice, order.payout_id.to_string())
}
