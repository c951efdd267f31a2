//! The steps that the session calls of both audiences share: checking a password, opening a session, renewing it.

use std::net::IpAddr;

use chrono::Utc;
use gateway_environment::request_context;
use ledger_domain::ids::UserId;

use super::changed_email::apply_due;
use super::{AccountError, AccountService, FieldErrors};
use crate::audience::Audience;
use crate::credentials::account;
use crate::email_address::normalize_email;
use crate::rate_limit::{LimitedCaller, PasswordAttemptSource};
use crate::sessions::devices::Devices;
use crate::sessions::open_sessions::{self, SessionOwner};
use crate::sessions::session_store::{self, RefreshOutcome, SessionOrigin};
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
    /// The value of the device cookie. It proves that the user's password was entered in this browser.
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
    accounts: &AccountService,
    audience: Audience,
    (email, password): (Option<String>, Option<String>),
    origin: SignInOrigin,
) -> Result<SignedIn, AccountError> {
    let (email, password) = check_fields(email, password)?;
    let devices = &origin.devices;
    let mut client = accounts.pool.get().await?;
    apply_due(&mut client, &accounts.mail, request_context::now()).await?;
    let credentials = match audience {
        Audience::Seller => users::seller_credentials(&**client, &email).await?,
        Audience::Admin => users::admin_credentials(&**client, &email).await?,
    };
    // Hashing is slow, so the connection is returned to the pool first.
    drop(client);
    let hash = credentials
        .as_ref()
        .map(|credentials| credentials.password_hash.as_str());
    let device = devices.trusted(
        &accounts.tokens,
        credentials
            .as_ref()
            .map(|credentials| credentials.user_id)
            .zip(hash),
    );
    let account = audience.account(&email);
    let source = device.map_or(
        PasswordAttemptSource::UnknownDevice {
            account: &account,
            caller: origin.caller,
        },
        |device| PasswordAttemptSource::KnownDevice(device.nonce),
    );
    let attempt = accounts.limits.try_password(source).await?;
    let verified = accounts.passwords.verify(&password, hash).await;
    // An unknown e-mail takes the steps of a wrong password and gets the same answer, so that a caller cannot find out
    // which users exist.
    let opened = match verified {
        Ok(is_correct) => {
            open_session(
                accounts,
                audience,
                credentials.filter(|credentials| is_correct && credentials.active),
                &origin,
            )
            .await
        }
        Err(error) => Err(error.into()),
    };
    match opened {
        Ok(Some((credentials, refresh))) => {
            attempt.succeeded().await;
            Ok(SignedIn {
                device: devices.cookie_after_sign_in(
                    &accounts.tokens,
                    credentials.user_id,
                    &credentials.password_hash,
                ),
                tokens: token_pair(&accounts.tokens, audience, credentials.user_id, &refresh)?,
            })
        }
        Ok(None) => Err(AccountError::WrongCredentials),
        Err(error) => {
            attempt.do_not_count().await;
            Err(error)
        }
    }
}

/// Opens a session for correct credentials of an active user. `None` without credentials, or if the password was
/// replaced or the user was deactivated since they were read.
async fn open_session(
    accounts: &AccountService,
    audience: Audience,
    credentials: Option<Credentials>,
    origin: &SignInOrigin,
) -> Result<Option<(Credentials, RefreshToken)>, AccountError> {
    let Some(credentials) = credentials else {
        return Ok(None);
    };
    let session_origin = SessionOrigin {
        user_agent: origin.user_agent.clone(),
        address: origin.address,
    };
    let user = credentials.user_id;
    let mut client = accounts.pool.get().await?;
    let transaction = client.transaction().await?;
    let tx = &*transaction;
    if !account::lock_password_if_current(tx, audience, user, &credentials.password_hash).await? {
        return Ok(None);
    }
    session_store::delete_expired(tx, Utc::now()).await?;
    let refresh =
        session_store::insert(tx, &accounts.tokens, audience, user, &session_origin, Utc::now()).await?;
    let owner = SessionOwner {
        audience,
        user,
        session_id: refresh.session_id,
    };
    open_sessions::record_session_action(tx, owner, "sign-in", refresh.session_id).await?;
    transaction.commit().await?;
    Ok(Some((credentials, refresh)))
}

/// Returns the normalized e-mail and the password. A missing field and an e-mail with control characters are errors.
fn check_fields(email: Option<String>, password: Option<String>) -> Result<(String, String), AccountError> {
    let mut errors = FieldErrors::default();
    let email = normalize_email(&email.unwrap_or_default());
    if email.is_empty() {
        errors.add("email", "Email é requerido.");
    } else if email.chars().any(char::is_control) {
        // No stored address contains control characters, and PostgreSQL refuses a query with U+0000.
        errors.add("email", "Email inválido.");
    }
    let password = password.unwrap_or_default();
    if password.is_empty() {
        errors.add("password", "Senha é requerida.");
    }
    errors.finish()?;
    Ok((email, password))
}

/// Renews a session. Each refresh replaces the token; a replaced token that is used after the grace period ends the
/// session.
pub async fn refresh(
    accounts: &AccountService,
    audience: Audience,
    token: &RefreshToken,
) -> Result<TokenPair, AccountError> {
    let tokens = &accounts.tokens;
    let mut client = accounts.pool.get().await?;
    match session_store::refresh(&mut client, tokens, audience, token, Utc::now()).await? {
        RefreshOutcome::Renewed(user, successor) => token_pair(tokens, audience, user, &successor),
        RefreshOutcome::Reused => {
            tracing::warn!(session_id = %token.session_id, "a replaced refresh token was used again; its session is ended");
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
    let access = tokens.access(audience, user, refresh.session_id, Utc::now())?;
    Ok(TokenPair {
        user,
        access,
        refresh: refresh.reveal(),
    })
}
