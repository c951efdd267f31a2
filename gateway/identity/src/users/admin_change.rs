//! Changes to admin users, by the rules of `staff_rules`. A change or a deletion checks the rules while every active
//! owner and admin is locked. So two concurrent changes cannot remove the last active owner or the last active admin. A
//! creation cannot do that, so it locks only the caller.
//!
//! Every function runs inside the caller's transaction and writes its audit entries there.

use chrono::Utc;
use gateway_environment::request_context;
use ledger_domain::ids::UserId;
use serde_json::{Map, json};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use super::admin_list::roles_of_column;
use super::staff_rules::{ActiveCounts, StaffActor, StaffStatus};
use super::still_allowed::StaffCaller;
use super::user_change::{ChangeEmails, UserChange};
use super::{NewAdmin, UserError, admin_insert};
use crate::audience::Audience;
use crate::audit::{Actor, Change, record};
use crate::credentials::codes;
use crate::credentials::email_change::{self, Canceled};
use crate::roles::AdminRole;
use crate::sessions::session_store;

/// The actor and the target while both are locked, together with every active owner and admin.
struct LockedStaff {
    actor: StaffActor,
    target: Row,
    current: StaffStatus,
    active_counts: ActiveCounts,
}

/// Creates an admin user.
pub async fn staff_create(
    client: &impl GenericClient,
    caller: StaffCaller,
    new: &NewAdmin<'_>,
) -> Result<(), UserError> {
    let new_user = StaffStatus {
        active: new.active,
        roles: vec![],
    };
    new_user.with(None, Some(new.roles))?;
    caller.lock_and_check_allowed(client).await?;
    admin_insert(client, Actor::Admin(caller.id), new).await
}

/// A new address takes effect later.
pub async fn staff_change(
    client: &impl GenericClient,
    caller: StaffCaller,
    target: UserId,
    change: UserChange,
    roles: Option<&[AdminRole]>,
    panel_url: &str,
) -> Result<ChangeEmails, UserError> {
    let locked = LockedStaff::lock(client, caller, target).await?;
    let mut change = change.differing_fields(&locked.target);
    let after = locked.current.with(change.active, roles)?;
    let after = if same_status(&locked.current, &after) {
        locked.current.clone()
    } else {
        after
    };
    // The rules check the new `active` as part of `after`, and not among the profile fields.
    let active = change.active.take();
    locked
        .actor
        .may_change(&locked.current, Some(&after), &change, locked.active_counts)?;
    change.active = active;
    write(client, caller.id, target, &locked, &change, &after).await?;
    let owner = (Audience::Admin, target);
    let address = (locked.target.get("email"), panel_url);
    change
        .request_email_change(client, Actor::Admin(caller.id), owner, address)
        .await
}

/// A deleted user cannot sign in, and the e-mail is free for another user. The name stays for the audit log.
pub async fn staff_delete(
    client: &impl GenericClient,
    caller: StaffCaller,
    target: UserId,
) -> Result<(), UserError> {
    let locked = LockedStaff::lock(client, caller, target).await?;
    let no_fields = UserChange::default();
    locked
        .actor
        .may_change(&locked.current, None, &no_fields, locked.active_counts)?;
    client
        .execute_typed(
            "UPDATE admin_user SET active = false, password_hash = NULL, deleted_at = now() WHERE id = $1",
            &[(&target.uuid(), Type::UUID)],
        )
        .await?;
    let was = &locked.target;
    let change = Change {
        action: "delete",
        subject: "admin_user",
        subject_id: &target.to_string(),
        before: Some(json!({
            "name": was.get::<_, &str>("name"), "email": was.get::<_, &str>("email"),
            "active": locked.current.active, "roles": role_names(&locked.current.roles),
        })),
        after: None,
    };
    record(client, Actor::Admin(caller.id), change).await?;
    session_store::revoke_all(client, Audience::Admin, target, "deleted", Utc::now()).await?;
    codes::end_all(client, Audience::Admin, target).await?;
    let now = request_context::now();
    email_change::cancel(client, (Audience::Admin, target), Canceled::Any, now).await?;
    Ok(())
}

impl LockedStaff {
    /// Locks the rows in the order of their ids, so that two changes cannot deadlock.
    async fn lock(
        client: &impl GenericClient,
        caller: StaffCaller,
        target: UserId,
    ) -> Result<Self, UserError> {
        let rows = client
            .query_typed(
                "SELECT id, name, email, active, roles FROM admin_user
                  WHERE deleted_at IS NULL
                    AND (id = $1 OR id = $2 OR active AND roles && ARRAY['owner', 'admin'])
                  ORDER BY id FOR NO KEY UPDATE",
                &[(&caller.id.uuid(), Type::UUID), (&target.uuid(), Type::UUID)],
            )
            .await?;
        let staff_status = |row: &Row| StaffStatus {
            active: row.get("active"),
            roles: roles_of_column(row.get("roles")),
        };
        let row_of = |user: UserId| rows.iter().find(|row| row.get::<_, Uuid>("id") == user.uuid());
        // A concurrent change may have ended the access that was checked when the request arrived.
        let own = row_of(caller.id)
            .map(staff_status)
            .filter(|own| own.active && caller.allows(&own.roles))
            .ok_or(UserError::ActorAccessEnded)?;
        let current = row_of(target).map(staff_status).ok_or(UserError::Unknown)?;
        let active_count = |role| {
            rows.iter()
                .map(staff_status)
                .filter(|one| one.active && one.is(role))
                .count()
        };
        let active_counts = ActiveCounts {
            owners: active_count(AdminRole::Owner),
            admins: active_count(AdminRole::Admin),
        };
        let target_row = rows
            .into_iter()
            .find(|row| row.get::<_, Uuid>("id") == target.uuid());
        Ok(Self {
            actor: StaffActor {
                is_owner: own.is(AdminRole::Owner),
                is_self: caller.id == target,
            },
            target: target_row.ok_or(UserError::Unknown)?,
            current,
            active_counts,
        })
    }
}

/// Equal without regard to the order of the roles.
fn same_status(one: &StaffStatus, other: &StaffStatus) -> bool {
    let within = |one: &StaffStatus, other: &StaffStatus| one.roles.iter().all(|role| other.is(*role));
    one.active == other.active && within(one, other) && within(other, one)
}

fn role_names(roles: &[AdminRole]) -> Vec<&'static str> {
    roles.iter().map(|role| role.as_str()).collect()
}

async fn write(
    client: &impl GenericClient,
    caller: UserId,
    target: UserId,
    locked: &LockedStaff,
    change: &UserChange,
    after: &StaffStatus,
) -> Result<(), UserError> {
    let roles = (after.roles != locked.current.roles).then(|| role_names(&after.roles));
    if change.is_empty() && roles.is_none() {
        return Ok(());
    }
    client
        .execute_typed(
            "UPDATE admin_user
                SET name = coalesce($2, name), active = coalesce($3, active),
                    password_hash = coalesce($4, password_hash), roles = coalesce($5, roles),
                    password_provisional = password_provisional OR $4 IS NOT NULL
              WHERE id = $1",
            &[
                (&target.uuid(), Type::UUID),
                (&change.name, Type::TEXT),
                (&change.active, Type::BOOL),
                (&change.password_hash, Type::TEXT),
                (&roles, Type::TEXT_ARRAY),
            ],
        )
        .await?;
    let (mut before, mut after) = (Map::new(), Map::new());
    let was = &locked.target;
    for (field, was, now) in [
        (
            "name",
            json!(was.get::<_, &str>("name")),
            change.name.as_ref().map(|now| json!(now)),
        ),
        (
            "active",
            json!(locked.current.active),
            change.active.map(|now| json!(now)),
        ),
        (
            "roles",
            json!(role_names(&locked.current.roles)),
            roles.map(|now| json!(now)),
        ),
    ] {
        if let Some(now) = now {
            before.insert(field.to_owned(), was);
            after.insert(field.to_owned(), now);
        }
    }
    change
        .write_audit_log(
            client,
            Actor::Admin(caller),
            ("admin_user", target),
            (before, after),
        )
        .await?;
    Ok(change
        .revoke_sessions_and_codes(client, Audience::Admin, target)
        .await?)
}
