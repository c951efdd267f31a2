//! Seller users in answers to staff, and in answers to users who manage one of their companies.

use chrono::{DateTime, Utc};
use gateway_identity::roles::SellerRole;
use gateway_identity::users::authority::Authority;
use gateway_identity::users::{AccessRecord, SellerRecord};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::page::PageMeta;

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = SellerRole)]
#[serde(rename_all = "lowercase")]
pub enum SellerRoleName {
    Owner,
    Admin,
    Operator,
}

/// A user of a company.
#[derive(Debug, Serialize, ToSchema)]
pub struct SellerUser {
    #[schema(example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01")]
    pub id: String,
    #[schema(example = "Ana Souza")]
    pub name: String,
    #[schema(example = "ana@padaria.example")]
    pub email: String,
    /// CPF, without punctuation.
    #[schema(example = "52998224725")]
    pub document: String,
    /// Whether the user can sign in.
    pub active: bool,
    /// Whether the user has confirmed the e-mail address.
    pub email_verified: bool,
    /// UTC instant.
    pub created_at: DateTime<Utc>,
    /// UTC instant; null before the first sign-in.
    #[schema(required = true)]
    pub last_sign_in_at: Option<DateTime<Utc>>,
    /// The role in the company of the request: 1 owner, 2 admin, 7 operator. Null in the response to a change after
    /// which the user has no access to it.
    #[schema(required = true, example = 7)]
    pub role_id: Option<i16>,
    #[schema(required = true)]
    pub role: Option<SellerRoleName>,
    /// The user's companies that the caller manages, by name.
    pub businesses: Vec<SellerUserBusiness>,
    /// Number of the user's other companies.
    #[schema(example = 0)]
    pub other_businesses: usize,
    /// Whether the caller may change the name, e-mail, password, CPF and `active`, and delete the user.
    pub editable: bool,
    /// Whether it is the user who sends the request.
    pub is_self: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SellerUserBusiness {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
    /// 1 owner, 2 admin, 7 operator.
    #[schema(example = 7)]
    pub role_id: i16,
    pub role: SellerRoleName,
    /// UTC instant.
    pub granted_at: DateTime<Utc>,
    /// Whether the caller may change or remove the access.
    pub changeable: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SellerUserPage {
    pub data: Vec<SellerUser>,
    pub meta: PageMeta,
}

/// A seller user for staff.
#[derive(Debug, Serialize, ToSchema)]
pub struct StaffSellerUser {
    #[schema(example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01")]
    pub id: String,
    #[schema(example = "Ana Souza")]
    pub name: String,
    #[schema(example = "ana@padaria.example")]
    pub email: String,
    /// CPF, without punctuation.
    #[schema(example = "52998224725")]
    pub document: String,
    /// Whether the user can sign in.
    pub active: bool,
    /// Whether the user has confirmed the e-mail address.
    pub email_verified: bool,
    /// UTC instant.
    pub created_at: DateTime<Utc>,
    /// UTC instant; null before the first sign-in.
    #[schema(required = true)]
    pub last_sign_in_at: Option<DateTime<Utc>>,
    /// All companies of the user, by name.
    pub businesses: Vec<StaffSellerUserBusiness>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct StaffSellerUserBusiness {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
    /// 1 owner, 2 admin, 7 operator.
    #[schema(example = 1)]
    pub role_id: i16,
    pub role: SellerRoleName,
    /// UTC instant.
    pub granted_at: DateTime<Utc>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct StaffSellerUserPage {
    pub data: Vec<StaffSellerUser>,
    pub meta: PageMeta,
}

/// The user who reads a record, with the user's authority, and the company of the request.
pub struct Viewer {
    pub user: UserId,
    pub authority: Authority,
    pub company: BusinessId,
}

impl From<SellerRole> for SellerRoleName {
    fn from(role: SellerRole) -> Self {
        match role {
            SellerRole::Owner => Self::Owner,
            SellerRole::Admin => Self::Admin,
            SellerRole::Operator => Self::Operator,
        }
    }
}

impl SellerUser {
    pub fn for_viewer(seller: SellerRecord, viewer: &Viewer) -> Self {
        let accesses = seller.accesses();
        let role = accesses.get(&viewer.company).copied();
        let (managed, others): (Vec<_>, Vec<_>) = seller
            .businesses
            .into_iter()
            .partition(|access| viewer.authority.can_assign_in(access.business_id));
        let business = |access: AccessRecord| SellerUserBusiness {
            id: access.business_id.to_string(),
            role_id: access.role.id(),
            role: access.role.into(),
            granted_at: access.granted_at,
            changeable: viewer.authority.can_manage_in(&accesses, access.business_id),
            name: access.name,
        };
        Self {
            id: seller.id.to_string(),
            name: seller.name,
            email: seller.email,
            document: seller.document,
            active: seller.active,
            email_verified: seller.email_verified,
            created_at: seller.created_at,
            last_sign_in_at: seller.last_sign_in_at,
            role_id: role.map(SellerRole::id),
            role: role.map(SellerRoleName::from),
            businesses: managed.into_iter().map(business).collect(),
            other_businesses: others.len(),
            editable: viewer.authority.can_manage(&accesses),
            is_self: seller.id == viewer.user,
        }
    }
}

impl From<SellerRecord> for StaffSellerUser {
    fn from(seller: SellerRecord) -> Self {
        let business = |access: AccessRecord| StaffSellerUserBusiness {
            id: access.business_id.to_string(),
            name: access.name,
            role_id: access.role.id(),
            role: access.role.into(),
            granted_at: access.granted_at,
        };
        Self {
            id: seller.id.to_string(),
            name: seller.name,
            email: seller.email,
            document: seller.document,
            active: seller.active,
            email_verified: seller.email_verified,
            created_at: seller.created_at,
            last_sign_in_at: seller.last_sign_in_at,
            businesses: seller.businesses.into_iter().map(business).collect(),
        }
    }
}
