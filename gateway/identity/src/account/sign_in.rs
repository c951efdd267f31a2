//! The steps that the session calls of both audiences share: checking a password, opening a session, renewing it.

use std::net::IpAddr;

use chrono::Utc;
use ledger_domain::ids::UserId;

use super::{AccountError, FieldFaults, Sessions};
use crate::audience::Audience;
use crate::credentials::account;
use crate::email_address::normalize_email;
use crate::rate_limit::{LimitedCaller, PasswordAttemptSource};
use crate::sessions::devices::Devices;
use crate::sessions::families::{self, RefreshOutcome, SessionOrigin};
use crate::sessions::open_sessions::{self, SessionOwner};
use crate::sessions::{RefreshToken, Tokens};
use crate::users::{self, Credentials};

/// The two tokens of a session, as sent to the client.
pub struct TokenPair {
    pub user: UserId,
    pub access: String,
    pub refresh: String,
}

/// The result of a sign-in.
pub struct SignedIn {
    pub tokens: TokenPair,
    /// The value of the device cookie. It proves that this browser has shown the user's password.
    pub device: String,
}

/// The origin of a sign-in.
pub struct SignInOrigin {
    pub user_agent: String,
    pub address: IpAddr,
    pub caller: LimitedCaller,
    pub devices: Devices,
}

pub async fn sign_in(
    sessions: &Sessions,
    audience: Audience,
    (email, password): (Option<String>, Option<String>),
    origin: SignInOrigin,
) -> Result<SignedIn, AccountError> {
    let (email, password) = required(email, password)?;
    let devices = &origin.devices;
    let client = sessions.pool.get().await?;
    let known = match audience {
        Audience::Seller => users::seller_credentials(&**client, &email).await?,
        Audience::Admin => users::admin_credentials(&**client, &email).await?,
    };
    // Hashing is slow, so the connection is returned to the pool first.
    drop(client);
    let hash = known.as_ref().map(|known| known.password_hash.as_str());
    let device = devices.trusted(
        &sessions.tokens,
        known.as_ref().map(|known| known.user_id).zip(hash),
    );
    let account = audience.account(&email);
    let source = device.map_or(
        PasswordAttemptSource::UnknownDevice {
            account: &account,
            caller: origin.caller,
        },
        |device| PasswordAttemptSource::KnownDevice(device.nonce),
    );
    let attempt = sessions
        .limits
        .try_password(source)
        .map_err(AccountError::too_many)?;
    let verified = sessions.passwords.verify(&password, hash).await;
    // An unknown e-mail takes the same steps and gets the same answer, so that a caller cannot find out which users exist.
    let opened = match verified {
        Ok(right) => {
            open(
                sessions,
                audience,
                known.filter(|known| right && known.active),
                &origin,
            )
            .await
        }
        Err(error) => Err(error.into()),
    };
    match opened {
        Ok(Some((known, refresh))) => {
            attempt.succeeded();
            Ok(SignedIn {
                device: devices.cookie_after_sign_in(&sessions.tokens, known.user_id, &known.password_hash),
                tokens: token_pair(&sessions.tokens, audience, known.user_id, &refresh)?,
            })
        }
        Ok(None) => Err(AccountError::WrongCredentials),
        Err(error) => {
            attempt.do_not_count();
            Err(error)
        }
    }
}

/// Opens a session family if the password was correct. Returns `None` if it was wrong, if it was replaced since, or if
/// the user was deactivated.
async fn open(
    sessions: &Sessions,
    audience: Audience,
    known: Option<Credentials>,
    origin: &SignInOrigin,
) -> Result<Option<(Credentials, RefreshToken)>, AccountError> {
    let Some(known) = known else {
        return Ok(None);
    };
    let session_origin = SessionOrigin {
        user_agent: origin.user_agent.clone(),
        address: origin.address,
    };
    let user = known.user_id;
    let mut client = sessions.pool.get().await?;
    let transaction = client.transaction().await?;
    let tx = &*transaction;
    if !account::lock_password_if_current(tx, audience, user, &known.password_hash).await? {
        return Ok(None);
    }
    families::delete_expired(tx, Utc::now()).await?;
    let refresh = families::open(tx, &sessions.tokens, audience, user, &session_origin, Utc::now()).await?;
    let owner = SessionOwner {
        audience,
        user,
        session_id: refresh.family,
    };
    open_sessions::record_session_action(tx, owner, "sign-in", refresh.family).await?;
    transaction.commit().await?;
    Ok(Some((known, refresh)))
}

/// Returns both fields, or the fault of each: missing, or with control characters.
fn required(email: Option<String>, password: Option<String>) -> Result<(String, String), AccountError> {
    let mut faults = FieldFaults::default();
    let email = normalize_email(&email.unwrap_or_default());
    if email.is_empty() {
        faults.add("email", "Email é requerido.");
    } else if email.chars().any(char::is_control) {
        // No stored address contains control characters, and PostgreSQL refuses a query with U+0000.
        faults.add("email", "Email inválido.");
    }
    let password = password.unwrap_or_default();
    if password.is_empty() {
        faults.add("password", "Senha é requerida.");
    }
    faults.finish()?;
    Ok((email, password))
}

/// Renews a session. Each refresh replaces the token; a replaced token that is used after the grace period ends the
/// session.
pub async fn refresh(
    sessions: &Sessions,
    audience: Audience,
    token: &RefreshToken,
) -> Result<TokenPair, AccountError> {
    let tokens = &sessions.tokens;
    let mut client = sessions.pool.get().await?;
    match families::refresh(&mut client, tokens, audience, token, Utc::now()).await? {
        RefreshOutcome::Renewed(user, successor) => token_pair(tokens, audience, user, &successor),
        RefreshOutcome::Reused => {
            tracing::warn!(family = %token.family, "a refresh token was used twice; its session is revoked");
            Err(AccountError::SignedOut)
        }
        RefreshOutcome::Ended => Err(AccountError::SignedOut),
    }
}

fn token_pair(
    tokens: &Tokens,
    audience: Audience,
    user: UserId,
    refresh: &RefreshToken,
) -> Result<TokenPair, AccountError> {
    let access = tokens.access(audience, user, refresh.family, Utc::now())?;
    Ok(TokenPair {
        user,
        access,
        refresh: refresh.reveal(),
    })
}
