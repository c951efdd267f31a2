//! The event of the ledger behind a line of a statement.

use axum::extract::{Path, State};
use ledger_domain::{BusinessId, EventId};
use projections::statement::event_behind;

use crate::AppState;
use crate::http::Json;
use crate::problem::{Problem, ProblemBody, Result};
use crate::wire::ledger_event::LedgerEvent;

/// The event behind a statement's line
///
/// As it was recorded: payload, metadata, postings, and the hashes that chain it to the event before.
#[utoipa::path(
    get, path = "/admin/businesses/{id}/events/{event_id}", tag = "ledger",
    params(
        ("id" = String, Path, example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"),
        ("event_id" = String, Path, example = "evt_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b07"),
    ),
    responses(
        (status = 200, body = LedgerEvent),
        (status = 404, description = "Unknown, another company's, or behind no line of a statement", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn get_ledger_event(
    State(state): State<AppState>,
    Path((id, event_id)): Path<(String, String)>,
) -> Result<Json<LedgerEvent>> {
    // What is no id names nothing.
    let id: BusinessId = id.parse().map_err(|_| Problem::not_found())?;
    let event_id: EventId = event_id.parse().map_err(|_| Problem::not_found())?;
    let client = state.pool.get().await?;
    let event = event_behind(&**client, id, event_id)
        .await?
        .ok_or_else(Problem::not_found)?;
    event.try_into().map(Json).map_err(Problem::internal)
}
