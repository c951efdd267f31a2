//! The rules on who may change a seller user, and the plan of a change. They work on plain values, without a database.
//!
//! A role belongs to a company. A user may therefore manage another user in one company and not in another. To change
//! another user's fields, such as the name or the password, or to delete the user, the actor must manage that user in
//! all of the user's companies.

use std::collections::{BTreeMap, BTreeSet};

use ledger_domain::BusinessId;
use thiserror::Error;

use crate::roles::SellerRole;

/// The companies that a seller may act for, with the role in each.
pub type Accesses = BTreeMap<BusinessId, SellerRole>;

/// The authority over seller users: staff manage all of them, a seller according to the roles in each company.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Authority {
    Staff,
    Seller(Accesses),
}

/// A requested change of a user's accesses. Missing fields change nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccessRequest {
    pub role: Option<SellerRole>,
    /// All companies to which the user is to have access. Present accesses that the actor does not manage stay
    /// unchanged, whether listed or not.
    pub companies: Option<BTreeSet<BusinessId>>,
}

/// The changes that a request leads to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccessPlan {
    pub granted: Accesses,
    /// The new roles.
    pub changed: Accesses,
    /// The previous roles.
    pub removed: Accesses,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum AuthorityRefusal {
    #[error("only a user who manages this user in all companies may make this change")]
    NotAllCompanies,
    #[error("no user may change their own access")]
    OwnAccess,
    #[error("the actor does not manage this user in the company")]
    NotManaged,
    #[error("the actor may not assign this role in the company")]
    RoleNotAssignable,
    #[error("the actor may not assign this role in one of the listed companies")]
    RoleNotAssignableInListedCompany,
    #[error("the request has a company without a role")]
    RoleMissing,
    #[error("the user would have no company left")]
    NoCompany,
}

impl Authority {
    /// Whether the actor manages the user in the company. Only staff manage owners. Sellers never manage users of the
    /// same role, and therefore never manage their own user.
    pub fn can_manage_in(&self, target: &Accesses, company: BusinessId) -> bool {
        let Some(role) = target.get(&company) else {
            return false;
        };
        match self {
            Self::Staff => true,
            Self::Seller(own) => own.get(&company).is_some_and(|own| is_above(*own, *role)),
        }
    }

    /// Whether the actor manages the user in all companies. Only staff manage a user without companies.
    pub fn can_manage(&self, target: &Accesses) -> bool {
        match self {
            Self::Staff => true,
            Self::Seller(_) => {
                !target.is_empty() && target.keys().all(|company| self.can_manage_in(target, *company))
            }
        }
    }

    /// The actor may assign exactly the roles that the actor manages.
    pub fn can_assign(&self, role: SellerRole, company: BusinessId) -> bool {
        match self {
            Self::Staff => true,
            Self::Seller(own) => own.get(&company).is_some_and(|own| is_above(*own, role)),
        }
    }

    /// Whether the actor may assign at least the lowest role in the company. Of another user's companies, sellers see
    /// the names of only these.
    pub fn can_assign_in(&self, company: BusinessId) -> bool {
        self.can_assign(SellerRole::Operator, company)
    }

    /// The companies of which a seller sees the changes of access in a colleague's history.
    pub fn assigned_companies(&self) -> Vec<BusinessId> {
        match self {
            Self::Staff => vec![],
            Self::Seller(own) => {
                let managed = own.keys().filter(|company| self.can_assign_in(**company));
                managed.copied().collect()
            }
        }
    }

    /// The accesses of a new user.
    pub fn first_accesses(
        &self,
        role: SellerRole,
        companies: &BTreeSet<BusinessId>,
    ) -> Result<Accesses, AuthorityRefusal> {
        let access_request = AccessRequest {
            role: Some(role),
            companies: Some(companies.clone()),
        };
        let nothing = Accesses::new();
        // A new user has no present accesses.
        self.plan_for_companies(&nothing, &access_request, companies)
            .map(|plan| plan.granted)
    }

    /// The plan of a request. `current` is the company in which the actor works: a role without a list of companies is
    /// assigned there.
    pub fn plan(
        &self,
        target: &Accesses,
        current: BusinessId,
        access_request: &AccessRequest,
    ) -> Result<AccessPlan, AuthorityRefusal> {
        match (&access_request.companies, access_request.role) {
            (Some(companies), _) => self.plan_for_companies(target, access_request, companies),
            (None, Some(role)) => self.plan_for_company(target, current, role),
            (None, None) => Ok(AccessPlan::default()),
        }
    }

    /// Assigns or changes the role in one company.
    pub fn plan_for_company(
        &self,
        target: &Accesses,
        company: BusinessId,
        role: SellerRole,
    ) -> Result<AccessPlan, AuthorityRefusal> {
        let mut plan = AccessPlan::default();
        match target.get(&company) {
            Some(present) if *present == role => return Ok(plan),
            Some(_) if !self.can_manage_in(target, company) => return Err(AuthorityRefusal::NotManaged),
            _ if !self.can_assign(role, company) => return Err(AuthorityRefusal::RoleNotAssignable),
            Some(_) => plan.changed.insert(company, role),
            None => plan.granted.insert(company, role),
        };
        Ok(plan)
    }

    /// Assigns the role in the listed companies, and removes the access to the others. Present accesses that the actor
    /// does not manage are skipped, whether listed or not.
    fn plan_for_companies(
        &self,
        target: &Accesses,
        access_request: &AccessRequest,
        companies: &BTreeSet<BusinessId>,
    ) -> Result<AccessPlan, AuthorityRefusal> {
        let mut plan = AccessPlan::default();
        for company in companies {
            match target.get(company) {
                Some(_) if !self.can_manage_in(target, *company) => {}
                Some(present) => {
                    let wanted = access_request.role.unwrap_or(*present);
                    if wanted != *present {
                        self.ensure_assignable(wanted, *company)?;
                        plan.changed.insert(*company, wanted);
                    }
                }
                None => {
                    let role = access_request.role.ok_or(AuthorityRefusal::RoleMissing)?;
                    self.ensure_assignable(role, *company)?;
                    plan.granted.insert(*company, role);
                }
            }
        }
        for (company, role) in target {
            if !companies.contains(company) && self.can_manage_in(target, *company) {
                plan.removed.insert(*company, *role);
            }
        }
        if plan.applied_to(target).is_empty() {
            return Err(AuthorityRefusal::NoCompany);
        }
        Ok(plan)
    }

    fn ensure_assignable(&self, role: SellerRole, company: BusinessId) -> Result<(), AuthorityRefusal> {
        if self.can_assign(role, company) {
            Ok(())
        } else {
            Err(AuthorityRefusal::RoleNotAssignableInListedCompany)
        }
    }
}

impl AccessPlan {
    pub fn is_empty(&self) -> bool {
        self.granted.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }

    /// The companies in which something changes.
    pub fn companies(&self) -> impl Iterator<Item = &BusinessId> {
        self.granted
            .keys()
            .chain(self.changed.keys())
            .chain(self.removed.keys())
    }

    /// The user's accesses after the plan.
    pub fn applied_to(&self, target: &Accesses) -> Accesses {
        let mut accesses = target.clone();
        accesses.retain(|company, _| !self.removed.contains_key(company));
        accesses.extend(self.changed.iter().chain(&self.granted));
        accesses
    }
}

/// An owner is above an admin, and an admin above an operator. No role is above an owner.
const fn is_above(own: SellerRole, other: SellerRole) -> bool {
    matches!(
        (own, other),
        (SellerRole::Owner, SellerRole::Admin | SellerRole::Operator)
            | (SellerRole::Admin, SellerRole::Operator)
    )
}

#[cfg(test)]
mod tests;
