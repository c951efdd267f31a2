//! Changes of a company's users by users who manage the company: create, update, delete, and access.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::audience::Audience;
use gateway_identity::users::{
    ActingUser, NewSeller, NewTeamMember, UserChange, team_access_grant, team_access_remove,
    team_member_change, team_member_create, team_member_delete,
};
use ledger_domain::ids::UserId;

use crate::AppState;
use crate::edge::{CurrentBusiness, CurrentSeller, Id, IdempotentJson, Json, PanelUrl, Tx};
use crate::problem::Result;
use crate::users::bodies::access_form::AccessForm;
use crate::users::bodies::seller_user::{SellerUser, Viewer};
use crate::users::bodies::seller_user_form::{NewSellerUser, SellerUserChange};
use crate::users::emails::EmailRecipient;

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
pub async fn create_business_seller(
    State(state): State<AppState>,
    CurrentSeller(seller): CurrentSeller,
    business: CurrentBusiness,
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
    team_member_create(&*tx, by(&business), &new).await?;
    recipient(id, business.seller, &panel_url)
        .welcome(&state, &mut tx, &form.email)
        .await?;
    let user = Viewer::of(&seller, &business).find_user(&*tx, id).await?;
    let answer = idempotency.store_answer(&tx, StatusCode::CREATED, &user).await?;
    tx.commit().await?;
    Ok(answer)
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
pub async fn update_business_seller(
    State(state): State<AppState>,
    CurrentSeller(seller): CurrentSeller,
    business: CurrentBusiness,
    PanelUrl(panel_url): PanelUrl,
    Id(id): Id<UserId>,
    Json(body): Json<SellerUserChange>,
) -> Result<Json<SellerUser>> {
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
    let notices = team_member_change(&*tx, by(&business), id, change, &form.access_request).await?;
    recipient(id, business.seller, &panel_url)
        .notify_of_change(&state, &mut tx, &notices)
        .await?;
    let user = Viewer::of(&seller, &business).find_user(&*tx, id).await?;
    tx.commit().await?;
    Ok(Json(user))
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
pub async fn delete_business_seller(
    business: CurrentBusiness,
    Id(id): Id<UserId>,
    tx: Tx,
) -> Result<StatusCode> {
    team_member_delete(&*tx, by(&business), id).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
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
pub async fn grant_business_access(
    State(state): State<AppState>,
    CurrentSeller(seller): CurrentSeller,
    business: CurrentBusiness,
    Json(body): Json<AccessForm>,
) -> Result<Json<SellerUser>> {
    let giving = body.read_grant(business.id)?;
    let tx = state.begin().await?;
    team_access_grant(&*tx, by(&business), giving.of, business.id, giving.role).await?;
    let user = Viewer::of(&seller, &business).find_user(&*tx, giving.of).await?;
    tx.commit().await?;
    Ok(Json(user))
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
pub async fn remove_business_access(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Json(body): Json<AccessForm>,
) -> Result<StatusCode> {
    let person = body.read_removal(business.id)?;
    let tx = state.begin().await?;
    team_access_remove(&*tx, by(&business), person, business.id).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

const fn by(business: &CurrentBusiness) -> ActingUser {
    ActingUser::Seller(business.caller())
}

const fn recipient(person: UserId, caused_by: UserId, panel_url: &str) -> EmailRecipient<'_> {
    EmailRecipient {
        audience: Audience::Seller,
        person,
        panel_url,
        caused_by,
    }
}
