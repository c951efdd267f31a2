//! The two tokens of a session. An access token is a JWT that is valid for 15 minutes and for one audience. A refresh
//! token is the session's id, its generation and an HMAC over these and the audience. The next token of a session can
//! therefore be derived again. The database stores only its hash.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use gateway_environment::config::{KeyRing, Keys, Live, Secret};
use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use ledger_domain::ids::UserId;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::jwt_provider;
use crate::audience::Audience;

pub const ACCESS_LIFE: TimeDelta = TimeDelta::minutes(15);
pub const REFRESH_LIFE: TimeDelta = TimeDelta::days(30);

/// The content of an access token.
#[derive(Debug, Serialize, Deserialize)]
pub struct Claims {
    pub sub: UserId,
    pub aud: String,
    /// The session's id.
    pub sid: Uuid,
    pub iat: i64,
    pub exp: i64,
}

pub struct Tokens {
    access: Live<KeyRing>,
    refresh: Secret<[u8; 32]>,
}

impl Tokens {
    pub fn new(keys: &Keys) -> Self {
        jwt_provider::install();
        Self {
            access: keys.jwt.clone(),
            refresh: keys.refresh.clone(),
        }
    }

    pub fn access(
        &self,
        audience: Audience,
        user: UserId,
        session_id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<String, jsonwebtoken::errors::Error> {
        let claims = Claims {
            sub: user,
            aud: audience.as_str().to_owned(),
            sid: session_id,
            iat: now.timestamp(),
            exp: (now + ACCESS_LIFE).timestamp(),
        };
        let keys = self.access.get();
        let key = keys.present().ok_or(ErrorKind::InvalidKeyFormat)?;
        let key = EncodingKey::from_secret(key);
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &key)
    }

    /// The claims of a token that the platform signed for this audience and that has not expired.
    pub fn read_access(&self, audience: Audience, token: &str) -> Option<Claims> {
        // Only one algorithm is accepted. A token with another one, such as "none", is invalid.
        let mut validation = Validation::new(Algorithm::HS256);
        validation.leeway = 0;
        validation.set_audience(&[audience.as_str()]);
        validation.set_required_spec_claims(&["exp", "aud", "sub"]);
        let keys = self.access.get();
        let mut decoded = keys
            .all()
            .map(|key| jsonwebtoken::decode(token, &DecodingKey::from_secret(key), &validation));
        decoded.find_map(|token| Some(token.ok()?.claims))
    }

    pub fn refresh(&self, audience: Audience, session_id: Uuid, generation: i32) -> RefreshToken {
        let mut mac = self.hmac_for("refresh");
        mac.update(audience.as_str().as_bytes());
        mac.update(session_id.as_bytes());
        mac.update(&generation.to_be_bytes());
        RefreshToken {
            session_id,
            generation,
            tag: mac.finalize().into_bytes().into(),
        }
    }

    /// A refresh token of any generation that the platform issued to this audience.
    pub fn read_refresh(&self, audience: Audience, text: &str) -> Option<RefreshToken> {
        let mut parts = text.strip_prefix("rt_")?.split('.');
        let session_id = Uuid::try_parse(parts.next()?).ok()?;
        let generation = parts.next()?.parse().ok()?;
        let tag = URL_SAFE_NO_PAD.decode(parts.next()?).ok()?;
        let issued = self.refresh(audience, session_id, generation);
        let same = bool::from(subtle::ConstantTimeEq::ct_eq(
            issued.tag.as_slice(),
            tag.as_slice(),
        ));
        (same && parts.next().is_none()).then_some(issued)
    }

    /// An HMAC for one purpose. A value for one purpose is never valid for another.
    pub fn hmac_for(&self, purpose: &str) -> Hmac<Sha256> {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(self.refresh.reveal()).expect("HMAC takes a key of any length");
        mac.update(purpose.as_bytes());
        mac.update(b"\0");
        mac
    }
}

#[derive(Clone, PartialEq, Eq)]
pub struct RefreshToken {
    pub session_id: Uuid,
    pub generation: i32,
    tag: [u8; 32],
}

impl RefreshToken {
    /// The hash that the database stores.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.reveal()).into()
    }

    pub fn reveal(&self) -> String {
        format!(
            "rt_{}.{}.{}",
            self.session_id.simple(),
            self.generation,
            URL_SAFE_NO_PAD.encode(self.tag)
        )
    }
}

impl fmt::Debug for RefreshToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RefreshToken({}, {})", self.session_id, self.generation)
    }
}
