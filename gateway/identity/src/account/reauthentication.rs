//! Asks a signed-in user for the password again before money moves or the account changes. An open browser alone must
//! not be enough to pay out money. Failures count per session, so that failures of other callers do not lock out the
//! user.

use chrono::Utc;

use super::{AccountError, Sessions};
use crate::rate_limit::PasswordAttemptSource;
use crate::sessions::families;
use crate::sessions::open_sessions::SessionOwner;
use crate::users::own_password_hash;

/// Checks the field `password`. Hashing is slow, so the session is read again afterwards: a new password or a
/// deactivation may have ended it.
pub async fn check(sessions: &Sessions, owner: SessionOwner, password: &str) -> Result<(), AccountError> {
    check_field(sessions, owner, ("password", password)).await?;
    let client = sessions.pool.get().await?;
    if families::is_open(&**client, owner.session_id, Utc::now()).await? {
        Ok(())
    } else {
        Err(AccountError::SignedOut)
    }
}

/// Like `check`, for a field with another name. Returns the hash that the password was checked against.
pub async fn check_field(
    sessions: &Sessions,
    owner: SessionOwner,
    (field, password): (&'static str, &str),
) -> Result<String, AccountError> {
    let client = sessions.pool.get().await?;
    let hash = own_password_hash(&**client, owner.audience, owner.user)
        .await?
        .ok_or(AccountError::SignedOut)?;
    // Hashing is slow, so the connection is returned to the pool first.
    drop(client);
    let attempt = sessions
        .limits
        .try_password(PasswordAttemptSource::Session(owner.session_id))
        .map_err(AccountError::too_many)?;
    match sessions.passwords.verify(password, Some(&hash)).await {
        Ok(true) => attempt.succeeded(),
        Ok(false) => return Err(AccountError::WrongPassword { field }),
        Err(error) => {
            attempt.do_not_count();
            return Err(error.into());
        }
    }
    Ok(hash)
}
