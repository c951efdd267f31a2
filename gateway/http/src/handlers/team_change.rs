//! What those who manage a company do with its team: bring somebody, change them, let them go, and say who may act for
//! which company.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::audience::Audience;
use gateway_identity::people::{
    ActingUser, NewSeller, NewTeamMember, PersonChange, access_give, access_take, team_member_change,
    team_member_create, team_member_delete,
};
use ledger_domain::ids::UserId;

use super::balance::BusinessParam;
use super::emails::EmailRecipient;
use super::team::Viewer;
use crate::AppState;
use crate::edge::{CurrentBusiness, CurrentSeller, IdempotentJson, Json, PanelUrl};
use crate::problem::{Problem, ProblemBody, Result};
use crate::wire::access_form::AccessForm;
use crate::wire::seller_user::SellerUser;
use crate::wire::seller_user_form::{NewSellerUser, SellerUserChange};

/// Bring a user
///
/// Into companies where whoever asks may give the group. They get a letter that asks them to confirm their e-mail.
#[utoipa::path(
    post, path = "/business/sellers", tag = "team", request_body = NewSellerUser,
    params(("Idempotency-Key" = Option<String>, Header, description = "Of the caller's choice, new for each user", example = "b7e0c1f2d3a44e55"), BusinessParam),
    responses(
        (status = 201, body = SellerUser),
        (status = 409, description = "The key was used for another request", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "By field; without fields where the e-mail can't be taken", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many letters caused; Retry-After says when", body = ProblemBody, content_type = "application/problem+json"),
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
    // Before the e-mail is tried, so that the time of the answer doesn't tell whether it is taken.
    let password_hash = state.sessions.passwords.hash(&form.password).await?;
    let id = UserId::from_uuid(state.ids.new_uuid());
    let mut client = state.pool.get().await?;
    let transaction = client.transaction().await?;
    let tx = &*transaction;
    if let Some(answer) = idempotency.replayed_answer(tx).await? {
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
    team_member_create(tx, by(&business), &new).await?;
    let emails = addressee(id, business.seller, &panel_url)
        .welcome(&state, tx, &form.email)
        .await?;
    let user = Viewer::of(&seller, &business).see_now(tx, id).await?;
    let answer = idempotency.store_answer(tx, StatusCode::CREATED, &user).await?;
    transaction.commit().await?;
    emails.send();
    Ok(answer)
}

/// Change a user
///
/// Name, e-mail, password, CPF and active only by one who commands the user in all of their companies; group and
/// companies by one who commands them there.
#[utoipa::path(
    patch, path = "/business/sellers/{id}", tag = "team", request_body = SellerUserChange,
    params(("id" = String, Path, example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01"), BusinessParam),
    responses(
        (status = 200, body = SellerUser),
        (status = 403, description = "Not in a role that may do this, or not to this user", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "By field; without fields where the e-mail can't be taken", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many letters caused; Retry-After says when", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn update_business_seller(
    State(state): State<AppState>,
    CurrentSeller(seller): CurrentSeller,
    business: CurrentBusiness,
    PanelUrl(panel_url): PanelUrl,
    Path(id): Path<String>,
    Json(body): Json<SellerUserChange>,
) -> Result<Json<SellerUser>> {
    let id: UserId = id.parse().map_err(|_| Problem::not_found())?;
    let form = body.read()?;
    let change = PersonChange {
        password_hash: state
            .sessions
            .passwords
            .hash_given(form.password.as_deref())
            .await?,
        ..form.change
    };
    let mut client = state.pool.get().await?;
    let transaction = client.transaction().await?;
    let tx = &*transaction;
    let reported = team_member_change(tx, by(&business), id, change, &form.access_request).await?;
    let emails = addressee(id, business.seller, &panel_url)
        .tell(&state, tx, &reported)
        .await?;
    let user = Viewer::of(&seller, &business).see_now(tx, id).await?;
    transaction.commit().await?;
    emails.send();
    Ok(Json(user))
}

/// Delete a user
///
/// By one who commands the user in all of their companies. Their sessions end at once.
#[utoipa::path(
    delete, path = "/business/sellers/{id}", tag = "team",
    params(("id" = String, Path, example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01"), BusinessParam),
    responses(
        (status = 204, description = "Deleted"),
        (status = 403, description = "Not in a role that may do this, or not to this user", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn delete_business_seller(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Path(id): Path<String>,
) -> Result<StatusCode> {
    let id: UserId = id.parse().map_err(|_| Problem::not_found())?;
    let mut client = state.pool.get().await?;
    let transaction = client.transaction().await?;
    team_member_delete(&*transaction, by(&business), id).await?;
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Give a user access to the company
///
/// Or another group in it. The user must be seen in some company that whoever asks manages.
#[utoipa::path(
    post, path = "/business/{businessId}/access", tag = "team", request_body = AccessForm,
    params(("businessId" = String, Path, example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")),
    responses(
        (status = 200, body = SellerUser),
        (status = 403, description = "Not a group that may be given here, or not to this user", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "A value that cannot be taken, by field", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn grant_business_access(
    State(state): State<AppState>,
    CurrentSeller(seller): CurrentSeller,
    business: CurrentBusiness,
    Json(body): Json<AccessForm>,
) -> Result<Json<SellerUser>> {
    let giving = body.read_giving(business.id)?;
    let mut client = state.pool.get().await?;
    let transaction = client.transaction().await?;
    let tx = &*transaction;
    access_give(tx, by(&business), giving.of, business.id, giving.role).await?;
    let user = Viewer::of(&seller, &business).see_now(tx, giving.of).await?;
    transaction.commit().await?;
    Ok(Json(user))
}

/// Take a user's access to the company
///
/// Also where it is their last one: they see so when they sign in.
#[utoipa::path(
    delete, path = "/business/{businessId}/access", tag = "team", request_body = AccessForm,
    params(("businessId" = String, Path, example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")),
    responses(
        (status = 204, description = "Taken"),
        (status = 403, description = "Not in a role that may do this, or not to this user", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "A value that cannot be taken, by field", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn remove_business_access(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Json(body): Json<AccessForm>,
) -> Result<StatusCode> {
    let person = body.read_taking(business.id)?;
    let mut client = state.pool.get().await?;
    let transaction = client.transaction().await?;
    access_take(&*transaction, by(&business), person, business.id).await?;
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

const fn by(business: &CurrentBusiness) -> ActingUser {
    ActingUser::Seller(business.caller())
}

const fn addressee(person: UserId, caused_by: UserId, panel_url: &str) -> EmailRecipient<'_> {
    EmailRecipient {
        audience: Audience::Seller,
        person,
        panel_url,
        caused_by,
    }
}
