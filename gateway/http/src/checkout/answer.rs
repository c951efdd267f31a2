//! The answers about an order. Each says the time of the business clock, from which the buyer's page counts down: the
//! clock of a phone may be wrong.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use ledger_domain::calendar::Instant;

use super::status_bodies::OrderStatus;
use crate::edge::idempotency::REPLAYED;
use crate::edge::idempotency_store::KEY_REUSED;
use crate::problem::{Problem, Result};

fn at(mut response: Response, now: Instant) -> Result<Response> {
    let text = now.format("%a, %d %b %Y %H:%M:%S GMT").to_string();
    let date = HeaderValue::try_from(text).map_err(Problem::internal)?;
    response.headers_mut().insert(header::DATE, date);
    Ok(response)
}

pub fn read(status: OrderStatus, now: Instant) -> Result<Response> {
    let never_stored = [(header::CACHE_CONTROL, "no-store")];
    at((never_stored, axum::Json(status)).into_response(), now)
}

/// To a command: a new one, or the repeat of one that was done before.
pub fn done(status: OrderStatus, is_repeat: bool, now: Instant) -> Result<Response> {
    let mut response = (StatusCode::CREATED, axum::Json(status)).into_response();
    if is_repeat {
        let replayed = HeaderValue::from_static("true");
        response.headers_mut().insert(REPLAYED, replayed);
    }
    at(response, now)
}

/// The key stands for an order with another body. Only who made the key knows it, so it gets the order's address: a
/// browser uses one key in all its tabs until it knows the order.
pub fn other_body(reference: &str) -> Result<Response> {
    of_order(Problem::conflict(KEY_REUSED).into_response(), reference)
}

/// Adds the address of the order's status.
pub fn of_order(mut response: Response, reference: &str) -> Result<Response> {
    let path = format!("/api/transactions/{reference}/status");
    let location = HeaderValue::try_from(path).map_err(Problem::internal)?;
    response.headers_mut().insert(header::LOCATION, location);
    Ok(response)
}
