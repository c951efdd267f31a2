//! The interface to providers that pay out withdrawals: order a payment, look up an order.
//!
//! The provider must treat our payout's id as an idempotency key: an order that is sent twice is paid once. A provider
//! without such keys gets no adapter until its orders can be looked up and staff can resolve the remaining cases.

mod acquirer;
mod sandbox;

use async_trait::async_trait;
use ledger_domain::transfer::Destination;
use ledger_domain::{BusinessId, Cents, PayoutId, TransferId};
use serde::{Deserialize, Serialize};

pub use acquirer::AcquirerPayouts;
pub use gateway_acquirers::payout::{PayoutAnswer, PayoutResult};
pub use sandbox::SandboxBank;

use gateway_environment::config::PayoutProvider;

/// A payment to make. The same payout id always has the same order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PayoutOrder {
    pub payout_id: PayoutId,
    pub transfer_id: TransferId,
    pub business_id: BusinessId,
    /// The amount that must reach the bank account: the withdrawal less its fee.
    pub amount: Cents,
    pub destination: Destination,
}

#[async_trait]
pub trait Payouts: Send + Sync {
    fn provider(&self) -> PayoutProvider;

    /// Orders a payment. It can be repeated safely: the payout's id is sent as the idempotency key.
    async fn send(&self, order: &PayoutOrder) -> PayoutAnswer;

    /// Looks up an order.
    async fn look_up(&self, payout_id: PayoutId) -> PayoutAnswer;
}
