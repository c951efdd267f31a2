//! The acting user and the target, read under the locks of their rows. Two concurrent changes of one user run one after
//! the other, and the second sees the result of the first.

use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use super::UserError;
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

/// The acting user's authority and the target, from rows that stay locked until the transaction ends.
pub(super) struct LockedUsers {
    pub authority: Authority,
    pub target: Row,
    pub accesses: Accesses,
    pub is_self: bool,
}

impl ActingUser {
    pub const fn actor(self) -> Actor {
        match self {
            Self::Staff(caller) => Actor::Admin(caller.id),
            Self::Seller(caller) => Actor::Seller(caller.id),
        }
    }

    pub const fn id(self) -> UserId {
        match self {
            Self::Staff(caller) => caller.id,
            Self::Seller(caller) => caller.id,
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
    pub async fn lock_in_current_company(
        client: &impl GenericClient,
        caller: ActingUser,
        target: UserId,
    ) -> Result<Self, UserError> {
        let locked = Self::lock(client, caller, target).await?;
        match caller {
            ActingUser::Seller(caller) if !locked.accesses.contains_key(&caller.company) => {
                Err(UserError::Unknown)
            }
            _ => Ok(locked),
        }
    }

    /// Locks a target that the actor sees in any company in which the actor may assign roles.
    pub async fn lock_in_any_company(
        client: &impl GenericClient,
        caller: ActingUser,
        target: UserId,
    ) -> Result<Self, UserError> {
        let locked = Self::lock(client, caller, target).await?;
        let mut companies = locked.accesses.keys();
        if locked.authority == Authority::Staff
            || companies.any(|company| locked.authority.can_assign_in(*company))
        {
            Ok(locked)
        } else {
            Err(UserError::Unknown)
        }
    }

    /// Locks both rows in the order of their ids, so that two users who change each other cannot deadlock.
    async fn lock(
        client: &impl GenericClient,
        caller: ActingUser,
        target: UserId,
    ) -> Result<Self, UserError> {
        let users: Vec<UserId> = caller.seller().into_iter().chain([target]).collect();
        let rows = lock_rows(client, &users).await?;
        let mut accesses = accesses_of(client, &users).await?;
        check_staff_still_allowed(client, caller).await?;
        let own = caller.seller().and_then(|id| accesses.get(&id));
        let authority = authority_from_rows(caller, &rows, own)?;
        let target_row = rows
            .into_iter()
            .find(|row| row.get::<_, Uuid>("id") == target.uuid());
        Ok(Self {
            authority,
            target: target_row.ok_or(UserError::Unknown)?,
            accesses: accesses.remove(&target).unwrap_or_default(),
            is_self: caller.seller() == Some(target),
        })
    }

    /// Whether the request differs from the target's present access. A form that repeats those of the target's
    /// companies that the actor sees requests no change.
    pub fn requests_other_access(&self, current: BusinessId, access_request: &AccessRequest) -> bool {
        let present = self.accesses.get(&current);
        let seen = || {
            self.accesses
                .keys()
                .filter(|company| self.authority.can_assign_in(**company))
        };
        let other_role = access_request.role.is_some_and(|role| present != Some(&role));
        let other_companies = access_request
            .companies
            .as_ref()
            .is_some_and(|wanted| !seen().eq(wanted.iter()));
        other_role || other_companies
    }
}

/// The authority of a user who creates another user.
pub(super) async fn authority_of(
    client: &impl GenericClient,
    caller: ActingUser,
) -> Result<Authority, UserError> {
    check_staff_still_allowed(client, caller).await?;
    let users: Vec<UserId> = caller.seller().into_iter().collect();
    let rows = lock_rows(client, &users).await?;
    let accesses = accesses_of(client, &users).await?;
    authority_from_rows(caller, &rows, users.first().and_then(|id| accesses.get(id)))
}

/// The caller's authority by the locked rows. Refuses a seller whose access has ended since the HTTP guard found it.
fn authority_from_rows(
    caller: ActingUser,
    rows: &[Row],
    own: Option<&Accesses>,
) -> Result<Authority, UserError> {
    let ActingUser::Seller(caller) = caller else {
        return Ok(Authority::Staff);
    };
    let active = |row: &&Row| row.get::<_, Uuid>("id") == caller.id.uuid() && row.get("active");
    rows.iter().find(active).ok_or(UserError::ActorAccessEnded)?;
    let own = own.cloned().unwrap_or_default();
    if caller.allows(own.get(&caller.company).copied()) {
        Ok(Authority::Seller(own))
    } else {
        Err(UserError::ActorAccessEnded)
    }
}

/// Refuses staff whose access has ended since the HTTP guard found it.
async fn check_staff_still_allowed(client: &impl GenericClient, caller: ActingUser) -> Result<(), UserError> {
    match caller {
        ActingUser::Staff(caller) => caller.lock_and_check_allowed(client).await,
        ActingUser::Seller(_) => Ok(()),
    }
}

/// Locks the users that are not deleted. A user's accesses change only under the lock of the user's row.
async fn lock_rows(client: &impl GenericClient, users: &[UserId]) -> Result<Vec<Row>, UserError> {
    let ids: Vec<Uuid> = users.iter().map(|id| id.uuid()).collect();
    Ok(client
        .query_typed(
            "SELECT id, name, email, document, active FROM seller_user
              WHERE id = ANY ($1) AND deleted_at IS NULL
              ORDER BY id FOR NO KEY UPDATE",
            &[(&ids, Type::UUID_ARRAY)],
        )
        .await?)
}
