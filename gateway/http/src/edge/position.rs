//! Read-your-writes: a read that names a ledger position waits until the read models reach it, for two seconds at most.
//! If they don't, the answer has the header `ledger-stale`. The answer also has it while a read model is far behind or
//! has stopped, because lists and sums are then incomplete.

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use ledger_store::LedgerPosition;
use projections::{Freshness, READ_YOUR_WRITES_MAX, ReadModelGroup};

use crate::AppState;
use crate::problem::{Problem, Result};

pub const POSITION: HeaderName = HeaderName::from_static("ledger-position");
pub const STALE: HeaderName = HeaderName::from_static("ledger-stale");

pub async fn layer(State(state): State<AppState>, request: Request, next: Next) -> Result<Response> {
    if !request.method().is_safe() {
        return Ok(next.run(request).await);
    }
    let is_behind = match request.headers().get(POSITION) {
        Some(required) => {
            let required = position(required)?;
            let reached =
                state
                    .wake
                    .wait_for(&state.pool, &ReadModelGroup::ALL, &required, READ_YOUR_WRITES_MAX);
            reached.await? == Freshness::Stale
        }
        None => false,
    };
    let is_stale = is_behind || state.completeness.is_incomplete(&state.pool).await?;
    let mut response = next.run(request).await;
    if is_stale {
        response
            .headers_mut()
            .insert(STALE, HeaderValue::from_static("true"));
    }
    Ok(response)
}

pub(super) fn position(required: &HeaderValue) -> Result<LedgerPosition> {
    let position = required.to_str().ok().and_then(|text| text.parse().ok());
    position.ok_or_else(|| {
        Problem::field(
            "Ledger-Position",
            "Ledger-Position: deve ter o formato shard:posição.",
        )
    })
}
