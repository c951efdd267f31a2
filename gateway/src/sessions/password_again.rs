//! A signed-in person's password, asked for once more before money moves: whoever finds an open browser can't pay
//! themselves. Tries count together with those of the sign-in.

use std::net::IpAddr;

use ledger_domain::ids::UserId;

use super::Audience;
use super::rate_limit::Kind;
use crate::AppState;
use crate::people::own_password;
use crate::problem::{Problem, Result};

/// 422 on `password` where it is wrong: a 401 would start a refresh.
pub async fn check(
    state: &AppState,
    audience: Audience,
    person: UserId,
    password: &str,
    address: IpAddr,
) -> Result<()> {
    let client = state.pool.get().await?;
    let own = own_password(&**client, audience, person)
        .await?
        .ok_or_else(Problem::signed_out)?;
    // Hashing takes its time, and the connection is for others meanwhile.
    drop(client);
    let sessions = &state.sessions;
    let account = format!("{}/{}", audience.as_str(), own.email);
    sessions
        .limits
        .take(Kind::SignIn, &account, address)
        .map_err(Problem::too_many_requests)?;
    if !sessions.passwords.verify(password, Some(&own.hash)).await? {
        return Err(Problem::field("password", "Senha incorreta."));
    }
    sessions.limits.forgive(&account);
    Ok(())
}
