//! The layer of provider notices, probes and scrapes. It opens the request's context, catches panics, turns errors
//! into problems, records metrics and logs every answer other than 200.
//!
//! It is one layer, because the framework boxes the request's future again for each layer.

use std::panic::AssertUnwindSafe;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::FutureExt;

use super::{observe, panel, plain_errors, request_context};
use crate::AppState;

pub async fn layer(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    request_context::within(&state, request, |request| async move {
        let mut response = match panel::named_host(&request) {
            Ok(_) => {
                let answered = AssertUnwindSafe(next.run(request)).catch_unwind().await;
                plain_errors::explained(answered.unwrap_or_else(plain_errors::panicked))
            }
            Err(malformed) => malformed.into_response(),
        };
        let headers = response.headers_mut();
        headers.insert(
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        );
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        let route = route.as_ref().map_or("(none)", MatchedPath::as_str);
        observe::machine_answered(&method, route, response.status(), started.elapsed());
        response
    })
    .await
}
