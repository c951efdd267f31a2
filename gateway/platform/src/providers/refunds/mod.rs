//! The interface to whoever refunds buyers: request a refund, look up a request. A sale that the platform charged is
//! refunded by the acquirer that charged it, through its adapter (`acquirer`), any other one by a service of the
//! provider that reported it.
//!
//! A request that is repeated must refund once. A service treats our refund's id as an idempotency key. A service without
//! such keys gets no adapter until its requests can be looked up and staff can resolve the remaining cases.

mod acquirer;
mod sandbox;

use std::time::Duration;

use async_trait::async_trait;
use gateway_acquirers::names::ReportedNames;
use ledger_domain::ids::RefundId;
use ledger_domain::sale::{Provider, RefundReference};
use ledger_domain::{BusinessId, Cents, SaleId};
use serde::{Deserialize, Serialize};

pub use acquirer::AcquirerRefunds;
pub use sandbox::SandboxAcquirer;

use super::calls::CallOutcome;
use crate::error::Result;

/// A refund to the buyer, of a sale or of a part of it. The same refund id always has the same request.
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
    /// Whether it gives back less than the buyer paid.
    #[serde(default)]
    pub of_part: bool,
    /// The ledger's id of the refund, which its answer names. `None` for a cancel of all that was left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<RefundReference>,
}

/// The state of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundResult {
    /// It was accepted, and the buyer does not have the money yet.
    Accepted,
    /// The buyer has the money.
    Done {
        /// The provider's id of the refund, which its notices use. `None` if they name none.
        known_as: Option<RefundReference>,
        names: Box<ReportedNames>,
    },
    /// The final refusal: the money is never returned under this id.
    Refused { reason: Option<String> },
}

/// The result of a call.
pub type RefundAnswer = CallOutcome<RefundResult>;

#[async_trait]
pub trait Refunds: Send + Sync {
    /// The name of who refunds sales of this provider, for metrics.
    fn name(&self, provider: Provider) -> &'static str;

    /// The longest time of a look-up or of a request. Each may take several calls.
    fn timeout(&self) -> Duration;

    /// Requests a refund. The caller looks it up before it repeats the call.
    async fn send(&self, request: &RefundRequest) -> Result<RefundAnswer>;

    /// Looks up a request. `NotFound` only if it is certain that the buyer gets no money by it. `accepted`: it was
    /// answered as accepted before.
    async fn look_up(&self, request: &RefundRequest, accepted: bool) -> Result<RefundAnswer>;
}
