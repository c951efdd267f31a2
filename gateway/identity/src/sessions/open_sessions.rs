//! Lists a user's open sessions, and ends one of them or all others. Each request of a signed-in user reads its
//! session's row, so an ended session is invalid from the next request on.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use ledger_domain::ids::UserId;
use serde_json::json;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::{SignedInAdmin, SignedInSeller, session_store};
use crate::audience::Audience;
use crate::credentials::account;

/// The signed-in user of either audience, with the session.
#[derive(Debug, Clone, Copy)]
pub struct SessionOwner {
    pub audience: Audience,
    pub user: UserId,
    pub session_id: Uuid,
}

impl From<SignedInSeller> for SessionOwner {
    fn from(seller: SignedInSeller) -> Self {
        Self {
            audience: Audience::Seller,
            user: seller.id,
            session_id: seller.session_id,
        }
    }
}

impl From<SignedInAdmin> for SessionOwner {
    fn from(admin: SignedInAdmin) -> Self {
        Self {
            audience: Audience::Admin,
            user: admin.id,
            session_id: admin.session_id,
        }
    }
}

/// The public id of a session, in the API and the audit log. It gives no access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionId(pub Uuid);

const PREFIX: &str = "ses_";

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.0)
    }
}

impl FromStr for SessionId {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let uuid = text
            .strip_prefix(PREFIX)
            .and_then(|rest| Uuid::try_parse(rest).ok());
        uuid.map(Self).ok_or(())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSession {
    pub session_id: Uuid,
    pub user_agent: String,
    pub address: Option<IpAddr>,
    pub created_at: DateTime<Utc>,
    /// The time of the sign-in or of the last refresh.
    pub last_used_at: DateTime<Utc>,
}

/// Sorted by last use, the latest first.
pub async fn open_sessions(
    client: &impl GenericClient,
    owner: SessionOwner,
    now: DateTime<Utc>,
) -> Result<Vec<OpenSession>, Error> {
    let rows = client
        .query_typed(
            "SELECT family, user_agent, address, created_at, rotated_at FROM session
              WHERE audience = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > $3
              ORDER BY rotated_at DESC, family",
            &[
                (&owner.audience.as_str(), Type::TEXT),
                (&owner.user.uuid(), Type::UUID),
                (&now, Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    let sessions = rows.iter().map(|row| OpenSession {
        session_id: row.get(0),
        user_agent: row.get(1),
        address: row.get(2),
        created_at: row.get(3),
        last_used_at: row.get(4),
    });
    Ok(sessions.collect())
}

/// Ends one of the owner's sessions, which may be the current one. Returns false if the owner has no such session.
pub async fn end_one(
    transaction: &impl GenericClient,
    owner: SessionOwner,
    session_id: Uuid,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let (why, action) = if session_id == owner.session_id {
        ("sign-out", "sign-out")
    } else {
        ("signed-out-elsewhere", "end-session")
    };
    let SessionOwner { audience, user, .. } = owner;
    if !session_store::revoke_own(transaction, audience, user, session_id, why, now).await? {
        return Ok(false);
    }
    record_session_action(transaction, owner, action, session_id).await?;
    Ok(true)
}

pub async fn end_others(
    transaction: &impl GenericClient,
    owner: SessionOwner,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let SessionOwner {
        audience,
        user,
        session_id,
    } = owner;
    let why = "signed-out-elsewhere";
    for ended in session_store::revoke_others(transaction, audience, user, session_id, why, now).await? {
        record_session_action(transaction, owner, "end-session", ended).await?;
    }
    Ok(())
}

/// Records an action on a session in its user's audit log.
pub async fn record_session_action(
    transaction: &impl GenericClient,
    owner: SessionOwner,
    action: &str,
    session_id: Uuid,
) -> Result<(), Error> {
    let session = json!({ "session": SessionId(session_id).to_string() });
    account::record_own_action(
        transaction,
        owner.audience,
        owner.user,
        action,
        (None, Some(session)),
    )
    .await
}
