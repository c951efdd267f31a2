//! A signed-in person's password, asked for once more before money moves or the account changes: whoever finds an open
//! browser can't pay themselves. Failures count by session, so that nobody else's keep the person out.

use chrono::Utc;

use super::families;
use super::open_sessions::Holder;
use super::rate_limit::Guesser;
use crate::AppState;
use crate::people::own_password_hash;
use crate::problem::{Problem, Result};

pub const WRONG: &str = "Senha incorreta.";

/// 422 on `password` where it is wrong: a 401 would start a refresh. Hashing takes its time, so the session is looked at once
/// more afterwards: a new password, or the end of the person's access, has ended it.
pub async fn check(state: &AppState, holder: Holder, password: &str) -> Result<()> {
    check_field(state, holder, ("password", password)).await?;
    let client = state.pool.get().await?;
    if families::is_open(&**client, holder.family, Utc::now()).await? {
        Ok(())
    } else {
        Err(Problem::signed_out())
    }
}

/// As `check`, where the field has another name; answers the hash that the password was checked against.
pub async fn check_field(
    state: &AppState,
    holder: Holder,
    (field, password): (&str, &str),
) -> Result<String> {
    let client = state.pool.get().await?;
    let hash = own_password_hash(&**client, holder.audience, holder.user)
        .await?
        .ok_or_else(Problem::signed_out)?;
    // Hashing takes its time, and the connection is for others meanwhile.
    drop(client);
    let sessions = &state.sessions;
    let attempt = sessions
        .limits
        .try_password(Guesser::Session(holder.family))
        .map_err(Problem::too_many_requests)?;
    match sessions.passwords.verify(password, Some(&hash)).await {
        Ok(true) => attempt.succeeded(),
        Ok(false) => return Err(Problem::field(field, WRONG)),
        Err(problem) => {
            attempt.undecided();
            return Err(problem);
        }
    }
    Ok(hash)
}
