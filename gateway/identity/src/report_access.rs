//! Who may read the reports that users keep as views or get by e-mail: the users who may make the report's call.

use gateway_platform::reports::{ReportName, ReportOwner};
use ledger_domain::BusinessId;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use crate::access::{SellerCapability, StaffCapability};
use crate::audience::Audience;
use crate::roles::{AdminRole, SellerRole};
use crate::users::{SellerCaller, StaffCaller, UserError};

/// The users of one panel who may read a report.
#[derive(Debug, Clone, Copy)]
pub enum ReportReaders {
    Sellers(SellerCapability),
    Staff(StaffCapability),
}

impl ReportReaders {
    /// Who may read the report and keep views of it. Commercial supervisors may list the withdrawals of one company at a
    /// time, but not keep views of them: the report of all companies is for those who read the platform's money.
    pub const fn of(report: ReportName) -> Self {
        match report {
            ReportName::Totals => Self::Sellers(SellerCapability::ReadTotals),
            ReportName::Financial => Self::Sellers(SellerCapability::ReadFinancial),
            ReportName::Terminals => Self::Sellers(SellerCapability::ReadTerminalSales),
            ReportName::Withdrawals | ReportName::Settled => Self::Staff(StaffCapability::ReadPlatformMoney),
            ReportName::Billing => Self::Staff(StaffCapability::ReadBilling),
            ReportName::BillingBusinesses => Self::Staff(StaffCapability::ReadBillingByCompany),
            ReportName::TotalSales => Self::Staff(StaffCapability::ReadTotalSales),
            ReportName::CompanyTerminals => Self::Staff(StaffCapability::ReadTerminalSales),
        }
    }

    pub const fn audience(self) -> Audience {
        match self {
            Self::Sellers(_) => Audience::Seller,
            Self::Staff(_) => Audience::Admin,
        }
    }

    pub fn role_names(self) -> Vec<String> {
        let names: Vec<&str> = match self {
            Self::Sellers(capability) => capability.roles().iter().map(|role| role.as_str()).collect(),
            Self::Staff(capability) => capability.roles().iter().map(|role| role.as_str()).collect(),
        };
        names.into_iter().map(str::to_owned).collect()
    }
}

/// The roles of a signed-in user: the role in the company of the request, or those of a member of staff.
#[derive(Debug, Clone)]
pub enum ReaderRoles {
    Seller(SellerRole),
    Staff(Vec<AdminRole>),
}

impl ReaderRoles {
    pub fn may_read(&self, report: ReportName) -> bool {
        match (self, ReportReaders::of(report)) {
            (Self::Seller(role), ReportReaders::Sellers(capability)) => capability.roles().contains(role),
            (Self::Staff(roles), ReportReaders::Staff(capability)) => roles
                .iter()
                .any(|role| *role == AdminRole::Owner || capability.roles().contains(role)),
            (Self::Seller(_), ReportReaders::Staff(_)) | (Self::Staff(_), ReportReaders::Sellers(_)) => false,
        }
    }
}

/// Checks in the transaction of `client` that the user is active and may read the report.
pub async fn lock_and_check_may_read(
    client: &impl GenericClient,
    owner: ReportOwner,
    report: ReportName,
) -> Result<(), UserError> {
    let id = owner.user;
    match (ReportReaders::of(report), owner.business) {
        (ReportReaders::Sellers(capability), Some(company)) => {
            let allowed = capability.roles();
            let caller = SellerCaller { id, company, allowed };
            caller.lock_and_check_allowed(client).await
        }
        (ReportReaders::Sellers(_), None) => Err(UserError::ActorAccessEnded),
        (ReportReaders::Staff(capability), _) => {
            let allowed = capability.roles();
            StaffCaller { id, allowed }.lock_and_check_allowed(client).await
        }
    }
}

/// Whether the user is active and has one of the roles: sellers in `owner.business`, staff in the admin panel. Staff
/// with `AdminRole::Owner` may read every report.
pub async fn has_role_of(
    client: &impl GenericClient,
    owner: ReportOwner,
    roles: &[String],
) -> Result<bool, Error> {
    let allowed = |name: &str| roles.iter().any(|role| role == name);
    let user = owner.user.uuid();
    match owner.audience {
        Audience::Seller => {
            let sql = "SELECT a.role_id FROM seller_user u JOIN business_access a ON a.seller_id = u.id
                        WHERE u.id = $1 AND u.active AND a.business_id = $2";
            let business = owner.business.map(BusinessId::uuid);
            let rows = client
                .query_typed(sql, &[(&user, Type::UUID), (&business, Type::UUID)])
                .await?;
            let role = rows.first().and_then(|row| SellerRole::from_id(row.get(0)));
            Ok(role.is_some_and(|role| allowed(role.as_str())))
        }
        Audience::Admin => {
            let sql = "SELECT unnest(roles) FROM admin_user WHERE id = $1 AND active";
            let rows = client.query_typed(sql, &[(&user, Type::UUID)]).await?;
            Ok(rows.iter().any(|row| {
                let name: &str = row.get(0);
                name == AdminRole::Owner.as_str() || allowed(name)
            }))
        }
    }
}
