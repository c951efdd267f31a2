//! Checks the access of the acting user again, immediately before the change. The HTTP guard checked it earlier. Since
//! then a password may have been hashed, which takes time, and another user may have changed the roles.
//!
//! Inside a transaction the roles cannot change until it ends, because a change waits for the row's lock
//! (`lock_and_check_allowed`). Before a ledger command, the lock ends with the check (`check_still_allowed`).
//!
//! `StaffCaller` and `SellerCaller` carry the roles that `fixtures/access/calls.tsv` allows. The guard and the change
//! therefore use the same list.

use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use super::UserError;
use super::admin_list::roles_of_column;
use crate::roles::{AdminRole, SellerRole};

/// An admin user, and the roles that may make the call. Owners may make every call.
#[derive(Debug, Clone, Copy)]
pub struct StaffCaller {
    pub id: UserId,
    pub allowed: &'static [AdminRole],
}

/// A seller user, the company of the request, and the roles that may make the call there.
#[derive(Debug, Clone, Copy)]
pub struct SellerCaller {
    pub id: UserId,
    pub company: BusinessId,
    pub allowed: &'static [SellerRole],
}

impl StaffCaller {
    pub(super) fn allows(&self, user_roles: &[AdminRole]) -> bool {
        let mut roles = user_roles.iter();
        roles.any(|role| *role == AdminRole::Owner || self.allowed.contains(role))
    }

    /// A user who may approve what others request, and approve without the documents that are asked for.
    pub const fn approver(id: UserId) -> Self {
        Self {
            id,
            allowed: &AdminRole::APPROVERS,
        }
    }

    /// Locks the user's row, so that the roles cannot change until the transaction of `client` ends.
    pub async fn lock_and_check_allowed(&self, client: &impl GenericClient) -> Result<(), UserError> {
        if self.lock_and_is_allowed(client).await? {
            Ok(())
        } else {
            Err(UserError::ActorAccessEnded)
        }
    }

    /// The same for a user who is not the one who acts.
    pub async fn lock_and_is_allowed(&self, client: &impl GenericClient) -> Result<bool, Error> {
        let rows = client
            .query_typed(
                "SELECT roles FROM admin_user WHERE id = $1 AND active FOR SHARE",
                &[(&self.id.uuid(), Type::UUID)],
            )
            .await?;
        let roles = rows.first().map(|row| roles_of_column(row.get(0)));
        Ok(self.allows(&roles.unwrap_or_default()))
    }

    /// The same check outside a transaction, right before a ledger command. The lock ends with the check, but the check
    /// waits for a change of the roles that is not committed yet.
    pub async fn check_still_allowed(&self, client: &impl GenericClient) -> Result<(), UserError> {
        self.lock_and_check_allowed(client).await
    }
}

impl SellerCaller {
    pub(super) fn allows(&self, user_role: Option<SellerRole>) -> bool {
        user_role.is_some_and(|role| self.allowed.contains(&role))
    }

    /// Locks the user's row until the transaction of `client` ends. Accesses change only under a lock of this row. They
    /// are read by a second statement. A single statement that waited for the lock would return the rows from before
    /// the wait.
    pub async fn lock_and_check_allowed(&self, client: &impl GenericClient) -> Result<(), UserError> {
        let active = client
            .query_typed(
                "SELECT FROM seller_user WHERE id = $1 AND active FOR SHARE",
                &[(&self.id.uuid(), Type::UUID)],
            )
            .await?;
        let accesses = client
            .query_typed(
                "SELECT role_id FROM business_access WHERE seller_id = $1 AND business_id = $2",
                &[(&self.id.uuid(), Type::UUID), (&self.company.uuid(), Type::UUID)],
            )
            .await?;
        let role = accesses.first().and_then(|row| SellerRole::from_id(row.get(0)));
        if !active.is_empty() && self.allows(role) {
            Ok(())
        } else {
            Err(UserError::ActorAccessEnded)
        }
    }

    /// The same check outside a transaction, right before a ledger command. The lock ends with the check, but the check
    /// waits for a change of the roles that is not committed yet.
    pub async fn check_still_allowed(&self, client: &impl GenericClient) -> Result<(), UserError> {
        self.lock_and_check_allowed(client).await
    }
}
