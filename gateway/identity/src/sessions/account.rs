//! A person by id or e-mail, whichever audience they are of, as far as signing in goes: whether they may, their password,
//! their address and whether it is confirmed. Their other fields and their companies are `people`'s.

use ledger_domain::ids::UserId;
use serde_json::Value;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use crate::audience::Audience;
use crate::audit::{Actor, Change, record};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: UserId,
    pub name: String,
    pub email: String,
    pub email_verified: bool,
    pub active: bool,
}

const COLUMNS: &str = "id, name, email, email_verified_at IS NOT NULL, active";

impl Account {
    fn of_row(row: &Row) -> Self {
        Self {
            id: UserId::from_uuid(row.get(0)),
            name: row.get(1),
            email: row.get(2),
            email_verified: row.get(3),
            active: row.get(4),
        }
    }
}

pub async fn account_fetch(
    client: &impl GenericClient,
    audience: Audience,
    user: UserId,
) -> Result<Option<Account>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {} WHERE id = $1 AND deleted_at IS NULL",
        audience.table()
    );
    let row = client
        .query_typed(&sql, &[(&user.uuid(), Type::UUID)])
        .await?
        .pop();
    Ok(row.as_ref().map(Account::of_row))
}

pub async fn account_by_email(
    client: &impl GenericClient,
    audience: Audience,
    email: &str,
) -> Result<Option<Account>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {} WHERE email = $1 AND deleted_at IS NULL",
        audience.table()
    );
    let row = client.query_typed(&sql, &[(&email, Type::TEXT)]).await?.pop();
    Ok(row.as_ref().map(Account::of_row))
}

/// A person who may sign in, theirs alone until the transaction's end. What changes a password or an address, or ends
/// sessions, begins here.
pub async fn account_lock(
    transaction: &impl GenericClient,
    audience: Audience,
    user: UserId,
) -> Result<Option<Account>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {} WHERE id = $1 AND active FOR NO KEY UPDATE",
        audience.table()
    );
    let row = transaction
        .query_typed(&sql, &[(&user.uuid(), Type::UUID)])
        .await?
        .pop();
    Ok(row.as_ref().map(Account::of_row))
}

/// Whether what a password was checked against still holds. A change that is under way is waited for, and one that
/// comes later waits for this transaction: no session opens by a password that has just been replaced.
pub async fn password_holds(
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

pub async fn password_set(
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

/// The address, which somebody has just shown to read. False where it is somebody else's; the transaction is over then.
pub async fn email_confirm(
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

/// What a person sees of their own address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EmailStanding {
    pub verified: bool,
    /// The new one that waits to be confirmed.
    pub pending: Option<String>,
}

pub async fn email_standing(
    client: &impl GenericClient,
    audience: Audience,
    user: UserId,
) -> Result<EmailStanding, Error> {
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
    Ok(row.map_or(EmailStanding::default(), |row| EmailStanding {
        verified: row.get(0),
        pending: row.get(1),
    }))
}

/// What somebody did to their own record, in the trail.
pub async fn note(
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
