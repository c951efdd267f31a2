//! Sign-in, refresh and sign-out in both panels. Tokens and cookies of the panels are separate.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use gateway_identity::account::sign_in::{self, SignInOrigin, TokenPair};
use gateway_identity::sessions::open_sessions::SessionOwner;

use super::bodies::{AdminSignedIn, SignIn, SignedIn};
use super::tokens::{self, PresentedToken, RefreshFailure};
use crate::AppState;
use crate::account::bodies::profile::{Admin, Seller};
use crate::account::open_sessions;
use crate::account::profile::OwnProfile;
use crate::edge::cookies::SetCookies;
use crate::edge::{Json, RequestedUrl};
use crate::problem::Result;

/// Sign in
///
/// Returns the tokens in the body for API clients and sets them as cookies for browsers. Only failed attempts count
/// against the limit of passwords. A browser that has signed in with the user's current password sends its device
/// cookie and has a separate limit.
#[utoipa::path(
    post, path = "/auth/sign-in", tag = "session",
    responses(
        (status = 200, body = SignedIn),
        (status = 422, description = "Wrong e-mail or password, or a missing field"),
    )
)]
pub(crate) async fn create_session(
    State(state): State<AppState>,
    origin: SignInOrigin,
    headers: HeaderMap,
    Json(form): Json<SignIn>,
) -> Result<(HeaderMap, Json<SignedIn>)> {
    create(&state, origin, &headers, form).await
}

/// Sign in (staff)
///
/// Returns the tokens in the body for API clients and sets them as cookies for browsers. Only failed attempts count
/// against the limit of passwords. A browser that has signed in with the user's current password sends its device
/// cookie and has a separate limit.
#[utoipa::path(
    post, path = "/auth/admin/sign-in", tag = "session",
    responses(
        (status = 200, body = AdminSignedIn),
        (status = 422, description = "Wrong e-mail or password, or a missing field"),
    )
)]
pub(crate) async fn create_admin_session(
    State(state): State<AppState>,
    origin: SignInOrigin,
    headers: HeaderMap,
    Json(form): Json<SignIn>,
) -> Result<(HeaderMap, Json<AdminSignedIn>)> {
    create(&state, origin, &headers, form).await
}

/// Refresh a session
///
/// Replaces the refresh token from the body, or from the cookie if the body has none. Returns new tokens. A refresh
/// token works once. For 30 seconds after its use it gets the same successor again, unless that was used too. Any other
/// reuse ends the session.
#[utoipa::path(
    post, path = "/auth/refresh-token", tag = "session",
    responses(
        (status = 200, body = SignedIn),
        (status = 401, description = "The refresh token is missing or no longer valid"),
        (status = 403, description = "The token came from the cookie, without a valid X-CSRF-Token"),
    )
)]
pub(crate) async fn refresh_session(
    State(state): State<AppState>,
    headers: HeaderMap,
    presented: PresentedToken,
) -> Result<(HeaderMap, Json<SignedIn>), RefreshFailure> {
    refresh(&state, &headers, presented).await
}

/// Refresh a session (staff)
///
/// Replaces the refresh token from the body, or from the cookie if the body has none. Returns new tokens. A refresh
/// token works once. For 30 seconds after its use it gets the same successor again, unless that was used too. Any other
/// reuse ends the session.
#[utoipa::path(
    post, path = "/auth/admin/refresh-token", tag = "session",
    responses(
        (status = 200, body = AdminSignedIn),
        (status = 401, description = "The refresh token is missing or no longer valid"),
        (status = 403, description = "The token came from the cookie, without a valid X-CSRF-Token"),
    )
)]
pub(crate) async fn refresh_admin_session(
    State(state): State<AppState>,
    headers: HeaderMap,
    presented: PresentedToken,
) -> Result<(HeaderMap, Json<AdminSignedIn>), RefreshFailure> {
    refresh(&state, &headers, presented).await
}

/// Sign out
///
/// Ends the session. If a page of another origin caused the request, the session stays and the response redirects to
/// the panel's home. A request with a bearer token always ends its session.
#[utoipa::path(
    get, path = "/auth/logout", tag = "session",
    responses(
        (status = 204, description = "Signed out"),
        (status = 303, description = "A page of another origin caused the request: not signed out", headers(("Location" = String, description = "The panel's home"))),
    )
)]
pub(crate) async fn delete_session(
    State(state): State<AppState>,
    RequestedUrl(requested_url): RequestedUrl,
    headers: HeaderMap,
    owner: SessionOwner,
) -> Result<Response> {
    open_sessions::sign_out(&state, &headers, &requested_url, owner).await
}

/// The answer to a sign-in and to a refresh: the tokens and the user's own profile.
trait TokenAnswer {
    type Profile: OwnProfile;

    fn new(profile: Self::Profile, tokens: TokenPair) -> Self;
}

impl TokenAnswer for SignedIn {
    type Profile = Seller;

    fn new(seller: Seller, tokens: TokenPair) -> Self {
        Self {
            seller,
            access_token: tokens.access,
            refresh_token: tokens.refresh,
        }
    }
}

impl TokenAnswer for AdminSignedIn {
    type Profile = Admin;

    fn new(admin: Admin, tokens: TokenPair) -> Self {
        Self {
            admin,
            access_token: tokens.access,
            refresh_token: tokens.refresh,
        }
    }
}

async fn create<Answer: TokenAnswer>(
    state: &AppState,
    origin: SignInOrigin,
    headers: &HeaderMap,
    form: SignIn,
) -> Result<(HeaderMap, Json<Answer>)> {
    let audience = Answer::Profile::AUDIENCE;
    let given = (form.email, form.password);
    let signed_in = sign_in::sign_in(&state.accounts, audience, given, origin).await?;
    let cookies = SetCookies::answering(headers).device(audience, &signed_in.device);
    answer(state, cookies, signed_in.tokens).await
}

async fn refresh<Answer: TokenAnswer>(
    state: &AppState,
    headers: &HeaderMap,
    presented: PresentedToken,
) -> Result<(HeaderMap, Json<Answer>), RefreshFailure> {
    let tokens = tokens::refresh(state, Answer::Profile::AUDIENCE, presented, headers).await?;
    Ok(answer(state, SetCookies::answering(headers), tokens).await?)
}

async fn answer<Answer: TokenAnswer>(
    state: &AppState,
    cookies: SetCookies,
    tokens: TokenPair,
) -> Result<(HeaderMap, Json<Answer>)> {
    let cookies = cookies.tokens(Answer::Profile::AUDIENCE, &tokens.access, &tokens.refresh);
    let db = state.db().await?;
    let profile = Answer::Profile::read(state, &*db, tokens.user).await?;
    Ok((cookies.into_headers(), Json(Answer::new(profile, tokens))))
}
