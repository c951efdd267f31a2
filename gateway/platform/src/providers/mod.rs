//! The interface to payment providers. It authenticates and parses their notices. Its calls pay out, refund, and
//! activate card machines.
//!
//! Only this folder knows the formats of signed notices. A reader parses a message into a `Notice`; `notices` decides
//! its effect in the ledger. The APIs of real acquirers are in `gateway_acquirers`.

mod canonical;
mod canonical_body;
mod fields;
pub mod free_text;
mod notice;
pub mod payouts;
pub mod refunds;
mod signature;
pub mod terminals;

use ledger_domain::sale::Provider;
use serde_json::Value;

pub use canonical::Canonical;
pub use canonical_body::{CanonicalNotice, CanonicalPayout, CanonicalSale, CanonicalSaleReference};
pub use fields::FieldErrors;
pub use gateway_acquirers::calls;
pub use gateway_formats::card_numbers::{holds_card_number, mask_card_numbers};
pub use notice::{
    Notice, NoticeContent, PayoutReport, ReportedPayoutEnd, ReportedSale, SaleReference, SaleReport,
};
pub use signature::{SIGNATURE_HEADER, SignatureError, sign, verify};

/// Parses the notices of a provider.
pub trait NoticeReader: Send + Sync {
    /// Parses one notice from a JSON value with cleaned free text. Errors name each field by its JSON pointer.
    fn read(&self, json: &Value) -> Result<Notice, FieldErrors>;
}

/// Returns the reader of a provider's notices. Today all eight use the canonical body, as the sandbox does for each of
/// them. A provider with another format gets its reader here.
pub fn reader(provider: Provider) -> &'static dyn NoticeReader {
    match provider {
        Provider::Zoop
        | Provider::Iugu
        | Provider::ZoopV2
        | Provider::Valori
        | Provider::Entrepay
        | Provider::Barte
        | Provider::Ceopag
        | Provider::CeopagP2 => &Canonical,
    }
}
