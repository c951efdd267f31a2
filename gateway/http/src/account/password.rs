//! Passwords of both panels: reset links, resets by a link, and changes with the current password.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use gateway_identity::audience::Audience;
use gateway_identity::own_account::new_password::{self, PasswordChange, PasswordReset, RequestOrigin};
use gateway_identity::sessions::open_sessions::SessionOwner;

use super::bodies::credentials::{Accepted, ChangePassword, ForgotPassword, ResetPassword};
use crate::AppState;
use crate::edge::cookies::{self, SetCookies};
use crate::edge::{CurrentAdmin, CurrentSeller, Json};
use crate::problem::Result;

/// The same response whether or not a user has the address.
const FORGOT: Accepted = Accepted {
    message: "Se este e-mail estiver cadastrado, você receberá um link para criar uma nova senha.",
};

/// Request a password reset
///
/// Sends a reset link to the address. The link works once and for one hour. The response is the same if no user has the
/// address.
#[utoipa::path(
    post, path = "/auth/forgot-password", tag = "password",
    responses(
        (status = 202, body = Accepted),
        (status = 422, description = "The e-mail is missing or invalid"),
    )
)]
pub async fn forgot_password(
    State(state): State<AppState>,
    origin: RequestOrigin,
    Json(form): Json<ForgotPassword>,
) -> Result<(StatusCode, Json<Accepted>)> {
    new_password::request_link(&state.sessions, Audience::Seller, form.email, origin).await?;
    Ok((StatusCode::ACCEPTED, Json(FORGOT)))
}

/// Request a password reset (staff)
///
/// Sends a reset link to the address. The link works once and for one hour. The response is the same if no user has the
/// address.
#[utoipa::path(
    post, path = "/auth/admin/forgot-password", tag = "password",
    responses(
        (status = 202, body = Accepted),
        (status = 422, description = "The e-mail is missing or invalid"),
    )
)]
pub async fn forgot_admin_password(
    State(state): State<AppState>,
    origin: RequestOrigin,
    Json(form): Json<ForgotPassword>,
) -> Result<(StatusCode, Json<Accepted>)> {
    new_password::request_link(&state.sessions, Audience::Admin, form.email, origin).await?;
    Ok((StatusCode::ACCEPTED, Json(FORGOT)))
}

/// Reset a password
///
/// Takes the token of a reset link. Ends all sessions of the user, all other reset links and the trust in all devices.
/// The browser that sets the password becomes a known device.
#[utoipa::path(
    post, path = "/auth/reset-password", tag = "password",
    responses(
        (status = 204, description = "The new password is set"),
        (status = 422, description = "The link is invalid, used or expired (`token`), or the password is invalid"),
    )
)]
pub async fn reset_password(
    State(state): State<AppState>,
    origin: RequestOrigin,
    headers: HeaderMap,
    Json(form): Json<ResetPassword>,
) -> Result<impl IntoResponse> {
    let audience = Audience::Seller;
    let reset = PasswordReset {
        token: form.token,
        password: form.password,
        devices: cookies::devices(&state.sessions.tokens, audience, &headers),
    };
    let device = new_password::reset(&state.sessions, audience, reset, origin).await?;
    Ok(no_content(audience, &headers, &device))
}

/// Reset a password (staff)
///
/// Takes the token of a reset link. Ends all sessions of the user, all other reset links and the trust in all devices.
/// The browser that sets the password becomes a known device.
#[utoipa::path(
    post, path = "/auth/admin/reset-password", tag = "password",
    responses(
        (status = 204, description = "The new password is set"),
        (status = 422, description = "The link is invalid, used or expired (`token`), or the password is invalid"),
    )
)]
pub async fn reset_admin_password(
    State(state): State<AppState>,
    origin: RequestOrigin,
    headers: HeaderMap,
    Json(form): Json<ResetPassword>,
) -> Result<impl IntoResponse> {
    let audience = Audience::Admin;
    let reset = PasswordReset {
        token: form.token,
        password: form.password,
        devices: cookies::devices(&state.sessions.tokens, audience, &headers),
    };
    let device = new_password::reset(&state.sessions, audience, reset, origin).await?;
    Ok(no_content(audience, &headers, &device))
}

/// Change own password
///
/// Needs the current password. Ends the user's other sessions and the trust in other devices. Wrong passwords count
/// against a limit for each session.
#[utoipa::path(
    post, path = "/auth/change-password", tag = "password",
    responses(
        (status = 204, description = "The new password is set"),
        (status = 422, description = "The current password is wrong, or the new one is invalid"),
    )
)]
pub async fn change_password(
    State(state): State<AppState>,
    origin: RequestOrigin,
    headers: HeaderMap,
    CurrentSeller(seller): CurrentSeller,
    Json(form): Json<ChangePassword>,
) -> Result<impl IntoResponse> {
    change(&state, seller.into(), &headers, form, origin).await
}

/// Change own password (staff)
///
/// Needs the current password. Ends the user's other sessions and the trust in other devices. Wrong passwords count
/// against a limit for each session.
#[utoipa::path(
    post, path = "/auth/admin/change-password", tag = "password",
    responses(
        (status = 204, description = "The new password is set"),
        (status = 422, description = "The current password is wrong, or the new one is invalid"),
    )
)]
pub async fn change_admin_password(
    State(state): State<AppState>,
    origin: RequestOrigin,
    headers: HeaderMap,
    CurrentAdmin(admin): CurrentAdmin,
    Json(form): Json<ChangePassword>,
) -> Result<impl IntoResponse> {
    change(&state, admin.into(), &headers, form, origin).await
}

async fn change(
    state: &AppState,
    holder: SessionOwner,
    headers: &HeaderMap,
    form: ChangePassword,
    origin: RequestOrigin,
) -> Result<impl IntoResponse + use<>> {
    let new = PasswordChange {
        current: form.current_password,
        new: form.new_password,
        devices: cookies::devices(&state.sessions.tokens, holder.audience, headers),
    };
    let device = new_password::change(&state.sessions, holder, new, origin).await?;
    Ok(no_content(holder.audience, headers, &device))
}

/// A 204 with the device cookie that belongs to the new password.
fn no_content(audience: Audience, headers: &HeaderMap, device: &str) -> impl IntoResponse + use<> {
    let cookies = SetCookies::answering(headers).device(audience, device);
    (StatusCode::NO_CONTENT, cookies.into_headers())
}
