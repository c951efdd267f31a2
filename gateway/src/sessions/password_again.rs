//! A signed-in person's password, asked for once more before money moves: whoever finds an open browser can't pay
//! themselves. Tries count together with those of the sign-in.

use std::net::IpAddr;

use ledger_domain::ids::UserId;

use super::Audience;
use super::rate_limit::Kind;
use crate::AppState;
use crate::people::own_password;
use crate::problem::{Problem, Result};

pub const WRONG: &str = "Senha incorreta.";

/// 422 on `password` where it is wrong: a 401 would start a refresh.
pub async fn check(
    state: &AppState,
    audience: Audience,
    person: UserId,
    password: &str,
    address: IpAddr,
) -> Result<()> {
    check_field(state, audience, person, ("password", password), address)
        .await
        .map(drop)
}

/// As `check`, where the field has another name; answers the hash that the password was checked against.
pub async fn check_field(
    state: &AppState,
    audience: Audience,
    person: UserId,
    (field, password): (&str, &str),
    address: IpAddr,
) -> Result<String> {
    let client = state.pool.get().await?;
    let own = own_password(&**client, audience, person)
        .await?
        .ok_or_else(Problem::signed_out)?;
    // Hashing takes its time, and the connection is for others meanwhile.
    drop(client);
    let sessions = &state.sessions;
    let account = audience.account(&own.email);
    sessions
        .limits
        .take(Kind::SignIn, &account, address)
        .map_err(Problem::too_many_requests)?;
    if !sessions.passwords.verify(password, Some(&own.hash)).await? {
        return Err(Problem::field(field, WRONG));
    }
    sessions.limits.forgive(&account);
    Ok(own.hash)
}
