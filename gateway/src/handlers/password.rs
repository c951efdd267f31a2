//! Passwords of both audiences: forgotten, set by a letter's link, changed by whoever knows the present one.

use axum::extract::State;
use axum::http::StatusCode;

use crate::AppState;
use crate::http::{CurrentAdmin, CurrentSeller, Json};
use crate::problem::{ProblemBody, Result};
use crate::sessions::Audience;
use crate::sessions::new_password::{self, AskedFrom};
use crate::wire::account::{Accepted, ChangePassword, ForgotPassword, ResetPassword};

/// The same, whoever has the address.
const FORGOT: Accepted = Accepted {
    message: "Se este e-mail estiver cadastrado, você receberá um link para criar uma nova senha.",
};

/// Forgot the password
///
/// Answers the same whether somebody has that address or not. The link is for one use, within an hour.
#[utoipa::path(
    post, path = "/auth/forgot-password", tag = "password", request_body = ForgotPassword,
    responses(
        (status = 202, body = Accepted),
        (status = 422, description = "No e-mail, or not one", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many tries; Retry-After says when", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn forgot_password(
    State(state): State<AppState>,
    asking: AskedFrom,
    Json(form): Json<ForgotPassword>,
) -> Result<(StatusCode, Json<Accepted>)> {
    new_password::forgot(&state, Audience::Seller, form.email, asking).await?;
    Ok((StatusCode::ACCEPTED, Json(FORGOT)))
}

/// Forgot the password (staff)
#[utoipa::path(
    post, path = "/auth/admin/forgot-password", tag = "password", request_body = ForgotPassword,
    responses(
        (status = 202, body = Accepted),
        (status = 422, description = "No e-mail, or not one", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many tries; Retry-After says when", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn forgot_admin_password(
    State(state): State<AppState>,
    asking: AskedFrom,
    Json(form): Json<ForgotPassword>,
) -> Result<(StatusCode, Json<Accepted>)> {
    new_password::forgot(&state, Audience::Admin, form.email, asking).await?;
    Ok((StatusCode::ACCEPTED, Json(FORGOT)))
}

/// Set a new password by a letter's link
///
/// Ends all the person's sessions, and their other links of this kind.
#[utoipa::path(
    post, path = "/auth/reset-password", tag = "password", request_body = ResetPassword,
    responses(
        (status = 204, description = "The new password holds"),
        (status = 422, description = "The link is not good any more (`token`), or the password can't be taken", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many tries; Retry-After says when", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn reset_password(
    State(state): State<AppState>,
    asking: AskedFrom,
    Json(form): Json<ResetPassword>,
) -> Result<StatusCode> {
    new_password::reset(&state, Audience::Seller, form.token, form.password, asking).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Set a new password by a letter's link (staff)
#[utoipa::path(
    post, path = "/auth/admin/reset-password", tag = "password", request_body = ResetPassword,
    responses(
        (status = 204, description = "The new password holds"),
        (status = 422, description = "The link is not good any more (`token`), or the password can't be taken", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many tries; Retry-After says when", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn reset_admin_password(
    State(state): State<AppState>,
    asking: AskedFrom,
    Json(form): Json<ResetPassword>,
) -> Result<StatusCode> {
    new_password::reset(&state, Audience::Admin, form.token, form.password, asking).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Change own password
///
/// Ends the person's other sessions.
#[utoipa::path(
    post, path = "/auth/change-password", tag = "password", request_body = ChangePassword,
    responses(
        (status = 204, description = "The new password holds"),
        (status = 422, description = "The present password is wrong, or the new one can't be taken", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many tries; Retry-After says when", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn change_password(
    State(state): State<AppState>,
    asking: AskedFrom,
    CurrentSeller(seller): CurrentSeller,
    Json(form): Json<ChangePassword>,
) -> Result<StatusCode> {
    new_password::change(
        &state,
        seller.into(),
        form.current_password,
        form.new_password,
        asking,
    )
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Change own password (staff)
#[utoipa::path(
    post, path = "/auth/admin/change-password", tag = "password", request_body = ChangePassword,
    responses(
        (status = 204, description = "The new password holds"),
        (status = 422, description = "The present password is wrong, or the new one can't be taken", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many tries; Retry-After says when", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn change_admin_password(
    State(state): State<AppState>,
    asking: AskedFrom,
    CurrentAdmin(admin): CurrentAdmin,
    Json(form): Json<ChangePassword>,
) -> Result<StatusCode> {
    new_password::change(
        &state,
        admin.into(),
        form.current_password,
        form.new_password,
        asking,
    )
    .await?;
    Ok(StatusCode::NO_CONTENT)
}
