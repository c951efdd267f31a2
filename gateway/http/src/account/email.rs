//! E-mail addresses of signed-in users of both panels: requests for a new address, and confirmation links.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use gateway_identity::account::new_password::RequestOrigin;
use gateway_identity::account::own_email;
use gateway_identity::audience::Audience;
use gateway_identity::sessions::open_sessions::SessionOwner;

use super::bodies::credentials::{Accepted, ChangeEmail, ConfirmedEmail};
use crate::AppState;
use crate::edge::Json;
use crate::problem::Result;
use crate::shared::form::Form;

const CHANGE_ASKED: Accepted = Accepted {
    message: "Enviamos um link de confirmação para o novo e-mail.",
};
const SENT_AGAIN: Accepted = Accepted {
    message: "Enviamos um link de confirmação para o seu e-mail.",
};

/// Request a new e-mail address
///
/// Sends a confirmation link to the new address, and to the current one a link that approves or refuses the change. It
/// takes effect when the new address is confirmed and the current one approves it, or 48 hours have passed. Needs the user's password. The response is the same if another user has the address; while that user has
/// it, the change cannot be confirmed.
#[utoipa::path(
    post, path = "/auth/change-email", tag = "password",
    responses(
        (status = 202, body = Accepted),
        (status = 422, description = "The password is wrong, or the e-mail is invalid or already the user's"),
    )
)]
pub(crate) async fn change_email(
    State(state): State<AppState>,
    origin: RequestOrigin,
    owner: SessionOwner,
    Form(form): Form<ChangeEmail>,
) -> Result<(StatusCode, Json<Accepted>)> {
    own_email::request_change(&state.accounts, owner, form.email, form.password, origin).await?;
    Ok((StatusCode::ACCEPTED, Json(CHANGE_ASKED)))
}

/// Resend the e-mail confirmation
///
/// Sends a new confirmation link to the signed-in user's address.
#[utoipa::path(
    post, path = "/auth/verifyemail", tag = "password",
    responses(
        (status = 202, body = Accepted),
        (status = 409, description = "The e-mail is already confirmed"),
    )
)]
pub(crate) async fn resend_verification(
    State(state): State<AppState>,
    origin: RequestOrigin,
    owner: SessionOwner,
) -> Result<(StatusCode, Json<Accepted>)> {
    own_email::resend_confirmation(&state.accounts, owner, origin).await?;
    Ok((StatusCode::ACCEPTED, Json(SENT_AGAIN)))
}

/// Confirm an e-mail address
///
/// Takes the code of a link that confirms an address, or by which the old address approves a new one. The link works
/// once and for three days. A new address takes effect when the old one approves it, or after 48 hours.
#[utoipa::path(
    get, path = "/auth/verifyemail/{verificationCode}", tag = "password",
    params(
        ("verificationCode" = String, Path, description = "The code in the e-mail's link", example = "Zm9v…"),
    ),
    responses(
        (status = 200, body = ConfirmedEmail),
        (status = 422, description = "The link is invalid, used or expired"),
    )
)]
pub(crate) async fn verify_email(
    State(state): State<AppState>,
    audience: Audience,
    origin: RequestOrigin,
    Path(code): Path<String>,
) -> Result<Json<ConfirmedEmail>> {
    let confirmed = own_email::confirm(&state.accounts, audience, &code, origin).await?;
    Ok(Json(ConfirmedEmail {
        email: confirmed.email,
        is_effective: confirmed.is_effective,
        takes_effect_at: confirmed.takes_effect_at,
    }))
}

/// Refuse a new e-mail address
///
/// Takes the code of the link that the old address got about a requested change. The address stays as it is.
#[utoipa::path(
    delete, path = "/auth/verifyemail/{verificationCode}", tag = "password",
    params(
        ("verificationCode" = String, Path, description = "The code in the e-mail's link", example = "Zm9v…"),
    ),
    responses(
        (status = 204, description = "The change is refused"),
        (status = 422, description = "The link is invalid, used or expired, or refuses nothing"),
    )
)]
pub(crate) async fn refuse_email(
    State(state): State<AppState>,
    audience: Audience,
    origin: RequestOrigin,
    Path(code): Path<String>,
) -> Result<StatusCode> {
    own_email::refuse(&state.accounts, audience, &code, origin).await?;
    Ok(StatusCode::NO_CONTENT)
}
