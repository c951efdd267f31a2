//! The database rows of sessions. A session begins with a sign-in, and each refresh replaces its refresh token and
//! raises its generation by one. A replaced token still works for `ROTATION_GRACE`, while its successor is the latest
//! token. Any other use of a replaced token may be that of a stolen copy, so the session ends for all its holders.
//!
//! The id of a session is in the column `family`: it identifies the family of the session's refresh tokens.

use std::net::IpAddr;

use chrono::{DateTime, TimeDelta, Utc};
use ledger_domain::ids::UserId;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::tokens::REFRESH_LIFE;
use super::{RefreshToken, Tokens};
use crate::audience::Audience;

/// For this time, a token that was just replaced still gets its successor. Two tabs may refresh at once, or an answer
/// may be lost.
pub const ROTATION_GRACE: TimeDelta = TimeDelta::seconds(30);

/// How long a session's row is kept at least after it expires, so that support can tell a user why it ended.
const KEPT_AFTER_EXPIRY: TimeDelta = TimeDelta::days(30);

/// The origin of a sign-in.
pub struct SessionOrigin {
    pub user_agent: String,
    pub address: IpAddr,
}

pub enum RefreshOutcome {
    Renewed(UserId, RefreshToken),
    /// The token had been replaced, and the grace does not cover it, so the session was ended.
    Reused,
    /// Unknown, expired, revoked, or of a user who is inactive.
    Ended,
}

/// Opens a session, and returns its first refresh token.
pub async fn insert(
    client: &impl GenericClient,
    tokens: &Tokens,
    audience: Audience,
    user: UserId,
    origin: &SessionOrigin,
    now: DateTime<Utc>,
) -> Result<RefreshToken, Error> {
    let token = tokens.refresh(audience, Uuid::new_v4(), 0);
    let user_agent: String = origin
        .user_agent
        .chars()
        .filter(|c| !c.is_control())
        .take(300)
        .collect();
    client
        .execute(
            "INSERT INTO session (family, audience, user_id, refresh_hash, created_at, rotated_at, expires_at, user_agent, address)
             VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8)",
            &[
                &token.session_id,
                &audience.as_str(),
                &user.uuid(),
                &token.hash().as_slice(),
                &now,
                &(now + REFRESH_LIFE),
                &user_agent,
                &origin.address,
            ],
        )
        .await?;
    Ok(token)
}

/// Deletes up to 50 old sessions with each new one, so that no job is needed. The audit log keeps the sign-ins.
pub async fn delete_expired(client: &impl GenericClient, now: DateTime<Utc>) -> Result<(), Error> {
    client
        .execute(
            "DELETE FROM session WHERE family IN (
                 SELECT family FROM session WHERE expires_at < $1
                  ORDER BY expires_at LIMIT 50 FOR UPDATE SKIP LOCKED)",
            &[&(now - KEPT_AFTER_EXPIRY)],
        )
        .await
        .map(drop)
}

/// Replaces the refresh token. The row's lock makes two concurrent refreshes run one after the other.
pub async fn refresh(
    client: &mut deadpool_postgres::Client,
    tokens: &Tokens,
    audience: Audience,
    presented: &RefreshToken,
    now: DateTime<Utc>,
) -> Result<RefreshOutcome, Error> {
    let transaction = client.transaction().await?;
    let row = transaction
        .query_opt(
            "SELECT s.user_id, s.generation, s.refresh_hash, s.rotated_at
               FROM session s
              WHERE s.family = $1 AND s.audience = $2 AND s.revoked_at IS NULL AND s.expires_at > $3
                AND (EXISTS (SELECT FROM seller_user u WHERE $2 = 'seller' AND u.id = s.user_id AND u.active)
                     OR EXISTS (SELECT FROM admin_user u WHERE $2 = 'admin' AND u.id = s.user_id AND u.active))
                FOR UPDATE OF s",
            &[&presented.session_id, &audience.as_str(), &now],
        )
        .await?;
    let Some(row) = row else {
        return Ok(RefreshOutcome::Ended);
    };
    let user = UserId::from_uuid(row.get(0));
    let (generation, hash, rotated_at): (i32, &[u8], DateTime<Utc>) = (row.get(1), row.get(2), row.get(3));
    let successor = if presented.generation == generation && presented.hash().as_slice() == hash {
        let successor = tokens.refresh(audience, presented.session_id, generation + 1);
        transaction
            .execute(
                "UPDATE session SET generation = $2, refresh_hash = $3, rotated_at = $4, expires_at = $5 WHERE family = $1",
                &[
                    &presented.session_id,
                    &successor.generation,
                    &successor.hash().as_slice(),
                    &now,
                    &(now + REFRESH_LIFE),
                ],
            )
            .await?;
        successor
    } else if presented.generation + 1 == generation && now - rotated_at <= ROTATION_GRACE {
        tokens.refresh(audience, presented.session_id, generation)
    } else {
        revoke(&*transaction, presented.session_id, "reuse", now).await?;
        transaction.commit().await?;
        return Ok(RefreshOutcome::Reused);
    };
    transaction.commit().await?;
    Ok(RefreshOutcome::Renewed(user, successor))
}

/// Whether the session has neither ended nor expired.
pub async fn is_open(
    client: &impl GenericClient,
    session_id: Uuid,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let statement = "SELECT FROM session WHERE family = $1 AND revoked_at IS NULL AND expires_at > $2";
    Ok(client.query_opt(statement, &[&session_id, &now]).await?.is_some())
}

/// Ends a session. A constraint of the column `revoked_for` lists the values of `why`.
async fn revoke(
    client: &impl GenericClient,
    session_id: Uuid,
    why: &str,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let statement =
        "UPDATE session SET revoked_at = $2, revoked_for = $3 WHERE family = $1 AND revoked_at IS NULL";
    client
        .execute(statement, &[&session_id, &now, &why])
        .await
        .map(|_| ())
}

/// Ends a session of this user. Returns false if the user has no such open session.
pub async fn revoke_own(
    client: &impl GenericClient,
    audience: Audience,
    user: UserId,
    session_id: Uuid,
    why: &str,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let revoked = client
        .execute(
            "UPDATE session SET revoked_at = $4, revoked_for = $5
              WHERE family = $3 AND audience = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > $4",
            &[&audience.as_str(), &user.uuid(), &session_id, &now, &why],
        )
        .await?;
    Ok(revoked == 1)
}

/// Ends all sessions of a user except one, and returns the ended ones.
pub async fn revoke_others(
    client: &impl GenericClient,
    audience: Audience,
    user: UserId,
    kept: Uuid,
    why: &str,
    now: DateTime<Utc>,
) -> Result<Vec<Uuid>, Error> {
    let rows = client
        .query(
            "UPDATE session SET revoked_at = $4, revoked_for = $5
              WHERE audience = $1 AND user_id = $2 AND family <> $3 AND revoked_at IS NULL AND expires_at > $4
          RETURNING family",
            &[&audience.as_str(), &user.uuid(), &kept, &now, &why],
        )
        .await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// Ends all sessions of a user. Call it in the same transaction, after the change to the user's row: the row's lock
/// makes concurrent sign-ins wait.
pub async fn revoke_all(
    client: &impl GenericClient,
    audience: Audience,
    user: UserId,
    why: &str,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    client
        .execute(
            "UPDATE session SET revoked_at = $3, revoked_for = $4
              WHERE audience = $1 AND user_id = $2 AND revoked_at IS NULL",
            &[&audience.as_str(), &user.uuid(), &now, &why],
        )
        .await
        .map(|_| ())
}
