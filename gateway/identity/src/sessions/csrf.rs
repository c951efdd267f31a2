//! CSRF tokens: a nonce and an HMAC that binds it to one session, or to none before the sign-in. They are sent as a
//! cookie and repeated in `X-CSRF-Token` (double submit). In a session, no token of another session or from before the
//! sign-in is valid.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::Mac;
use subtle::ConstantTimeEq;
use uuid::Uuid;

use super::Tokens;
use crate::audience::Audience;

/// The binding of a token: to a session, or to none while the user is not signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CsrfBinding {
    Session(Audience, Uuid),
    Anonymous,
}

pub fn issue(tokens: &Tokens, binding: CsrfBinding) -> String {
    let nonce: [u8; 16] = rand::random();
    format!(
        "{}.{}",
        URL_SAFE_NO_PAD.encode(nonce),
        URL_SAFE_NO_PAD.encode(tag_of(tokens, binding, &nonce))
    )
}

/// Whether the header and the cookie hold the same token, and the token belongs to this binding.
pub fn is_valid(tokens: &Tokens, binding: CsrfBinding, header: Option<&str>, cookie: Option<&str>) -> bool {
    let (Some(header), Some(cookie)) = (header, cookie) else {
        return false;
    };
    let Some((nonce, tag)) = header.split_once('.') else {
        return false;
    };
    let (Ok(nonce), Ok(tag)) = (URL_SAFE_NO_PAD.decode(nonce), URL_SAFE_NO_PAD.decode(tag)) else {
        return false;
    };
    let submitted_twice = header.as_bytes().ct_eq(cookie.as_bytes());
    let authentic = tag_of(tokens, binding, &nonce).as_slice().ct_eq(&tag);
    (submitted_twice & authentic).into()
}

fn tag_of(tokens: &Tokens, binding: CsrfBinding, nonce: &[u8]) -> [u8; 32] {
    let mut mac = tokens.hmac_for("csrf");
    match binding {
        CsrfBinding::Session(audience, session_id) => {
            mac.update(audience.as_str().as_bytes());
            mac.update(session_id.as_bytes());
        }
        CsrfBinding::Anonymous => mac.update(b"nobody"),
    }
    mac.update(nonce);
    mac.finalize().into_bytes().into()
}
