//! The sign-in data of a user of either audience, found by id or e-mail: whether the user is active, the password, the
//! address and whether it is confirmed. The other fields and the companies are in `users`.

use ledger_domain::ids::UserId;
use serde_json::Value;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use crate::audience::Audience;
use crate::audit::{Actor, Change, record};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInUser {
    pub id: UserId,
    pub name: String,
    pub email: String,
    pub email_verified: bool,
    pub active: bool,
}

const COLUMNS: &str = "id, name, email, email_verified_at IS NOT NULL, active";

impl SignInUser {
    fn from_row(row: &Row) -> Self {
        Self {
            id: UserId::from_uuid(row.get(0)),
            name: row.get(1),
            email: row.get(2),
            email_verified: row.get(3),
            active: row.get(4),
        }
    }
}

pub async fn user_by_id(
    client: &impl GenericClient,
    audience: Audience,
    user: UserId,
) -> Result<Option<SignInUser>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {} WHERE id = $1 AND deleted_at IS NULL",
        audience.table()
    );
    let row = client
        .query_typed(&sql, &[(&user.uuid(), Type::UUID)])
        .await?
        .pop();
    Ok(row.as_ref().map(SignInUser::from_row))
}

pub async fn user_by_email(
    client: &impl GenericClient,
    audience: Audience,
    email: &str,
) -> Result<Option<SignInUser>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {} WHERE email = $1 AND deleted_at IS NULL",
        audience.table()
    );
    let row = client.query_typed(&sql, &[(&email, Type::TEXT)]).await?.pop();
    Ok(row.as_ref().map(SignInUser::from_row))
}

/// Locks an active user until the transaction ends. Deleted users are never active. Users' changes of their own
/// password or e-mail address take this lock before they write.
pub async fn lock_active_user(
    transaction: &impl GenericClient,
    audience: Audience,
    user: UserId,
) -> Result<Option<SignInUser>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {} WHERE id = $1 AND active FOR NO KEY UPDATE",
        audience.table()
    );
    let row = transaction
        .query_typed(&sql, &[(&user.uuid(), Type::UUID)])
        .await?
        .pop();
    Ok(row.as_ref().map(SignInUser::from_row))
}

/// Returns whether the user is active and the checked hash is still the stored one. If so, locks the user's row until
/// the transaction ends, so that no session opens with a replaced password.
pub async fn lock_password_if_current(
    transaction: &impl GenericClient,
    audience: Audience,
    user: UserId,
    password_hash: &str,
) -> Result<bool, Error> {
    let sql = format!(
        "SELECT FROM {} WHERE id = $1 AND active AND password_hash = $2 FOR SHARE",
        audience.table()
    );
    let rows = transaction
        .query_typed(&sql, &[(&user.uuid(), Type::UUID), (&password_hash, Type::TEXT)])
        .await?;
    Ok(!rows.is_empty())
}

pub async fn set_password(
    transaction: &impl GenericClient,
    audience: Audience,
    user: UserId,
    password_hash: &str,
) -> Result<(), Error> {
    let sql = format!("UPDATE {} SET password_hash = $2 WHERE id = $1", audience.table());
    transaction
        .execute_typed(&sql, &[(&user.uuid(), Type::UUID), (&password_hash, Type::TEXT)])
        .await
        .map(drop)
}

/// Stores a confirmed address. Returns false if another user has it. The transaction has failed then and must be
/// rolled back.
pub async fn set_confirmed_email(
    transaction: &impl GenericClient,
    audience: Audience,
    user: UserId,
    email: &str,
) -> Result<bool, Error> {
    let sql = format!(
        "UPDATE {} SET email = $2, email_verified_at = now() WHERE id = $1",
        audience.table()
    );
    let set = transaction
        .execute_typed(&sql, &[(&user.uuid(), Type::UUID), (&email, Type::TEXT)])
        .await;
    match set {
        Ok(_) => Ok(true),
        Err(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => Ok(false),
        Err(error) => Err(error),
    }
}

/// What the profile shows about the user's address, besides the address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EmailStatus {
    pub verified: bool,
    /// The last requested address that is not yet confirmed.
    pub pending: Option<String>,
}

pub async fn email_status(
    client: &impl GenericClient,
    audience: Audience,
    user: UserId,
) -> Result<EmailStatus, Error> {
    let sql = format!(
        "SELECT u.email_verified_at IS NOT NULL,
                (SELECT c.email FROM one_time_code c
                  WHERE c.audience = $2 AND c.user_id = u.id AND c.purpose = 'verify-email' AND c.used_at IS NULL
                    AND c.expires_at > now() AND c.email <> u.email
                  ORDER BY c.created_at DESC LIMIT 1)
           FROM {} u WHERE u.id = $1",
        audience.table()
    );
    let id: Uuid = user.uuid();
    let row = client
        .query_typed(&sql, &[(&id, Type::UUID), (&audience.as_str(), Type::TEXT)])
        .await?
        .pop();
    Ok(row.map_or(EmailStatus::default(), |row| EmailStatus {
        verified: row.get(0),
        pending: row.get(1),
    }))
}

/// Records in the audit log a user's change to their own record.
pub async fn record_own_action(
    transaction: &impl GenericClient,
    audience: Audience,
    user: UserId,
    action: &str,
    (before, after): (Option<Value>, Option<Value>),
) -> Result<(), Error> {
    let actor = match audience {
        Audience::Seller => Actor::Seller(user),
        Audience::Admin => Actor::Admin(user),
    };
    let change = Change {
        action,
        subject: audience.table(),
        subject_id: &user.to_string(),
        before,
        after,
    };
    record(transaction, actor, change).await
}
