//! The id of a request: taken from `X-Request-Id` where it is one, made otherwise; in the answer, in every log line
//! and in every problem.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;
use uuid::Uuid;

pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

const CHARACTERS_MAX: usize = 100;

tokio::task_local! {
    static CURRENT: String;
}

/// The id of the request that this task answers; empty outside of one.
pub fn current() -> String {
    CURRENT.try_with(Clone::clone).unwrap_or_default()
}

pub async fn layer(request: Request, next: Next) -> Response {
    identified(request, |request| next.run(request)).await
}

/// Answers the request under its id.
pub async fn identified<Answering: Future<Output = Response>>(
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
        path = request.uri().path(),
    );
    let value = HeaderValue::from_str(&id);
    let mut response = CURRENT.scope(id, answer(request)).instrument(span).await;
    if let Ok(value) = value {
        response.headers_mut().insert(HEADER, value);
    }
    response
}

/// Somebody else's text goes into our logs: letters, digits and a few signs only.
fn is_sound(id: &str) -> bool {
    let sound = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    (1..=CHARACTERS_MAX).contains(&id.len()) && id.chars().all(sound)
}
