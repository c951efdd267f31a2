//! A notice whose signature was checked, with the text that is stored of it. The platform's own notices, which report
//! acquirers' answers about charges, have the same form and need no signature.

use ledger_domain::sale::Provider;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::providers::{FieldErrors, Notice, free_text, holds_card_number, read_canonical};

/// A notice of a known provider, authenticated by the caller.
#[derive(Debug, Clone)]
pub struct SignedNotice {
    pub provider: Provider,
    pub notice: Notice,
    /// The body as received. It may contain card numbers: `kept_body` is the one to store.
    body: String,
    /// The canonical JSON: with cleaned free text, independent of field order and white space. Two notices are
    /// different if this differs.
    pub canonical: String,
    /// Whether cleaning changed the body.
    altered: bool,
    /// Whether a typed field, such as an id, contained a control character. Its value cannot be relied on.
    pub(super) damaged: bool,
}

impl SignedNotice {
    /// Parses one notice. A text that is not JSON is an error of the whole body.
    pub fn read(provider: Provider, body: &str) -> Result<Self, FieldErrors> {
        let mut json: Value = serde_json::from_str(body).map_err(|error| unreadable_json(&error))?;
        let altered = free_text::clean(&mut json);
        let notice = read_canonical(&json)?;
        Ok(Self {
            provider,
            notice,
            body: body.to_owned(),
            canonical: serde_json::to_string(&json).expect("a value serializes"),
            altered,
            damaged: free_text::is_damaged(&json),
        })
    }

    /// The body that the exceptions queue stores: the received one if it surely contains no card number, else the
    /// canonical one.
    ///
    /// A repeated field or an escaped digit could hide a card number from the parser. A reader of the database would
    /// still see it.
    pub fn kept_body(&self) -> &str {
        if self.altered || self.body.contains("\\u") || holds_card_number(&self.body) {
            &self.canonical
        } else {
            &self.body
        }
    }

    pub fn fingerprint(&self) -> [u8; 32] {
        Sha256::digest(&self.canonical).into()
    }
}

/// Says where a body stops being JSON. The error is about the whole body, so its pointer is empty.
pub fn unreadable_json(error: &serde_json::Error) -> FieldErrors {
    let message = format!(
        "JSON inválido na linha {}, coluna {}.",
        error.line(),
        error.column()
    );
    FieldErrors::one("", message)
}
