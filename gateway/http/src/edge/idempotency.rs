//! The caller's `Idempotency-Key`: a repeat with the same key and body has no second effect.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue};
use utoipa::openapi::path::ParameterIn;

use crate::openapi::{CallDocument, Documented, reasons};
use crate::problem::{Problem, Result};

pub const KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Set on an answer that is replayed.
pub const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

const CHARACTERS_MAX: usize = 200;

/// `None` if the caller sent no key. A repeat of the request is then unsafe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey(pub Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        parts.headers.get(KEY).map(read).transpose().map(Self)
    }
}

/// Only handlers of ledger commands take this argument. The answer to a ledger command has the position of the write.
impl Documented for IdempotencyKey {
    fn describe(call: &mut CallDocument) {
        let description = "Chosen by the caller, unique for each request. A repeat has no second effect.";
        describe_key(call, description);
        call.success_header(
            "Ledger-Position",
            "The write's position; a read that sends it back waits for this write",
        );
    }
}

/// Documents the header, and the 409 for a key that was used for another request.
pub fn describe_key(call: &mut CallDocument, description: &str) {
    call.text_parameter(
        ParameterIn::Header,
        "Idempotency-Key",
        Some(description),
        "b7e0c1f2d3a44e55",
    );
    call.problem_also("409", reasons::IDEMPOTENCY_KEY_USED.text);
}

fn read(value: &HeaderValue) -> Result<String> {
    let valid = |text: &&str| (1..=CHARACTERS_MAX).contains(&text.trim().len());
    let text = value.to_str().ok().filter(valid);
    text.map(|text| text.trim().to_owned()).ok_or_else(|| {
        Problem::field(
            "Idempotency-Key",
            "Idempotency-Key: deve ter de 1 a 200 caracteres, sem acentos.",
        )
    })
}
