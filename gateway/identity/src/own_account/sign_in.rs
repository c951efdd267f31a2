//! What the session calls of both audiences have in common: checking a password, opening a session, renewing it.

use std::net::IpAddr;

use chrono::Utc;
use ledger_domain::ids::UserId;

use super::{AccountError, FieldFaults, Sessions};
use crate::audience::Audience;
use crate::email_address::normal_email;
use crate::people::{self, Credentials};
use crate::sessions::devices::Devices;
use crate::sessions::families::{self, Origin, Refreshed};
use crate::sessions::open_sessions::{self, SessionOwner};
use crate::sessions::rate_limit::{Caller, PasswordAttemptKind};
use crate::sessions::{RefreshToken, Tokens, account};

/// The two tokens of a session, as the client gets them.
pub struct Pair {
    pub user: UserId,
    pub access: String,
    pub refresh: String,
}

/// What a sign-in leads to.
pub struct SignedIn {
    pub tokens: Pair,
    /// The value of the device cookie: this browser has shown the person's password.
    pub device: String,
}

/// From where somebody signs in.
pub struct SignInFrom {
    pub user_agent: String,
    pub address: IpAddr,
    pub caller: Caller,
    pub devices: Devices,
}

pub async fn sign_in(
    sessions: &Sessions,
    audience: Audience,
    (email, password): (Option<String>, Option<String>),
    from: SignInFrom,
) -> Result<SignedIn, AccountError> {
    let (email, password) = required(email, password)?;
    let devices = &from.devices;
    let client = sessions.pool.get().await?;
    let known = match audience {
        Audience::Seller => people::seller_with_password(&**client, &email).await?,
        Audience::Admin => people::admin_with_password(&**client, &email).await?,
    };
    // Hashing takes its time, and the connection is for others meanwhile.
    drop(client);
    let hash = known.as_ref().map(|known| known.password_hash.as_str());
    let device = devices.trusted(
        &sessions.tokens,
        known.as_ref().map(|known| known.user_id).zip(hash),
    );
    let account = audience.account(&email);
    let guesser = device.map_or(
        PasswordAttemptKind::UnknownDevice {
            account: &account,
            caller: from.caller,
        },
        |device| PasswordAttemptKind::KnownDevice(device.nonce),
    );
    let attempt = sessions
        .limits
        .try_password(guesser)
        .map_err(AccountError::too_many)?;
    let verified = sessions.passwords.verify(&password, hash).await;
    // Until here, and in the answer, nothing differs by whether there is such a person.
    let opened = match verified {
        Ok(right) => {
            open(
                sessions,
                audience,
                known.filter(|known| right && known.active),
                &from,
            )
            .await
        }
        Err(error) => Err(error.into()),
    };
    match opened {
        Ok(Some((known, refresh))) => {
            attempt.succeeded();
            Ok(SignedIn {
                device: devices.signed_in(&sessions.tokens, known.user_id, &known.password_hash),
                tokens: pair(&sessions.tokens, audience, known.user_id, &refresh)?,
            })
        }
        Ok(None) => Err(AccountError::WrongCredentials),
        Err(error) => {
            attempt.undecided();
            Err(error)
        }
    }
}

/// A family for whoever gave the right password; none where nobody did, where the password was replaced, or where the
/// person was deactivated.
async fn open(
    sessions: &Sessions,
    audience: Audience,
    known: Option<Credentials>,
    from: &SignInFrom,
) -> Result<Option<(Credentials, RefreshToken)>, AccountError> {
    let Some(known) = known else {
        return Ok(None);
    };
    let origin = Origin {
        user_agent: from.user_agent.clone(),
        address: from.address,
    };
    let user = known.user_id;
    let mut client = sessions.pool.get().await?;
    let transaction = client.transaction().await?;
    let tx = &*transaction;
    if !account::password_holds(tx, audience, user, &known.password_hash).await? {
        return Ok(None);
    }
    families::forget_old(tx, Utc::now()).await?;
    let refresh = families::open(tx, &sessions.tokens, audience, user, &origin, Utc::now()).await?;
    let holder = SessionOwner {
        audience,
        user,
        family: refresh.family,
    };
    open_sessions::note(tx, holder, "sign-in", refresh.family).await?;
    transaction.commit().await?;
    Ok(Some((known, refresh)))
}

/// Both fields, or what is wrong with each: missing, or no text of one line.
fn required(email: Option<String>, password: Option<String>) -> Result<(String, String), AccountError> {
    let mut faults = FieldFaults::default();
    let email = normal_email(&email.unwrap_or_default());
    if email.is_empty() {
        faults.add("email", "Email é requerido.");
    } else if email.chars().any(char::is_control) {
        // No column could hold it, and so the database would not even look.
        faults.add("email", "Email inválido.");
    }
    let password = password.unwrap_or_default();
    if password.is_empty() {
        faults.add("password", "Senha é requerida.");
    }
    faults.finish()?;
    Ok((email, password))
}

/// Renews a session: the token is for one use.
pub async fn refresh(
    sessions: &Sessions,
    audience: Audience,
    token: &RefreshToken,
) -> Result<Pair, AccountError> {
    let tokens = &sessions.tokens;
    let mut client = sessions.pool.get().await?;
    match families::refresh(&mut client, tokens, audience, token, Utc::now()).await? {
        Refreshed::Renewed(user, successor) => pair(tokens, audience, user, &successor),
        Refreshed::Reused => {
            tracing::warn!(family = %token.family, "a refresh token was used twice; its session is revoked");
            Err(AccountError::SignedOut)
        }
        Refreshed::Over => Err(AccountError::SignedOut),
    }
}

fn pair(
    tokens: &Tokens,
    audience: Audience,
    user: UserId,
    refresh: &RefreshToken,
) -> Result<Pair, AccountError> {
    let access = tokens.access(audience, user, refresh.family, Utc::now())?;
    Ok(Pair {
        user,
        access,
        refresh: refresh.reveal(),
    })
}
