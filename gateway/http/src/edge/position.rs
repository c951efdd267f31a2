//! Read-your-writes: a read that names a ledger position waits until the read models reach it, for two seconds at most.
//! If they don't, the answer has the header `ledger-stale`.

use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use ledger_store::LedgerPosition;
use projections::{Freshness, Model};

use crate::AppState;
use crate::problem::{Problem, Result};

pub const POSITION: HeaderName = HeaderName::from_static("ledger-position");
pub const STALE: HeaderName = HeaderName::from_static("ledger-stale");

pub const WAIT_MAX: Duration = Duration::from_secs(2);

pub async fn layer(State(state): State<AppState>, request: Request, next: Next) -> Result<Response> {
    let asked = request
        .headers()
        .get(POSITION)
        .filter(|_| request.method().is_safe());
    let Some(asked) = asked else {
        return Ok(next.run(request).await);
    };
    let position: LedgerPosition = asked
        .to_str()
        .ok()
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| {
            Problem::field(
                "Ledger-Position",
                "Ledger-Position: deve ter o formato shard:posição.",
            )
        })?;
    let freshness = state
        .wake
        .wait_for(&state.pool, &Model::ALL, &position, WAIT_MAX)
        .await?;
    let mut response = next.run(request).await;
    if matches!(freshness, Freshness::Stale) {
        response
            .headers_mut()
            .insert(STALE, HeaderValue::from_static("true"));
    }
    Ok(response)
}
