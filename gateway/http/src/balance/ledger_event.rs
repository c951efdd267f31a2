//! One event of the ledger as it was recorded.

use ledger_domain::{BusinessId, EventId};
use ledger_store::log;
use projections::balance::statement::event_behind;

use super::bodies::ledger_event::LedgerEvent;
use crate::edge::{Db, Ids, Json, PathParam};
use crate::problem::{Problem, Result};

/// Get an event of a company
///
/// Returns the event as it was recorded: payload, metadata, postings, and the hashes that chain it to the previous
/// event. `event` is the event's `sequence` or its id. An id is found only if a line of the statement refers to it.
#[utoipa::path(
    get, path = "/admin/businesses/{id}/events/{event}", tag = "ledger",
    responses(
        (status = 200, body = LedgerEvent),
        (status = 404, description = "The event does not exist or belongs to another company, or no line of the statement refers to the id"),
    )
)]
pub(crate) async fn get_ledger_event(
    Ids(id, event): Ids<BusinessId, EventName>,
    db: Db,
) -> Result<Json<LedgerEvent>> {
    let found = match event {
        EventName::Sequence(sequence) => log::event(&*db, id, sequence).await?,
        EventName::Id(event_id) => event_behind(&*db, id, event_id).await?,
    };
    let event = found.ok_or_else(Problem::not_found)?;
    event.try_into().map(Json).map_err(Problem::internal)
}

/// The name of a company's event in a path: its number in the company's history, or its id.
pub enum EventName {
    Sequence(i64),
    Id(EventId),
}

impl PathParam for EventName {
    const NOUN: &'static str = "event";
    const EXAMPLE: &'static str = <EventId as PathParam>::EXAMPLE;
    const DESCRIPTION: Option<&'static str> = Some("The event's id or its sequence");

    fn parse(text: &str) -> Option<Self> {
        let sequence = text.parse().ok().map(Self::Sequence);
        sequence.or_else(|| text.parse().ok().map(Self::Id))
    }
}
