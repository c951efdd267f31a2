//! The acting user and the target, read under the locks of their rows. Two concurrent changes run one after the other,
//! and the second sees the result of the first.

use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use super::PeopleError;
use super::access::accesses_of;
use super::authority::{AccessRequest, Accesses, Authority};
use super::still_allowed::{SellerCaller, StaffCaller};
use crate::audit::Actor;

/// The user who makes a change.
#[derive(Debug, Clone, Copy)]
pub enum ActingUser {
    Staff(StaffCaller),
    Seller(SellerCaller),
}

/// Both users, while no other transaction can change either.
pub(super) struct LockedUsers {
    pub authority: Authority,
    pub person: Row,
    pub accesses: Accesses,
    pub is_self: bool,
}

impl ActingUser {
    pub(super) const fn actor(self) -> Actor {
        match self {
            Self::Staff(caller) => Actor::Admin(caller.id),
            Self::Seller(caller) => Actor::Seller(caller.id),
        }
    }

    const fn seller(self) -> Option<UserId> {
        match self {
            Self::Staff(_) => None,
            Self::Seller(caller) => Some(caller.id),
        }
    }
}

impl LockedUsers {
    /// Locks a target that the actor sees in the current company. Staff see all users.
    pub async fn seen(
        client: &impl GenericClient,
        by: ActingUser,
        target: UserId,
    ) -> Result<Self, PeopleError> {
        let locked = Self::set(client, by, target).await?;
        match by {
            ActingUser::Seller(caller) if !locked.accesses.contains_key(&caller.company) => {
                Err(PeopleError::Unknown)
            }
            _ => Ok(locked),
        }
    }

    /// Locks a target that the actor sees in any company in which the actor may assign roles.
    pub async fn known(
        client: &impl GenericClient,
        by: ActingUser,
        target: UserId,
    ) -> Result<Self, PeopleError> {
        let locked = Self::set(client, by, target).await?;
        let mut companies = locked.accesses.keys();
        if locked.authority == Authority::Staff
            || companies.any(|company| locked.authority.can_assign_in(*company))
        {
            Ok(locked)
        } else {
            Err(PeopleError::Unknown)
        }
    }

    /// Locks both rows in the order of their ids, so that two users who change each other cannot deadlock.
    async fn set(client: &impl GenericClient, by: ActingUser, target: UserId) -> Result<Self, PeopleError> {
        let people: Vec<UserId> = by.seller().into_iter().chain([target]).collect();
        let rows = lock(client, &people).await?;
        let mut accesses = accesses_of(client, &people).await?;
        staff_still_may(client, by).await?;
        let authority = accounts_of(by, &rows, accesses.get(&by.seller().unwrap_or(target)))?;
        let person = rows
            .into_iter()
            .find(|row| row.get::<_, Uuid>("id") == target.uuid());
        Ok(Self {
            authority,
            person: person.ok_or(PeopleError::Unknown)?,
            accesses: accesses.remove(&target).unwrap_or_default(),
            is_self: by.seller() == Some(target),
        })
    }

    /// Whether the request differs from the present access. A form that repeats the present values requests no change.
    pub fn asks_for_other_access(&self, current: BusinessId, access_request: &AccessRequest) -> bool {
        let present = self.accesses.get(&current);
        let managed = || {
            self.accesses
                .keys()
                .filter(|company| self.authority.can_assign_in(**company))
        };
        let other_role = access_request.role.is_some_and(|role| present != Some(&role));
        let other_companies = access_request
            .companies
            .as_ref()
            .is_some_and(|wanted| !managed().eq(wanted.iter()));
        other_role || other_companies
    }
}

/// The authority of a user who creates another user.
pub(super) async fn authority_of(
    client: &impl GenericClient,
    by: ActingUser,
) -> Result<Authority, PeopleError> {
    staff_still_may(client, by).await?;
    let people: Vec<UserId> = by.seller().into_iter().collect();
    let rows = lock(client, &people).await?;
    let accesses = accesses_of(client, &people).await?;
    accounts_of(by, &rows, people.first().and_then(|id| accesses.get(id)))
}

/// A concurrent change may have ended the access that the guard found.
fn accounts_of(by: ActingUser, rows: &[Row], own: Option<&Accesses>) -> Result<Authority, PeopleError> {
    let ActingUser::Seller(caller) = by else {
        return Ok(Authority::Staff);
    };
    let active = |row: &&Row| row.get::<_, Uuid>("id") == caller.id.uuid() && row.get("active");
    rows.iter().find(active).ok_or(PeopleError::ActorGone)?;
    let own = own.cloned().unwrap_or_default();
    if caller.passes(own.get(&caller.company).copied()) {
        Ok(Authority::Seller(own))
    } else {
        Err(PeopleError::ActorGone)
    }
}

/// For staff too, a concurrent change may have ended the access that the guard found.
async fn staff_still_may(client: &impl GenericClient, by: ActingUser) -> Result<(), PeopleError> {
    match by {
        ActingUser::Staff(caller) => caller.still_may(client).await,
        ActingUser::Seller(_) => Ok(()),
    }
}

/// Locks the users that are not deleted. A user's accesses change only under the lock of the user's row.
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
