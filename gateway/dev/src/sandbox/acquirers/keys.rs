//! The keys that the contracts take: each one that ends with `sandbox`.

use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::AUTHORIZATION;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::sandbox::server::refused;

const ENDING: &str = "sandbox";

pub async fn bearer(request: Request, next: Next) -> Response {
    let key = header(&request, AUTHORIZATION.as_str()).and_then(|header| header.strip_prefix("Bearer "));
    let known = key.is_some_and(|key| key.ends_with(ENDING));
    pass(known, request, next).await
}

/// The key is the user's name, and the password is empty.
pub async fn basic(request: Request, next: Next) -> Response {
    let encoded = header(&request, AUTHORIZATION.as_str()).and_then(|header| header.strip_prefix("Basic "));
    let known = encoded
        .and_then(|encoded| BASE64_STANDARD.decode(encoded).ok())
        .and_then(|decoded| String::from_utf8(decoded).ok())
        .and_then(|credentials| Some(credentials.strip_suffix(':')?.ends_with(ENDING)));
    pass(known == Some(true), request, next).await
}

pub async fn token(request: Request, next: Next) -> Response {
    let known = header(&request, "x-token-api").is_some_and(|key| key.ends_with(ENDING));
    pass(known, request, next).await
}

fn header<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    request.headers().get(name)?.to_str().ok()
}

async fn pass(known: bool, request: Request, next: Next) -> Response {
    if known {
        next.run(request).await
    } else {
        refused(StatusCode::UNAUTHORIZED, "unknown key").into_response()
    }
}
