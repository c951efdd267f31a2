//! The security headers of every answer. Pages set their own Content-Security-Policy with a nonce, and files set one
//! with a sandbox. Other answers get one that allows nothing.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use gateway_environment::config::is_local;

const NOTHING: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

const EVERYWHERE: [(HeaderName, HeaderValue); 5] = [
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), geolocation=(), microphone=(), payment=()"),
    ),
];

/// One year, including subdomains.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000; includeSubDomains");

pub async fn layer(request: Request, next: Next) -> Response {
    let local = request
        .headers()
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .is_some_and(is_local);
    let is_api = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.extend(EVERYWHERE);
    set_default(headers, header::CONTENT_SECURITY_POLICY, NOTHING);
    if is_api {
        // An answer may hold data of one user. Answers that a cache may store set their own header.
        set_default(
            headers,
            header::CACHE_CONTROL,
            HeaderValue::from_static("no-store"),
        );
    }
    if !local {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HSTS);
    }
    response
}

fn set_default(headers: &mut HeaderMap, name: HeaderName, value: HeaderValue) {
    headers.entry(name).or_insert(value);
}

/// The policy of the panels' pages and of the API's page: our own files, images in `data:` addresses, and styles that
/// carry this answer's nonce.
pub fn page_policy(nonce: &str) -> HeaderValue {
    let policy = format!(
        "default-src 'self'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; font-src 'self'; \
         connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
    );
    HeaderValue::from_str(&policy).unwrap_or(NOTHING)
}

/// The policy of the checkout's page: our own scripts and images, styles with this answer's nonce, and calls to us and
/// to the acquirers' endpoints for card tokens.
pub fn checkout_policy(nonce: &str, token_origins: &[String]) -> HeaderValue {
    let connect: String = token_origins.iter().map(|origin| format!(" {origin}")).collect();
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'nonce-{nonce}'; img-src 'self'; connect-src 'self'{connect}; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
    );
    HeaderValue::from_str(&policy).unwrap_or(NOTHING)
}

pub fn new_nonce() -> String {
    hex::encode(rand::random::<[u8; 16]>())
}
