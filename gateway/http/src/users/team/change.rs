//! Changes of a company's users by users who manage the company: create, update, delete, and access.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use ledger_domain::ids::UserId;

use crate::AppState;
use crate::edge::{Id, IdempotentJson, Json, Tx};
use crate::problem::Result;
use crate::users::bodies::access_form::AccessForm;
use crate::users::bodies::seller_user::SellerUser;
use crate::users::bodies::seller_user_form::{NewSellerUser, SellerUserChange};
use crate::users::seller_user_editor::{self, TeamManager};

/// Create a user
///
/// Gives the user one role in each of the listed companies. The caller must be allowed to give this role in all of
/// them. Sends an e-mail with a link that confirms the address.
#[utoipa::path(
    post, path = "/business/sellers", tag = "team",
    responses(
        (status = 201, body = SellerUser),
        (status = 422, description = "Invalid values, by field; no field is named if the e-mail cannot be used"),
        (status = 429, description = "The caller caused too many e-mails; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn create_business_seller(
    State(state): State<AppState>,
    editor: TeamManager,
    body: IdempotentJson<NewSellerUser>,
) -> Result<Response> {
    seller_user_editor::create(&state, &editor, body).await
}

/// Update a user
///
/// Changes the given fields only. To change the name, e-mail, password, CPF or `active`, the caller must manage the
/// user in all of the user's companies. To change the role or an access, the caller must manage the user in that
/// company.
#[utoipa::path(
    patch, path = "/business/sellers/{id}", tag = "team",
    responses(
        (status = 200, body = SellerUser),
        (status = 403, description = "The caller's role does not allow this, or does not allow it for this user"),
        (status = 422, description = "Invalid values, by field; no field is named if the e-mail cannot be used"),
        (status = 429, description = "The caller caused too many e-mails; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn update_business_seller(
    State(state): State<AppState>,
    editor: TeamManager,
    Id(id): Id<UserId>,
    Json(body): Json<SellerUserChange>,
) -> Result<Json<SellerUser>> {
    seller_user_editor::update(&state, &editor, id, body.read()?).await
}

/// Delete a user
///
/// The caller must manage the user in all of the user's companies. Ends the user's sessions at once.
#[utoipa::path(
    delete, path = "/business/sellers/{id}", tag = "team",
    responses(
        (status = 204, description = "The user is deleted"),
        (status = 403, description = "The caller's role does not allow this, or does not allow it for this user"),
    )
)]
pub(crate) async fn delete_business_seller(
    editor: TeamManager,
    Id(id): Id<UserId>,
    tx: Tx,
) -> Result<StatusCode> {
    seller_user_editor::delete(&editor, id, tx).await
}

/// Grant a user access to the company
///
/// Gives the user a role in the company, or replaces the role that the user has there. The user must already have
/// access to some company that the caller manages.
#[utoipa::path(
    post, path = "/business/{businessId}/access", tag = "team",
    responses(
        (status = 200, body = SellerUser),
        (status = 403, description = "The caller cannot give this role here, or not to this user"),
    )
)]
pub(crate) async fn grant_business_access(
    State(state): State<AppState>,
    editor: TeamManager,
    Json(body): Json<AccessForm>,
) -> Result<Json<SellerUser>> {
    let company = editor.business.id;
    let grant = body.read_grant(company)?;
    seller_user_editor::grant_access(&state, &editor, grant.subject, company, grant.role).await
}

/// Remove a user's access to the company
///
/// The user's last access can be removed as well; the user can still sign in, without a company.
#[utoipa::path(
    delete, path = "/business/{businessId}/access", tag = "team",
    responses(
        (status = 204, description = "The access is removed"),
        (status = 403, description = "The caller's role does not allow this, or does not allow it for this user"),
    )
)]
pub(crate) async fn remove_business_access(
    State(state): State<AppState>,
    editor: TeamManager,
    Json(body): Json<AccessForm>,
) -> Result<StatusCode> {
    let company = editor.business.id;
    let user = body.read_removal(company)?;
    seller_user_editor::remove_access(&state, &editor, user, company).await
}
