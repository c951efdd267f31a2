//! Who may change a seller user, and what a change comes to: rules on plain values, without a database.
//!
//! A role belongs to a company. So one person may command another in one company and not in the next, and what belongs
//! to the whole person (name, e-mail, password) is for those who command them everywhere.

use std::collections::{BTreeMap, BTreeSet};

use ledger_domain::BusinessId;
use thiserror::Error;

use crate::roles::SellerRole;

/// The companies that a seller may act for, and as what.
pub type Accesses = BTreeMap<BusinessId, SellerRole>;

/// How far somebody's word goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Authority {
    Staff,
    Seller(Accesses),
}

/// What is wanted of somebody's accesses; what is left out stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccessRequest {
    pub role: Option<SellerRole>,
    /// All that the person shall have, among those where whoever asks may give something.
    pub companies: Option<BTreeSet<BusinessId>>,
}

/// What a wish comes to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccessPlan {
    pub granted: Accesses,
    /// The roles as they become.
    pub changed: Accesses,
    /// The roles as they were.
    pub removed: Accesses,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum AuthorityRefusal {
    #[error("name, e-mail, password and the rest are for those who manage all of the person's companies")]
    NotAllCompanies,
    #[error("the person is nobody whom they command in the company")]
    NotManaged,
    #[error("the role is none that they may give in the company")]
    RoleNotAssignable,
    #[error("the role is none that they may give in one of the companies")]
    RoleNotAssignableInCompany,
    #[error("a company without a role")]
    RoleMissing,
    #[error("the person would be left without a company")]
    NoCompany,
}

impl Authority {
    /// Whether the person is theirs to change in the company. Nobody commands an owner but staff, and so nobody
    /// commands themselves.
    pub fn can_manage_in(&self, target: &Accesses, company: BusinessId) -> bool {
        let Some(role) = target.get(&company) else {
            return false;
        };
        match self {
            Self::Staff => true,
            Self::Seller(own) => own.get(&company).is_some_and(|own| above(*own, *role)),
        }
    }

    /// Whether the whole person is theirs to change. One without companies is staff's alone.
    pub fn can_manage(&self, target: &Accesses) -> bool {
        match self {
            Self::Staff => true,
            Self::Seller(_) => {
                !target.is_empty() && target.keys().all(|company| self.can_manage_in(target, *company))
            }
        }
    }

    /// Whom one commands one may also make somebody, and nobody else.
    pub fn can_assign(&self, role: SellerRole, company: BusinessId) -> bool {
        match self {
            Self::Staff => true,
            Self::Seller(own) => own.get(&company).is_some_and(|own| above(*own, role)),
        }
    }

    /// Where they may give some role, which is where a list of wanted companies speaks of.
    pub fn can_assign_in(&self, company: BusinessId) -> bool {
        self.can_assign(SellerRole::Operator, company)
    }

    /// The accesses of somebody new.
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
        // Of nobody's companies none is current.
        self.listed(&nothing, &access_request, companies)
            .map(|plan| plan.granted)
    }

    /// What a wish comes to for somebody seen in the company `current`, which a role alone is about.
    pub fn plan(
        &self,
        target: &Accesses,
        current: BusinessId,
        access_request: &AccessRequest,
    ) -> Result<AccessPlan, AuthorityRefusal> {
        match (&access_request.companies, access_request.role) {
            (Some(companies), _) => self.listed(target, access_request, companies),
            (None, Some(role)) => self.one(target, current, role),
            (None, None) => Ok(AccessPlan::default()),
        }
    }

    /// A role in one company, given or changed.
    pub fn one(
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

    /// Companies that the person has and that aren't theirs to command stay as they are, listed or not.
    fn listed(
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
                        self.must_assign(wanted, *company)?;
                        plan.changed.insert(*company, wanted);
                    }
                }
                None => {
                    let role = access_request.role.ok_or(AuthorityRefusal::RoleMissing)?;
                    self.must_assign(role, *company)?;
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

    fn must_assign(&self, role: SellerRole, company: BusinessId) -> Result<(), AuthorityRefusal> {
        if self.can_assign(role, company) {
            Ok(())
        } else {
            Err(AuthorityRefusal::RoleNotAssignableInCompany)
        }
    }
}

impl AccessPlan {
    pub fn is_empty(&self) -> bool {
        self.granted.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }

    /// Where anything changes.
    pub fn companies(&self) -> impl Iterator<Item = &BusinessId> {
        self.granted
            .keys()
            .chain(self.changed.keys())
            .chain(self.removed.keys())
    }

    /// What the person has afterwards.
    pub fn applied_to(&self, target: &Accesses) -> Accesses {
        let mut accesses = target.clone();
        accesses.retain(|company, _| !self.removed.contains_key(company));
        accesses.extend(self.changed.iter().chain(&self.granted));
        accesses
    }
}

/// Owner above admin above operator; nobody is above an owner.
const fn above(own: SellerRole, other: SellerRole) -> bool {
    matches!(
        (own, other),
        (SellerRole::Owner, SellerRole::Admin | SellerRole::Operator)
            | (SellerRole::Admin, SellerRole::Operator)
    )
}

#[cfg(test)]
mod tests;
