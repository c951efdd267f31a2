//! Admin users for roles that manage staff, and the forms that change them. The rules are in `users::staff_rules`.

use chrono::{DateTime, Utc};
use gateway_identity::fields;
use gateway_identity::roles::AdminRole;
use gateway_identity::users::staff_rules::{ActiveCounts, StaffActor};
use gateway_identity::users::{AdminRecord, UserChange};
use ledger_domain::ids::UserId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::edge::FormErrors;
use crate::problem::{Problem, Result};
use crate::shared::page::PageMeta;

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
    #[schema(example = json!(["admin"]))]
    pub roles: Vec<&'static str>,
    /// Whether the user has confirmed the e-mail address.
    pub email_verified: bool,
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

#[derive(Debug, Serialize, ToSchema)]
pub struct AdminUserPage {
    pub data: Vec<AdminUser>,
    pub meta: PageMeta,
}

// The fields are optional in Rust so that the 422 names a missing one.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewAdminUser {
    #[schema(required = true, nullable = false, max_length = 120, example = "Bruno Lima")]
    pub name: Option<String>,
    #[schema(
        required = true,
        nullable = false,
        max_length = 254,
        example = "bruno@razao.example"
    )]
    pub email: Option<String>,
    #[schema(
        required = true,
        nullable = false,
        min_length = 8,
        max_length = 128,
        example = "uma-senha-longa"
    )]
    pub password: Option<String>,
    /// Whether the user can sign in; the default is true.
    pub active: Option<bool>,
    /// At least one of admin, financial, commercial-supervisor, commercial, sac.
    #[schema(required = true, nullable = false, example = json!(["sac"]))]
    pub roles: Option<Vec<String>>,
}

/// Fields that are left out or null do not change.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct AdminUserChange {
    #[schema(nullable = false, max_length = 120, example = "Bruno Lima")]
    pub name: Option<String>,
    #[schema(nullable = false, max_length = 254, example = "bruno@razao.example")]
    pub email: Option<String>,
    #[schema(
        nullable = false,
        min_length = 8,
        max_length = 128,
        example = "uma-senha-longa"
    )]
    pub password: Option<String>,
    pub active: Option<bool>,
    /// All roles that the user has afterwards. owner and operator can be kept, but not given.
    #[schema(nullable = false, example = json!(["sac"]))]
    pub roles: Option<Vec<String>>,
}

/// A validated form. The password is not hashed yet.
pub struct NewStaff {
    pub name: String,
    pub email: String,
    pub password: String,
    pub active: bool,
    pub roles: Vec<AdminRole>,
}

/// A validated change. The password is not hashed yet.
pub struct StaffChange {
    pub change: UserChange,
    pub password: Option<String>,
    pub roles: Option<Vec<AdminRole>>,
}

impl NewAdminUser {
    pub fn read(self) -> Result<NewStaff> {
        let mut errors = FormErrors::default();
        let name = errors.validated("name", fields::name(&self.name.unwrap_or_default()));
        let email = errors.validated("email", fields::email(&self.email.unwrap_or_default()));
        let password = self.password.unwrap_or_default();
        errors.validated("password", fields::password(&password));
        let roles = errors.validated("roles", roles(&self.roles.unwrap_or_default()));
        errors.finish()?;
        let (Some(name), Some(email), Some(roles)) = (name, email, roles) else {
            return Err(Problem::internal(
                "a required field is missing, and no error was added for it",
            ));
        };
        Ok(NewStaff {
            name,
            email,
            password,
            active: self.active.unwrap_or(true),
            roles,
        })
    }
}

impl AdminUserChange {
    pub fn read(self) -> Result<StaffChange> {
        let mut errors = FormErrors::default();
        let change = UserChange {
            name: self
                .name
                .and_then(|text| errors.validated("name", fields::name(&text))),
            email: self
                .email
                .and_then(|text| errors.validated("email", fields::email(&text))),
            document: None,
            active: self.active,
            password_hash: None,
        };
        if let Some(password) = &self.password {
            errors.validated("password", fields::password(password));
        }
        let roles = self
            .roles
            .and_then(|named| errors.validated("roles", roles(&named)));
        errors.finish()?;
        Ok(StaffChange {
            change,
            password: self.password,
            roles,
        })
    }
}

/// The roles in the order of `AdminRole::ALL`, without duplicates.
fn roles(named: &[String]) -> Result<Vec<AdminRole>, fields::ValidationMessage> {
    if named.is_empty() {
        return Err(fields::GROUP_MISSING);
    }
    if !named.iter().all(|name| AdminRole::parse(name).is_some()) {
        return Err(fields::GROUP_UNKNOWN);
    }
    let wanted = |role: &&AdminRole| named.iter().any(|name| name == role.as_str());
    Ok(AdminRole::ALL.iter().filter(wanted).copied().collect())
}

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
        Self {
            id: admin.id.to_string(),
            name: admin.name,
            email: admin.email,
            active: admin.staff_status.active,
            roles: admin
                .staff_status
                .roles
                .iter()
                .map(|role| role.as_str())
                .collect(),
            email_verified: admin.email_verified,
            created_at: admin.created_at,
            last_sign_in_at: admin.last_sign_in_at,
            is_self: actor.is_self,
            editable: actor.may_edit(&admin.staff_status),
            removable: actor.may_remove(&admin.staff_status, active_counts),
        }
    }
}
