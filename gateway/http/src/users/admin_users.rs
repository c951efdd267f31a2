//! Admin users, for roles that manage staff: the list, one user, and changes.

use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::audience::Audience;
use gateway_identity::notify::{Cause, Emails};
use gateway_identity::roles::AdminRole;
use gateway_identity::sessions::SignedInAdmin;
use gateway_identity::users::{
    AdminFilter, AdminRecord, NewAdmin, Search, StaffCaller, UserChange, admin_active_counts, admin_record,
    staff_change, staff_create, staff_delete,
};
use ledger_domain::ids::UserId;
use projections::SortOrder;
use tokio_postgres::{Client, GenericClient};
use utoipa::openapi::{RefOr, Schema};

use super::bodies::admin_user::{AdminUser, AdminUserPage, STAFF_USERS};
use super::caller::Unlocked;
use super::editor::hash_if_given;
use super::forms::{AdminUserChange, NewAdminUser};
use crate::AppState;
use crate::edge::query::comma_separated;
use crate::edge::{CurrentAdmin, Db, Id, Json, PanelUrl, QueryValue, query};
use crate::problem::{Problem, Result};
use crate::shared::change::{Change, Changed};
use crate::shared::form::{Form, IdempotentForm};
use crate::shared::list::{Listing, Reader};

query! {
    impl FromQuery for AdminFilter {
        /// Roles, comma-separated: owner, admin, financial, commercial, commercial-supervisor, sac, operator.
        #[example = "admin,sac"]
        roles: Option<Vec<AdminRole>>,
        /// The beginnings of words of the name or the e-mail, or the beginning of the e-mail. Case and accents are
        /// ignored.
        #[example = "bruno"]
        search: Option<Search>,
        /// 1 for active users only, 0 for inactive users only. Left out: both.
        #[example = 1]
        active: Option<bool>,
        /// Order by name; the default is asc.
        order: SortOrder = SortOrder::Asc,
    } => Self { roles: roles.unwrap_or_default(), search, active, order }
}

/// The message calls a role a group (Grupo), as the panels do.
impl QueryValue for Vec<AdminRole> {
    const INVALID: &'static str = "Deve ser o nome de um grupo.";

    fn schema() -> RefOr<Schema> {
        comma_separated(AdminRole::ALL.iter().map(|role| role.as_str()))
    }

    fn parse(text: &str) -> Option<Self> {
        text.split(',')
            .map(|name| AdminRole::parse(name.trim()).ok())
            .collect()
    }
}

/// The member of staff who reads the list.
struct StaffReader {
    id: UserId,
    is_owner: bool,
}

impl StaffReader {
    fn of(staff: &SignedInAdmin) -> Self {
        Self {
            id: staff.id,
            is_owner: staff.is_owner(),
        }
    }

    async fn find(&self, client: &impl GenericClient, user: UserId) -> Result<AdminUser> {
        let record = admin_record(client, user).await?.ok_or_else(Problem::not_found)?;
        let active_counts = admin_active_counts(client).await?;
        Ok(AdminUser::for_viewer(
            record,
            self.id,
            self.is_owner,
            active_counts,
        ))
    }
}

impl Reader<AdminRecord> for StaffReader {
    type Body = AdminUser;

    async fn bodies(&self, _: &AppState, client: &Client, rows: Vec<AdminRecord>) -> Result<Vec<AdminUser>> {
        let active_counts = admin_active_counts(client).await?;
        let body = |user| AdminUser::for_viewer(user, self.id, self.is_owner, active_counts);
        Ok(rows.into_iter().map(body).collect())
    }
}

/// List admin users
///
/// By name. A spreadsheet has all users that match the filter.
#[utoipa::path(get, path = "/admin/users", tag = "staff", responses((status = 200, body = AdminUserPage)))]
pub(crate) async fn list_admin_users(
    CurrentAdmin(staff): CurrentAdmin,
    list: Listing<AdminFilter>,
) -> Result<Response> {
    list.respond_to(StaffReader::of(&staff), &STAFF_USERS).await
}

/// Get an admin user
#[utoipa::path(get, path = "/admin/users/{id}", tag = "staff", responses((status = 200, body = AdminUser)))]
pub(crate) async fn get_admin_user(
    CurrentAdmin(staff): CurrentAdmin,
    Id(id): Id<UserId>,
    db: Db,
) -> Result<Json<AdminUser>> {
    StaffReader::of(&staff).find(&*db, id).await.map(Json)
}

/// Create an admin user
///
/// Sends an e-mail with a link that confirms the address. The roles owner and operator cannot be given.
#[utoipa::path(
    post, path = "/admin/users", tag = "staff",
    responses(
        (status = 201, body = AdminUser),
        (status = 422, description = "Invalid values, by field; no field is named if the e-mail cannot be used"),
        (status = 429, description = "The caller caused too many e-mails; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn create_admin_user(
    CurrentAdmin(staff): CurrentAdmin,
    PanelUrl(panel_url): PanelUrl,
    change: Change<Unlocked<StaffCaller>, IdempotentForm<NewAdminUser>>,
) -> Result<Response> {
    change
        .run_after(
            StatusCode::CREATED,
            async |_, _| Ok(()),
            // Hashed before the e-mail is checked, so that the response time does not reveal whether it is in use.
            async |state, form| Ok(state.accounts.passwords.hash(&form.password).await?),
            async |work, form, password_hash| {
                let Unlocked(caller) = work.caller;
                let new = NewAdmin {
                    id: UserId::from_uuid(work.state.ids.new_uuid()),
                    name: &form.name,
                    email: &form.email,
                    password_hash: &password_hash,
                    roles: &form.roles,
                    active: form.active.unwrap_or(true),
                };
                staff_create(&**work, caller, &new).await?;
                let welcome = Emails::welcome(cause(caller, &panel_url), new.id, new.email, None);
                work.send(welcome).await?;
                let user = StaffReader::of(&staff).find(&**work, new.id).await?;
                Ok(Changed::recorded(user))
            },
        )
        .await
}

/// Update an admin user
///
/// Changes the given fields only. A new e-mail takes effect when the old address approves it, or after 48 hours. A new
/// password is provisional: the user has to set their own by a link. Users cannot change themselves here, and only an owner can change an owner. At least
/// one active owner and one active admin must remain.
#[utoipa::path(
    patch, path = "/admin/users/{id}", tag = "staff",
    responses(
        (status = 200, body = AdminUser),
        (status = 403, description = "The caller's role does not allow this, or does not allow it for an owner"),
        (status = 409, description = "The user is the caller, or the last active owner or admin"),
        (status = 422, description = "Invalid values, by field; no field is named if the e-mail cannot be used"),
        (status = 429, description = "The caller caused too many e-mails; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn update_admin_user(
    CurrentAdmin(staff): CurrentAdmin,
    PanelUrl(panel_url): PanelUrl,
    Id(id): Id<UserId>,
    change: Change<Unlocked<StaffCaller>, Form<AdminUserChange>>,
) -> Result<Response> {
    change
        .run_after(
            StatusCode::OK,
            async |_, _| Ok(()),
            async |state, form| hash_if_given(state, form.password.as_deref()).await,
            async |work, form, password_hash| {
                let Unlocked(caller) = work.caller;
                let change = UserChange {
                    password_hash,
                    ..form.change
                };
                let roles = form.roles.as_deref();
                let changed = staff_change(&**work, caller, id, change, roles, &panel_url).await?;
                let emails = Emails::of_change(cause(caller, &panel_url), id, &changed);
                work.send(emails).await?;
                let user = StaffReader::of(&staff).find(&**work, id).await?;
                Ok(Changed::recorded(user))
            },
        )
        .await
}

/// Delete an admin user
///
/// Ends the user's sessions at once. Users cannot delete themselves, and only an owner can delete an owner. The last
/// active owner and the last active admin cannot be deleted.
#[utoipa::path(
    delete, path = "/admin/users/{id}", tag = "staff",
    responses(
        (status = 204, description = "The user is deleted"),
        (status = 403, description = "The caller's role does not allow this, or does not allow it for an owner"),
        (status = 409, description = "The user is the caller, or the last active owner or admin"),
    )
)]
pub(crate) async fn delete_admin_user(
    Id(id): Id<UserId>,
    change: Change<Unlocked<StaffCaller>>,
) -> Result<Response> {
    change
        .run(StatusCode::NO_CONTENT, async |work, ()| {
            staff_delete(&**work, work.caller.0, id).await?;
            Ok(Changed::recorded(()))
        })
        .await
}

const fn cause(caller: StaffCaller, panel_url: &str) -> Cause<'_> {
    Cause {
        audience: Audience::Admin,
        panel_url,
        user: caller.id,
    }
}
