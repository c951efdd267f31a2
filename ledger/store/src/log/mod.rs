//! Reads the log: by position within a shard, by business, and the state tables next to the log.
//!
//! Queries that can find many events have a limit, so that no reader holds a snapshot for long, and callers read page
//! by page. The exceptions are `events_containing` and the functions for measurements.

mod measurements;
mod processes;
mod state;
mod state_rows;
mod unique;

use std::collections::BTreeMap;
use std::time::Duration;

use ledger_domain::business::DecodeError;
use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, EventId, SaleId, TransferId};
use thiserror::Error;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, GenericClient, Row};
use uuid::Uuid;

pub use measurements::{average_event_bytes, export_events};
pub use processes::{ShardOwner, sessions_of, shard_owners};
pub(crate) use processes::{join_processes, leave_processes, live_as, living_processes};
pub(crate) use state::{HEADS, SALES, TRANSFERS, found_sales, found_transfer, stored_head};
pub use state::{StoredHead, business_with_sale, head, heads, heads_after, sale_states, transfer_states};

pub use unique::{BusinessKey, Claim, UsedKey, claims, claims_after, keys_after, used_keys};

pub use state_rows::{StateRow, StateTable, businesses_of, state_ids_after, state_rows};

use crate::archive::{self, ArchiveError};
use crate::event::StoredEvent;
use crate::lane::EventKey;
use crate::layout::{LayoutError, search_path};
use crate::position::{LedgerPosition, Shard};

#[derive(Debug, Error)]
pub enum LogError {
    #[error(transparent)]
    Database(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Layout(#[from] LayoutError),
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    #[error("the recent withdrawals of {business_id} are unreadable")]
    RecentWithdrawals {
        business_id: BusinessId,
        source: serde_json::Error,
    },
    #[error("the stored state of {sale_id} is unreadable")]
    SaleState {
        sale_id: SaleId,
        source: serde_json::Error,
    },
    #[error("the event that claims {sale_id} is unreadable")]
    SaleEvent { sale_id: SaleId, source: DecodeError },
    #[error("the event that claims {sale_id} cannot open a sale")]
    Claim { sale_id: SaleId },
    /// A reader of two nodes can see the claim of a transaction before its event. A repetition sees both.
    #[error("{sale_id} is claimed by an event that cannot be read yet")]
    ClaimBeforeEvent { sale_id: SaleId },
    #[error("the stored state of {transfer_id} is unreadable")]
    TransferState {
        transfer_id: TransferId,
        source: serde_json::Error,
    },
}

/// The columns in the order of `stored_event`.
const EVENT_COLUMNS: &str = "shard, position, business_id, sequence, event_id, event_type, event_version, \
     payload::text, metadata::text, recorded_at, occurred_at, digest, chain, idempotency_key, fingerprint, span";

/// At most `limit` events of the shard after position `after`, in order and without gaps. None if there are no more.
pub async fn window(
    client: &impl GenericClient,
    shard: Shard,
    after: i64,
    limit: i64,
) -> Result<Vec<StoredEvent>, LogError> {
    let live = live_window(client, shard, after, limit).await?;
    if live.first().is_some_and(|event| event.position == after + 1) {
        return Ok(live);
    }
    let archived = archive::window(client, shard, after, limit).await?;
    Ok(archived.unwrap_or(live))
}

/// Those of them that are in the database.
pub(crate) async fn live_window(
    client: &impl GenericClient,
    shard: Shard,
    after: i64,
    limit: i64,
) -> Result<Vec<StoredEvent>, tokio_postgres::Error> {
    let rows = client
        .query_typed(
            &format!(
                "SELECT {EVENT_COLUMNS} FROM event WHERE shard = $1 AND position > $2 AND position <= $3 \
                 ORDER BY shard, position"
            ),
            &[
                (&shard.sql(), Type::INT2),
                (&after, Type::INT8),
                (&after.saturating_add(limit), Type::INT8),
            ],
        )
        .await?;
    Ok(rows.iter().map(stored_event).collect())
}

/// A range of a shard's positions, with the events of some types.
pub struct TypesWindow {
    /// The last position of the range. `events` has every event of these types up to here.
    pub until: i64,
    pub events: Vec<StoredEvent>,
}

/// Reads at most `limit` positions of the shard after `after`, and returns the events of these types in order. For
/// followers that need only a few types.
pub async fn window_of_types(
    client: &impl GenericClient,
    shard: Shard,
    after: i64,
    limit: i64,
    types: &[&str],
) -> Result<TypesWindow, LogError> {
    if let Some(events) = archive::window(client, shard, after, limit).await? {
        let until = events.last().map_or(after, |last| last.position);
        let is_wanted = |event: &StoredEvent| types.contains(&event.event_type.as_str());
        return Ok(TypesWindow {
            until,
            events: events.into_iter().filter(is_wanted).collect(),
        });
    }
    // Read first: the next statement then sees everything up to this position. Later appends do not matter.
    let written = shard_positions(client).await?.get(shard);
    let until = written.min(after.saturating_add(limit)).max(after);
    if until == after {
        return Ok(TypesWindow {
            until,
            events: vec![],
        });
    }
    let rows = client
        .query_typed(
            &format!(
                "SELECT {EVENT_COLUMNS} FROM event WHERE shard = $1 AND position > $2 AND position <= $3 \
                 AND event_type = ANY ($4) ORDER BY shard, position"
            ),
            &[
                (&shard.sql(), Type::INT2),
                (&after, Type::INT8),
                (&until, Type::INT8),
                (&types, Type::TEXT_ARRAY),
            ],
        )
        .await?;
    Ok(TypesWindow {
        until,
        events: rows.iter().map(stored_event).collect(),
    })
}

/// The business's event with that sequence.
pub async fn event(
    client: &impl GenericClient,
    business_id: BusinessId,
    sequence: i64,
) -> Result<Option<StoredEvent>, LogError> {
    let row = client
        .query_typed_opt(
            &format!(
                "SELECT {EVENT_COLUMNS} FROM event WHERE shard = $1 AND business_id = $2 AND sequence = $3"
            ),
            &[
                (&Shard::of(business_id).sql(), Type::INT2),
                (&business_id.uuid(), Type::UUID),
                (&sequence, Type::INT8),
            ],
        )
        .await?;
    if let Some(row) = row {
        return Ok(Some(stored_event(&row)));
    }
    let archived = archive::events(client, archive::VISIBLE, business_id, &[sequence]).await?;
    Ok(archived.into_iter().next())
}

/// At most `limit` events of the business after sequence `after`, in order. Fewer only if there are no more, or if the
/// rest is archived in another file.
pub async fn of_business(
    client: &impl GenericClient,
    business_id: BusinessId,
    after: i64,
    limit: i64,
) -> Result<Vec<StoredEvent>, LogError> {
    let live = live_of_business(client, business_id, after, limit).await?;
    if live.first().is_some_and(|event| event.sequence == after + 1) {
        return Ok(live);
    }
    let asked: Vec<i64> = (after + 1..=after.saturating_add(limit)).collect();
    let mut events = archive::events(client, archive::VISIBLE, business_id, &asked).await?;
    let last = events.last().map_or(after, |event| event.sequence);
    let left = asked.len() - events.len();
    events.extend(live.into_iter().filter(|event| event.sequence > last).take(left));
    Ok(events)
}

/// Those of them that are in the database.
pub(crate) async fn live_of_business(
    client: &impl GenericClient,
    business_id: BusinessId,
    after: i64,
    limit: i64,
) -> Result<Vec<StoredEvent>, tokio_postgres::Error> {
    let rows = client
        .query_typed(
            &format!(
                "SELECT {EVENT_COLUMNS} FROM event WHERE shard = $1 AND business_id = $2 AND sequence > $3 \
                 ORDER BY shard, business_id, sequence LIMIT $4"
            ),
            &[
                (&Shard::of(business_id).sql(), Type::INT2),
                (&business_id.uuid(), Type::UUID),
                (&after, Type::INT8),
                (&limit, Type::INT8),
            ],
        )
        .await?;
    Ok(rows.iter().map(stored_event).collect())
}

/// The archived events that a search has in memory.
const ARCHIVED_PER_PAGE: usize = 2_000;

/// The events of the business whose payload contains this text, such as the id of a sale, in order. Reads the whole log
/// of the business.
pub async fn events_containing(
    client: &impl GenericClient,
    business_id: BusinessId,
    text: &str,
) -> Result<Vec<StoredEvent>, LogError> {
    let last = archive::last_sequence(client, business_id).await?;
    let mut events = vec![];
    for first in (1..=last).step_by(ARCHIVED_PER_PAGE) {
        let page: Vec<i64> = (first..=last).take(ARCHIVED_PER_PAGE).collect();
        let archived = archive::events(client, archive::VISIBLE, business_id, &page).await?;
        events.extend(archived.into_iter().filter(|event| event.payload.contains(text)));
    }
    let rows = client
        .query_typed(
            &format!(
                "SELECT {EVENT_COLUMNS} FROM event \
                  WHERE shard = $1 AND business_id = $2 AND position($3 IN payload::text) > 0 AND sequence > $4 \
                  ORDER BY shard, business_id, sequence"
            ),
            &[
                (&Shard::of(business_id).sql(), Type::INT2),
                (&business_id.uuid(), Type::UUID),
                (&text, Type::TEXT),
                (&last, Type::INT8),
            ],
        )
        .await?;
    events.extend(rows.iter().map(stored_event));
    Ok(events)
}

/// At most `limit` events of the shard after position `after`, in order, without archived ones. After a gap it goes on.
pub async fn of_shard(
    client: &impl GenericClient,
    shard: Shard,
    after: i64,
    limit: i64,
) -> Result<Vec<StoredEvent>, tokio_postgres::Error> {
    let rows = client
        .query_typed(
            &format!(
                "SELECT {EVENT_COLUMNS} FROM event WHERE shard = $1 AND position > $2 \
                 ORDER BY shard, position LIMIT $3"
            ),
            &[
                (&shard.sql(), Type::INT2),
                (&after, Type::INT8),
                (&limit, Type::INT8),
            ],
        )
        .await?;
    Ok(rows.iter().map(stored_event).collect())
}

/// The events of the shard with these businesses and sequences, without archived ones.
pub async fn events_at(
    client: &impl GenericClient,
    shard: Shard,
    places: &[(BusinessId, i64)],
) -> Result<Vec<StoredEvent>, tokio_postgres::Error> {
    if places.is_empty() {
        return Ok(vec![]);
    }
    let businesses: Vec<Uuid> = places.iter().map(|(business, _)| business.uuid()).collect();
    let sequences: Vec<i64> = places.iter().map(|(_, sequence)| *sequence).collect();
    let rows = client
        .query_typed(
            &format!(
                "SELECT {EVENT_COLUMNS} FROM unnest($2::uuid[], $3::int8[]) AS asked (business_id, sequence) \
                   JOIN event USING (business_id, sequence) WHERE shard = $1"
            ),
            &[
                (&shard.sql(), Type::INT2),
                (&businesses, Type::UUID_ARRAY),
                (&sequences, Type::INT8_ARRAY),
            ],
        )
        .await?;
    Ok(rows.iter().map(stored_event).collect())
}

/// At most `limit` businesses that have events in the shard's table, ordered by id, after `after`. The query jumps in the index
/// from one business to the next.
pub async fn businesses_after(
    client: &impl GenericClient,
    shard: Shard,
    after: Option<BusinessId>,
    limit: i64,
) -> Result<Vec<BusinessId>, tokio_postgres::Error> {
    let after = after.map_or(Uuid::nil(), BusinessId::uuid);
    let rows = client
        .query_typed(
            "WITH RECURSIVE named (business_id) AS (
                 (SELECT business_id FROM event
                   WHERE shard = $1 AND business_id > $2 ORDER BY business_id LIMIT 1)
                 UNION ALL
                 SELECT (SELECT next.business_id FROM event AS next
                          WHERE next.shard = $1 AND next.business_id > named.business_id
                          ORDER BY next.business_id LIMIT 1)
                   FROM named WHERE named.business_id IS NOT NULL
             )
             SELECT business_id FROM named WHERE business_id IS NOT NULL LIMIT $3",
            &[
                (&shard.sql(), Type::INT2),
                (&after, Type::UUID),
                (&limit, Type::INT8),
            ],
        )
        .await?;
    Ok(rows.iter().map(|row| BusinessId::from_uuid(row.get(0))).collect())
}

/// When some events of a business happened, by sequence.
pub async fn instants_of(
    client: &impl GenericClient,
    business_id: BusinessId,
    sequences: &[i64],
) -> Result<BTreeMap<i64, Instant>, LogError> {
    let rows = client
        .query_typed(
            "SELECT sequence, occurred_at FROM event
              WHERE shard = $1 AND business_id = $2 AND sequence = ANY ($3)",
            &[
                (&Shard::of(business_id).sql(), Type::INT2),
                (&business_id.uuid(), Type::UUID),
                (&sequences, Type::INT8_ARRAY),
            ],
        )
        .await?;
    let mut instants: BTreeMap<i64, Instant> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    let mut missing: Vec<i64> = sequences.to_vec();
    missing.retain(|sequence| !instants.contains_key(sequence));
    missing.sort_unstable();
    let archived = archive::events(client, archive::VISIBLE, business_id, &missing).await?;
    instants.extend(
        archived
            .into_iter()
            .map(|event| (event.sequence, event.occurred_at)),
    );
    Ok(instants)
}

/// The last recorded position of each shard.
pub async fn shard_positions(client: &impl GenericClient) -> Result<LedgerPosition, tokio_postgres::Error> {
    let rows = client
        .query_typed("SELECT shard, position FROM log_shard WHERE position > 0", &[])
        .await?;
    let mut position = LedgerPosition::default();
    for row in rows {
        position.advance(Shard::from_sql(row.get(0)), row.get(1));
    }
    Ok(position)
}

/// The epoch of each shard. It grows when a process takes the shard.
pub async fn shard_epochs(client: &impl GenericClient) -> Result<Vec<i64>, tokio_postgres::Error> {
    let rows = client
        .query_typed("SELECT epoch FROM log_shard ORDER BY shard", &[])
        .await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// The longest time between two events of one shard that follow each other, of those recorded since that time.
pub async fn longest_pause(
    client: &impl GenericClient,
    since: Instant,
) -> Result<Duration, tokio_postgres::Error> {
    let row = client
        .query_typed_one(
            "SELECT coalesce(max(extract(epoch FROM pause) * 1000)::int8, 0)
               FROM (SELECT recorded_at - lag(recorded_at) OVER (PARTITION BY shard ORDER BY position) AS pause
                       FROM event WHERE recorded_at >= $1) pauses",
            &[(&since, Type::TIMESTAMPTZ)],
        )
        .await?;
    Ok(Duration::from_millis(
        u64::try_from(row.get::<_, i64>(0)).unwrap_or(0),
    ))
}

/// Proves that events can be recorded now: inserts this many rows of an event's size, and rolls them back. So a full
/// disk, a missing privilege or a read-only database shows. The random keys meet no other row, and nothing waits.
pub async fn prove_append(client: &mut Client, rows: i32) -> Result<(), tokio_postgres::Error> {
    let tx = client.transaction().await?;
    let path = search_path(Shard::from_sql(0));
    tx.batch_execute(&format!(
        "SET LOCAL statement_timeout = '2s'; SET LOCAL search_path = {path}"
    ))
    .await?;
    tx.execute_typed(
        "INSERT INTO event (shard, position, business_id, sequence, event_id, event_type, event_version, payload,
                            metadata, recorded_at, occurred_at, digest, chain)
         SELECT 0, -number - (random() * 1e15)::bigint * 1000, gen_random_uuid(), -number, gen_random_uuid(), 'Proof',
                '1', to_json(repeat(md5(random()::text), 24)), '{}', now(), now(),
                sha256(number::text::bytea), sha256(number::text::bytea)
           FROM generate_series(1, $1) AS number",
        &[(&rows, Type::INT4)],
    )
    .await?;
    tx.rollback().await
}

pub(crate) fn stored_event(row: &Row) -> StoredEvent {
    StoredEvent {
        shard: Shard::from_sql(row.get(0)),
        position: row.get(1),
        business_id: BusinessId::from_uuid(row.get(2)),
        sequence: row.get(3),
        event_id: EventId::from_uuid(row.get(4)),
        event_type: row.get(5),
        event_version: row.get(6),
        payload: row.get(7),
        metadata: row.get(8),
        recorded_at: row.get(9),
        occurred_at: row.get(10),
        digest: hash(row, 11),
        chain: hash(row, 12),
        key: event_key(row, 13),
    }
}

/// A key without its fingerprint or number of events counts as none, and the audit reports it.
fn event_key(row: &Row, first: usize) -> Option<EventKey> {
    let sixteen = |column| Some(row.get::<_, Option<Uuid>>(column)?.into_bytes());
    Some(EventKey {
        key: sixteen(first)?,
        fingerprint: sixteen(first + 1)?,
        event_count: row.get::<_, Option<i16>>(first + 2)?,
    })
}

/// A value of another length than 32 bytes becomes zeros, which match no event, so the audit reports it.
fn hash(row: &Row, column: usize) -> [u8; 32] {
    row.get::<_, &[u8]>(column).try_into().unwrap_or_default()
}
