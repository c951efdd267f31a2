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

pub use canonical::read_canonical;
pub use canonical_body::{CanonicalNotice, CanonicalPayout, CanonicalSale, CanonicalSaleReference};
pub use fields::FieldErrors;
pub use gateway_acquirers::calls;
pub use gateway_formats::card_numbers::{holds_card_number, mask_card_numbers};
pub use notice::{
    Notice, NoticeContent, PayoutReport, ReportedPayoutEnd, ReportedSale, SaleReference, SaleReport,
};
pub use signature::{SIGNATURE_HEADER, SignatureError, sign, verify};
