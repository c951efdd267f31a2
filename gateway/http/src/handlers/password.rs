//! Passwords of both audiences: forgotten, set by a letter's link, changed by whoever knows the present one.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use gateway_identity::audience::Audience;
use gateway_identity::own_account::new_password::{self, AskedFrom, NewPassword, Reset};
use gateway_identity::sessions::open_sessions::SessionOwner;

use crate::AppState;
use crate::edge::cookies::{self, SetCookies};
use crate::edge::{CurrentAdmin, CurrentSeller, Json};
use crate::problem::{ProblemBody, Result};
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
    new_password::forgot(&state.sessions, Audience::Seller, form.email, asking).await?;
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
    new_password::forgot(&state.sessions, Audience::Admin, form.email, asking).await?;
    Ok((StatusCode::ACCEPTED, Json(FORGOT)))
}

/// Set a new password by a letter's link
///
/// Ends all the person's sessions, the trust in their devices, and their other links of this kind. The browser that sets
/// the password is a known device from then on.
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
    headers: HeaderMap,
    Json(form): Json<ResetPassword>,
) -> Result<impl IntoResponse> {
    let audience = Audience::Seller;
    let reset = Reset {
        token: form.token,
        password: form.password,
        devices: cookies::devices(&state.sessions.tokens, audience, &headers),
    };
    let device = new_password::reset(&state.sessions, audience, reset, asking).await?;
    Ok(no_content(audience, &headers, &device))
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
    headers: HeaderMap,
    Json(form): Json<ResetPassword>,
) -> Result<impl IntoResponse> {
    let audience = Audience::Admin;
    let reset = Reset {
        token: form.token,
        password: form.password,
        devices: cookies::devices(&state.sessions.tokens, audience, &headers),
    };
    let device = new_password::reset(&state.sessions, audience, reset, asking).await?;
    Ok(no_content(audience, &headers, &device))
}

/// Change own password
///
/// Ends the person's other sessions, and the trust in their other devices. Wrong passwords count by session.
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
    headers: HeaderMap,
    CurrentSeller(seller): CurrentSeller,
    Json(form): Json<ChangePassword>,
) -> Result<impl IntoResponse> {
    change(&state, seller.into(), &headers, form, asking).await
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
    headers: HeaderMap,
    CurrentAdmin(admin): CurrentAdmin,
    Json(form): Json<ChangePassword>,
) -> Result<impl IntoResponse> {
    change(&state, admin.into(), &headers, form, asking).await
}

async fn change(
    state: &AppState,
    holder: SessionOwner,
    headers: &HeaderMap,
    form: ChangePassword,
    asking: AskedFrom,
) -> Result<impl IntoResponse + use<>> {
    let new = NewPassword {
        current: form.current_password,
        new: form.new_password,
        devices: cookies::devices(&state.sessions.tokens, holder.audience, headers),
    };
    let device = new_password::change(&state.sessions, holder, new, asking).await?;
    Ok(no_content(holder.audience, headers, &device))
}

/// With the device cookie under the new password.
fn no_content(audience: Audience, headers: &HeaderMap, device: &str) -> impl IntoResponse + use<> {
    let cookies = SetCookies::answering(headers).device(audience, device);
    (StatusCode::NO_CONTENT, cookies.into_headers())
}
