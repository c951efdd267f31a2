//! Sign-in, refresh and sign-out of sellers.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use gateway_identity::audience::Audience;
use gateway_identity::own_account::sign_in;
use gateway_identity::sessions::rate_limit::LimitedCaller;

use super::bodies::{SignIn, SignedIn};
use super::tokens;
use super::tokens::{PresentedToken, RefreshFailure, sign_in_from};
use crate::AppState;
use crate::account::{open_sessions, profile};
use crate::edge::cookies::SetCookies;
use crate::edge::{ClientAddress, CurrentSeller, Json, PanelUrl};
use crate::problem::Result;

/// Sign in
///
/// Returns the tokens in the body for API clients and sets them as cookies for browsers. Only failed attempts count
/// against a limit. A browser that signed in as this user before sends its device cookie and has a separate limit.
#[utoipa::path(
    post, path = "/auth/sign-in", tag = "session",
    responses(
        (status = 200, body = SignedIn),
        (status = 422, description = "Wrong e-mail or password, or a missing field"),
    )
)]
pub async fn create_session(
    State(state): State<AppState>,
    address: ClientAddress,
    caller: LimitedCaller,
    headers: HeaderMap,
    Json(form): Json<SignIn>,
) -> Result<impl IntoResponse> {
    let from = sign_in_from(&state, Audience::Seller, &headers, address, caller);
    let given = (form.email, form.password);
    let signed_in = sign_in::sign_in(&state.sessions, Audience::Seller, given, from).await?;
    let cookies = SetCookies::answering(&headers).device(Audience::Seller, &signed_in.device);
    answer(&state, cookies, signed_in.tokens).await
}

/// Refresh a session
///
/// Replaces the refresh token from the body, or from the cookie if the body is empty. Returns new tokens. A refresh
/// token works once. For 30 seconds after its use, it gets the same successor again. A later reuse ends the session.
#[utoipa::path(
    post, path = "/auth/refresh-token", tag = "session",
    responses(
        (status = 200, body = SignedIn),
        (status = 401, description = "The refresh token is missing or no longer valid"),
        (status = 403, description = "The token came from the cookie, without a valid X-CSRF-Token"),
    )
)]
pub async fn refresh_session(
    State(state): State<AppState>,
    headers: HeaderMap,
    presented: PresentedToken,
) -> Result<impl IntoResponse, RefreshFailure> {
    let tokens = tokens::refresh(&state, Audience::Seller, presented, &headers).await?;
    answer(&state, SetCookies::answering(&headers), tokens)
        .await
        .map_err(Into::into)
}

/// Sign out
///
/// Ends the session. If a page of another origin led the browser here, the session stays and the response redirects to
/// the panel's home.
#[utoipa::path(
    get, path = "/auth/logout", tag = "session",
    responses(
        (status = 204, description = "Signed out"),
        (status = 303, description = "Another site led the browser here: not signed out", headers(("Location" = String, description = "The panel's home"))),
    )
)]
pub async fn delete_session(
    State(state): State<AppState>,
    PanelUrl(panel_url): PanelUrl,
    headers: HeaderMap,
    CurrentSeller(seller): CurrentSeller,
) -> Result<Response> {
    open_sessions::sign_out(&state, &headers, &panel_url, seller.into()).await
}

async fn answer(
    state: &AppState,
    cookies: SetCookies,
    tokens: sign_in::TokenPair,
) -> Result<impl IntoResponse + use<>> {
    let db = state.db().await?;
    let seller = profile::seller_of(&*db, tokens.user).await?;
    let set = cookies.tokens(Audience::Seller, &tokens.access, &tokens.refresh);
    let body = SignedIn {
        access_token: tokens.access,
        refresh_token: tokens.refresh,
        seller,
    };
    Ok((set.into_headers(), Json(body)))
}
