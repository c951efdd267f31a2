//! Checks the password of a signed-in user again: before a seller's withdrawal, a manual transfer of staff, a new
//! password or a new e-mail. An open browser alone must not be enough for these. Failures count per session, so that
//! failures of other callers do not lock out the user.

use chrono::Utc;

use super::{AccountError, AccountService};
use crate::rate_limit::PasswordAttemptSource;
use crate::sessions::open_sessions::SessionOwner;
use crate::sessions::session_store;
use crate::users::active_user_password_hash;

/// Checks the field `password`. Hashing is slow, so the session is read again afterwards: a new password or a
/// deactivation may have ended it.
pub async fn check(
    accounts: &AccountService,
    owner: SessionOwner,
    password: &str,
) -> Result<(), AccountError> {
    check_field(accounts, owner, ("password", password)).await?;
    let client = accounts.pool.get().await?;
    if session_store::is_open(&**client, owner.session_id, Utc::now()).await? {
        Ok(())
    } else {
        Err(AccountError::SignedOut)
    }
}

/// Checks the field with this name, and does not read the session again. Returns the hash that the password was checked
/// against.
pub async fn check_field(
    accounts: &AccountService,
    owner: SessionOwner,
    (field, password): (&'static str, &str),
) -> Result<String, AccountError> {
    let client = accounts.pool.get().await?;
    let hash = active_user_password_hash(&**client, owner.audience, owner.user)
        .await?
        .ok_or(AccountError::SignedOut)?;
    // Hashing is slow, so the connection is returned to the pool first.
    drop(client);
    let attempt = accounts
        .limits
        .try_password(PasswordAttemptSource::Session(owner.session_id))
        .await?;
    match accounts.passwords.verify(password, Some(&hash)).await {
        Ok(true) => attempt.succeeded().await,
        Ok(false) => return Err(AccountError::WrongPassword { field }),
        Err(error) => {
            attempt.do_not_count().await;
            return Err(error.into());
        }
    }
    Ok(hash)
}
