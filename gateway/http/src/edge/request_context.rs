//! Opens the context of each request. Its id is `X-Request-Id` if that is valid, else a new one. The answer, every log
//! line and every problem carry the id. The answer also has the time of the business clock: the panels name today by it,
//! because a browser's clock may be wrong by days.

use std::borrow::Cow;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use chrono::SecondsFormat;
use gateway_environment::request_context::RequestContext;
use gateway_formats::card_numbers::holds_written_card_number;
use ledger_domain::sale::Provider;
use ledger_store::supervisor::{spawn_once, working_for};
use ledger_store::trace::{Place, Span, SpanKind};
use percent_encoding::percent_decode_str;
use tracing::Instrument;
use uuid::Uuid;

use super::client_address::client_address;
use super::observe;
use crate::{AppState, Problem};

pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");
/// W3C Trace Context.
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const BUSINESS_TIME: HeaderName = HeaderName::from_static("business-time");

const CHARACTERS_MAX: usize = 100;
/// In place of a segment with a card number.
const MASKED: &str = "***";

pub async fn layer(State(state): State<AppState>, request: Request, next: Next) -> Response {
    within(&state, request, |request| next.run(request)).await
}

/// Answers the request within its context. A request that may change data runs to its end, even if the client
/// disconnects or the answer is late. Otherwise a recorded command could lack its entry in the audit log.
pub async fn within<Answering: Future<Output = Response> + Send + 'static>(
    state: &AppState,
    request: Request,
    answer: impl FnOnce(Request) -> Answering,
) -> Response {
    let id = id_of(request.headers());
    let caller = request
        .headers()
        .get(TRACEPARENT)
        .and_then(|place| place.to_str().ok());
    let place = caller.map(Place::of_caller).unwrap_or_default();
    let may_change = !request.method().is_safe();
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("(none)", MatchedPath::as_str);
    let work = format!("{} {route}", observe::method_label(request.method()));
    let traced = Span::after(&[place], || work.clone(), SpanKind::Server);
    traced.set_with("http.route", || route.to_owned());
    traced.set_with("razao.request_id", || id.clone());
    let span = tracing::info_span!(
        "request",
        request_id = id,
        method = %request.method(),
        // Without its query, because filters may contain personal data.
        path = loggable(request.uri().path()).as_ref(),
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
    let answering = context.clone().scope(answer(request));
    let answering = traced.within(working_for(work, answering)).instrument(span);
    let answered = match may_change {
        false => Some(answering.await),
        true => spawn_once("request", answering).await.ok().flatten(),
    };
    let mut response =
        answered.unwrap_or_else(|| context.sync_scope(|| Problem::unexplained().into_response()));
    let status = response.status();
    traced.set("http.response.status_code", i64::from(status.as_u16()));
    if status.is_server_error() {
        traced.fail("");
    }
    let headers = response.headers_mut();
    if let Some(Ok(place)) = traced.place().traceparent().map(HeaderValue::try_from) {
        headers.insert(TRACEPARENT, place);
    }
    let now = state.clock.now().to_rfc3339_opts(SecondsFormat::Millis, true);
    for (name, value) in [(HEADER, value), (BUSINESS_TIME, HeaderValue::from_str(&now))] {
        if let Ok(value) = value {
            headers.insert(name, value);
        }
    }
    response
}

/// The server's own answer when a handler is too late. It writes a log line, because the handler's line comes later or
/// never.
pub fn answer_late(id: String, method: &Method, path: &str, problem: Problem) -> Response {
    let status = problem.status.as_u16();
    tracing::info!(request_id = id, %method, path = loggable(path).as_ref(), status, "answered late");
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

/// The path for the log, without secrets and card numbers.
fn loggable(path: &str) -> Cow<'_, str> {
    without_card_numbers(without_secrets(path))
}

/// Removes the code that confirms an e-mail address. In the address for a provider's notices, removes the secret after
/// the provider's name. A reader of the log must not be able to use them.
fn without_secrets(path: &str) -> &str {
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
    // The segment may be a secret instead of a name.
    match Provider::from_slug(slug) {
        Ok(_) => &path[..notice + slug.len()],
        Err(_) => &path[..notice],
    }
}

/// A user may type a card number into the address. Each segment is searched by itself, because the dates and ids of
/// several segments may look like a number together.
fn without_card_numbers(path: &str) -> Cow<'_, str> {
    if !path.split('/').any(is_card_number) {
        return Cow::Borrowed(path);
    }
    let masked: Vec<_> = path
        .split('/')
        .map(|segment| if is_card_number(segment) { MASKED } else { segment })
        .collect();
    Cow::Owned(masked.join("/"))
}

fn is_card_number(segment: &str) -> bool {
    let written = percent_decode_str(segment).decode_utf8_lossy().replace('+', " ");
    holds_written_card_number(&written)
}

/// The request's id: the client's if it is valid, else a new one.
pub fn id_of(headers: &HeaderMap) -> String {
    let given = headers.get(HEADER).and_then(|id| id.to_str().ok());
    given
        .filter(|id| is_valid_id(id))
        .map_or_else(|| Uuid::now_v7().to_string(), str::to_owned)
}

/// The id goes into the logs, so it may hold letters, digits and a few signs only, and no card number.
fn is_valid_id(id: &str) -> bool {
    let valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    (1..=CHARACTERS_MAX).contains(&id.len()) && id.chars().all(valid) && !holds_written_card_number(id)
}

#[cfg(test)]
mod tests {
    use gateway_formats::short_code::{LinkCode, OrderReference};
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

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

    #[test]
    fn a_card_number_typed_as_an_address_is_not_logged() {
        for (path, logged) in [
            ("/pl/4242424242424242", "/pl/***"),
            ("/b/4242-4242-4242-4242", "/b/***"),
            (
                "/transacao/4242%204242%204242%204242/status",
                "/transacao/***/status",
            ),
            ("/4242+4242+4242+4242", "/***"),
            ("/api/pl/%34242424242424242/placeorder", "/api/pl/***/placeorder"),
            // Arabic digits.
            (
                "/pl/%D9%A4%D9%A2%D9%A4%D9%A2%D9%A4%D9%A2%D9%A4%D9%A2%D9%A4%D9%A2%D9%A4%D9%A2%D9%A4%D9%A2%D9%A4%D9%A2",
                "/pl/***",
            ),
            ("/api/webhooks/4242424242424242", "/api/webhooks/"),
            // Fails the check digit.
            ("/pl/4242424242424241", "/pl/4242424242424241"),
        ] {
            assert_eq!(loggable(path), logged, "{path}");
        }
    }

    #[test]
    fn a_request_id_with_a_card_number_is_invalid() {
        for id in ["4242424242424242", "4242-4242-4242-4242"] {
            assert!(!is_valid_id(id), "{id}");
        }
        // Fails the check digit.
        assert!(is_valid_id("4242424242424241"));
    }

    #[test]
    fn ids_and_codes_are_never_masked_as_card_numbers() {
        let mut random = StdRng::seed_from_u64(12);
        for _ in 0..10_000 {
            let id = Uuid::from_u128(random.random());
            let order = OrderReference::from_random(random.random());
            let link = LinkCode::from_random(random.random());
            // These parts of a path have the most digits in a row.
            let digits = random.random_range(0..1_000_000_000_000_u64);
            let path = format!(
                "/api/{id}/{order}/{link}/{digits:012}/{:010}/2026-11-21",
                digits / 100
            );
            assert_eq!(loggable(&path), path);
            assert!(is_valid_id(&id.to_string()));
        }
    }
}
