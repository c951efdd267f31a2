//! Logs answers and records their metrics.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use metrics::{Counter, Histogram};

const REQUESTS: &str = "razao_http_requests_total";
const DURATION: &str = "razao_http_request_duration_seconds";
const NOTICES_ROUTE: &str = "/api/webhooks/{provider}";

/// The meters of a 200 to a provider's notices, looked up once. This answer may be given thousands of times a second.
static NOTICE_200_METERS: LazyLock<(Counter, Histogram)> =
    LazyLock::new(|| meters(&Method::POST, NOTICES_ROUTE, StatusCode::OK));

/// For requests of the panels: logs every answer.
pub async fn layer(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    // Uses the pattern and not the path, because each id would create a new metric series.
    let route = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    let elapsed = started.elapsed();
    let route = route.as_ref().map_or("(none)", MatchedPath::as_str);
    log(route, response.status(), elapsed);
    count(meters(&method, route, response.status()), elapsed);
    response
}

/// For machines: logs only answers other than 200, because probes and notices are many.
pub fn machine_answered(method: &Method, route: &str, status: StatusCode, elapsed: Duration) {
    if status != StatusCode::OK {
        log(route, status, elapsed);
    }
    if route == NOTICES_ROUTE && method == Method::POST && status == StatusCode::OK {
        count(NOTICE_200_METERS.clone(), elapsed);
    } else {
        count(meters(method, route, status), elapsed);
    }
}

fn log(route: &str, status: StatusCode, elapsed: Duration) {
    let elapsed_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    tracing::info!(route, status = status.as_u16(), elapsed_ms, "answered");
}

fn meters(method: &Method, route: &str, status: StatusCode) -> (Counter, Histogram) {
    let labels = [
        ("method", method_label(method).to_owned()),
        ("route", route.to_owned()),
        ("status", status.as_u16().to_string()),
    ];
    (
        metrics::counter!(REQUESTS, &labels),
        metrics::histogram!(DURATION, &labels[..2]),
    )
}

/// A caller can invent methods, and each new label would create a permanent metric series.
pub fn method_label(method: &Method) -> &str {
    match *method {
        Method::GET
        | Method::POST
        | Method::PUT
        | Method::PATCH
        | Method::DELETE
        | Method::HEAD
        | Method::OPTIONS => method.as_str(),
        _ => "(other)",
    }
}

fn count((requests, duration): (Counter, Histogram), elapsed: Duration) {
    requests.increment(1);
    duration.record(elapsed.as_secs_f64());
}
