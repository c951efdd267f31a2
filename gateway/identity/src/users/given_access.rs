//! What follows when staff give a seller user access to a company.
//!
//! Staff choose the first password of a user whom they create. With it one member of staff could become a user of any
//! company and take its money. So such a password is provisional if one of the companies has other users or has had
//! money. The first user of a new company has nothing to take, and their password works at once.

use std::collections::BTreeSet;

use ledger_domain::BusinessId;
use ledger_domain::calendar::Instant;
use ledger_domain::ids::UserId;
use ledger_store::log;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use crate::credentials::email_change::ADDRESS_SETTLES_AFTER;

/// Makes the user's password provisional if staff chose it and one of the companies is not new. Returns whether it did.
/// The caller has granted no access yet.
pub(super) async fn check_password(
    client: &impl GenericClient,
    user: UserId,
    companies: &BTreeSet<BusinessId>,
) -> Result<bool, Error> {
    if !have_users_or_money(client, user, companies).await? || !is_chosen_by_staff(client, user).await? {
        return Ok(false);
    }
    let changed = client
        .execute_typed(
            "UPDATE seller_user SET password_provisional = true WHERE id = $1 AND NOT password_provisional",
            &[(&user.uuid(), Type::UUID)],
        )
        .await?;
    Ok(changed == 1)
}

/// Whether one of the companies has another user, or has events in the ledger. Locks the companies, so that of two
/// concurrent creations of a first user only one finds no other user.
async fn have_users_or_money(
    client: &impl GenericClient,
    user: UserId,
    companies: &BTreeSet<BusinessId>,
) -> Result<bool, Error> {
    let companies: Vec<BusinessId> = companies.iter().copied().collect();
    let ids: Vec<Uuid> = companies.iter().map(|id| id.uuid()).collect();
    client
        .query_typed(
            "SELECT FROM business WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE",
            &[(&ids, Type::UUID_ARRAY)],
        )
        .await?;
    let others = client
        .query_typed_one(
            "SELECT EXISTS (SELECT FROM business_access WHERE business_id = ANY ($1) AND seller_id <> $2)",
            &[(&ids, Type::UUID_ARRAY), (&user.uuid(), Type::UUID)],
        )
        .await?;
    Ok(others.get(0) || !log::heads(client, &companies).await?.is_empty())
}

/// Whether staff created the user, who has not set a password since by a link to an address that they had had for 48
/// hours. A link to a newer address proves nothing here, because staff chose the address too.
async fn is_chosen_by_staff(client: &impl GenericClient, user: UserId) -> Result<bool, Error> {
    let settles_after = ADDRESS_SETTLES_AFTER.num_seconds();
    let row = client
        .query_typed_one(
            "SELECT EXISTS (SELECT FROM audit_log
                             WHERE subject = 'seller_user' AND subject_id = $1 AND action = 'create'
                               AND audience = 'admin')
                AND NOT EXISTS (SELECT FROM audit_log entry JOIN seller_user u ON u.id = $2
                                 WHERE entry.subject = 'seller_user' AND entry.subject_id = $1
                                   AND entry.action = 'reset-password'
                                   AND entry.at >= u.email_since + $3 * interval '1 second')",
            &[
                (&user.to_string(), Type::TEXT),
                (&user.uuid(), Type::UUID),
                (&settles_after, Type::INT8),
            ],
        )
        .await?;
    row.try_get(0)
}

/// A request of a withdrawal, by a user of the company.
#[derive(Debug, Clone, Copy)]
pub struct WithdrawalBy {
    pub user: UserId,
    pub company: BusinessId,
    pub at: Instant,
}

/// For each request: when the user's access or role in the company was given, if that was less than `days` before. The
/// audit log is read, because an access can be removed after the request.
pub async fn new_access_marks(
    client: &impl GenericClient,
    requests: &[WithdrawalBy],
    days: u16,
) -> Result<Vec<Option<Instant>>, Error> {
    if requests.is_empty() {
        return Ok(vec![]);
    }
    let users: Vec<String> = requests.iter().map(|request| request.user.to_string()).collect();
    let companies: Vec<String> = requests
        .iter()
        .map(|request| request.company.to_string())
        .collect();
    let instants: Vec<Instant> = requests.iter().map(|request| request.at).collect();
    let rows = client
        .query_typed(
            "SELECT (SELECT max(entry.at) FROM audit_log entry
                      WHERE entry.subject = 'seller_user' AND entry.subject_id = request.user_id
                        AND entry.action IN ('grant-access', 'change-access')
                        AND entry.after ->> 'business_id' = request.business_id
                        AND entry.at <= request.at AND request.at < entry.at + $4 * interval '1 day')
               FROM unnest($1::text[], $2::text[], $3::timestamptz[])
                    WITH ORDINALITY AS request (user_id, business_id, at, number)
              ORDER BY request.number",
            &[
                (&users, Type::TEXT_ARRAY),
                (&companies, Type::TEXT_ARRAY),
                (&instants, Type::TIMESTAMPTZ_ARRAY),
                (&i32::from(days), Type::INT4),
            ],
        )
        .await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// What changed of a user's credentials shortly before a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NewCredentials {
    pub password: bool,
    pub email: bool,
}

/// For each request: whether the user's password or e-mail address was changed less than `days` before. The first
/// password and the first address of a user are no changes.
pub async fn new_credentials(
    client: &impl GenericClient,
    requests: &[WithdrawalBy],
    days: u16,
) -> Result<Vec<NewCredentials>, Error> {
    if requests.is_empty() {
        return Ok(vec![]);
    }
    let users: Vec<String> = requests.iter().map(|request| request.user.to_string()).collect();
    let ids: Vec<Uuid> = requests.iter().map(|request| request.user.uuid()).collect();
    let instants: Vec<Instant> = requests.iter().map(|request| request.at).collect();
    let rows = client
        .query_typed(
            "SELECT EXISTS (SELECT FROM audit_log entry
                             WHERE entry.subject = 'seller_user' AND entry.subject_id = request.user_id
                               AND entry.action IN ('change-password', 'set-password', 'reset-password')
                               AND entry.at <= request.at AND request.at < entry.at + $4 * interval '1 day'),
                    EXISTS (SELECT FROM seller_user u
                             WHERE u.id = request.id AND u.email_since > u.created_at
                               AND u.email_since <= request.at
                               AND request.at < u.email_since + $4 * interval '1 day')
               FROM unnest($1::text[], $2::uuid[], $3::timestamptz[])
                    WITH ORDINALITY AS request (user_id, id, at, number)
              ORDER BY request.number",
            &[
                (&users, Type::TEXT_ARRAY),
                (&ids, Type::UUID_ARRAY),
                (&instants, Type::TIMESTAMPTZ_ARRAY),
                (&i32::from(days), Type::INT4),
            ],
        )
        .await?;
    let credentials = |row: &tokio_postgres::Row| NewCredentials {
        password: row.get(0),
        email: row.get(1),
    };
    Ok(rows.iter().map(credentials).collect())
}
