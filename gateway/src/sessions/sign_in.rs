//! What the session calls of both audiences have in common: checking a password, opening a family, moving it on.

use std::net::IpAddr;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use chrono::Utc;
use ledger_domain::ids::UserId;

use super::cookies::{self, SetCookies};
use super::csrf::Bearer;
use super::devices::Devices;
use super::families::{self, Origin, Refreshed};
use super::open_sessions::{self, Holder};
use super::rate_limit::{Caller, Guesser};
use super::{Audience, RefreshToken, Tokens, account};
use crate::AppState;
use crate::http::{guard, json, query::QueryReader};
use crate::people::{self, Credentials, normal_email};
use crate::problem::{Problem, Result};
use crate::wire::person;

/// The two tokens of a session, as the client gets them.
pub struct Pair {
    pub user: UserId,
    pub access: String,
    pub refresh: String,
}

/// What a sign-in leads to.
pub struct SignedIn {
    pub tokens: Pair,
    /// The value of the device cookie: this browser has shown the person's password.
    pub device: String,
}

/// From where somebody signs in.
pub struct SignInFrom<'a> {
    pub headers: &'a HeaderMap,
    pub address: IpAddr,
    pub caller: Caller,
}

pub async fn sign_in(
    state: &AppState,
    audience: Audience,
    form: person::SignIn,
    from: SignInFrom<'_>,
) -> Result<SignedIn> {
    let (email, password) = required(form)?;
    let sessions = &state.sessions;
    let devices = Devices::presented(&sessions.tokens, audience, from.headers);
    let client = state.pool.get().await?;
    let known = match audience {
        Audience::Seller => people::seller_with_password(&**client, &email).await?,
        Audience::Admin => people::admin_with_password(&**client, &email).await?,
    };
    // Hashing takes its time, and the connection is for others meanwhile.
    drop(client);
    let hash = known.as_ref().map(|known| known.password_hash.as_str());
    let device = devices.trusted(
        &sessions.tokens,
        known.as_ref().map(|known| known.user_id).zip(hash),
    );
    let account = audience.account(&email);
    let guesser = device.map_or(
        Guesser::UnknownDevice {
            account: &account,
            caller: from.caller,
        },
        |device| Guesser::KnownDevice(device.nonce),
    );
    let attempt = sessions
        .limits
        .try_password(guesser)
        .map_err(Problem::too_many_requests)?;
    let verified = sessions.passwords.verify(&password, hash).await;
    // Until here, and in the answer, nothing differs by whether there is such a person.
    let opened = match verified {
        Ok(right) => {
            open(
                state,
                audience,
                known.filter(|known| right && known.active),
                &from,
            )
            .await
        }
        Err(problem) => Err(problem),
    };
    match opened {
        Ok(Some((known, refresh))) => {
            attempt.succeeded();
            Ok(SignedIn {
                device: devices.signed_in(&sessions.tokens, known.user_id, &known.password_hash),
                tokens: pair(&sessions.tokens, audience, known.user_id, &refresh)?,
            })
        }
        Ok(None) => Err(Problem::unprocessable(
            "E-mail ou senha incorretos. Confira ou use “Esqueci minha senha”.",
        )),
        Err(problem) => {
            attempt.undecided();
            Err(problem)
        }
    }
}

/// A family for whoever gave the right password; none where nobody did, where the password was replaced, or where the
/// person was deactivated.
async fn open(
    state: &AppState,
    audience: Audience,
    known: Option<Credentials>,
    from: &SignInFrom<'_>,
) -> Result<Option<(Credentials, RefreshToken)>> {
    let Some(known) = known else {
        return Ok(None);
    };
    let user_agent = from
        .headers
        .get(header::USER_AGENT)
        .and_then(|agent| agent.to_str().ok())
        .unwrap_or_default();
    let origin = Origin {
        user_agent: user_agent.to_owned(),
        address: from.address,
    };
    let user = known.user_id;
    let mut client = state.pool.get().await?;
    let transaction = client.transaction().await?;
    let tx = &*transaction;
    if !account::password_holds(tx, audience, user, &known.password_hash).await? {
        return Ok(None);
    }
    families::forget_old(tx, Utc::now()).await?;
    let refresh = families::open(tx, &state.sessions.tokens, audience, user, &origin, Utc::now()).await?;
    let holder = Holder {
        audience,
        user,
        family: refresh.family,
    };
    open_sessions::note(tx, holder, "sign-in", refresh.family).await?;
    transaction.commit().await?;
    Ok(Some((known, refresh)))
}

/// Both fields, or a problem that names what is missing or is no text of one line.
fn required(form: person::SignIn) -> Result<(String, String)> {
    let mut faults = QueryReader::empty();
    let email = normal_email(&form.email.unwrap_or_default());
    if email.is_empty() {
        faults.error("email", "Email é requerido.");
    } else if email.chars().any(char::is_control) {
        // No column could hold it, and so the database would not even look.
        faults.error("email", "Email inválido.");
    }
    let password = form.password.unwrap_or_default();
    if password.is_empty() {
        faults.error("password", "Senha é requerida.");
    }
    faults.finish()?;
    Ok((email, password))
}

/// The refresh token that a client sends, and whether it came by cookie.
pub enum Presented {
    InBody(String),
    /// To be read from the cookies of the audience.
    ByCookie,
}

impl<S: Send + Sync> FromRequest<S> for Presented {
    type Rejection = Problem;

    /// An empty body will do: a browser has nothing to say but its cookie.
    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let body = Bytes::from_request(request, state)
            .await
            .map_err(json::unreceived)?;
        if body.is_empty() {
            return Ok(Self::ByCookie);
        }
        let form: person::RefreshToken = json::parse(&body)?;
        let given = form.refresh_token.filter(|token| !token.is_empty());
        Ok(given.map_or(Self::ByCookie, Self::InBody))
    }
}

/// A refresh that failed. Where it was by cookie and the session is over, the browser forgets the cookies.
pub struct Ended {
    problem: Problem,
    forget: Option<SetCookies>,
}

impl From<Problem> for Ended {
    fn from(problem: Problem) -> Self {
        Self {
            problem,
            forget: None,
        }
    }
}

impl IntoResponse for Ended {
    fn into_response(self) -> Response {
        match self.forget {
            Some(cookies) => (cookies.into_headers(), self.problem).into_response(),
            None => self.problem.into_response(),
        }
    }
}

pub async fn refresh(
    state: &AppState,
    audience: Audience,
    presented: Presented,
    headers: &HeaderMap,
) -> Result<Pair, Ended> {
    let tokens = &state.sessions.tokens;
    let (text, by_cookie) = match presented {
        Presented::InBody(text) => (text, false),
        Presented::ByCookie => (
            cookies::read(headers, cookies::refresh(audience))
                .unwrap_or_default()
                .to_owned(),
            true,
        ),
    };
    let ended = || Ended {
        problem: Problem::signed_out(),
        forget: by_cookie.then(|| SetCookies::answering(headers).forget(audience)),
    };
    let token = tokens.read_refresh(audience, &text).ok_or_else(ended)?;
    if by_cookie {
        guard::require_csrf(state, Bearer::Session(audience, token.family), headers)?;
    }
    let mut client = state.pool.get().await.map_err(Problem::from)?;
    let refreshed = families::refresh(&mut client, tokens, audience, &token, Utc::now()).await;
    match refreshed.map_err(Problem::from)? {
        Refreshed::Renewed(user, successor) => Ok(pair(tokens, audience, user, &successor)?),
        Refreshed::Reused => {
            tracing::warn!(family = %token.family, "a refresh token was used twice; its session is revoked");
            Err(ended())
        }
        Refreshed::Over => Err(ended()),
    }
}

fn pair(tokens: &Tokens, audience: Audience, user: UserId, refresh: &RefreshToken) -> Result<Pair> {
    let access = tokens
        .access(audience, user, refresh.family, Utc::now())
        .map_err(Problem::internal)?;
    Ok(Pair {
        user,
        access,
        refresh: refresh.reveal(),
    })
}

/// Whom a CSRF token is issued to: the session of the panel's cookies, or nobody. The refresh token tells the session
/// also when the access token has expired.
pub fn csrf_bearer(tokens: &Tokens, audience: Audience, headers: &HeaderMap) -> Bearer {
    let family_of = |audience| {
        let access = cookies::read(headers, cookies::access(audience));
        let refresh = cookies::read(headers, cookies::refresh(audience));
        let by_access = access
            .and_then(|token| tokens.read_access(audience, token))
            .map(|claims| claims.sid);
        let by_refresh = || {
            refresh
                .and_then(|token| tokens.read_refresh(audience, token))
                .map(|token| token.family)
        };
        by_access
            .or_else(by_refresh)
            .map(|family| Bearer::Session(audience, family))
    };
    family_of(audience)
        .or_else(|| family_of(audience.other()))
        .unwrap_or(Bearer::Nobody)
}
