//! CSRF tokens: a nonce and an HMAC that binds it to one session. They are sent as a cookie and repeated in
//! `X-CSRF-Token` (double submit). A token of another session, or from before the sign-in, is invalid.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::Mac;
use subtle::ConstantTimeEq;
use uuid::Uuid;

use super::Tokens;
use crate::audience::Audience;

/// The binding of a token: to a session, or to a browser that is not signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CsrfBinding {
    Session(Audience, Uuid),
    Nobody,
}

pub fn issue(tokens: &Tokens, bearer: CsrfBinding) -> String {
    let nonce: [u8; 16] = rand::random();
    format!(
        "{}.{}",
        URL_SAFE_NO_PAD.encode(nonce),
        URL_SAFE_NO_PAD.encode(seal(tokens, bearer, &nonce))
    )
}

/// Whether the header and the cookie hold the same token, and the token belongs to this binding.
pub fn passes(tokens: &Tokens, bearer: CsrfBinding, header: Option<&str>, cookie: Option<&str>) -> bool {
    let (Some(header), Some(cookie)) = (header, cookie) else {
        return false;
    };
    let Some((nonce, sealed)) = header.split_once('.') else {
        return false;
    };
    let (Ok(nonce), Ok(sealed)) = (URL_SAFE_NO_PAD.decode(nonce), URL_SAFE_NO_PAD.decode(sealed)) else {
        return false;
    };
    let submitted_twice = header.as_bytes().ct_eq(cookie.as_bytes());
    let ours = seal(tokens, bearer, &nonce).as_slice().ct_eq(&sealed);
    (submitted_twice & ours).into()
}

fn seal(tokens: &Tokens, bearer: CsrfBinding, nonce: &[u8]) -> [u8; 32] {
    let mut mac = tokens.keyed("csrf");
    match bearer {
        CsrfBinding::Session(audience, family) => {
            mac.update(audience.as_str().as_bytes());
            mac.update(family.as_bytes());
        }
        CsrfBinding::Nobody => mac.update(b"nobody"),
    }
    mac.update(nonce);
    mac.finalize().into_bytes().into()
}
