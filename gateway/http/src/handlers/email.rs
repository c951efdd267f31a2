//! The own address of people of both audiences: another one asked for, the present one confirmed.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use gateway_identity::audience::Audience;
use gateway_identity::own_account::new_password::AskedFrom;
use gateway_identity::own_account::own_email;

use crate::AppState;
use crate::edge::{CurrentAdmin, CurrentSeller, Json};
use crate::problem::{ProblemBody, Result};
use crate::wire::account::{Accepted, ChangeEmail, ConfirmedEmail};

const CHANGE_ASKED: Accepted = Accepted {
    message: "Enviamos um link de confirmação para o novo e-mail.",
};
const SENT_AGAIN: Accepted = Accepted {
    message: "Enviamos um link de confirmação para o seu e-mail.",
};

/// Ask for another e-mail
///
/// It counts once it is confirmed by the link sent there. Answers the same where the address is somebody else's, which can
/// never be confirmed.
#[utoipa::path(
    post, path = "/auth/change-email", tag = "password", request_body = ChangeEmail,
    responses(
        (status = 202, body = Accepted),
        (status = 422, description = "The password is wrong, or the e-mail can't be taken", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many tries; Retry-After says when", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn change_email(
    State(state): State<AppState>,
    asking: AskedFrom,
    CurrentSeller(seller): CurrentSeller,
    Json(form): Json<ChangeEmail>,
) -> Result<(StatusCode, Json<Accepted>)> {
    own_email::change(&state.sessions, seller.into(), form.email, form.password, asking).await?;
    Ok((StatusCode::ACCEPTED, Json(CHANGE_ASKED)))
}

/// Ask for another e-mail (staff)
#[utoipa::path(
    post, path = "/auth/admin/change-email", tag = "password", request_body = ChangeEmail,
    responses(
        (status = 202, body = Accepted),
        (status = 422, description = "The password is wrong, or the e-mail can't be taken", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many tries; Retry-After says when", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn change_admin_email(
    State(state): State<AppState>,
    asking: AskedFrom,
    CurrentAdmin(admin): CurrentAdmin,
    Json(form): Json<ChangeEmail>,
) -> Result<(StatusCode, Json<Accepted>)> {
    own_email::change(&state.sessions, admin.into(), form.email, form.password, asking).await?;
    Ok((StatusCode::ACCEPTED, Json(CHANGE_ASKED)))
}

/// Have the confirmation of the own e-mail sent again
#[utoipa::path(
    post, path = "/auth/verifyemail", tag = "password",
    responses(
        (status = 202, body = Accepted),
        (status = 409, description = "It is confirmed already", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many tries; Retry-After says when", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn resend_verification(
    State(state): State<AppState>,
    asking: AskedFrom,
    CurrentSeller(seller): CurrentSeller,
) -> Result<(StatusCode, Json<Accepted>)> {
    own_email::ask_again(&state.sessions, seller.into(), asking).await?;
    Ok((StatusCode::ACCEPTED, Json(SENT_AGAIN)))
}

/// Have the confirmation of the own e-mail sent again (staff)
#[utoipa::path(
    post, path = "/auth/admin/verifyemail", tag = "password",
    responses(
        (status = 202, body = Accepted),
        (status = 409, description = "It is confirmed already", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many tries; Retry-After says when", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn resend_admin_verification(
    State(state): State<AppState>,
    asking: AskedFrom,
    CurrentAdmin(admin): CurrentAdmin,
) -> Result<(StatusCode, Json<Accepted>)> {
    own_email::ask_again(&state.sessions, admin.into(), asking).await?;
    Ok((StatusCode::ACCEPTED, Json(SENT_AGAIN)))
}

/// Confirm an e-mail by a letter's link
///
/// For one use, within three days. Where it is a new address, it is the person's from now on.
#[utoipa::path(
    get, path = "/auth/verifyemail/{verificationCode}", tag = "password",
    params(("verificationCode" = String, Path, description = "Out of the letter's link", example = "Zm9v…")),
    responses(
        (status = 200, body = ConfirmedEmail),
        (status = 422, description = "The link is not good any more", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many tries; Retry-After says when", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn verify_email(
    State(state): State<AppState>,
    asking: AskedFrom,
    Path(code): Path<String>,
) -> Result<Json<ConfirmedEmail>> {
    let email = own_email::confirm(&state.sessions, Audience::Seller, &code, asking).await?;
    Ok(Json(ConfirmedEmail { email }))
}

/// Confirm an e-mail by a letter's link (staff)
#[utoipa::path(
    get, path = "/auth/admin/verifyemail/{verificationCode}", tag = "password",
    params(("verificationCode" = String, Path, description = "Out of the letter's link", example = "Zm9v…")),
    responses(
        (status = 200, body = ConfirmedEmail),
        (status = 422, description = "The link is not good any more", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many tries; Retry-After says when", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn verify_admin_email(
    State(state): State<AppState>,
    asking: AskedFrom,
    Path(code): Path<String>,
) -> Result<Json<ConfirmedEmail>> {
    let email = own_email::confirm(&state.sessions, Audience::Admin, &code, asking).await?;
    Ok(Json(ConfirmedEmail { email }))
}
