//! Looks up users: the hash of one user's password, the names for lists, and the addresses of company owners and of
//! deciding staff.

use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use gateway_platform::adjustments::StaffNames;
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Error, GenericClient, Row};
use uuid::Uuid;

use crate::audience::Audience;
use crate::roles::{AdminRole, SellerRole};

/// The hash of an active user's password.
pub async fn active_user_password_hash(
    client: &impl GenericClient,
    audience: Audience,
    user: UserId,
) -> Result<Option<String>, Error> {
    let statement = match audience {
        Audience::Seller => "SELECT password_hash FROM seller_user WHERE id = $1 AND active",
        Audience::Admin => "SELECT password_hash FROM admin_user WHERE id = $1 AND active",
    };
    let rows = client
        .query_typed(statement, &[(&user.uuid(), Type::UUID)])
        .await?;
    Ok(rows.first().map(|row| row.get(0)))
}

/// An active user and the user's e-mail address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserAddress {
    pub id: UserId,
    pub email: String,
}

/// The active owners of a company, who get e-mails about it.
pub async fn company_owners(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Vec<UserAddress>, Error> {
    company_users(client, company, &[SellerRole::Owner]).await
}

/// The active users who have one of these roles in the company.
pub async fn company_users(
    client: &impl GenericClient,
    company: BusinessId,
    roles: &[SellerRole],
) -> Result<Vec<UserAddress>, Error> {
    let roles: Vec<i16> = roles.iter().map(|role| role.id()).collect();
    let rows = client
        .query_typed(
            "SELECT seller.id, seller.email FROM business_access access
               JOIN seller_user seller ON seller.id = access.seller_id
              WHERE access.business_id = $1 AND access.role_id = ANY ($2) AND seller.active
              ORDER BY seller.id",
            &[(&company.uuid(), Type::UUID), (&roles, Type::INT2_ARRAY)],
        )
        .await?;
    Ok(rows.iter().map(recipient).collect())
}

/// An active admin user.
pub async fn user_of_staff(client: &impl GenericClient, user: UserId) -> Result<Option<UserAddress>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT id, email FROM admin_user WHERE id = $1 AND active",
            &[(&user.uuid(), Type::UUID)],
        )
        .await?;
    Ok(row.as_ref().map(recipient))
}

/// The active admin users who approve plan changes and withdrawals. `only` restricts the answer to that user.
pub async fn deciding_staff(
    client: &impl GenericClient,
    only: Option<UserId>,
) -> Result<Vec<UserAddress>, Error> {
    let roles = AdminRole::APPROVERS.map(AdminRole::as_str);
    let rows = client
        .query_typed(
            "SELECT id, email FROM admin_user
              WHERE active AND roles && $1 AND ($2::uuid IS NULL OR id = $2) ORDER BY id",
            &[
                (&roles.as_slice(), Type::TEXT_ARRAY),
                (&only.map(UserId::uuid), Type::UUID),
            ],
        )
        .await?;
    Ok(rows.iter().map(recipient).collect())
}

fn recipient(row: &Row) -> UserAddress {
    UserAddress {
        id: UserId::from_uuid(row.get(0)),
        email: row.get(1),
    }
}

/// The names of these users. Unknown ids are left out. Sellers see only the names of seller users, because staff remain
/// anonymous to them.
pub async fn user_names(
    client: &impl GenericClient,
    viewer: Audience,
    users: &[UserId],
) -> Result<HashMap<UserId, String>, Error> {
    if users.is_empty() {
        return Ok(HashMap::new());
    }
    let ids: Vec<Uuid> = users.iter().map(|id| id.uuid()).collect();
    let by_staff = viewer == Audience::Admin;
    let rows = client
        .query_typed(
            "SELECT id, name FROM seller_user WHERE id = ANY ($1)
             UNION ALL
             SELECT id, name FROM admin_user WHERE id = ANY ($1) AND $2",
            &[(&ids, Type::UUID_ARRAY), (&by_staff, Type::BOOL)],
        )
        .await?;
    Ok(rows
        .iter()
        .map(|row| (UserId::from_uuid(row.get(0)), row.get(1)))
        .collect())
}

/// Which of these are users of companies.
pub async fn seller_users(client: &impl GenericClient, users: &[UserId]) -> Result<BTreeSet<UserId>, Error> {
    if users.is_empty() {
        return Ok(BTreeSet::new());
    }
    let ids: Vec<Uuid> = users.iter().map(|id| id.uuid()).collect();
    let rows = client
        .query_typed(
            "SELECT id FROM seller_user WHERE id = ANY ($1)",
            &[(&ids, Type::UUID_ARRAY)],
        )
        .await?;
    Ok(rows.iter().map(|row| UserId::from_uuid(row.get(0))).collect())
}

/// The names of users for the platform's rules, which know users only by their ids.
pub struct NamesOfStaff;

#[async_trait]
impl StaffNames for NamesOfStaff {
    async fn name(&self, client: &Client, user: UserId) -> Result<Option<String>, Error> {
        Ok(user_names(client, Audience::Admin, &[user]).await?.remove(&user))
    }
}
