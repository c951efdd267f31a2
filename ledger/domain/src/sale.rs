//! The words of a sale: means of payment, brands, solutions, providers, statuses and status groups.
//!
//! Only vocabulary and its spellings; what a sale may become is decided by the business aggregate.

mod brand;
mod origin;
mod payment;
mod status;
mod undone;

use serde::{Deserialize, Serialize};

pub use crate::spelling::SpellingError;
pub use brand::{BrandGroup, BrandName, CardBrand};
pub use origin::{Provider, Solution};
pub use payment::PaymentType;
pub use status::{SaleStatus, StatusGroup};
pub use undone::{Cancellation, DisputeId, DisputeIdError, Initiator};

use crate::calendar::Date;
use crate::{Cents, SaleId, TerminalId};

/// What a provider, or our own checkout, said of one sale. Stored in the events that open a sale: nothing in it may
/// change afterwards, and nothing in it names the buyer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleFacts {
    pub sale_id: SaleId,
    pub provider: Provider,
    /// The provider's own id of the sale.
    pub external_id: String,
    pub solution: Solution,
    pub payment_type: PaymentType,
    /// Cards only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub card_brand: Option<CardBrand>,
    /// 1 to 21; 1 for everything but credit.
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
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleTerminal {
    pub id: TerminalId,
    pub serial_number: String,
}

/// One instalment of a captured sale, as promised at capture. A due date, once promised, never moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receivable {
    pub number: u8,
    pub gross: Cents,
    pub net: Cents,
    pub due_date: Date,
}
