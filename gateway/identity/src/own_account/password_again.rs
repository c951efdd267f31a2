//! A signed-in person's password, asked for once more before money moves or the account changes: whoever finds an open
//! browser can't pay themselves. Failures count by session, so that nobody else's keep the person out.

use chrono::Utc;

use super::{AccountError, Sessions};
use crate::people::own_password_hash;
use crate::sessions::families;
use crate::sessions::open_sessions::SessionOwner;
use crate::sessions::rate_limit::PasswordAttemptKind;

/// Checks the field `password`. Hashing takes its time, so the session is read again afterwards: a new password, or the end
/// of the user's access, has ended it.
pub async fn check(sessions: &Sessions, holder: SessionOwner, password: &str) -> Result<(), AccountError> {
    check_field(sessions, holder, ("password", password)).await?;
    let client = sessions.pool.get().await?;
    if families::is_open(&**client, holder.family, Utc::now()).await? {
        Ok(())
    } else {
        Err(AccountError::SignedOut)
    }
}

/// As `check`, where the field has another name. Returns the hash that the password was checked against.
pub async fn check_field(
    sessions: &Sessions,
    holder: SessionOwner,
    (field, password): (&'static str, &str),
) -> Result<String, AccountError> {
    let client = sessions.pool.get().await?;
    let hash = own_password_hash(&**client, holder.audience, holder.user)
        .await?
        .ok_or(AccountError::SignedOut)?;
    // Hashing takes its time, and the connection is for others meanwhile.
    drop(client);
    let attempt = sessions
        .limits
        .try_password(PasswordAttemptKind::Session(holder.family))
        .map_err(AccountError::too_many)?;
    match sessions.passwords.verify(password, Some(&hash)).await {
        Ok(true) => attempt.succeeded(),
        Ok(false) => return Err(AccountError::WrongPassword { field }),
        Err(error) => {
            attempt.undecided();
            return Err(error.into());
        }
    }
    Ok(hash)
}
