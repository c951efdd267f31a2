//! Changes of seller users by staff: create, update, delete, and access to companies.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::audience::Audience;
use gateway_identity::users::authority::AccessRequest;
use gateway_identity::users::{
    ActingUser, NewSeller, NewTeamMember, StaffCaller, UserChange, team_access_grant, team_access_remove,
    team_member_change, team_member_create, team_member_delete,
};
use ledger_domain::ids::UserId;

use super::list::find_user;
use crate::AppState;
use crate::edge::{Id, IdempotentJson, Json, PanelUrl, Tx};
use crate::problem::Result;
use crate::users::bodies::access_form::StaffAccessForm;
use crate::users::bodies::seller_user::StaffSellerUser;
use crate::users::bodies::seller_user_form::{NewSellerUser, StaffSellerUserChange};
use crate::users::emails::EmailRecipient;

/// Create a seller user
///
/// Gives the user one role, including owner, in each of the listed companies, which must exist. Sends an e-mail with a
/// link that confirms the address.
#[utoipa::path(
    post, path = "/admin/sellers", tag = "sellers",
    responses(
        (status = 201, body = StaffSellerUser),
        (status = 422, description = "Invalid values, by field; no field is named if the e-mail cannot be used"),
        (status = 429, description = "The caller caused too many e-mails; try again after Retry-After seconds"),
    )
)]
pub async fn create_seller_user(
    State(state): State<AppState>,
    staff: StaffCaller,
    PanelUrl(panel_url): PanelUrl,
    IdempotentJson { body, idempotency }: IdempotentJson<NewSellerUser>,
) -> Result<Response> {
    let form = body.read()?;
    // Hashed before the e-mail is checked, so that the response time does not reveal whether the e-mail is in use.
    let password_hash = state.sessions.passwords.hash(&form.password).await?;
    let id = UserId::from_uuid(state.ids.new_uuid());
    let mut tx = state.begin().await?;
    if let Some(answer) = idempotency.replayed_answer(&tx).await? {
        return Ok(answer);
    }
    let new = NewTeamMember {
        seller: NewSeller {
            id,
            name: &form.name,
            email: &form.email,
            password_hash: &password_hash,
            document: &form.document,
            active: form.active,
        },
        role: form.role,
        companies: form.companies,
    };
    team_member_create(&*tx, ActingUser::Staff(staff), &new).await?;
    let sellers_url = state.config.hosts.seller_url(&panel_url);
    recipient(id, staff.id, &sellers_url)
        .welcome(&state, &mut tx, &form.email)
        .await?;
    let user = find_user(&*tx, id).await?;
    let answer = idempotency.store_answer(&tx, StatusCode::CREATED, &user).await?;
    tx.commit().await?;
    Ok(answer)
}

/// Update a seller user
///
/// Changes the given fields only. The user gets an e-mail about a new address or a new password.
#[utoipa::path(
    patch, path = "/admin/sellers/{id}", tag = "sellers",
    responses(
        (status = 200, body = StaffSellerUser),
        (status = 422, description = "Invalid values, by field; no field is named if the e-mail cannot be used"),
        (status = 429, description = "The caller caused too many e-mails; try again after Retry-After seconds"),
    )
)]
pub async fn update_seller_user(
    State(state): State<AppState>,
    staff: StaffCaller,
    PanelUrl(panel_url): PanelUrl,
    Id(id): Id<UserId>,
    Json(body): Json<StaffSellerUserChange>,
) -> Result<Json<StaffSellerUser>> {
    let form = body.read()?;
    let change = UserChange {
        password_hash: state
            .sessions
            .passwords
            .hash_if_given(form.password.as_deref())
            .await?,
        ..form.change
    };
    let mut tx = state.begin().await?;
    let by = ActingUser::Staff(staff);
    let notices = team_member_change(&*tx, by, id, change, &AccessRequest::default()).await?;
    let sellers_url = state.config.hosts.seller_url(&panel_url);
    recipient(id, staff.id, &sellers_url)
        .notify_of_change(&state, &mut tx, &notices)
        .await?;
    let user = find_user(&*tx, id).await?;
    tx.commit().await?;
    Ok(Json(user))
}

/// Delete a seller user
///
/// Removes all access to companies and ends all sessions at once. The e-mail address can be used again.
#[utoipa::path(
    delete, path = "/admin/sellers/{id}", tag = "sellers",
    responses((status = 204, description = "The user is deleted"))
)]
pub async fn delete_seller_user(staff: StaffCaller, Id(id): Id<UserId>, tx: Tx) -> Result<StatusCode> {
    team_member_delete(&*tx, ActingUser::Staff(staff), id).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Grant a seller user access to a company
///
/// Gives the user a role in the company, or replaces the role that the user has there. Returns the user.
#[utoipa::path(
    post, path = "/admin/sellers/{sellerId}/business/access", tag = "sellers",
    responses((status = 200, body = StaffSellerUser))
)]
pub async fn grant_seller_access(
    State(state): State<AppState>,
    staff: StaffCaller,
    Id(id): Id<UserId>,
    Json(body): Json<StaffAccessForm>,
) -> Result<Json<StaffSellerUser>> {
    let giving = body.read_grant()?;
    let tx = state.begin().await?;
    team_access_grant(&*tx, ActingUser::Staff(staff), id, giving.of, giving.role).await?;
    let user = find_user(&*tx, id).await?;
    tx.commit().await?;
    Ok(Json(user))
}

/// Remove a seller user's access to a company
#[utoipa::path(
    delete, path = "/admin/sellers/{sellerId}/business/access", tag = "sellers",
    responses(
        (status = 204, description = "The access is removed"),
        (status = 404, description = "The user does not exist, or has no access to the company"),
    )
)]
pub async fn remove_seller_access(
    State(state): State<AppState>,
    staff: StaffCaller,
    Id(id): Id<UserId>,
    Json(body): Json<StaffAccessForm>,
) -> Result<StatusCode> {
    let company = body.read_removal()?;
    let tx = state.begin().await?;
    team_access_remove(&*tx, ActingUser::Staff(staff), id, company).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

const fn recipient(person: UserId, caused_by: UserId, panel_url: &str) -> EmailRecipient<'_> {
    EmailRecipient {
        audience: Audience::Seller,
        person,
        panel_url,
        caused_by,
    }
}
