//! Each answer's line in the log, and its place in the metrics.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;

pub async fn layer(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().as_str().to_owned();
    // The pattern, not the path: ids would make a series each.
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("(none)", MatchedPath::as_str)
        .to_owned();
    let quiet = matches!(route.as_str(), "/healthz" | "/readyz" | "/metrics");
    let response = next.run(request).await;
    let elapsed = started.elapsed();
    let status = response.status();
    if !quiet {
        let elapsed_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        tracing::info!(route, status = status.as_u16(), elapsed_ms, "answered");
    }
    let labels = [
        ("method", method),
        ("route", route),
        ("status", status.as_u16().to_string()),
    ];
    metrics::counter!("razao_http_requests_total", &labels).increment(1);
    metrics::histogram!("razao_http_request_duration_seconds", &labels[..2]).record(elapsed.as_secs_f64());
    response
}
