//! What whoever works for a request may say of it: its id (taken from `X-Request-Id` where it is one, made otherwise),
//! which is in the answer, in every log line and in every problem, and the address that it came from. It goes with the
//! task that answers, so that a row of the trail can name both without every function on the way handing them on.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tracing::Instrument;
use uuid::Uuid;

use super::client_address::client_address;
use crate::{AppState, Problem};

pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

const CHARACTERS_MAX: usize = 100;

tokio::task_local! {
    static CURRENT: RequestContext;
}

/// Empty outside of a request: a job and the demo answer nobody.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestContext {
    pub id: String,
    /// By the trusted proxies.
    pub address: Option<IpAddr>,
}

/// Of the request that this task answers.
pub fn current() -> RequestContext {
    CURRENT.try_with(Clone::clone).unwrap_or_default()
}

pub async fn layer(State(state): State<AppState>, request: Request, next: Next) -> Response {
    within(&state, request, |request| next.run(request)).await
}

/// Answers the request within its context.
pub async fn within<Answering: Future<Output = Response>>(
    state: &AppState,
    request: Request,
    answer: impl FnOnce(Request) -> Answering,
) -> Response {
    let given = request
        .headers()
        .get(HEADER)
        .and_then(|id| id.to_str().ok())
        .filter(|id| is_sound(id));
    let id = given.map_or_else(|| Uuid::now_v7().to_string(), str::to_owned);
    let span = tracing::info_span!(
        "request",
        request_id = id,
        method = %request.method(),
        // Without its query: filters may name people.
        path = loggable(request.uri().path()),
    );
    let value = HeaderValue::from_str(&id);
    let address = client_address(
        request.extensions(),
        request.headers(),
        &state.config.server.trusted_proxies,
    );
    let context = RequestContext { id, address };
    let mut response = CURRENT.scope(context, answer(request)).instrument(span).await;
    if let Ok(value) = value {
        response.headers_mut().insert(HEADER, value);
    }
    response
}

/// The answer of the server itself, in the place of a handler that was too late. A line in the log goes with it, because
/// the handler's own will not come.
pub fn answer_late(method: &Method, path: &str, problem: Problem) -> Response {
    let id = Uuid::now_v7().to_string();
    let status = problem.status.as_u16();
    tracing::info!(request_id = id, %method, path = loggable(path), status, "answered late");
    let value = HeaderValue::from_str(&id);
    let context = RequestContext { id, address: None };
    let mut response = CURRENT.sync_scope(context, || problem.into_response());
    if let Ok(value) = value {
        response.headers_mut().insert(HEADER, value);
    }
    response
}

/// Without the code that confirms an address: whoever reads the log must not be able to use it first.
fn loggable(path: &str) -> &str {
    let code = "/verifyemail/";
    path.find(code).map_or(path, |at| &path[..at + code.len()])
}

/// Somebody else's text goes into our logs: letters, digits and a few signs only.
fn is_sound(id: &str) -> bool {
    let sound = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    (1..=CHARACTERS_MAX).contains(&id.len()) && id.chars().all(sound)
}
