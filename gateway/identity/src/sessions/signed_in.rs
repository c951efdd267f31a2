//! The user of a request. One statement reads the session, the user and the user's companies for each request. So the
//! end of a session or of a role takes effect from the next request on.

use chrono::{DateTime, Utc};
use deadpool_postgres::Client;
use gateway_environment::time_zone::TimeZone;
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use tokio_postgres::Error;
use uuid::Uuid;

use super::tokens::Claims;
use crate::access::StaffCapability;
use crate::credentials::email_change::ADDRESS_SETTLES_AFTER;
use crate::roles::{AdminRole, SellerRole};

#[derive(Debug, Clone)]
pub struct SignedInSeller {
    pub id: UserId,
    pub session_id: Uuid,
    pub accesses: Vec<CompanyAccess>,
    /// Another user set the password.
    pub provisional_password: Option<ProvisionalPassword>,
    /// The user's own choice. Without one, the tenant's zone applies.
    pub time_zone: Option<TimeZone>,
}

/// A password that another user set. Only a password set by a link to an address that the user has had for 48 hours
/// replaces it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProvisionalPassword {
    /// From when on such a link makes the password the user's own.
    pub link_counts_from: DateTime<Utc>,
}

impl ProvisionalPassword {
    fn of_columns(is_provisional: bool, email_since: DateTime<Utc>) -> Option<Self> {
        is_provisional.then(|| Self {
            link_counts_from: email_since + ADDRESS_SETTLES_AFTER,
        })
    }
}

/// A company that a seller may act for, with the role in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompanyAccess {
    pub business_id: BusinessId,
    pub role: SellerRole,
}

#[derive(Debug, Clone)]
pub struct SignedInAdmin {
    pub id: UserId,
    pub session_id: Uuid,
    pub roles: Vec<AdminRole>,
    /// Another user set the password.
    pub provisional_password: Option<ProvisionalPassword>,
    /// The user's own choice. Without one, the tenant's zone applies.
    pub time_zone: Option<TimeZone>,
}

impl SignedInAdmin {
    pub fn is_owner(&self) -> bool {
        self.roles.contains(&AdminRole::Owner)
    }

    pub fn may(&self, capability: StaffCapability) -> bool {
        self.has_any_role(capability.roles())
    }

    /// Whether the user has one of the allowed roles. True for an owner, even if the list is empty.
    pub fn has_any_role(&self, allowed: &[AdminRole]) -> bool {
        self.roles
            .iter()
            .any(|role| *role == AdminRole::Owner || allowed.contains(role))
    }
}

/// `None` if the session has ended or the user is inactive.
pub async fn seller_by_session(
    client: &Client,
    claims: &Claims,
    now: DateTime<Utc>,
) -> Result<Option<SignedInSeller>, Error> {
    let statement = client
        .prepare_cached(
            "SELECT a.business_id, a.role_id, u.time_zone, u.password_provisional, u.email_since
               FROM session s
               JOIN seller_user u ON u.id = s.user_id AND u.active
               LEFT JOIN business_access a ON a.seller_id = u.id
              WHERE s.family = $1 AND s.audience = 'seller' AND s.user_id = $2
                AND s.revoked_at IS NULL AND s.expires_at > $3
              ORDER BY a.granted_at, a.business_id",
        )
        .await?;
    let rows = client
        .query(&statement, &[&claims.sid, &claims.sub.uuid(), &now])
        .await?;
    let Some(first) = rows.first() else {
        return Ok(None);
    };
    let time_zone = first.get::<_, Option<&str>>(2).and_then(TimeZone::parse);
    let accesses = rows.iter().filter_map(|row| {
        let business_id = BusinessId::from_uuid(row.get::<_, Option<Uuid>>(0)?);
        let role = SellerRole::from_id(row.get::<_, Option<i16>>(1)?)?;
        Some(CompanyAccess { business_id, role })
    });
    Ok(Some(SignedInSeller {
        id: claims.sub,
        session_id: claims.sid,
        accesses: accesses.collect(),
        provisional_password: ProvisionalPassword::of_columns(first.get(3), first.get(4)),
        time_zone,
    }))
}

pub async fn admin_by_session(
    client: &Client,
    claims: &Claims,
    now: DateTime<Utc>,
) -> Result<Option<SignedInAdmin>, Error> {
    let statement = client
        .prepare_cached(
            "SELECT u.roles, u.time_zone, u.password_provisional, u.email_since
               FROM session s
               JOIN admin_user u ON u.id = s.user_id AND u.active
              WHERE s.family = $1 AND s.audience = 'admin' AND s.user_id = $2
                AND s.revoked_at IS NULL AND s.expires_at > $3",
        )
        .await?;
    let row = client
        .query_opt(&statement, &[&claims.sid, &claims.sub.uuid(), &now])
        .await?;
    Ok(row.map(|row| {
        let names: Vec<&str> = row.get(0);
        let roles = names
            .into_iter()
            .filter_map(|name| AdminRole::parse(name).ok())
            .collect();
        SignedInAdmin {
            id: claims.sub,
            session_id: claims.sid,
            roles,
            provisional_password: ProvisionalPassword::of_columns(row.get(2), row.get(3)),
            time_zone: row.get::<_, Option<&str>>(1).and_then(TimeZone::parse),
        }
    }))
}
