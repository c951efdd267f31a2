//! The signature of calls that move money out of an account: RSA with SHA-256 (PKCS #1, version 1.5) over the
//! method and path, the token and time, and the body, on a line each.

use std::fmt;
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};

/// The private key whose public half Iugu has.
#[derive(Clone)]
pub struct SigningKey(Arc<RsaKeyPair>);

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningKey(hidden)")
    }
}

impl SigningKey {
    /// Reads an RSA key of 2048 bits or more: PKCS #8 in base64, with or without line breaks. A PEM file without its
    /// first and last line is such a text.
    pub fn parse(text: &str) -> Option<Self> {
        let base64: String = text.split_ascii_whitespace().collect();
        let der = BASE64_STANDARD.decode(base64).ok()?;
        RsaKeyPair::from_pkcs8(&der).ok().map(|key| Self(Arc::new(key)))
    }

    /// The value of the header `Signature` for a `POST` with this body. `time` is the value of `Request-Time`.
    pub(super) fn sign(&self, path: &str, token: &str, time: &str, body: &[u8]) -> Option<String> {
        let mut signed = format!("POST|{path}\n{token}|{time}\n").into_bytes();
        signed.extend_from_slice(body);
        let mut signature = vec![0; self.0.public().modulus_len()];
        self.0
            .sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), &signed, &mut signature)
            .ok()?;
        Some(format!("signature={}", BASE64_STANDARD.encode(signature)))
    }
}

#[cfg(test)]
mod tests {
    use ring::signature::{KeyPair, RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};

    use super::*;

    /// Made for this test: `openssl genrsa 2048`.
    const KEY: &str = include_str!("test_key.txt");

    #[test]
    fn the_signature_is_over_the_path_the_token_the_time_and_the_body() {
        let key = SigningKey::parse(KEY).expect("a key");
        let path = "/v1/transfer_requests";
        let header = key
            .sign(path, "token", "2026-11-23T15:00:00Z", br#"{"amount_cents":1}"#)
            .expect("a signature");
        let signature = BASE64_STANDARD
            .decode(header.strip_prefix("signature=").expect("the name"))
            .expect("base64");
        let public = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, key.0.public_key().as_ref());
        let signed = |body: &str| format!("POST|{path}\ntoken|2026-11-23T15:00:00Z\n{body}");
        let verify = |text: String| public.verify(text.as_bytes(), &signature).is_ok();
        assert!(verify(signed(r#"{"amount_cents":1}"#)));
        assert!(!verify(signed(r#"{"amount_cents":2}"#)));
        assert_eq!(format!("{key:?}"), "SigningKey(hidden)");
    }

    #[test]
    fn the_lines_of_a_pem_file_are_a_key() {
        let lines: Vec<&str> = KEY
            .trim()
            .as_bytes()
            .chunks(64)
            .map(|line| std::str::from_utf8(line).expect("ASCII"))
            .collect();
        let key = SigningKey::parse(&format!("{}\n", lines.join("\r\n"))).expect("a key");
        let whole = SigningKey::parse(KEY).expect("a key");
        assert_eq!(key.0.public_key().as_ref(), whole.0.public_key().as_ref());
    }

    #[test]
    fn invalid_keys_are_refused() {
        for text in ["", "x", "MIIB", "////"] {
            assert!(SigningKey::parse(text).is_none(), "{text}");
        }
    }
}
