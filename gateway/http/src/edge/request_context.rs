//! Opens the context of each request. Its id is `X-Request-Id` if that is valid, else a new one. The answer, every log
//! line and every problem carry the id.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use gateway_environment::request_context::RequestContext;
use ledger_domain::sale::Provider;
use ledger_store::supervisor::spawn_once;
use tracing::Instrument;
use uuid::Uuid;

use super::client_address::client_address;
use crate::{AppState, Problem};

pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

const CHARACTERS_MAX: usize = 100;

pub async fn layer(State(state): State<AppState>, request: Request, next: Next) -> Response {
    within(&state, request, |request| next.run(request)).await
}

/// Answers the request within its context. A request that may change data runs to its end, even if the client
/// disconnects or the answer is late. A recorded command therefore always has its entry in the audit log.
pub async fn within<Answering: Future<Output = Response> + Send + 'static>(
    state: &AppState,
    request: Request,
    answer: impl FnOnce(Request) -> Answering,
) -> Response {
    let id = id_of(request.headers());
    let may_change = !request.method().is_safe();
    let span = tracing::info_span!(
        "request",
        request_id = id,
        method = %request.method(),
        // Without its query, because filters may contain personal data.
        path = loggable(request.uri().path()),
    );
    let value = HeaderValue::from_str(&id);
    let address = client_address(
        request.extensions(),
        request.headers(),
        &state.config.server.trusted_proxies,
    );
    let context = RequestContext {
        id,
        address,
        clock: state.clock,
    };
    let answering = context.clone().scope(answer(request)).instrument(span);
    let answered = match may_change {
        false => Some(answering.await),
        true => spawn_once("request", answering).await.ok().flatten(),
    };
    let mut response =
        answered.unwrap_or_else(|| context.sync_scope(|| Problem::unexplained().into_response()));
    if let Ok(value) = value {
        response.headers_mut().insert(HEADER, value);
    }
    response
}

/// The server's own answer when a handler is too late. It writes the log line, because the handler's line will not
/// come.
pub fn answer_late(id: String, method: &Method, path: &str, problem: Problem) -> Response {
    let status = problem.status.as_u16();
    tracing::info!(request_id = id, %method, path = loggable(path), status, "answered late");
    let value = HeaderValue::from_str(&id);
    let context = RequestContext {
        id,
        ..RequestContext::default()
    };
    let mut response = context.sync_scope(|| problem.into_response());
    if let Ok(value) = value {
        response.headers_mut().insert(HEADER, value);
    }
    response
}

/// Removes the secrets of a path: the code that confirms an e-mail address, and what follows a provider's name in the
/// address for its notices. A reader of the log must not be able to use them.
fn loggable(path: &str) -> &str {
    let after = |marker: &str| {
        let places = path.as_bytes().windows(marker.len());
        let found = places
            .into_iter()
            .position(|place| place.eq_ignore_ascii_case(marker.as_bytes()));
        found.map(|at| at + marker.len())
    };
    if let Some(code) = after("/verifyemail/") {
        return &path[..code];
    }
    let Some(notice) = after("/webhooks/") else {
        return path;
    };
    let slug = path[notice..].split('/').next().unwrap_or_default();
    // A secret may stand in the place of the name.
    match Provider::from_slug(slug) {
        Ok(_) => &path[..notice + slug.len()],
        Err(_) => &path[..notice],
    }
}

/// The request's id: the client's if it is valid, else a new one.
pub fn id_of(headers: &HeaderMap) -> String {
    let given = headers.get(HEADER).and_then(|id| id.to_str().ok());
    given
        .filter(|id| is_sound(id))
        .map_or_else(|| Uuid::now_v7().to_string(), str::to_owned)
}

/// The id goes into the logs, so it may hold letters, digits and a few signs only.
fn is_sound(id: &str) -> bool {
    let valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    (1..=CHARACTERS_MAX).contains(&id.len()) && id.chars().all(valid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logged_path_has_no_secret() {
        for (path, logged) in [
            ("/api/sales/1", "/api/sales/1"),
            ("/api/auth/verifyemail/c0de", "/api/auth/verifyemail/"),
            ("/api/webhooks/zoop", "/api/webhooks/zoop"),
            ("/api/webhooks/zoop/s3cret", "/api/webhooks/zoop"),
            ("/api/webhooks/zoop_v2/s3cret/more", "/api/webhooks/zoop_v2"),
            ("/API/Webhooks/zoop/s3cret", "/API/Webhooks/zoop"),
            ("/api/webhooks/s3cret", "/api/webhooks/"),
            ("/api/webhooks//s3cret", "/api/webhooks/"),
            ("/webhooks/ção/s3cret", "/webhooks/"),
        ] {
            assert_eq!(loggable(path), logged, "{path}");
        }
    }
}
