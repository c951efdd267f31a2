//! Changes of seller users by staff: create, update, delete, and access to companies.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use ledger_domain::ids::UserId;

use crate::AppState;
use crate::edge::{Id, IdempotentJson, Json, Tx};
use crate::problem::Result;
use crate::users::bodies::access_form::{AccessGrant, StaffAccessForm};
use crate::users::bodies::seller_user::StaffSellerUser;
use crate::users::bodies::seller_user_form::{NewSellerUser, StaffSellerUserChange};
use crate::users::seller_user_editor::{self, StaffEditor};

/// Create a seller user
///
/// Gives the user one role in each of the listed companies, which must exist. The role may be owner. Sends an e-mail
/// with a link that confirms the address.
#[utoipa::path(
    post, path = "/admin/sellers", tag = "sellers",
    responses(
        (status = 201, body = StaffSellerUser),
        (status = 422, description = "Invalid values, by field; no field is named if the e-mail cannot be used"),
        (status = 429, description = "The caller caused too many e-mails; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn create_seller_user(
    State(state): State<AppState>,
    editor: StaffEditor,
    body: IdempotentJson<NewSellerUser>,
) -> Result<Response> {
    seller_user_editor::create(&state, &editor, body).await
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
pub(crate) async fn update_seller_user(
    State(state): State<AppState>,
    editor: StaffEditor,
    Id(id): Id<UserId>,
    Json(body): Json<StaffSellerUserChange>,
) -> Result<Json<StaffSellerUser>> {
    seller_user_editor::update(&state, &editor, id, body.read()?).await
}

/// Delete a seller user
///
/// Removes all access to companies and ends all sessions at once. The e-mail address can be used again.
#[utoipa::path(
    delete, path = "/admin/sellers/{id}", tag = "sellers",
    responses((status = 204, description = "The user is deleted"))
)]
pub(crate) async fn delete_seller_user(
    editor: StaffEditor,
    Id(id): Id<UserId>,
    tx: Tx,
) -> Result<StatusCode> {
    seller_user_editor::delete(&editor, id, tx).await
}

/// Grant a seller user access to a company
///
/// Gives the user a role in the company, or replaces the role that the user has there. Returns the user.
#[utoipa::path(
    post, path = "/admin/sellers/{sellerId}/business/access", tag = "sellers",
    responses((status = 200, body = StaffSellerUser))
)]
pub(crate) async fn grant_seller_access(
    State(state): State<AppState>,
    editor: StaffEditor,
    Id(id): Id<UserId>,
    Json(body): Json<StaffAccessForm>,
) -> Result<Json<StaffSellerUser>> {
    let AccessGrant {
        subject: company,
        role,
    } = body.read_grant()?;
    seller_user_editor::grant_access(&state, &editor, id, company, role).await
}

/// Remove a seller user's access to a company
#[utoipa::path(
    delete, path = "/admin/sellers/{sellerId}/business/access", tag = "sellers",
    responses(
        (status = 204, description = "The access is removed"),
        (status = 404, description = "The user does not exist, or has no access to the company"),
    )
)]
pub(crate) async fn remove_seller_access(
    State(state): State<AppState>,
    editor: StaffEditor,
    Id(id): Id<UserId>,
    Json(body): Json<StaffAccessForm>,
) -> Result<StatusCode> {
    seller_user_editor::remove_access(&state, &editor, id, body.read_removal()?).await
}
