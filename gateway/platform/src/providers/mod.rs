//! The port to payment providers: who they are, how their notices are authenticated and read.
//!
//! Nothing outside this folder knows a provider's words: an adapter turns them into a `Notice`, and what a notice does
//! to the ledger is decided elsewhere (`notices`).

pub mod calls;
mod canonical;
mod canonical_body;
mod card_numbers;
mod fields;
pub mod free_text;
mod notice;
pub mod payouts;
pub mod refunds;
mod signature;

use ledger_domain::sale::Provider;
use serde_json::Value;

pub use canonical::Canonical;
pub use canonical_body::{CanonicalFact, CanonicalNotice, CanonicalPayout, CanonicalSale};
pub use card_numbers::{holds_card_number, mask_card_numbers};
pub use fields::FieldErrors;
pub use notice::{
    Notice, NoticeContent, PayoutReport, ReportedPayoutEnd, ReportedSale, SaleReference, SaleReport,
};
pub use signature::{SIGNATURE_HEADER, Unsigned, sign, verify};

/// What a provider's adapter must do with what comes in.
pub trait NoticeReader: Send + Sync {
    /// One notice, from one JSON value with clean free text; the errors name each field by its JSON pointer.
    fn read(&self, reported: &Value) -> Result<Notice, FieldErrors>;
}

/// The adapter of a provider. The eight all speak the canonical body today, as the sandbox does in their names; one
/// that comes with words of its own gets its adapter here.
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
