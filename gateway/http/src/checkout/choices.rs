//! What a buyer chose in a checkout.

use gateway_acquirers::charge::{Buyer, BuyerAddress};
use gateway_platform::orders::NewCard;
use ledger_domain::Cents;
use ledger_domain::sale::PaymentType;

/// The payment type, total and card that a buyer chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    pub payment_type: PaymentType,
    /// The total that the buyer saw.
    pub total: Cents,
    /// Credit only.
    pub card: Option<NewCard>,
}

/// A buyer's order, checked as far as possible without the link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderRequest {
    pub buyer: Buyer,
    pub amount: Option<Cents>,
    pub choice: Choice,
}

pub struct AttemptRequest {
    pub choice: Choice,
    pub address: Option<BuyerAddress>,
}
