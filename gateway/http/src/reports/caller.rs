//! The signed-in user of either panel, who owns saved views and reports by e-mail.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use gateway_identity::access::AccessRule;
use gateway_identity::audience::Audience;
use gateway_identity::audit::Actor;
use gateway_identity::credentials::account::lock_active_user;
use gateway_identity::report_access::{ReaderRoles, ReportReaders, lock_and_check_may_read};
use gateway_platform::reports::{ReportName, ReportOwner};
use ledger_domain::Words;
use tokio_postgres::Client;

use crate::AppState;
use crate::edge::{CurrentAdmin, CurrentBusiness};
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};
use crate::shared::change::Caller;

#[derive(Debug, Clone)]
pub struct ReportCaller {
    pub owner: ReportOwner,
    roles: ReaderRoles,
}

impl ReportCaller {
    /// Whether the user may read the report. A saved view grants nothing.
    pub fn may_read(&self, report: ReportName) -> bool {
        self.roles.may_read(report)
    }

    /// A report of the other panel does not exist here.
    pub fn check_may_read(&self, report: ReportName) -> Result<()> {
        if ReportReaders::of(report).audience() != self.owner.audience {
            return Err(Problem::field("report", <ReportName as Words>::INVALID));
        }
        if self.may_read(report) {
            Ok(())
        } else {
            Err(Problem::forbidden())
        }
    }

    /// The same in the transaction of a change: the user may have lost the access since.
    pub(crate) async fn check_may_read_now(&self, client: &Client, report: ReportName) -> Result<()> {
        self.check_may_read(report)?;
        Ok(lock_and_check_may_read(client, self.owner, report).await?)
    }
}

/// Any active user may make the change; the change checks the access to its report.
impl Caller for ReportCaller {
    fn actor(&self) -> Actor {
        self.owner.actor()
    }

    async fn lock_and_check_allowed(&self, client: &Client) -> Result<()> {
        let ReportOwner { audience, user, .. } = self.owner;
        let locked = lock_active_user(client, audience, user).await?;
        locked.map(drop).ok_or_else(Problem::forbidden)
    }
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
                roles: ReaderRoles::Seller(business.role),
            });
        }
        let CurrentAdmin(admin) = CurrentAdmin::from_request_parts(parts, state).await?;
        Ok(Self {
            owner: ReportOwner {
                audience: Audience::Admin,
                user: admin.id,
                business: None,
            },
            roles: ReaderRoles::Staff(admin.roles),
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
