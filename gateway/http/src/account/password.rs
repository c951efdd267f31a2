//! Passwords of both panels: reset links, resets by a link, and changes with the current password.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use gateway_identity::account::new_password::{self, PasswordChange, PasswordReset, RequestOrigin};
use gateway_identity::audience::Audience;
use gateway_identity::sessions::open_sessions::SessionOwner;

use super::bodies::credentials::{Accepted, ChangePassword, ForgotPassword, ResetPassword};
use crate::AppState;
use crate::edge::Json;
use crate::edge::cookies::{self, SetCookies};
use crate::problem::Result;
use crate::shared::form::Form;

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
pub(crate) async fn forgot_password(
    State(state): State<AppState>,
    audience: Audience,
    origin: RequestOrigin,
    Form(form): Form<ForgotPassword>,
) -> Result<(StatusCode, Json<Accepted>)> {
    new_password::request_link(&state.accounts, audience, form.email, origin).await?;
    Ok((StatusCode::ACCEPTED, Json(FORGOT)))
}

/// Reset a password
///
/// Takes the token of a reset link. Ends all sessions of the user and the trust in all devices. Also ends other reset
/// links and links that confirm a new e-mail address. The browser that sets the password becomes a known device.
#[utoipa::path(
    post, path = "/auth/reset-password", tag = "password",
    responses(
        (status = 204, description = "The new password is set"),
        (status = 422, description = "The link is invalid, used or expired (`token`), or the password is invalid"),
    )
)]
pub(crate) async fn reset_password(
    State(state): State<AppState>,
    audience: Audience,
    origin: RequestOrigin,
    headers: HeaderMap,
    Form(form): Form<ResetPassword>,
) -> Result<impl IntoResponse> {
    let reset = PasswordReset {
        token: form.token,
        password: form.password,
        devices: cookies::devices(&state.accounts.tokens, audience, &headers),
    };
    let device = new_password::reset(&state.accounts, audience, reset, origin).await?;
    Ok(no_content(audience, &headers, &device))
}

/// Change own password
///
/// Needs the current password. Ends the user's other sessions and the trust in other devices. Also ends reset links and
/// links that confirm a new e-mail address. Wrong passwords count against a limit for each session.
#[utoipa::path(
    post, path = "/auth/change-password", tag = "password",
    responses(
        (status = 204, description = "The new password is set"),
        (status = 422, description = "The current password is wrong, or the new one is invalid"),
    )
)]
pub(crate) async fn change_password(
    State(state): State<AppState>,
    origin: RequestOrigin,
    headers: HeaderMap,
    owner: SessionOwner,
    Form(form): Form<ChangePassword>,
) -> Result<impl IntoResponse> {
    let new = PasswordChange {
        current: form.current_password,
        new: form.new_password,
        devices: cookies::devices(&state.accounts.tokens, owner.audience, &headers),
    };
    let device = new_password::change(&state.accounts, owner, new, origin).await?;
    Ok(no_content(owner.audience, &headers, &device))
}

/// A 204 with the device cookie that belongs to the new password.
fn no_content(audience: Audience, headers: &HeaderMap, device: &str) -> impl IntoResponse + use<> {
    let cookies = SetCookies::answering(headers).device(audience, device);
    (StatusCode::NO_CONTENT, cookies.into_headers())
}
