//! Seller users in answers to staff, and in answers to users who manage one of their companies. Also the spreadsheets
//! of both.

use chrono::{DateTime, Utc};
use gateway_identity::roles::SellerRole;
use gateway_identity::users::authority::Authority;
use gateway_identity::users::{AccessRecord, SellerRecord};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::list::PageOf;
use crate::shared::schemas::Word;
use crate::spreadsheet::{Cell, Column, Table, labels, list_column, text, text_or_empty};

pub type SellerRoleName = Word<SellerRole>;
pub type SellerUserPage = PageOf<SellerUser>;
pub type StaffSellerUserPage = PageOf<StaffSellerUser>;

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
    /// A requested new e-mail address that has not taken effect; else null.
    #[schema(required = true, example = json!(null))]
    pub pending_email: Option<String>,
    /// UTC instant from which `pending_email` takes effect without the approval of the present address. Null also while
    /// the user has to confirm it.
    #[schema(required = true, example = json!(null))]
    pub pending_email_at: Option<DateTime<Utc>>,
    /// Whether another user set the password, and the user has not yet set their own by a link.
    pub password_provisional: bool,
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
    /// A requested new e-mail address that has not taken effect; else null.
    #[schema(required = true, example = json!(null))]
    pub pending_email: Option<String>,
    /// UTC instant from which `pending_email` takes effect without the approval of the present address. Null also while
    /// the user has to confirm it.
    #[schema(required = true, example = json!(null))]
    pub pending_email_at: Option<DateTime<Utc>>,
    /// Whether another user set the password, and the user has not yet set their own by a link.
    pub password_provisional: bool,
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

/// The user who reads a record, with the user's authority, and the company of the request.
pub struct Viewer {
    pub user: UserId,
    pub authority: Authority,
    pub company: BusinessId,
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
            pending_email: seller.pending_email.email,
            pending_email_at: seller.pending_email.takes_effect_at,
            password_provisional: seller.password_provisional,
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

impl StaffSellerUser {
    pub fn of(seller: SellerRecord) -> Self {
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
            pending_email: seller.pending_email.email,
            pending_email_at: seller.pending_email.takes_effect_at,
            password_provisional: seller.password_provisional,
            created_at: seller.created_at,
            last_sign_in_at: seller.last_sign_in_at,
            businesses: seller.businesses.into_iter().map(business).collect(),
        }
    }
}

/// A company's users as a spreadsheet.
pub const TEAM: Table<SellerUser> = Table {
    name: "usuarios",
    columns: TEAM_COLUMNS,
};

pub const SELLER_USERS: Table<StaffSellerUser> = Table {
    name: "usuarios",
    columns: SELLER_COLUMNS,
};

const TEAM_COLUMNS: &[Column<SellerUser>] = &[
    list_column("name", "Nome", 34, |user| text(&user.name)),
    list_column("email", "E-mail", 34, |user| text(&user.email)),
    list_column("document", "CPF", 15, |user| {
        text(labels::document(&user.document))
    }),
    list_column("role", "Grupo", 14, |user| {
        text_or_empty(user.role.map(|role| role.label()))
    }),
    list_column("businesses", "Empresas", 60, |user| {
        let named = user.businesses.iter().map(|business| business.name.clone());
        let others = match user.other_businesses {
            0 => None,
            more => Some(format!("mais {more}")),
        };
        text(listed(named.chain(others)))
    }),
    list_column("active", "Status", 10, |user| text(active_label(user.active))),
    list_column("lastSignIn", "Último acesso", 17, |user| {
        last_sign_in(user.last_sign_in_at)
    }),
];

const SELLER_COLUMNS: &[Column<StaffSellerUser>] = &[
    list_column("name", "Nome", 34, |user| text(&user.name)),
    list_column("email", "E-mail", 34, |user| text(&user.email)),
    list_column("document", "CPF", 15, |user| {
        text(labels::document(&user.document))
    }),
    list_column("roles", "Grupos", 30, |user| {
        let mut groups: Vec<_> = vec![];
        for business in &user.businesses {
            let role = business.role.label().to_owned();
            if !groups.contains(&role) {
                groups.push(role);
            }
        }
        text(listed(groups.into_iter()))
    }),
    list_column("businesses", "Empresas", 60, |user| {
        let named = user.businesses.iter().map(|business| {
            let role = business.role.label();
            format!("{} ({role})", business.name)
        });
        text(listed(named))
    }),
    list_column("active", "Status", 10, |user| text(active_label(user.active))),
    list_column("lastSignIn", "Último acesso", 17, |user| {
        last_sign_in(user.last_sign_in_at)
    }),
];

pub(super) fn last_sign_in(at: Option<DateTime<Utc>>) -> Cell {
    at.map_or_else(|| text("Nunca acessou"), Cell::Instant)
}

pub(super) fn listed(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

pub(super) const fn active_label(is_active: bool) -> &'static str {
    if is_active { "Ativo" } else { "Inativo" }
}
