//! The interface to acquirers that refund buyers: request a refund, look up a request. It is for sales that acquirers
//! reported. A sale of an order is refunded through the adapter that charged it (`gateway_acquirers::port`).
//!
//! The acquirer must treat our refund's id as an idempotency key: a request that is sent twice refunds once. An
//! acquirer without such keys gets no adapter until its requests can be looked up and staff can resolve the remaining
//! cases.

mod sandbox;

use async_trait::async_trait;
use ledger_domain::ids::RefundId;
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, Cents, SaleId};
use serde::{Deserialize, Serialize};

pub use sandbox::SandboxAcquirer;

use gateway_environment::config::RefundProvider;

use super::calls::CallOutcome;

/// A refund to the buyer of the whole sale. The same refund id always has the same request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundRequest {
    pub refund_id: RefundId,
    pub business_id: BusinessId,
    pub sale_id: SaleId,
    /// The provider that captured the sale. Only it can refund the sale.
    pub provider: Provider,
    /// The provider's id of the sale.
    pub external_id: String,
    pub amount: Cents,
}

/// The state of a request at the acquirer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundResult {
    /// The acquirer has accepted it and not decided yet.
    Accepted,
    Done,
    /// The final refusal: the money is never returned under this id.
    Refused {
        reason: Option<String>,
    },
}

/// The result of a call.
pub type RefundAnswer = CallOutcome<RefundResult>;

#[async_trait]
pub trait Refunds: Send + Sync {
    fn provider(&self) -> RefundProvider;

    /// Requests a refund. It can be repeated safely: the refund's id is sent as the idempotency key.
    async fn send(&self, request: &RefundRequest) -> RefundAnswer;

    /// Looks up a request.
    async fn look_up(&self, refund_id: RefundId) -> RefundAnswer;
}
