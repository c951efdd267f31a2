//! Reading what was recorded: by position within a shard, by business, and the state beside the log.
//!
//! Every answer is bounded, so that no reader holds a snapshot for long; whoever wants more asks for the next page.

use ledger_domain::business::{Accounts, Sale};
use ledger_domain::{BusinessId, Cents, EventId, SaleId};
use thiserror::Error;
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use crate::event::StoredEvent;
use crate::lane::{Head, SaleFound};
use crate::position::{LedgerPosition, Shard};

#[derive(Debug, Error)]
pub enum LogError {
    #[error(transparent)]
    Database(#[from] tokio_postgres::Error),
    #[error("the stored state of {sale_id} is unreadable")]
    SaleState {
        sale_id: SaleId,
        source: serde_json::Error,
    },
}

/// In the order of `stored_event`.
const EVENT_COLUMNS: &str = "shard, position, business_id, sequence, event_id, event_type, event_version, \
     payload::text, metadata::text, recorded_at, occurred_at, digest, chain";

/// At most `limit` events of the shard after position `after`, in order and without gaps.
pub async fn window(
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

/// A stretch of a shard, of which only some types were read.
pub struct TypesWindow {
    /// The last position of the stretch: everything of these types up to here is among the events.
    pub until: i64,
    pub events: Vec<StoredEvent>,
}

/// At most `limit` positions of the shard after `after`, and of their events those of the types, in order: for who acts
/// on few of them.
pub async fn window_of_types(
    client: &impl GenericClient,
    shard: Shard,
    after: i64,
    limit: i64,
    types: &[&str],
) -> Result<TypesWindow, tokio_postgres::Error> {
    // Asked first: what is committed up to here is then seen by the statement below, whatever is added meanwhile.
    let written = shard_positions(client).await?.get(shard);
    let until = written.min(after.saturating_add(limit)).max(after);
    if until == after {
        return Ok(TypesWindow { until, events: vec![] });
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

/// At most `limit` events of the business after sequence `after`, in order.
pub async fn of_business(
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

/// At most `limit` events of the shard, by business and sequence, after the one named.
pub async fn of_businesses(
    client: &impl GenericClient,
    shard: Shard,
    after: (BusinessId, i64),
    limit: i64,
) -> Result<Vec<StoredEvent>, tokio_postgres::Error> {
    let rows = client
        .query_typed(
            &format!(
                "SELECT {EVENT_COLUMNS} FROM event WHERE shard = $1 AND (business_id, sequence) > ($2, $3) \
                 ORDER BY shard, business_id, sequence LIMIT $4"
            ),
            &[
                (&shard.sql(), Type::INT2),
                (&after.0.uuid(), Type::UUID),
                (&after.1, Type::INT8),
                (&limit, Type::INT8),
            ],
        )
        .await?;
    Ok(rows.iter().map(stored_event).collect())
}

pub async fn head(
    client: &impl GenericClient,
    business_id: BusinessId,
) -> Result<Option<Head>, tokio_postgres::Error> {
    Ok(heads(client, &[business_id]).await?.pop().map(|(_, head)| head))
}

/// The heads of these businesses; one without events has none.
pub async fn heads(
    client: &impl GenericClient,
    businesses: &[BusinessId],
) -> Result<Vec<(BusinessId, Head)>, tokio_postgres::Error> {
    let shards: Vec<i16> = businesses.iter().map(|id| Shard::of(*id).sql()).collect();
    let ids: Vec<uuid::Uuid> = businesses.iter().map(|id| id.uuid()).collect();
    let rows = client
        .query_typed(HEADS, &[(&shards, Type::INT2_ARRAY), (&ids, Type::UUID_ARRAY)])
        .await?;
    Ok(rows.iter().map(found_head).collect())
}

/// A page of the shard's heads by key; starts after `after`.
pub async fn heads_after(
    client: &impl GenericClient,
    shard: Shard,
    after: Option<BusinessId>,
    limit: i64,
) -> Result<Vec<(BusinessId, Head)>, tokio_postgres::Error> {
    let after = after.map_or(uuid::Uuid::nil(), BusinessId::uuid);
    let rows = client
        .query_typed(
            "SELECT business_id, version, receivable, available, in_transfer, held_by_staff, in_dispute, \
                    platform_fees, clearing, chain \
               FROM business_head WHERE shard = $1 AND business_id > $2 ORDER BY shard, business_id LIMIT $3",
            &[
                (&shard.sql(), Type::INT2),
                (&after, Type::UUID),
                (&limit, Type::INT8),
            ],
        )
        .await?;
    Ok(rows.iter().map(found_head).collect())
}

/// The states of these sales; one never heard of has none.
pub async fn sale_states(
    client: &impl GenericClient,
    sales: &[SaleId],
) -> Result<Vec<(SaleId, SaleFound)>, LogError> {
    let ids: Vec<uuid::Uuid> = sales.iter().map(|id| id.uuid()).collect();
    let rows = client.query_typed(SALES, &[(&ids, Type::UUID_ARRAY)]).await?;
    rows.iter().map(found_sale).collect()
}

/// A page of all sales' states by key; starts after `after`.
pub async fn sale_states_after(
    client: &impl GenericClient,
    after: Option<SaleId>,
    limit: i64,
) -> Result<Vec<(SaleId, SaleFound)>, LogError> {
    let after = after.map_or(uuid::Uuid::nil(), SaleId::uuid);
    let rows = client
        .query_typed(
            "SELECT sale_id, business_id, created_at, sequence, state::text FROM sale_state \
              WHERE sale_id > $1 ORDER BY sale_id LIMIT $2",
            &[(&after, Type::UUID), (&limit, Type::INT8)],
        )
        .await?;
    rows.iter().map(found_sale).collect()
}

/// How far each shard is written.
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

pub(crate) const HEADS: &str = "SELECT head.business_id, head.version, head.receivable, head.available, \
     head.in_transfer, head.held_by_staff, head.in_dispute, head.platform_fees, head.clearing, head.chain \
     FROM unnest($1::smallint[], $2::uuid[]) AS asked (shard, business_id) \
     JOIN business_head head ON head.shard = asked.shard AND head.business_id = asked.business_id";

pub(crate) const SALES: &str = "SELECT sale.sale_id, sale.business_id, sale.created_at, sale.sequence, \
     sale.state::text FROM unnest($1::uuid[]) AS asked (sale_id) JOIN sale_state sale USING (sale_id)";

pub(crate) fn found_head(row: &Row) -> (BusinessId, Head) {
    let cents = |column: usize| Cents::new(row.get(column));
    let accounts = Accounts {
        receivable: cents(2),
        available: cents(3),
        in_transfer: cents(4),
        held_by_staff: cents(5),
        in_dispute: cents(6),
        platform_fees: cents(7),
        clearing: cents(8),
    };
    let head = Head {
        version: row.get(1),
        accounts,
        chain: hash(row, 9),
    };
    (BusinessId::from_uuid(row.get(0)), head)
}

pub(crate) fn found_sale(row: &Row) -> Result<(SaleId, SaleFound), LogError> {
    let sale_id = SaleId::from_uuid(row.get(0));
    let sale: Sale =
        serde_json::from_str(row.get(4)).map_err(|source| LogError::SaleState { sale_id, source })?;
    let found = SaleFound {
        business_id: BusinessId::from_uuid(row.get(1)),
        sale,
        created_at: row.get(2),
        sequence: row.get(3),
    };
    Ok((sale_id, found))
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
    }
}

/// What isn't 32 bytes long is no hash of anything: as zeros it fits no event, and the audit says so.
fn hash(row: &Row, column: usize) -> [u8; 32] {
    row.get::<_, &[u8]>(column).try_into().unwrap_or_default()
}
