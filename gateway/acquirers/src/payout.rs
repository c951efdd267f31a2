//! Money that an acquirer sends out of our account there: a company's withdrawal.

use ledger_domain::calendar::Instant;
use ledger_domain::documents::Document;
use ledger_domain::transfer::Destination;
use ledger_domain::{Cents, PayoutId};

use crate::calls::CallOutcome;
use crate::names::ReportedPayoutNames;

/// A payment to order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutgoingPayment {
    /// The acquirer's idempotency key.
    pub payout_id: PayoutId,
    pub amount: Cents,
    pub receiver: Receiver,
    pub destination: Destination,
}

/// The company that is paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receiver {
    pub name: String,
    pub document: Document,
}

/// The state of a payment at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PayoutResult {
    /// The provider has accepted it and not decided yet.
    Accepted,
    Paid {
        at: Instant,
        /// The bank's names of the payment, as far as it tells them.
        names: ReportedPayoutNames,
    },
    Failed {
        at: Instant,
        reason: Option<String>,
    },
}

/// The result of a call.
pub type PayoutAnswer = CallOutcome<PayoutResult>;
