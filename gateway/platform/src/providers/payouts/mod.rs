//! The port to whoever pays withdrawals out: order a payment, look an order up.
//!
//! An order goes under our payout's id, which the other side must take as an idempotency key: told twice, it pays once.
//! A provider without such keys has no adapter here before its orders can be looked up and staff resolve the rest.

mod sandbox;

use async_trait::async_trait;
use ledger_domain::calendar::Instant;
use ledger_domain::transfer::Destination;
use ledger_domain::{BusinessId, Cents, PayoutId, TransferId};
use serde::{Deserialize, Serialize};

pub use sandbox::SandboxBank;

use gateway_environment::config::PayoutProvider;

use super::calls::CallAnswer;

/// What is to be paid. The same payout id always comes with the same order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PayoutOrder {
    pub payout_id: PayoutId,
    pub transfer_id: TransferId,
    pub business_id: BusinessId,
    /// What is to reach the bank account: the withdrawal less its fee.
    pub amount: Cents,
    pub destination: Destination,
}

/// What the provider knows of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PayoutResult {
    /// Taken, and not decided yet.
    Accepted,
    Paid {
        at: Instant,
    },
    Failed {
        at: Instant,
        reason: Option<String>,
    },
}

/// What came of asking.
pub type PayoutAnswer = CallAnswer<PayoutResult>;

#[async_trait]
pub trait Payouts: Send + Sync {
    fn provider(&self) -> PayoutProvider;

    /// Orders a payment. Safe to repeat: the payout's id goes with it as the idempotency key.
    async fn send(&self, order: &PayoutOrder) -> PayoutAnswer;

    /// Asks what became of an order.
    async fn look_up(&self, payout_id: PayoutId) -> PayoutAnswer;
}
