//! Admin users: their credentials and their profile.

use gateway_environment::request_context;
use gateway_environment::time_zone::TimeZone;
use ledger_domain::ids::UserId;
use serde_json::json;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use super::profile::{Theme, zone_of_column};
use super::{Credentials, UserError};
use crate::audit::{Actor, Change, record};
use crate::email_address::normalize_email;
use crate::roles::AdminRole;

pub struct NewAdmin<'a> {
    pub id: UserId,
    pub name: &'a str,
    pub email: &'a str,
    pub password_hash: &'a str,
    /// At least one.
    pub roles: &'a [AdminRole],
    pub active: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdminProfile {
    pub id: UserId,
    pub name: String,
    pub email: String,
    pub theme: Theme,
    /// The user's own choice. Without one, the tenant's zone applies.
    pub time_zone: Option<TimeZone>,
    pub roles: Vec<AdminRole>,
}

pub async fn admin_insert(
    client: &impl GenericClient,
    actor: Actor,
    admin: &NewAdmin<'_>,
) -> Result<(), UserError> {
    let email = normalize_email(admin.email);
    let roles: Vec<&str> = admin.roles.iter().map(|role| role.as_str()).collect();
    client
        .execute(
            "INSERT INTO admin_user (id, name, email, password_hash, roles, active, created_at, email_since)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $7)",
            &[
                &admin.id.uuid(),
                &admin.name,
                &email,
                &admin.password_hash,
                &roles,
                &admin.active,
                &request_context::now(),
            ],
        )
        .await?;
    let change = Change {
        action: "create",
        subject: "admin_user",
        subject_id: &admin.id.to_string(),
        before: None,
        after: Some(json!({
            "name": admin.name, "email": email, "roles": roles, "active": admin.active,
        })),
    };
    Ok(record(client, actor, change).await?)
}

pub async fn admin_credentials(
    client: &impl GenericClient,
    email: &str,
) -> Result<Option<Credentials>, Error> {
    let rows = client
        .query_typed(
            "SELECT id, password_hash, active FROM admin_user WHERE email = $1 AND deleted_at IS NULL",
            &[(&normalize_email(email), Type::TEXT)],
        )
        .await?;
    Ok(rows.first().map(|row| Credentials {
        user_id: UserId::from_uuid(row.get(0)),
        password_hash: row.get(1),
        active: row.get(2),
    }))
}

pub async fn admin_profile(
    client: &impl GenericClient,
    admin: UserId,
) -> Result<Option<AdminProfile>, Error> {
    let rows = client
        .query_typed(
            "SELECT name, email, theme, time_zone, roles FROM admin_user WHERE id = $1 AND deleted_at IS NULL",
            &[(&admin.uuid(), Type::UUID)],
        )
        .await?;
    Ok(rows.first().map(|row| AdminProfile {
        id: admin,
        name: row.get(0),
        email: row.get(1),
        theme: Theme::of_column(row.get(2)),
        time_zone: zone_of_column(row.get(3)),
        roles: row
            .get::<_, Vec<&str>>(4)
            .into_iter()
            .filter_map(|name| AdminRole::parse(name).ok())
            .collect(),
    }))
}
