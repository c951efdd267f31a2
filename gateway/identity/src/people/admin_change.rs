//! Changes of staff by staff: who may is `staff_rules`', read while every owner and admin is locked, so that two changes
//! at once can't leave the installation without one.
//!
//! Every function runs inside the caller's transaction, and leaves its trail there.

use chrono::Utc;
use ledger_domain::ids::UserId;
use serde_json::{Map, json};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use super::admin_list::roles_of_column;
use super::changes::{PersonChange, ToBeTold};
use super::staff_rules::{StaffActor, Standing, Tally};
use super::still_allowed::StaffCaller;
use super::{NewAdmin, PeopleError, admin_create};
use crate::audience::Audience;
use crate::audit::{Actor, Change, record};
use crate::roles::AdminRole;
use crate::sessions::{codes, families};

/// Both people as they are while nobody else can change either, nor any owner or admin.
struct Scene {
    actor: StaffActor,
    person: Row,
    present: Standing,
    tally: Tally,
}

/// Somebody new, by somebody of staff.
pub async fn staff_create(
    client: &impl GenericClient,
    by: StaffCaller,
    new: &NewAdmin<'_>,
) -> Result<(), PeopleError> {
    let nobody = Standing {
        active: new.active,
        roles: vec![],
    };
    nobody.with(None, Some(new.roles))?;
    by.still_may(client).await?;
    admin_create(client, Actor::Admin(by.id), new).await
}

pub async fn staff_change(
    client: &impl GenericClient,
    by: StaffCaller,
    target: UserId,
    change: PersonChange,
    roles: Option<&[AdminRole]>,
) -> Result<ToBeTold, PeopleError> {
    let scene = Scene::set(client, by, target).await?;
    let mut change = change.of_what_differs(&scene.person);
    let becomes = scene.present.with(change.active, roles)?;
    let becomes = if same(&scene.present, &becomes) {
        scene.present.clone()
    } else {
        becomes
    };
    // The switch is part of what they become.
    let active = change.active.take();
    scene
        .actor
        .may_change(&scene.present, Some(&becomes), &change, scene.tally)?;
    change.active = active;
    write(client, by.id, target, &scene, &change, &becomes).await?;
    Ok(change.to_be_told(scene.person.get("email")))
}

/// They can't sign in any more, and their e-mail is free for another. Their name stays for what they did.
pub async fn staff_delete(
    client: &impl GenericClient,
    by: StaffCaller,
    target: UserId,
) -> Result<(), PeopleError> {
    let scene = Scene::set(client, by, target).await?;
    let nothing = PersonChange::default();
    scene
        .actor
        .may_change(&scene.present, None, &nothing, scene.tally)?;
    client
        .execute_typed(
            "UPDATE admin_user SET active = false, password_hash = NULL, deleted_at = now() WHERE id = $1",
            &[(&target.uuid(), Type::UUID)],
        )
        .await?;
    let was = &scene.person;
    let change = Change {
        action: "delete",
        subject: "admin_user",
        subject_id: &target.to_string(),
        before: Some(json!({
            "name": was.get::<_, &str>("name"), "email": was.get::<_, &str>("email"),
            "active": scene.present.active, "roles": names(&scene.present.roles),
        })),
        after: None,
    };
    record(client, Actor::Admin(by.id), change).await?;
    families::revoke_all(client, Audience::Admin, target, "deleted", Utc::now()).await?;
    codes::end_all(client, Audience::Admin, target).await?;
    Ok(())
}

impl Scene {
    /// The rows are locked in the order of their ids, so that two changes never wait for one another.
    async fn set(client: &impl GenericClient, by: StaffCaller, target: UserId) -> Result<Self, PeopleError> {
        let rows = client
            .query_typed(
                "SELECT id, name, email, active, roles FROM admin_user
                  WHERE deleted_at IS NULL
                    AND (id = $1 OR id = $2 OR active AND roles && ARRAY['owner', 'admin'])
                  ORDER BY id FOR NO KEY UPDATE",
                &[(&by.id.uuid(), Type::UUID), (&target.uuid(), Type::UUID)],
            )
            .await?;
        let standing = |row: &Row| Standing {
            active: row.get("active"),
            roles: roles_of_column(row.get("roles")),
        };
        let of = |person: UserId| rows.iter().find(|row| row.get::<_, Uuid>("id") == person.uuid());
        // What the guard found may be over by now, as another one's change was first.
        let own = of(by.id)
            .map(standing)
            .filter(|own| own.active && by.passes(&own.roles))
            .ok_or(PeopleError::ActorGone)?;
        let present = of(target).map(standing).ok_or(PeopleError::Unknown)?;
        let holders = |role| {
            rows.iter()
                .map(standing)
                .filter(|one| one.active && one.is(role))
                .count()
        };
        let tally = Tally {
            owners: holders(AdminRole::Owner),
            admins: holders(AdminRole::Admin),
        };
        let person = rows
            .into_iter()
            .find(|row| row.get::<_, Uuid>("id") == target.uuid());
        Ok(Self {
            actor: StaffActor {
                is_owner: own.is(AdminRole::Owner),
                is_self: by.id == target,
            },
            person: person.ok_or(PeopleError::Unknown)?,
            present,
            tally,
        })
    }
}

/// The order of the roles says nothing.
fn same(one: &Standing, other: &Standing) -> bool {
    let within = |one: &Standing, other: &Standing| one.roles.iter().all(|role| other.is(*role));
    one.active == other.active && within(one, other) && within(other, one)
}

fn names(roles: &[AdminRole]) -> Vec<&'static str> {
    roles.iter().map(|role| role.as_str()).collect()
}

async fn write(
    client: &impl GenericClient,
    by: UserId,
    target: UserId,
    scene: &Scene,
    change: &PersonChange,
    becomes: &Standing,
) -> Result<(), PeopleError> {
    let roles = (becomes.roles != scene.present.roles).then(|| names(&becomes.roles));
    if change.is_empty() && roles.is_none() {
        return Ok(());
    }
    client
        .execute_typed(
            "UPDATE admin_user
                SET name = coalesce($2, name), email = coalesce($3, email), active = coalesce($4, active),
                    password_hash = coalesce($5, password_hash), roles = coalesce($6, roles),
                    email_verified_at = CASE WHEN $3 IS NULL THEN email_verified_at END
              WHERE id = $1",
            &[
                (&target.uuid(), Type::UUID),
                (&change.name, Type::TEXT),
                (&change.email, Type::TEXT),
                (&change.active, Type::BOOL),
                (&change.password_hash, Type::TEXT),
                (&roles, Type::TEXT_ARRAY),
            ],
        )
        .await?;
    let (mut before, mut after) = (Map::new(), Map::new());
    let was = &scene.person;
    for (field, was, now) in [
        (
            "name",
            json!(was.get::<_, &str>("name")),
            change.name.as_ref().map(|now| json!(now)),
        ),
        (
            "email",
            json!(was.get::<_, &str>("email")),
            change.email.as_ref().map(|now| json!(now)),
        ),
        (
            "active",
            json!(scene.present.active),
            change.active.map(|now| json!(now)),
        ),
        (
            "roles",
            json!(names(&scene.present.roles)),
            roles.map(|now| json!(now)),
        ),
    ] {
        if let Some(now) = now {
            before.insert(field.to_owned(), was);
            after.insert(field.to_owned(), now);
        }
    }
    change
        .leave_trail(client, Actor::Admin(by), ("admin_user", target), (before, after))
        .await?;
    Ok(change.end_what_is_over(client, Audience::Admin, target).await?)
}
