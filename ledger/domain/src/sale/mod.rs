//! Types of a sale and of its reversals.
//!
//! Only the types and their text forms. The business aggregate decides the transitions.

mod brand;
mod names;
mod origin;
mod payment;
mod reversal;
mod status;

use serde::{Deserialize, Serialize};

pub use crate::words::ParseEnumError;
pub use brand::{BrandGroup, BrandName, CardBrand};
pub use names::{FraudLiability, NamedPayment, PaymentName, PaymentNameError, PaymentNames, ThreeDSecure};
pub use origin::{Provider, Solution};
pub use payment::PaymentType;
pub use reversal::{
    Cancellation, DisputeId, DisputeIdError, Initiator, RefundReference, RefundReferenceError,
};
pub use status::{SaleStatus, StatusGroup};

use crate::calendar::Date;
use crate::{Cents, SaleId, TerminalId};

/// The facts of a sale, from a provider or from our checkout. Stored in events, so they hold no name, document or
/// contact data of the buyer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleFacts {
    pub sale_id: SaleId,
    pub provider: Provider,
    /// The provider's id for the sale. A sale of the checkout has its `sale_id` here: it is recorded before the
    /// provider makes an id.
    pub external_id: String,
    pub solution: Solution,
    pub payment_type: PaymentType,
    /// Cards only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub card_brand: Option<CardBrand>,
    /// 1 to 21; always 1 except for credit.
    pub installments: u8,
    pub amount: Cents,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub terminal: Option<SaleTerminal>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub payment_link_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub card_last_four: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub authorization_code: Option<String>,
    #[serde(skip_serializing_if = "PaymentNames::is_empty", default)]
    pub names: PaymentNames,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleTerminal {
    pub id: TerminalId,
    pub serial_number: String,
}

/// One installment of a captured sale, as scheduled at the capture. Its due date never changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receivable {
    pub number: u8,
    pub gross: Cents,
    pub net: Cents,
    pub due_date: Date,
}
