//! The signature of a notice: `X-Signature: t=<unix seconds>,v1=<hex HMAC-SHA-256 of "t.body">`.
//!
//! A header may have several `v1`. One match with any of the provider's secrets is enough. The body is the received
//! bytes.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use thiserror::Error;

pub const SIGNATURE_HEADER: &str = "x-signature";

/// The most that a signature's time may differ from the receiver's clock, so that an intercepted notice cannot be
/// replayed later. A sender must sign a later retry anew.
const TOLERANCE_SECONDS: i64 = 5 * 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SignatureError {
    #[error("no signature header of the form t=<unix seconds>,v1=<hex>")]
    Missing,
    #[error("signed more than 5 minutes before or after now")]
    Stale,
    #[error("no signature matches a secret of this provider")]
    Wrong,
}

/// The header's value for a body sent at an instant (seconds since 1970).
pub fn sign(secret: &[u8], sent_at: i64, body: &[u8]) -> String {
    let signature = hex::encode(mac(secret, sent_at, body).finalize().into_bytes());
    format!("t={sent_at},v1={signature}")
}

/// Rejects a body that none of the secrets signed within the tolerance. Compares in constant time.
pub fn verify(
    secrets: &[Vec<u8>],
    header: Option<&str>,
    now: i64,
    body: &[u8],
) -> Result<(), SignatureError> {
    let header = header.ok_or(SignatureError::Missing)?;
    let mut sent_at = None;
    let mut signatures = Vec::new();
    for part in header.split(',') {
        match part.trim().split_once('=') {
            Some(("t", seconds)) => sent_at = seconds.parse::<i64>().ok(),
            Some(("v1", signature)) => {
                signatures.push(hex::decode(signature).map_err(|_| SignatureError::Missing)?)
            }
            _ => {}
        }
    }
    let sent_at = sent_at.ok_or(SignatureError::Missing)?;
    if signatures.is_empty() {
        return Err(SignatureError::Missing);
    }
    let signed = secrets.iter().any(|secret| {
        signatures
            .iter()
            .any(|signature| mac(secret, sent_at, body).verify_slice(signature).is_ok())
    });
    if !signed {
        return Err(SignatureError::Wrong);
    }
    if now.abs_diff(sent_at) > TOLERANCE_SECONDS.unsigned_abs() {
        return Err(SignatureError::Stale);
    }
    Ok(())
}

fn mac(secret: &[u8], sent_at: i64, body: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("HMAC takes a key of any length");
    mac.update(sent_at.to_string().as_bytes());
    mac.update(b".");
    mac.update(body);
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds since 1970: in November 2026.
    const NOW: i64 = 1_795_000_000;

    fn secrets() -> Vec<Vec<u8>> {
        vec![b"current".to_vec(), b"previous".to_vec()]
    }

    #[test]
    fn a_signature_by_either_of_two_secrets_is_accepted() {
        for secret in secrets() {
            let header = sign(&secret, NOW, b"{}");
            assert_eq!(verify(&secrets(), Some(&header), NOW, b"{}"), Ok(()));
        }
    }

    #[test]
    fn the_signature_is_the_documented_hmac_of_time_and_body() {
        // Computed with openssl: printf '1795000000.{}' | openssl dgst -sha256 -hmac current
        assert_eq!(
            sign(b"current", NOW, b"{}"),
            "t=1795000000,v1=a442a762eb3300898ff126070102a2c27d63a1fb4ac871758f0084cb07a0c948"
        );
    }

    #[test]
    fn another_body_another_secret_and_no_header_are_refused() {
        let header = sign(b"current", NOW, b"{}");
        assert_eq!(
            verify(&secrets(), Some(&header), NOW, b"{ }"),
            Err(SignatureError::Wrong)
        );
        assert_eq!(
            verify(&secrets(), Some(&sign(b"third", NOW, b"{}")), NOW, b"{}"),
            Err(SignatureError::Wrong)
        );
        assert_eq!(verify(&[], Some(&header), NOW, b"{}"), Err(SignatureError::Wrong));
        assert_eq!(verify(&secrets(), None, NOW, b"{}"), Err(SignatureError::Missing));
        for unreadable in ["", "t=1,v1=zz", "v1=00", "t=1795000000", "t=x,v1=00"] {
            assert_eq!(
                verify(&secrets(), Some(unreadable), NOW, b"{}"),
                Err(SignatureError::Missing),
                "{unreadable}"
            );
        }
    }

    #[test]
    fn five_minutes_are_tolerated_either_way() {
        let header = sign(b"current", NOW, b"{}");
        for now in [NOW - 300, NOW + 300] {
            assert_eq!(verify(&secrets(), Some(&header), now, b"{}"), Ok(()));
        }
        for now in [NOW - 301, NOW + 301] {
            assert_eq!(
                verify(&secrets(), Some(&header), now, b"{}"),
                Err(SignatureError::Stale)
            );
        }
    }

    #[test]
    fn a_changed_time_does_not_refresh_an_old_signature() {
        let header =
            sign(b"current", NOW - 1_000, b"{}").replace(&(NOW - 1_000).to_string(), &NOW.to_string());
        assert_eq!(
            verify(&secrets(), Some(&header), NOW, b"{}"),
            Err(SignatureError::Wrong)
        );
    }
}
