//! The codes in the links of e-mails: for one use and one purpose, with an expiry. A code is an HMAC of its purpose and
//! its row's id, which is also the e-mail's id. An e-mail that is sent again therefore carries the same code. The
//! database stores only its hash.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use gateway_environment::config::{Keys, Secret};
use hmac::Mac;
use ledger_domain::ids::UserId;
use sha2::{Digest, Sha256};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::account::{SignInUser, lock_active_user};
use crate::audience::Audience;
use crate::sessions::Tokens;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    ResetPassword,
    VerifyEmail,
    /// The reader of a user's old address approves or refuses a new one.
    ApproveEmail,
}

impl Purpose {
    const fn as_str(self) -> &'static str {
        match self {
            Self::ResetPassword => "reset-password",
            Self::VerifyEmail => "verify-email",
            Self::ApproveEmail => "approve-email",
        }
    }

    /// Counted from the last time that the code was issued.
    const fn lifetime(self) -> TimeDelta {
        match self {
            Self::ResetPassword => TimeDelta::hours(1),
            Self::VerifyEmail | Self::ApproveEmail => TimeDelta::days(3),
        }
    }
}

/// The owner of a code, and the address to which it is sent. Using the code proves access to that address.
#[derive(Debug, Clone, Copy)]
pub struct CodeOwner<'a> {
    pub audience: Audience,
    pub user: UserId,
    pub email: &'a str,
}

pub enum IssuedCode {
    Code(Secret<String>),
    /// The code was used, or it was ended before its use.
    Spent,
}

pub struct Codes(Tokens);

impl Codes {
    pub fn new(keys: &Keys) -> Self {
        Self(Tokens::new(keys))
    }

    /// Issues the code of an e-mail. A repeat for the same e-mail returns the same code, and its full lifetime starts
    /// again.
    pub async fn issue(
        &self,
        client: &impl GenericClient,
        email_id: Uuid,
        purpose: Purpose,
        owner: CodeOwner<'_>,
    ) -> Result<IssuedCode, Error> {
        let code = self.derive(email_id, purpose);
        let now = Utc::now();
        let written = client
            .execute_typed(
                "INSERT INTO one_time_code AS stored
                    (id, purpose, audience, user_id, email, code_hash, created_at, expires_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                 ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at WHERE stored.used_at IS NULL",
                &[
                    (&email_id, Type::UUID),
                    (&purpose.as_str(), Type::TEXT),
                    (&owner.audience.as_str(), Type::TEXT),
                    (&owner.user.uuid(), Type::UUID),
                    (&owner.email, Type::TEXT),
                    (&hash(&code).as_slice(), Type::BYTEA),
                    (&now, Type::TIMESTAMPTZ),
                    (&(now + purpose.lifetime()), Type::TIMESTAMPTZ),
                ],
            )
            .await?;
        Ok(if written == 1 {
            IssuedCode::Code(Secret::new(code))
        } else {
            IssuedCode::Spent
        })
    }

    fn derive(&self, email_id: Uuid, purpose: Purpose) -> String {
        let mut mac = self.0.hmac_for("one-time code");
        mac.update(purpose.as_str().as_bytes());
        mac.update(email_id.as_bytes());
        URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())
    }
}

fn hash(code: &str) -> [u8; 32] {
    Sha256::digest(code).into()
}

/// Whether the code can still be used. Callers check this before expensive work.
pub async fn is_open(
    client: &impl GenericClient,
    audience: Audience,
    purpose: Purpose,
    code: &str,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    Ok(find(client, audience, purpose, code, now).await?.is_some())
}

/// The result of using a code: its user, locked until the transaction ends, and the address that received it.
pub struct RedeemedCode {
    pub account: SignInUser,
    pub email: String,
}

/// Uses a code. Returns `None` if it is unknown, used or expired, or if the user is inactive. The user's row is locked
/// before the code's, as in every change of a credential. So the uses of two codes of one user run one after the other.
pub async fn redeem(
    transaction: &impl GenericClient,
    audience: Audience,
    purpose: Purpose,
    code: &str,
    now: DateTime<Utc>,
) -> Result<Option<RedeemedCode>, Error> {
    let Some((id, user, email)) = find(transaction, audience, purpose, code, now).await? else {
        return Ok(None);
    };
    let Some(account) = lock_active_user(transaction, audience, user).await? else {
        return Ok(None);
    };
    let used = transaction
        .execute_typed(
            "UPDATE one_time_code SET used_at = $2 WHERE id = $1 AND used_at IS NULL AND expires_at > $2",
            &[(&id, Type::UUID), (&now, Type::TIMESTAMPTZ)],
        )
        .await?;
    Ok((used == 1).then_some(RedeemedCode { account, email }))
}

async fn find(
    client: &impl GenericClient,
    audience: Audience,
    purpose: Purpose,
    code: &str,
    now: DateTime<Utc>,
) -> Result<Option<(Uuid, UserId, String)>, Error> {
    let row = client
        .query_typed(
            "SELECT id, user_id, email FROM one_time_code
              WHERE code_hash = $1 AND audience = $2 AND purpose = $3 AND used_at IS NULL AND expires_at > $4",
            &[
                (&hash(code).as_slice(), Type::BYTEA),
                (&audience.as_str(), Type::TEXT),
                (&purpose.as_str(), Type::TEXT),
                (&now, Type::TIMESTAMPTZ),
            ],
        )
        .await?
        .pop();
    Ok(row.map(|row| (row.get(0), UserId::from_uuid(row.get(1)), row.get(2))))
}

/// Ends the user's open codes for a purpose, because one of them was used or because the password changed.
pub async fn end_open(
    client: &impl GenericClient,
    audience: Audience,
    user: UserId,
    purpose: Purpose,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    end(client, audience, user, &[purpose], None, now).await
}

/// Ends the user's open codes for a purpose that were sent to another address than this one.
pub async fn end_open_at_other_addresses(
    client: &impl GenericClient,
    owner: CodeOwner<'_>,
    purpose: Purpose,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    end(
        client,
        owner.audience,
        owner.user,
        &[purpose],
        Some(owner.email),
        now,
    )
    .await
}

/// Ends the user's open codes for a purpose that were sent to this address.
pub async fn end_open_at(
    client: &impl GenericClient,
    audience: Audience,
    user: UserId,
    (purpose, email): (Purpose, &str),
    now: DateTime<Utc>,
) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE one_time_code SET used_at = $5
              WHERE audience = $1 AND user_id = $2 AND purpose = $3 AND used_at IS NULL AND email = $4",
            &[
                (&audience.as_str(), Type::TEXT),
                (&user.uuid(), Type::UUID),
                (&purpose.as_str(), Type::TEXT),
                (&email, Type::TEXT),
                (&now, Type::TIMESTAMPTZ),
            ],
        )
        .await
        .map(drop)
}

/// Ends all open codes of a user, after another user deactivated or deleted them.
pub async fn end_all(client: &impl GenericClient, audience: Audience, user: UserId) -> Result<(), Error> {
    let all = [
        Purpose::ResetPassword,
        Purpose::VerifyEmail,
        Purpose::ApproveEmail,
    ];
    end(client, audience, user, &all, None, Utc::now()).await
}

/// Marks open codes as used. `except_email` keeps the codes that were sent to this address.
async fn end(
    client: &impl GenericClient,
    audience: Audience,
    user: UserId,
    purposes: &[Purpose],
    except_email: Option<&str>,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let purposes: Vec<&str> = purposes.iter().map(|purpose| purpose.as_str()).collect();
    client
        .execute_typed(
            "UPDATE one_time_code SET used_at = $5
              WHERE audience = $1 AND user_id = $2 AND purpose = ANY ($3) AND used_at IS NULL
                AND email IS DISTINCT FROM $4",
            &[
                (&audience.as_str(), Type::TEXT),
                (&user.uuid(), Type::UUID),
                (&purposes, Type::TEXT_ARRAY),
                (&except_email, Type::TEXT),
                (&now, Type::TIMESTAMPTZ),
            ],
        )
        .await
        .map(drop)
}
