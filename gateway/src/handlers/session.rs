//! A seller's sign-in, refresh and sign-out, and the CSRF token of both panels.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::IntoResponse;

use super::{open_session, profile};
use crate::http::{ClientAddress, CurrentSeller, Json};
use crate::problem::{ProblemBody, Result};
use crate::sessions::open_sessions::SessionId;
use crate::sessions::sign_in::{self, Presented};
use crate::sessions::{Audience, cookies::SetCookies, csrf};
use crate::wire::person::{CsrfToken, RefreshToken, SignIn, SignedIn};
use crate::{AppState, config::Panel};

/// A token for X-CSRF-Token
///
/// Bound to the session, so it is fetched again after a sign-in. The same token is set as a cookie.
#[utoipa::path(get, path = "/auth/get-csrf-token", tag = "session", responses((status = 200, body = CsrfToken)))]
pub async fn get_csrf_token(
    State(state): State<AppState>,
    panel: axum::Extension<Panel>,
    headers: HeaderMap,
) -> impl IntoResponse {
    let bearer = sign_in::csrf_bearer(&state.sessions.tokens, Audience::of_panel(panel.0), &headers);
    let csrf_token = csrf::issue(&state.sessions.tokens, bearer);
    (
        SetCookies::answering(&headers).csrf(&csrf_token).into_headers(),
        Json(CsrfToken { csrf_token }),
    )
}

/// Sign in
///
/// The tokens are in the body for API clients, and in cookies for a browser.
#[utoipa::path(
    post, path = "/auth/sign-in", tag = "session", request_body = SignIn,
    responses(
        (status = 200, body = SignedIn),
        (status = 422, description = "Wrong e-mail or password, or a missing field", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many tries; Retry-After says when", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn create_session(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    Json(form): Json<SignIn>,
) -> Result<impl IntoResponse> {
    let tokens = sign_in::sign_in(&state, Audience::Seller, form, &headers, address).await?;
    answer(&state, &headers, tokens).await
}

/// Refresh
///
/// A refresh token is for one use, but for 30 seconds in which the one just replaced still gets the same successor.
/// Used again later, it ends the session for whoever holds it.
#[utoipa::path(
    post, path = "/auth/refresh-token", tag = "session", request_body = Option<RefreshToken>,
    responses(
        (status = 200, body = SignedIn),
        (status = 401, description = "No refresh token, or a spent one", body = ProblemBody, content_type = "application/problem+json"),
        (status = 403, description = "From the cookie and without a valid X-CSRF-Token", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn refresh_session(
    State(state): State<AppState>,
    headers: HeaderMap,
    presented: Presented,
) -> Result<impl IntoResponse, sign_in::Ended> {
    let tokens = sign_in::refresh(&state, Audience::Seller, presented, &headers).await?;
    answer(&state, &headers, tokens).await.map_err(Into::into)
}

/// Sign out
#[utoipa::path(get, path = "/auth/logout", tag = "session", responses((status = 204, description = "Signed out")))]
pub async fn delete_session(
    State(state): State<AppState>,
    headers: HeaderMap,
    CurrentSeller(seller): CurrentSeller,
) -> Result<impl IntoResponse> {
    let present = SessionId(seller.family);
    open_session::end(&state, &headers, seller.into(), present).await
}

async fn answer(
    state: &AppState,
    headers: &HeaderMap,
    tokens: sign_in::Pair,
) -> Result<impl IntoResponse + use<>> {
    let client = state.pool.get().await?;
    let seller = profile::seller_of(&**client, tokens.user).await?;
    let set = SetCookies::answering(headers).tokens(Audience::Seller, &tokens.access, &tokens.refresh);
    let body = SignedIn {
        access_token: tokens.access,
        refresh_token: tokens.refresh,
        seller,
    };
    Ok((set.into_headers(), Json(body)))
}
