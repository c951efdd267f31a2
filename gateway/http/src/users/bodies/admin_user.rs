//! Admin users for roles that manage staff, also as a spreadsheet. The rules are in `users::staff_rules`.

use chrono::{DateTime, Utc};
use gateway_identity::roles::AdminRole;
use gateway_identity::users::AdminRecord;
use gateway_identity::users::staff_rules::{ActiveCounts, StaffActor};
use ledger_domain::ids::UserId;
use serde::Serialize;
use utoipa::ToSchema;

use super::seller_user::{active_label, last_sign_in, listed};
use crate::shared::list::PageOf;
use crate::spreadsheet::{Column, Table, list_column, text};

/// A member of staff.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdminUser {
    #[schema(example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b03")]
    pub id: String,
    #[schema(example = "Bruno Lima")]
    pub name: String,
    #[schema(example = "bruno@razao.example")]
    pub email: String,
    /// Whether the user can sign in.
    pub active: bool,
    /// Any of owner, admin, financial, commercial, commercial-supervisor, sac, operator.
    #[schema(value_type = Vec<String>, example = json!(["admin"]))]
    pub roles: Vec<AdminRole>,
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
    /// Whether it is the user who sends the request.
    pub is_self: bool,
    /// Whether the caller may change the user. Users cannot change themselves, and only owners can change owners.
    pub editable: bool,
    /// Whether the caller may delete the user: editable, and not the last active owner or admin.
    pub removable: bool,
}

pub type AdminUserPage = PageOf<AdminUser>;

impl AdminUser {
    pub fn for_viewer(
        admin: AdminRecord,
        viewer: UserId,
        viewer_is_owner: bool,
        active_counts: ActiveCounts,
    ) -> Self {
        let actor = StaffActor {
            is_owner: viewer_is_owner,
            is_self: admin.id == viewer,
        };
        let (editable, removable) = (
            actor.may_edit(&admin.staff_status),
            actor.may_remove(&admin.staff_status, active_counts),
        );
        Self {
            id: admin.id.to_string(),
            name: admin.name,
            email: admin.email,
            active: admin.staff_status.active,
            roles: admin.staff_status.roles,
            email_verified: admin.email_verified,
            pending_email: admin.pending_email.email,
            pending_email_at: admin.pending_email.takes_effect_at,
            password_provisional: admin.password_provisional,
            created_at: admin.created_at,
            last_sign_in_at: admin.last_sign_in_at,
            is_self: actor.is_self,
            editable,
            removable,
        }
    }
}

pub const STAFF_USERS: Table<AdminUser> = Table {
    name: "usuarios-administrativos",
    columns: STAFF_COLUMNS,
};

const STAFF_COLUMNS: &[Column<AdminUser>] = &[
    list_column("name", "Nome", 34, |user| text(&user.name)),
    list_column("email", "E-mail", 34, |user| text(&user.email)),
    list_column("roles", "Grupos", 44, |user| {
        let groups = user.roles.iter().map(|role| role.label().to_owned());
        text(listed(groups))
    }),
    list_column("active", "Status", 10, |user| text(active_label(user.active))),
    list_column("lastSignIn", "Último acesso", 17, |user| {
        last_sign_in(user.last_sign_in_at)
    }),
];
