//! The answers about an order. The `Date` of an answer with a status is the time of the business clock. The buyer's
//! page counts down from that time, because the clock of a phone may be wrong.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use gateway_platform::commands::KEY_REUSED;
use ledger_domain::calendar::Instant;

use super::status_bodies::OrderStatus;
use crate::edge::idempotency::REPLAYED;
use crate::problem::{Problem, Result};

/// Replaces the header `Date`.
fn with_date(mut response: Response, now: Instant) -> Result<Response> {
    let text = now.format("%a, %d %b %Y %H:%M:%S GMT").to_string();
    let date = HeaderValue::try_from(text).map_err(Problem::internal)?;
    response.headers_mut().insert(header::DATE, date);
    Ok(response)
}

pub fn status(status: OrderStatus, now: Instant) -> Result<Response> {
    let never_stored = [(header::CACHE_CONTROL, "no-store")];
    with_date((never_stored, axum::Json(status)).into_response(), now)
}

/// A 201 with the status of the order.
pub fn command_done(status: OrderStatus, now: Instant) -> Result<Response> {
    with_date((StatusCode::CREATED, axum::Json(status)).into_response(), now)
}

/// The answer to a repeat of a command that was done before.
pub fn command_replayed(status: OrderStatus, now: Instant) -> Result<Response> {
    let mut response = command_done(status, now)?;
    let replayed = HeaderValue::from_static("true");
    response.headers_mut().insert(REPLAYED, replayed);
    Ok(response)
}

/// A 409: the idempotency key belongs to an order with another body. A browser uses one key in all its tabs until it
/// knows the order. No other browser knows that key, so the answer may contain the order's address.
pub fn key_reused(reference: &str) -> Result<Response> {
    with_status_location(Problem::conflict(KEY_REUSED).into_response(), reference)
}

/// Adds the header `Location` with the address of the order's status.
pub fn with_status_location(mut response: Response, reference: &str) -> Result<Response> {
    let path = format!("/api/transactions/{reference}/status");
    let location = HeaderValue::try_from(path).map_err(Problem::internal)?;
    response.headers_mut().insert(header::LOCATION, location);
    Ok(response)
}
