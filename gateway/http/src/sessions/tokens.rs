//! Sign-in and session tokens in HTTP requests: the origin of a sign-in, the source of a refresh token, the answer to a
//! failed refresh, and the session of a CSRF token.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use gateway_identity::account::AccountError;
use gateway_identity::account::sign_in::{self, SignInOrigin, TokenPair};
use gateway_identity::audience::Audience;
use gateway_identity::rate_limit::LimitedCaller;
use gateway_identity::sessions::Tokens;
use gateway_identity::sessions::csrf::CsrfBinding;

use super::bodies::RefreshToken;
use crate::AppState;
use crate::edge::cookies::{self, SetCookies};
use crate::edge::{ClientAddress, guard, json};
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};

impl FromRequestParts<AppState> for SignInOrigin {
    type Rejection = Problem;

    /// The user agent, the IP address and the device cookies of the panel.
    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let audience = Audience::from_request_parts(parts, state).await?;
        let ClientAddress(address) = match ClientAddress::from_request_parts(parts, state).await {
            Ok(address) => address,
            Err(never) => match never {},
        };
        let caller = match LimitedCaller::from_request_parts(parts, state).await {
            Ok(caller) => caller,
            Err(never) => match never {},
        };
        let user_agent = parts.headers.get(header::USER_AGENT);
        let user_agent = user_agent.and_then(|agent| agent.to_str().ok());
        Ok(Self {
            user_agent: user_agent.unwrap_or_default().to_owned(),
            address,
            caller,
            devices: cookies::devices(&state.accounts.tokens, audience, &parts.headers),
        })
    }
}

impl Documented for SignInOrigin {
    fn describe(call: &mut CallDocument) {
        LimitedCaller::describe(call);
    }
}

/// The source of the refresh token: the body or a cookie.
pub enum PresentedToken {
    InBody(String),
    /// The token is in the cookies of the audience.
    ByCookie,
}

impl<S: Send + Sync> FromRequest<S> for PresentedToken {
    type Rejection = Problem;

    /// An empty body is accepted: browsers send only the cookie.
    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let body = json::any_bytes(request, state).await?;
        if body.is_empty() {
            return Ok(Self::ByCookie);
        }
        let form: RefreshToken = json::parse(&body)?;
        let given = form.refresh_token.filter(|token| !token.is_empty());
        Ok(given.map_or(Self::ByCookie, Self::InBody))
    }
}

impl Documented for PresentedToken {
    fn describe(call: &mut CallDocument) {
        call.body::<RefreshToken>(false);
    }
}

/// A failed refresh. If the token came from a cookie and the session is over, the response clears the cookies.
pub struct RefreshFailure {
    problem: Problem,
    cleared_cookies: Option<SetCookies>,
}

impl From<Problem> for RefreshFailure {
    fn from(problem: Problem) -> Self {
        Self {
            problem,
            cleared_cookies: None,
        }
    }
}

impl IntoResponse for RefreshFailure {
    fn into_response(self) -> Response {
        match self.cleared_cookies {
            Some(cookies) => (cookies.into_headers(), self.problem).into_response(),
            None => self.problem.into_response(),
        }
    }
}

pub(crate) async fn refresh(
    state: &AppState,
    audience: Audience,
    presented: PresentedToken,
    headers: &HeaderMap,
) -> Result<TokenPair, RefreshFailure> {
    let tokens = &state.accounts.tokens;
    let (text, by_cookie) = match presented {
        PresentedToken::InBody(text) => (text, false),
        PresentedToken::ByCookie => (
            cookies::read(headers, cookies::refresh(audience))
                .unwrap_or_default()
                .to_owned(),
            true,
        ),
    };
    let ended = || RefreshFailure {
        problem: Problem::signed_out(),
        cleared_cookies: by_cookie.then(|| SetCookies::answering(headers).forget(audience)),
    };
    let token = tokens.read_refresh(audience, &text).ok_or_else(ended)?;
    if by_cookie {
        guard::require_csrf(state, CsrfBinding::Session(audience, token.session_id), headers)?;
    }
    sign_in::refresh(&state.accounts, audience, &token)
        .await
        .map_err(|error| match error {
            AccountError::SignedOut => ended(),
            error => Problem::from(error).into(),
        })
}

/// The session that a CSRF token is bound to: that of the panel's cookies. The refresh token identifies the session
/// even if the access token has expired.
pub fn csrf_binding(tokens: &Tokens, audience: Audience, headers: &HeaderMap) -> CsrfBinding {
    let by_access = cookies::read(headers, cookies::access(audience))
        .and_then(|token| tokens.read_access(audience, token))
        .map(|claims| claims.sid);
    let by_refresh = || {
        cookies::read(headers, cookies::refresh(audience))
            .and_then(|token| tokens.read_refresh(audience, token))
            .map(|token| token.session_id)
    };
    by_access
        .or_else(by_refresh)
        .map_or(CsrfBinding::Anonymous, |session_id| {
            CsrfBinding::Session(audience, session_id)
        })
}
