//! PIX codes (BR Code): the text that a buyer copies or scans to pay.
//!
//! Own codes are written by strict rules (`code`), codes of others are read by lenient ones (`decode`).
//!
//! Source: Banco Central do Brasil, "Manual de Padrões para Iniciação do Pix", which restricts EMVCo's QR code for
//! merchant-presented payments.

mod checksum;
mod code;
mod decode;
mod key;
mod text;
mod tlv;

pub use code::{PixCode, PixTarget};
pub use decode::{ReceivedPixCode, ReceivedTarget};
pub use key::{PixKey, PixKeyError};
pub use text::{MerchantCity, MerchantName, PixTextError, PixUrl, Txid};
pub use tlv::FieldPath;

use ledger_domain::money::AmountError;
use thiserror::Error;

/// Why a text is not a PIX code, or why a code cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PixCodeError {
    #[error("a PIX code has at most {max} characters, not {found}")]
    TooLong { found: usize, max: usize },
    #[error("character {at} is a control character")]
    Character { at: usize },
    #[error("the code does not end with a checksum (6304 and four hexadecimal digits)")]
    ChecksumMissing,
    #[error("the code has the checksum {written}, and not {computed}")]
    Checksum { written: String, computed: String },
    #[error("at character {at} a field must begin with a number and a length of two digits each")]
    FieldHeader { at: usize },
    #[error("field {path} is cut off")]
    FieldTruncated { path: FieldPath },
    #[error("field {path} occurs twice")]
    FieldRepeated { path: FieldPath },
    #[error("field {path} is missing")]
    FieldMissing { path: FieldPath },
    #[error("field {path} is {value:?}, which is not {expected}")]
    FieldValue {
        path: FieldPath,
        value: String,
        expected: &'static str,
    },
    #[error("the code names no account of PIX")]
    NoPixAccount,
    #[error("the account of PIX has neither a key nor an address")]
    Target,
    #[error("the amount {0:?} is not written as digits with at most two decimals")]
    AmountFormat(String),
    #[error(transparent)]
    Amount(#[from] AmountError),
    #[error("invalid {path}: {error}")]
    Text { path: FieldPath, error: PixTextError },
}

#[cfg(test)]
mod tests;
