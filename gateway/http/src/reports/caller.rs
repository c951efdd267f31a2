//! The signed-in user of either panel, who owns saved views and reports by e-mail.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use gateway_identity::audience::Audience;
use gateway_identity::audit::Actor;
use gateway_identity::credentials::account::lock_active_user;
use gateway_identity::reports::ReportOwner;
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_identity::users::{SellerCaller, StaffCaller};
use tokio_postgres::GenericClient;

use super::names::ReportName;
use crate::AppState;
use crate::access::{AccessRule, seller_roles_of, staff_roles_of};
use crate::edge::{CurrentAdmin, CurrentBusiness};
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};

#[derive(Debug, Clone)]
pub struct ReportCaller {
    pub owner: ReportOwner,
    roles: Roles,
}

#[derive(Debug, Clone)]
enum Roles {
    Seller(SellerRole),
    Staff(Vec<AdminRole>),
}

impl ReportCaller {
    /// Whether the rule of `ReportName::path` lets the user read the report. A saved view grants nothing.
    pub fn may_read(&self, report: ReportName) -> bool {
        if report.audience() != self.owner.audience {
            return false;
        }
        match &self.roles {
            Roles::Seller(role) => seller_roles_of("GET", report.path()).contains(role),
            Roles::Staff(roles) => {
                let allowed = staff_roles_of("GET", report.path());
                roles
                    .iter()
                    .any(|role| *role == AdminRole::Owner || allowed.contains(role))
            }
        }
    }

    /// A report of the other panel does not exist here.
    pub fn check_may_read(&self, report: ReportName) -> Result<()> {
        if report.audience() != self.owner.audience {
            let message = <ReportName as crate::edge::query::QueryWord>::INVALID;
            return Err(Problem::field("report", message));
        }
        if self.may_read(report) {
            Ok(())
        } else {
            Err(Problem::forbidden())
        }
    }

    /// Locks the user until the transaction ends, and checks the access to the report again.
    pub(crate) async fn lock_and_check_may_read(
        &self,
        client: &impl GenericClient,
        report: ReportName,
    ) -> Result<()> {
        let ReportOwner { audience, user, .. } = self.owner;
        let locked = lock_active_user(client, audience, user).await?;
        locked.ok_or_else(Problem::forbidden)?;
        check_access(client, self.owner, report).await
    }

    pub const fn actor(&self) -> Actor {
        actor_of(self.owner)
    }
}

pub const fn actor_of(owner: ReportOwner) -> Actor {
    match owner.audience {
        Audience::Seller => Actor::Seller(owner.user),
        Audience::Admin => Actor::Admin(owner.user),
    }
}

/// Checks in the transaction of `client` that the user is active and may read the report.
pub(crate) async fn check_access(
    client: &impl GenericClient,
    owner: ReportOwner,
    report: ReportName,
) -> Result<()> {
    let id = owner.user;
    match (owner.audience, owner.business) {
        (Audience::Seller, Some(company)) => {
            let allowed = seller_roles_of("GET", report.path());
            let caller = SellerCaller { id, company, allowed };
            caller.lock_and_check_allowed(client).await?;
        }
        (Audience::Seller, None) => return Err(Problem::forbidden()),
        (Audience::Admin, _) => {
            let allowed = staff_roles_of("GET", report.path());
            StaffCaller { id, allowed }.lock_and_check_allowed(client).await?;
        }
    }
    Ok(())
}

impl FromRequestParts<AppState> for ReportCaller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        if let Some(business) = parts.extensions.get::<CurrentBusiness>() {
            return Ok(Self {
                owner: ReportOwner {
                    audience: Audience::Seller,
                    user: business.seller,
                    business: Some(business.id),
                },
                roles: Roles::Seller(business.role),
            });
        }
        let CurrentAdmin(admin) = CurrentAdmin::from_request_parts(parts, state).await?;
        Ok(Self {
            owner: ReportOwner {
                audience: Audience::Admin,
                user: admin.id,
                business: None,
            },
            roles: Roles::Staff(admin.roles),
        })
    }
}

impl Documented for ReportCaller {
    fn describe(call: &mut CallDocument) {
        match call.access {
            AccessRule::Business(_) => CurrentBusiness::describe(call),
            _ => CurrentAdmin::describe(call),
        }
    }
}
