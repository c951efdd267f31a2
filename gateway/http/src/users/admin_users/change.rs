//! Changes of admin users: create, update, delete.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::audience::Audience;
use gateway_identity::users::{NewAdmin, StaffCaller, UserChange, staff_change, staff_create, staff_delete};
use ledger_domain::ids::UserId;

use super::list::find_user;
use crate::AppState;
use crate::edge::{CurrentAdmin, Id, IdempotentJson, Json, PanelUrl, Tx};
use crate::problem::Result;
use crate::users::bodies::admin_user::{AdminUser, AdminUserChange, NewAdminUser};
use crate::users::emails::EmailRecipient;

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
    State(state): State<AppState>,
    CurrentAdmin(staff): CurrentAdmin,
    caller: StaffCaller,
    PanelUrl(panel_url): PanelUrl,
    IdempotentJson { body, idempotency }: IdempotentJson<NewAdminUser>,
) -> Result<Response> {
    let form = body.read()?;
    // Hashed before the e-mail is checked, so that the response time does not reveal whether the e-mail is in use.
    let password_hash = state.accounts.passwords.hash(&form.password).await?;
    let id = UserId::from_uuid(state.ids.new_uuid());
    let mut tx = state.begin().await?;
    if let Some(answer) = idempotency.replayed_answer(&tx).await? {
        return Ok(answer);
    }
    let new = NewAdmin {
        id,
        name: &form.name,
        email: &form.email,
        password_hash: &password_hash,
        roles: &form.roles,
        active: form.active,
    };
    staff_create(&*tx, caller, &new).await?;
    recipient(id, staff.id, &panel_url)
        .welcome(&state, &mut tx, &form.email)
        .await?;
    let user = find_user(&*tx, &staff, id).await?;
    let answer = idempotency.store_answer(&tx, StatusCode::CREATED, &user).await?;
    tx.commit().await?;
    Ok(answer)
}

/// Update an admin user
///
/// Changes the given fields only. Users cannot change themselves here, and only an owner can change an owner. At least
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
    State(state): State<AppState>,
    CurrentAdmin(staff): CurrentAdmin,
    caller: StaffCaller,
    PanelUrl(panel_url): PanelUrl,
    Id(id): Id<UserId>,
    Json(body): Json<AdminUserChange>,
) -> Result<Json<AdminUser>> {
    let form = body.read()?;
    let change = UserChange {
        password_hash: state
            .accounts
            .passwords
            .hash_if_given(form.password.as_deref())
            .await?,
        ..form.change
    };
    let mut tx = state.begin().await?;
    let change_emails = staff_change(&*tx, caller, id, change, form.roles.as_deref()).await?;
    recipient(id, staff.id, &panel_url)
        .notify_of_change(&state, &mut tx, &change_emails)
        .await?;
    let user = find_user(&*tx, &staff, id).await?;
    tx.commit().await?;
    Ok(Json(user))
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
pub(crate) async fn delete_admin_user(caller: StaffCaller, Id(id): Id<UserId>, tx: Tx) -> Result<StatusCode> {
    staff_delete(&*tx, caller, id).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

const fn recipient(user: UserId, caused_by: UserId, panel_url: &str) -> EmailRecipient<'_> {
    EmailRecipient {
        audience: Audience::Admin,
        user,
        panel_url,
        caused_by,
    }
}
