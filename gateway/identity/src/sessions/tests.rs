//! Unit tests of access, refresh and CSRF tokens. The gateway's tests cover them over HTTP.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::Utc;
use gateway_environment::config::Config;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, crypto};
use ledger_domain::ids::UserId;
use uuid::Uuid;

use super::Tokens;
use super::csrf::{self, CsrfBinding};
use super::jwt_provider;
use crate::audience::Audience;

pub fn tokens(key: &str) -> Tokens {
    let key = key.repeat(32);
    let given = HashMap::from([
        ("RAZAO_KEY_JWT", key.as_str()),
        ("RAZAO_KEY_REFRESH", &key),
        ("RAZAO_KEY_CHECKPOINT", &key),
        ("RAZAO_KEY_SALES", "5f6e7a52-3c1d-4b8e-9a70-2d1f0c4b6e81"),
    ]);
    let config =
        Config::read(&[], |name| given.get(name).map(|value| (*value).to_owned())).expect("a configuration");
    Tokens::new(&config.keys)
}

#[test]
fn an_access_token_is_for_one_audience_and_under_one_key() {
    let (ours, theirs) = (tokens("11"), tokens("22"));
    let user = UserId::from_uuid(Uuid::from_u128(1));
    let token = ours
        .access(Audience::Seller, user, Uuid::from_u128(2), Utc::now())
        .expect("a token");
    assert_eq!(
        ours.read_access(Audience::Seller, &token)
            .map(|claims| claims.sub),
        Some(user)
    );
    assert!(ours.read_access(Audience::Admin, &token).is_none());
    assert!(theirs.read_access(Audience::Seller, &token).is_none());
}

/// The example of RFC 7515, appendix A.1.
#[test]
fn the_signature_of_the_rfc_s_example_is_valid_and_a_changed_one_is_not() {
    jwt_provider::install();
    let key = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow";
    let key = URL_SAFE_NO_PAD.decode(key).expect("a key");
    let message = b"eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9\
                    .eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
    let signature = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    let signed = crypto::sign(message, &EncodingKey::from_secret(&key), Algorithm::HS256);
    assert_eq!(signed.expect("a signature"), signature);
    let key = DecodingKey::from_secret(&key);
    let is_valid = |signature: &str, algorithm| crypto::verify(signature, message, &key, algorithm);
    assert!(is_valid(signature, Algorithm::HS256).expect("a check"));
    let changed = signature.replacen('d', "e", 1);
    assert!(!is_valid(&changed, Algorithm::HS256).expect("a check"));
    // No other algorithm is accepted, not even one of the same family.
    assert!(is_valid(signature, Algorithm::HS512).is_err());
}

#[test]
fn a_refresh_token_can_be_derived_again_and_not_be_forged() {
    let ours = tokens("11");
    let token = ours.refresh(Audience::Seller, Uuid::from_u128(7), 3);
    let text = token.reveal();
    assert!(
        ours.read_refresh(Audience::Seller, &text)
            .is_some_and(|read| read == token)
    );
    assert_eq!(
        ours.refresh(Audience::Seller, Uuid::from_u128(7), 3).hash(),
        token.hash()
    );
    assert!(ours.read_refresh(Audience::Admin, &text).is_none());
    assert!(
        ours.read_refresh(Audience::Seller, &text.replacen(".3.", ".4.", 1))
            .is_none()
    );
    assert!(
        ours.read_refresh(Audience::Seller, &format!("{text}.x"))
            .is_none()
    );
    assert!(tokens("22").read_refresh(Audience::Seller, &text).is_none());
    assert!(
        !format!("{token:?}").contains(text.rsplit('.').next().unwrap_or_default()),
        "its debug output does not contain the secret"
    );
}

#[test]
fn a_csrf_token_is_for_one_session_and_must_be_in_header_and_cookie() {
    let ours = tokens("11");
    let binding = CsrfBinding::Session(Audience::Seller, Uuid::from_u128(7));
    let token = csrf::issue(&ours, binding);
    let is_valid = |binding, header, cookie| csrf::is_valid(&ours, binding, header, cookie);
    assert!(is_valid(binding, Some(&token), Some(&token)));
    assert!(!is_valid(binding, Some(&token), None));
    assert!(!is_valid(binding, Some(&token), Some("another")));
    assert!(!is_valid(
        CsrfBinding::Session(Audience::Admin, Uuid::from_u128(7)),
        Some(&token),
        Some(&token)
    ));
    assert!(!is_valid(
        CsrfBinding::Session(Audience::Seller, Uuid::from_u128(8)),
        Some(&token),
        Some(&token)
    ));
    assert!(!is_valid(CsrfBinding::Anonymous, Some(&token), Some(&token)));
    let other = csrf::issue(&ours, binding);
    assert_ne!(token, other, "each token has a different nonce");
}
