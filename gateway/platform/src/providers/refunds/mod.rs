//! The port to acquirers that are to give buyers their money back: ask for a refund, look a request up.
//!
//! A request goes under our refund's id, which the other side must take as an idempotency key: told twice, it refunds
//! once. An acquirer without such keys has no adapter here before its requests can be looked up and staff resolve the
//! rest.

mod sandbox;

use async_trait::async_trait;
use ledger_domain::ids::RefundId;
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, Cents, SaleId};
use serde::{Deserialize, Serialize};

pub use sandbox::SandboxAcquirer;

use gateway_environment::config::RefundProvider;

use super::calls::CallAnswer;

/// What is to go back to the buyer: the whole sale. The same refund id always comes with the same request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundRequest {
    pub refund_id: RefundId,
    pub business_id: BusinessId,
    pub sale_id: SaleId,
    /// Who captured the sale, and alone can refund it.
    pub provider: Provider,
    /// The sale's id there.
    pub external_id: String,
    pub amount: Cents,
}

/// What the acquirer knows of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundResult {
    /// Taken, and not decided yet.
    Accepted,
    Done,
    /// Its last word: under this id the money never goes back.
    Refused {
        reason: Option<String>,
    },
}

/// What came of asking.
pub type RefundAnswer = CallAnswer<RefundResult>;

#[async_trait]
pub trait Refunds: Send + Sync {
    fn provider(&self) -> RefundProvider;

    /// Asks for a refund. Safe to repeat: the refund's id goes with it as the idempotency key.
    async fn send(&self, request: &RefundRequest) -> RefundAnswer;

    /// Asks what became of a request.
    async fn look_up(&self, refund_id: RefundId) -> RefundAnswer;
}
