//! The sign-in data of a user of either audience, found by id or e-mail: whether the user is active, the password, the
//! address and whether it is confirmed. The other fields and the companies are in `users`.

use chrono::{DateTime, Utc};
use ledger_domain::ids::UserId;
use serde_json::Value;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};

use super::email_change::ADDRESS_SETTLES_AFTER;
use crate::audience::Audience;
use crate::audit::{Change, record};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInUser {
    pub id: UserId,
    pub name: String,
    pub email: String,
    pub email_verified: bool,
    pub active: bool,
    /// Another user set the password.
    pub password_provisional: bool,
    /// Since when the user has the address.
    pub email_since: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
}

const COLUMNS: &str =
    "id, name, email, email_verified_at IS NOT NULL, active, password_provisional, email_since, created_at";

impl SignInUser {
    fn from_row(row: &Row) -> Self {
        Self {
            id: UserId::from_uuid(row.get(0)),
            name: row.get(1),
            email: row.get(2),
            email_verified: row.get(3),
            active: row.get(4),
            password_provisional: row.get(5),
            email_since: row.get(6),
            created_at: row.get(7),
        }
    }

    /// From when on a link to the present address makes a password the user's own.
    pub fn address_settles_at(&self) -> DateTime<Utc> {
        self.email_since + ADDRESS_SETTLES_AFTER
    }

    /// Whether a password that is set by a link to the present address is provisional. A link to an address that is
    /// younger than 48 hours proves nothing if someone else may have set the address. The address with which a user was
    /// created proves as much as the password that was given with it.
    pub fn link_sets_provisional(&self, now: DateTime<Utc>) -> bool {
        let was_changed = self.email_since > self.created_at;
        now < self.address_settles_at() && (self.password_provisional || was_changed)
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
    provisional: bool,
) -> Result<(), Error> {
    let sql = format!(
        "UPDATE {} SET password_hash = $2, password_provisional = $3 WHERE id = $1",
        audience.table()
    );
    transaction
        .execute_typed(
            &sql,
            &[
                (&user.uuid(), Type::UUID),
                (&password_hash, Type::TEXT),
                (&provisional, Type::BOOL),
            ],
        )
        .await
        .map(drop)
}

/// The user has proved to read the present address.
pub async fn set_email_verified(
    transaction: &impl GenericClient,
    audience: Audience,
    user: UserId,
) -> Result<(), Error> {
    let sql = format!(
        "UPDATE {} SET email_verified_at = now() WHERE id = $1",
        audience.table()
    );
    transaction
        .execute_typed(&sql, &[(&user.uuid(), Type::UUID)])
        .await
        .map(drop)
}

/// The new address of a user.
pub struct NewAddress<'a> {
    pub email: &'a str,
    pub is_verified: bool,
    /// From when on the user has it.
    pub since: DateTime<Utc>,
}

/// Stores a new address. Returns false if another user has it. The address of another user could still be taken
/// between the check and the change. Then the transaction fails and is repeated.
pub async fn set_email(
    transaction: &impl GenericClient,
    audience: Audience,
    user: UserId,
    new: &NewAddress<'_>,
) -> Result<bool, Error> {
    let sql = format!(
        "UPDATE {table} SET email = $2, email_since = $3, email_verified_at = CASE WHEN $4 THEN now() END
          WHERE id = $1 AND NOT {has_another}",
        table = audience.table(),
        has_another = another_has(audience),
    );
    let set = transaction
        .execute_typed(
            &sql,
            &[
                (&user.uuid(), Type::UUID),
                (&new.email, Type::TEXT),
                (&new.since, Type::TIMESTAMPTZ),
                (&new.is_verified, Type::BOOL),
            ],
        )
        .await?;
    Ok(set == 1)
}

/// Whether a user other than `$1` has the address `$2`.
fn another_has(audience: Audience) -> String {
    let table = audience.table();
    format!(
        "EXISTS (SELECT FROM {table} other WHERE other.email = $2 AND other.deleted_at IS NULL AND other.id <> $1)"
    )
}

pub async fn email_is_taken(
    client: &impl GenericClient,
    audience: Audience,
    user: UserId,
    email: &str,
) -> Result<bool, Error> {
    let sql = format!("SELECT {}", another_has(audience));
    let row = client
        .query_typed_one(&sql, &[(&user.uuid(), Type::UUID), (&email, Type::TEXT)])
        .await?;
    row.try_get(0)
}

/// What the profile shows about the user's address and password, besides the address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EmailStatus {
    pub verified: bool,
    pub pending: PendingEmail,
    /// Another user set the password.
    pub password_provisional: bool,
    /// From when on a link to the address makes a password the user's own.
    pub settles_at: DateTime<Utc>,
}

/// A requested address that has not taken effect. Both are `None` if there is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PendingEmail {
    pub email: Option<String>,
    /// When it takes effect without the approval of the present address; `None` also while a user's own new address is
    /// not confirmed.
    pub takes_effect_at: Option<DateTime<Utc>>,
}

/// The two columns of `PendingEmail`, of the user `u`. A user's own change without confirmation ends with its code.
macro_rules! pending_email_columns {
    ($audience:literal) => {
        concat!(
            "(SELECT c.email FROM email_change c WHERE c.audience = '",
            $audience,
            "' AND c.user_id = u.id AND c.ended_at IS NULL
                 AND (c.asked_by IS DISTINCT FROM u.id OR c.confirmed_at IS NOT NULL OR EXISTS (
                      SELECT FROM one_time_code o
                       WHERE o.audience = c.audience AND o.user_id = u.id AND o.purpose = 'verify-email'
                         AND o.email = c.email AND o.used_at IS NULL AND o.expires_at > now()))) AS pending_email,
             (SELECT c.waits_until FROM email_change c WHERE c.audience = '",
            $audience,
            "' AND c.user_id = u.id AND c.ended_at IS NULL
                 AND (c.asked_by IS DISTINCT FROM u.id OR c.confirmed_at IS NOT NULL)) AS pending_email_at"
        )
    };
}
pub(crate) use pending_email_columns;

pub async fn email_status(
    client: &impl GenericClient,
    audience: Audience,
    user: UserId,
) -> Result<EmailStatus, Error> {
    let pending = match audience {
        Audience::Seller => pending_email_columns!("seller"),
        Audience::Admin => pending_email_columns!("admin"),
    };
    let sql = format!(
        "SELECT u.email_verified_at IS NOT NULL, u.password_provisional, u.email_since, {pending}
           FROM {} u WHERE u.id = $1",
        audience.table()
    );
    let row = client
        .query_typed(&sql, &[(&user.uuid(), Type::UUID)])
        .await?
        .pop();
    Ok(row.map_or(EmailStatus::default(), |row| EmailStatus {
        verified: row.get(0),
        password_provisional: row.get(1),
        settles_at: row.get::<_, DateTime<Utc>>(2) + ADDRESS_SETTLES_AFTER,
        pending: PendingEmail {
            email: row.get(3),
            takes_effect_at: row.get(4),
        },
    }))
}

impl PendingEmail {
    /// From the columns of `pending_email_columns`.
    pub(crate) fn of(row: &Row) -> Result<Self, Error> {
        Ok(Self {
            email: row.try_get("pending_email")?,
            takes_effect_at: row.try_get("pending_email_at")?,
        })
    }
}

/// Records in the audit log a user's change to their own record.
pub async fn record_own_action(
    transaction: &impl GenericClient,
    audience: Audience,
    user: UserId,
    action: &str,
    (before, after): (Option<Value>, Option<Value>),
) -> Result<(), Error> {
    let change = Change {
        action,
        subject: audience.table(),
        subject_id: &user.to_string(),
        before,
        after,
    };
    record(transaction, audience.actor(user), change).await
}
