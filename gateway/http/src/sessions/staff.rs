//! Sign-in, refresh and sign-out of staff. Tokens and cookies are separate from the sellers'.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use gateway_identity::audience::Audience;
use gateway_identity::own_account::sign_in;
use gateway_identity::sessions::rate_limit::LimitedCaller;

use super::bodies::{AdminSignedIn, SignIn};
use super::tokens;
use super::tokens::{PresentedToken, RefreshFailure, sign_in_from};
use crate::AppState;
use crate::account::{open_sessions, profile};
use crate::edge::cookies::SetCookies;
use crate::edge::{ClientAddress, CurrentAdmin, Json, PanelUrl};
use crate::problem::Result;

/// Sign in (staff)
///
/// Returns the tokens in the body for API clients and sets them as cookies for browsers. Only failed attempts count
/// against a limit.
#[utoipa::path(
    post, path = "/auth/admin/sign-in", tag = "session",
    responses(
        (status = 200, body = AdminSignedIn),
        (status = 422, description = "Wrong e-mail or password, or a missing field"),
    )
)]
pub async fn create_admin_session(
    State(state): State<AppState>,
    address: ClientAddress,
    caller: LimitedCaller,
    headers: HeaderMap,
    Json(form): Json<SignIn>,
) -> Result<impl IntoResponse> {
    let from = sign_in_from(&state, Audience::Admin, &headers, address, caller);
    let given = (form.email, form.password);
    let signed_in = sign_in::sign_in(&state.sessions, Audience::Admin, given, from).await?;
    let cookies = SetCookies::answering(&headers).device(Audience::Admin, &signed_in.device);
    answer(&state, cookies, signed_in.tokens).await
}

/// Refresh a session (staff)
///
/// Replaces the refresh token from the body, or from the cookie if the body is empty. Returns new tokens.
#[utoipa::path(
    post, path = "/auth/admin/refresh-token", tag = "session",
    responses(
        (status = 200, body = AdminSignedIn),
        (status = 401, description = "The refresh token is missing or no longer valid"),
        (status = 403, description = "The token came from the cookie, without a valid X-CSRF-Token"),
    )
)]
pub async fn refresh_admin_session(
    State(state): State<AppState>,
    headers: HeaderMap,
    presented: PresentedToken,
) -> Result<impl IntoResponse, RefreshFailure> {
    let tokens = tokens::refresh(&state, Audience::Admin, presented, &headers).await?;
    answer(&state, SetCookies::answering(&headers), tokens)
        .await
        .map_err(Into::into)
}

/// Sign out (staff)
///
/// Ends the session. If a page of another origin led the browser here, the session stays and the response redirects to
/// the panel's home.
#[utoipa::path(
    get, path = "/auth/admin/logout", tag = "session",
    responses(
        (status = 204, description = "Signed out"),
        (status = 303, description = "Another site led the browser here: not signed out", headers(("Location" = String, description = "The panel's home"))),
    )
)]
pub async fn delete_admin_session(
    State(state): State<AppState>,
    PanelUrl(panel_url): PanelUrl,
    headers: HeaderMap,
    CurrentAdmin(admin): CurrentAdmin,
) -> Result<Response> {
    open_sessions::sign_out(&state, &headers, &panel_url, admin.into()).await
}

async fn answer(
    state: &AppState,
    cookies: SetCookies,
    tokens: sign_in::TokenPair,
) -> Result<impl IntoResponse + use<>> {
    let db = state.db().await?;
    let admin = profile::admin_of(&*db, tokens.user).await?;
    let set = cookies.tokens(Audience::Admin, &tokens.access, &tokens.refresh);
    let body = AdminSignedIn {
        access_token: tokens.access,
        refresh_token: tokens.refresh,
        admin,
    };
    Ok((set.into_headers(), Json(body)))
}
