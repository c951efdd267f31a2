//! Changes of seller users, by staff and by those who manage them: who may is `reach`'s, read under the rows' locks, so
//! that two changes at once are one after the other and the second sees what the first left.
//!
//! Every function runs inside the caller's transaction, and leaves its trail there.

use std::collections::BTreeSet;

use chrono::Utc;
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use serde_json::{Map, Value, json};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use super::access::{access_change, accesses_of};
use super::changes::{PersonChange, ToBeTold};
use super::reach::{AccessPlan, AccessWish, Accesses, Reach, ReachRefusal};
use super::sellers::{NewSeller, seller_create};
use super::{Actor, Change, PeopleError, record};
use crate::sessions::{Audience, SellerRole, codes, families};

/// Whoever changes somebody.
#[derive(Debug, Clone, Copy)]
pub enum By {
    Staff(UserId),
    /// A seller, and the company that they act for.
    Seller {
        id: UserId,
        current: BusinessId,
    },
}

/// Somebody new, without the accesses that they get.
pub struct NewTeamMember<'a> {
    pub seller: NewSeller<'a>,
    pub role: SellerRole,
    pub companies: BTreeSet<BusinessId>,
}

/// Both people as they are while nobody else can change either.
struct Scene {
    reach: Reach,
    person: Row,
    accesses: Accesses,
    is_self: bool,
}

impl By {
    const fn actor(self) -> Actor {
        match self {
            Self::Staff(id) => Actor::Admin(id),
            Self::Seller { id, .. } => Actor::Seller(id),
        }
    }

    const fn seller(self) -> Option<UserId> {
        match self {
            Self::Staff(_) => None,
            Self::Seller { id, .. } => Some(id),
        }
    }
}

pub async fn team_member_create(
    client: &impl GenericClient,
    by: By,
    new: &NewTeamMember<'_>,
) -> Result<(), PeopleError> {
    let reach = reach_of(client, by).await?;
    let granted = reach.first_accesses(new.role, &new.companies)?;
    if !all_exist(client, &new.companies).await? {
        return Err(ReachRefusal::RoleNotTheirsThere.into());
    }
    seller_create(client, by.actor(), &new.seller).await?;
    let plan = AccessPlan {
        granted,
        ..AccessPlan::default()
    };
    Ok(access_change(client, by.actor(), new.seller.id, &Accesses::new(), &plan).await?)
}

/// Changes fields and accesses at once, or nothing.
pub async fn team_member_change(
    client: &impl GenericClient,
    by: By,
    target: UserId,
    change: PersonChange,
    wish: &AccessWish,
) -> Result<ToBeTold, PeopleError> {
    let scene = Scene::seen(client, by, target).await?;
    let change = change.of_what_differs(&scene.person);
    if !change.is_empty() && !scene.reach.covers(&scene.accesses) {
        return Err(ReachRefusal::NotCovered.into());
    }
    if let By::Seller { current, .. } = by {
        if scene.is_self && scene.asks_for_other_access(current, wish) {
            return Err(ReachRefusal::NotCovered.into());
        }
        let plan = scene.reach.plan(&scene.accesses, current, wish)?;
        access_change(client, by.actor(), target, &scene.accesses, &plan).await?;
    }
    fields_change(client, by.actor(), target, &scene.person, &change).await?;
    Ok(change.to_be_told(scene.person.get("email")))
}

/// They can't sign in any more, and their e-mail is free for another. Their name stays for what they did.
pub async fn team_member_delete(
    client: &impl GenericClient,
    by: By,
    target: UserId,
) -> Result<(), PeopleError> {
    let scene = Scene::seen(client, by, target).await?;
    if !scene.reach.covers(&scene.accesses) {
        return Err(ReachRefusal::NotCovered.into());
    }
    let plan = AccessPlan {
        removed: scene.accesses.clone(),
        ..AccessPlan::default()
    };
    access_change(client, by.actor(), target, &scene.accesses, &plan).await?;
    client
        .execute_typed(
            "UPDATE seller_user SET active = false, password_hash = NULL, deleted_at = now() WHERE id = $1",
            &[(&target.uuid(), Type::UUID)],
        )
        .await?;
    let was = &scene.person;
    let change = Change {
        action: "delete",
        subject: "seller_user",
        subject_id: &target.to_string(),
        before: Some(json!({
            "name": was.get::<_, &str>("name"), "email": was.get::<_, &str>("email"),
            "document": was.get::<_, &str>("document"), "active": was.get::<_, bool>("active"),
        })),
        after: None,
    };
    record(client, by.actor(), change).await?;
    families::revoke_all(client, Audience::Seller, target, "deleted", Utc::now()).await?;
    codes::end_all(client, Audience::Seller, target).await?;
    Ok(())
}

/// Somebody whom a seller sees in a company that they manage may come into another of theirs, or get another role.
pub async fn access_give(
    client: &impl GenericClient,
    by: By,
    target: UserId,
    company: BusinessId,
    role: SellerRole,
) -> Result<(), PeopleError> {
    let scene = Scene::known(client, by, target).await?;
    if scene.accesses.contains_key(&company) && !scene.reach.commands(&scene.accesses, company) {
        return Err(ReachRefusal::NotCommanded.into());
    }
    let plan = scene.reach.one(&scene.accesses, company, role)?;
    if !all_exist(client, &BTreeSet::from([company])).await? {
        return Err(PeopleError::CompanyUnknown);
    }
    Ok(access_change(client, by.actor(), target, &scene.accesses, &plan).await?)
}

/// Also of the last one: the person sees so when they sign in.
pub async fn access_take(
    client: &impl GenericClient,
    by: By,
    target: UserId,
    company: BusinessId,
) -> Result<(), PeopleError> {
    let scene = Scene::known(client, by, target).await?;
    let role = *scene.accesses.get(&company).ok_or(PeopleError::Unknown)?;
    if !scene.reach.commands(&scene.accesses, company) {
        return Err(ReachRefusal::NotCommanded.into());
    }
    let plan = AccessPlan {
        removed: Accesses::from([(company, role)]),
        ..AccessPlan::default()
    };
    Ok(access_change(client, by.actor(), target, &scene.accesses, &plan).await?)
}

impl Scene {
    /// Of somebody whom whoever acts sees in their current company. Staff see everybody.
    async fn seen(client: &impl GenericClient, by: By, target: UserId) -> Result<Self, PeopleError> {
        let scene = Self::set(client, by, target).await?;
        match by {
            By::Seller { current, .. } if !scene.accesses.contains_key(&current) => Err(PeopleError::Unknown),
            _ => Ok(scene),
        }
    }

    /// Of somebody whom whoever acts sees in any company that they manage.
    async fn known(client: &impl GenericClient, by: By, target: UserId) -> Result<Self, PeopleError> {
        let scene = Self::set(client, by, target).await?;
        let mut companies = scene.accesses.keys();
        if scene.reach == Reach::Staff || companies.any(|company| scene.reach.manages(*company)) {
            Ok(scene)
        } else {
            Err(PeopleError::Unknown)
        }
    }

    /// Both rows are locked in the order of their ids, so that two who change each other don't wait for one another.
    async fn set(client: &impl GenericClient, by: By, target: UserId) -> Result<Self, PeopleError> {
        let people: Vec<UserId> = by.seller().into_iter().chain([target]).collect();
        let rows = lock(client, &people).await?;
        let mut accesses = accesses_of(client, &people).await?;
        let reach = standing_of(by, &rows, accesses.get(&by.seller().unwrap_or(target)))?;
        let person = rows
            .into_iter()
            .find(|row| row.get::<_, Uuid>("id") == target.uuid());
        Ok(Self {
            reach,
            person: person.ok_or(PeopleError::Unknown)?,
            accesses: accesses.remove(&target).unwrap_or_default(),
            is_self: by.seller() == Some(target),
        })
    }

    /// A form that sends what is there asks for nothing.
    fn asks_for_other_access(&self, current: BusinessId, wish: &AccessWish) -> bool {
        let present = self.accesses.get(&current);
        let managed = || {
            self.accesses
                .keys()
                .filter(|company| self.reach.manages(**company))
        };
        let other_role = wish.role.is_some_and(|role| present != Some(&role));
        let other_companies = wish
            .companies
            .as_ref()
            .is_some_and(|wanted| !managed().eq(wanted.iter()));
        other_role || other_companies
    }
}

/// How far the word goes of whoever brings somebody new.
async fn reach_of(client: &impl GenericClient, by: By) -> Result<Reach, PeopleError> {
    let people: Vec<UserId> = by.seller().into_iter().collect();
    let rows = lock(client, &people).await?;
    let accesses = accesses_of(client, &people).await?;
    standing_of(by, &rows, people.first().and_then(|id| accesses.get(id)))
}

/// What the guard found may be over by now, as another one's change was first.
fn standing_of(by: By, rows: &[Row], own: Option<&Accesses>) -> Result<Reach, PeopleError> {
    let By::Seller { id, current } = by else {
        return Ok(Reach::Staff);
    };
    let active = |row: &&Row| row.get::<_, Uuid>("id") == id.uuid() && row.get("active");
    rows.iter().find(active).ok_or(PeopleError::ActorGone)?;
    let reach = Reach::Seller(own.cloned().unwrap_or_default());
    if reach.manages(current) {
        Ok(reach)
    } else {
        Err(PeopleError::ActorGone)
    }
}

/// Who is not deleted. A person's accesses change under their row's lock alone.
async fn lock(client: &impl GenericClient, people: &[UserId]) -> Result<Vec<Row>, PeopleError> {
    let ids: Vec<Uuid> = people.iter().map(|id| id.uuid()).collect();
    Ok(client
        .query_typed(
            "SELECT id, name, email, document, active FROM seller_user
              WHERE id = ANY ($1) AND deleted_at IS NULL
              ORDER BY id FOR NO KEY UPDATE",
            &[(&ids, Type::UUID_ARRAY)],
        )
        .await?)
}

/// A company that was deleted takes nobody in.
async fn all_exist(
    client: &impl GenericClient,
    companies: &BTreeSet<BusinessId>,
) -> Result<bool, PeopleError> {
    let ids: Vec<Uuid> = companies.iter().map(|id| id.uuid()).collect();
    let found = client
        .query_typed_one(
            "SELECT count(*) FROM business WHERE id = ANY ($1) AND approval <> 'deleted'",
            &[(&ids, Type::UUID_ARRAY)],
        )
        .await?;
    Ok(usize::try_from(found.get::<_, i64>(0)) == Ok(companies.len()))
}

/// Writes the fields, and ends what no longer holds: sessions of whoever is out or has another password, and the codes
/// that were sent to an address that is theirs no more.
async fn fields_change(
    client: &impl GenericClient,
    actor: Actor,
    target: UserId,
    was: &Row,
    change: &PersonChange,
) -> Result<(), PeopleError> {
    if change.is_empty() {
        return Ok(());
    }
    client
        .execute_typed(
            "UPDATE seller_user
                SET name = coalesce($2, name), email = coalesce($3, email), document = coalesce($4, document),
                    active = coalesce($5, active), password_hash = coalesce($6, password_hash),
                    email_verified_at = CASE WHEN $3 IS NULL THEN email_verified_at END
              WHERE id = $1",
            &[
                (&target.uuid(), Type::UUID),
                (&change.name, Type::TEXT),
                (&change.email, Type::TEXT),
                (&change.document, Type::TEXT),
                (&change.active, Type::BOOL),
                (&change.password_hash, Type::TEXT),
            ],
        )
        .await?;
    let (mut before, mut after) = (Map::new(), Map::new());
    let mut told = |field: &str, was: Value, now: Option<Value>| {
        if let Some(now) = now {
            before.insert(field.to_owned(), was);
            after.insert(field.to_owned(), now);
        }
    };
    for (field, now) in [
        ("name", &change.name),
        ("email", &change.email),
        ("document", &change.document),
    ] {
        told(
            field,
            json!(was.get::<_, &str>(field)),
            now.as_ref().map(|now| json!(now)),
        );
    }
    told(
        "active",
        json!(was.get::<_, bool>("active")),
        change.active.map(|now| json!(now)),
    );
    change
        .leave_trail(client, actor, ("seller_user", target), (before, after))
        .await?;
    Ok(change.end_what_is_over(client, Audience::Seller, target).await?)
}
