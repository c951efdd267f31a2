//! Whether the one who acts may still do so, asked again just before the act. The guard asked before: since then a password
//! may have been hashed, and somebody else may have changed their roles.
//!
//! Inside a transaction nobody changes the roles until it ends, because who would waits for the record's lock. Before a
//! ledger command the lock ends with the question.
//!
//! Both carry the roles that the access table opens the call to, so that guard and act go by the same list.

use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use super::PeopleError;
use super::admin_list::roles_of_column;
use crate::roles::{AdminRole, SellerRole};

/// A member of staff, and the roles that their call is open to. The owner passes always.
#[derive(Debug, Clone, Copy)]
pub struct StaffCaller {
    pub id: UserId,
    pub allowed: &'static [AdminRole],
}

/// A seller user, the company that they act for, and the roles that their call is open to there.
#[derive(Debug, Clone, Copy)]
pub struct SellerCaller {
    pub id: UserId,
    pub company: BusinessId,
    pub allowed: &'static [SellerRole],
}

impl StaffCaller {
    pub(super) fn passes(&self, roles: &[AdminRole]) -> bool {
        let mut roles = roles.iter();
        roles.any(|role| *role == AdminRole::Owner || self.allowed.contains(role))
    }

    pub async fn still_may(&self, client: &impl GenericClient) -> Result<(), PeopleError> {
        let rows = client
            .query_typed(
                "SELECT roles FROM admin_user WHERE id = $1 AND active FOR SHARE",
                &[(&self.id.uuid(), Type::UUID)],
            )
            .await?;
        let roles = rows.first().map(|row| roles_of_column(row.get(0)));
        if self.passes(&roles.unwrap_or_default()) {
            Ok(())
        } else {
            Err(PeopleError::ActorGone)
        }
    }
}

impl SellerCaller {
    pub(super) fn passes(&self, role: Option<SellerRole>) -> bool {
        role.is_some_and(|role| self.allowed.contains(&role))
    }

    /// Their accesses change under their record's lock alone. They are read by a second statement: one that waited for the
    /// lock would show them as they were before the wait.
    pub async fn still_may(&self, client: &impl GenericClient) -> Result<(), PeopleError> {
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
        if !active.is_empty() && self.passes(role) {
            Ok(())
        } else {
            Err(PeopleError::ActorGone)
        }
    }
}
