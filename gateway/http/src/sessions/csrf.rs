//! The CSRF token of both panels.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use gateway_identity::audience::Audience;
use gateway_identity::sessions::csrf;

use super::bodies::CsrfToken;
use super::tokens;
use crate::AppState;
use crate::edge::Json;
use crate::edge::cookies::{self, SetCookies};

/// Get a CSRF token
///
/// Returns the token to send as X-CSRF-Token and sets it as a cookie. The token is bound to the session, so a client
/// must get a new one after a sign-in. A cookie with a valid token keeps it, so tabs of one browser share a token.
#[utoipa::path(
    get, path = "/auth/get-csrf-token", tag = "session",
    responses((status = 200, body = CsrfToken))
)]
pub(crate) async fn get_csrf_token(
    State(state): State<AppState>,
    audience: Audience,
    headers: HeaderMap,
) -> impl IntoResponse {
    let tokens = &state.accounts.tokens;
    let binding = tokens::csrf_binding(tokens, audience, &headers);
    // A new token would replace the shared cookie, and a write of another tab with the older token would fail.
    let current = cookies::read(&headers, cookies::CSRF);
    let csrf_token = match current.filter(|_| csrf::is_valid(tokens, binding, current, current)) {
        Some(current) => current.to_owned(),
        None => csrf::issue(tokens, binding),
    };
    (
        SetCookies::answering(&headers).csrf(&csrf_token).into_headers(),
        Json(CsrfToken { csrf_token }),
    )
}
