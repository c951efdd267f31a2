//! One event of the ledger as it was recorded.

use axum::extract::{Path, State};
use ledger_domain::{BusinessId, EventId};
use ledger_store::log;
use projections::statement::event_behind;

use super::bodies::ledger_event::LedgerEvent;
use crate::AppState;
use crate::edge::Json;
use crate::problem::{Problem, ProblemBody, Result};

/// Get an event of a company
///
/// Returns the event as it was recorded: payload, metadata, postings, and the hashes that chain it to the previous
/// event. `event` is the event's `sequence` or its id. An id is found only if a line of the statement refers to it.
#[utoipa::path(
    get, path = "/admin/businesses/{id}/events/{event}", tag = "ledger",
    params(
        ("id" = String, Path, example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"),
        ("event" = String, Path, description = "The event's id or its sequence", example = "evt_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b07"),
    ),
    responses(
        (status = 200, body = LedgerEvent),
        (status = 404, description = "The event does not exist or belongs to another company, or no line of the statement refers to the id", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn get_ledger_event(
    State(state): State<AppState>,
    Path((id, event)): Path<(String, String)>,
) -> Result<Json<LedgerEvent>> {
    // An invalid id is a 404, like an unknown one.
    let id: BusinessId = id.parse().map_err(|_| Problem::not_found())?;
    let client = state.pool.get().await?;
    let found = match event.parse() {
        Ok(sequence) => log::event(&**client, id, sequence).await?,
        Err(_) => {
            let event_id: EventId = event.parse().map_err(|_| Problem::not_found())?;
            event_behind(&**client, id, event_id).await?
        }
    };
    let event = found.ok_or_else(Problem::not_found)?;
    event.try_into().map(Json).map_err(Problem::internal)
}
