//! The tables of what exists once: the claims of sales, and the idempotency keys of commands. Only the append writes
//! them, and no row ever changes.

use std::collections::HashMap;

use ledger_domain::{BusinessId, SaleId};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use super::{EVENT_COLUMNS, event_key, stored_event};
use crate::event::StoredEvent;
use crate::lane::EventKey;
use crate::position::Shard;

/// A row of `sale_claim`: the first event of a sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    pub sale_id: SaleId,
    pub business_id: BusinessId,
    pub sequence: i64,
    pub shard: Shard,
}

const CLAIM_COLUMNS: &str = "sale_id, business_id, sequence, shard";

/// The claims of these sales. An unknown sale has none.
pub async fn claims(
    client: &impl GenericClient,
    sales: &[SaleId],
) -> Result<HashMap<SaleId, Claim>, tokio_postgres::Error> {
    let ids: Vec<Uuid> = sales.iter().map(|id| id.uuid()).collect();
    let sql = format!("SELECT {CLAIM_COLUMNS} FROM sale_claim WHERE sale_id = ANY ($1)");
    let rows = client.query_typed(&sql, &[(&ids, Type::UUID_ARRAY)]).await?;
    Ok(rows
        .iter()
        .map(claim)
        .map(|claim| (claim.sale_id, claim))
        .collect())
}

/// At most `limit` claims after that of the sale `after`, ordered by sale.
pub async fn claims_after(
    client: &impl GenericClient,
    after: Option<SaleId>,
    limit: i64,
) -> Result<Vec<Claim>, tokio_postgres::Error> {
    let after = after.map(SaleId::uuid);
    let sql = format!(
        "SELECT {CLAIM_COLUMNS} FROM sale_claim WHERE $1::uuid IS NULL OR sale_id > $1 ORDER BY sale_id LIMIT $2"
    );
    let rows = client
        .query_typed(&sql, &[(&after, Type::UUID), (&limit, Type::INT8)])
        .await?;
    Ok(rows.iter().map(claim).collect())
}

fn claim(row: &Row) -> Claim {
    Claim {
        sale_id: SaleId::from_uuid(row.get(0)),
        business_id: BusinessId::from_uuid(row.get(1)),
        sequence: row.get(2),
        shard: Shard::from_sql(row.get(3)),
    }
}

/// The events that these claims name. A claim without an event has none.
pub async fn claiming_events(
    client: &impl GenericClient,
    claims: &[Claim],
) -> Result<Vec<StoredEvent>, tokio_postgres::Error> {
    let shards: Vec<i16> = claims.iter().map(|claim| claim.shard.sql()).collect();
    let businesses: Vec<Uuid> = claims.iter().map(|claim| claim.business_id.uuid()).collect();
    let sequences: Vec<i64> = claims.iter().map(|claim| claim.sequence).collect();
    let sql = format!(
        "SELECT {EVENT_COLUMNS} FROM unnest($1::int2[], $2::uuid[], $3::int8[]) AS claim (shard, business_id, sequence) \
           JOIN event USING (shard, business_id, sequence)"
    );
    let rows = client
        .query_typed(
            &sql,
            &[
                (&shards, Type::INT2_ARRAY),
                (&businesses, Type::UUID_ARRAY),
                (&sequences, Type::INT8_ARRAY),
            ],
        )
        .await?;
    Ok(rows.iter().map(stored_event).collect())
}

/// A business and an idempotency key of it.
pub type BusinessKey = (BusinessId, [u8; 16]);

/// A row of `command_key`, without its shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsedKey {
    pub business_id: BusinessId,
    /// The first event of the command.
    pub sequence: i64,
    pub key: EventKey,
}

/// The rows of these keys. A key that no command of its business used has none.
pub async fn used_keys(
    client: &impl GenericClient,
    keys: &[BusinessKey],
) -> Result<HashMap<BusinessKey, UsedKey>, tokio_postgres::Error> {
    let shards: Vec<i16> = keys
        .iter()
        .map(|(business, _)| Shard::of(*business).sql())
        .collect();
    let businesses: Vec<Uuid> = keys.iter().map(|(business, _)| business.uuid()).collect();
    let asked: Vec<Uuid> = keys.iter().map(|(_, key)| Uuid::from_bytes(*key)).collect();
    let rows = client
        .query_typed(
            "SELECT used.business_id, used.sequence, used.idempotency_key, used.fingerprint, used.span \
               FROM unnest($1::int2[], $2::uuid[], $3::uuid[]) AS asked (shard, business_id, key) \
               JOIN command_key used ON used.shard = asked.shard AND used.business_id = asked.business_id \
                                    AND used.idempotency_key = asked.key",
            &[
                (&shards, Type::INT2_ARRAY),
                (&businesses, Type::UUID_ARRAY),
                (&asked, Type::UUID_ARRAY),
            ],
        )
        .await?;
    let used = rows.iter().filter_map(used_key);
    Ok(used
        .map(|used| ((used.business_id, used.key.key), used))
        .collect())
}

/// At most `limit` keys of the shard after the given one, in their order, each with whether the first event of its
/// command has that key.
pub async fn keys_after(
    client: &impl GenericClient,
    shard: Shard,
    after: BusinessKey,
    limit: i64,
) -> Result<Vec<(UsedKey, bool)>, tokio_postgres::Error> {
    let rows = client
        .query_typed(
            "SELECT used.business_id, used.sequence, used.idempotency_key, used.fingerprint, used.span, \
                    event.idempotency_key IS NOT DISTINCT FROM used.idempotency_key \
               FROM (SELECT * FROM command_key WHERE shard = $1 AND (business_id, idempotency_key) > ($2, $3) \
                      ORDER BY shard, business_id, idempotency_key LIMIT $4) AS used \
               LEFT JOIN event ON event.shard = used.shard AND event.business_id = used.business_id \
                              AND event.sequence = used.sequence \
              ORDER BY used.business_id, used.idempotency_key",
            &[
                (&shard.sql(), Type::INT2),
                (&after.0.uuid(), Type::UUID),
                (&Uuid::from_bytes(after.1), Type::UUID),
                (&limit, Type::INT8),
            ],
        )
        .await?;
    let with_event = |row: &Row| Some((used_key(row)?, row.get(5)));
    Ok(rows.iter().filter_map(with_event).collect())
}

/// No column may be NULL, so every row has a key.
fn used_key(row: &Row) -> Option<UsedKey> {
    Some(UsedKey {
        business_id: BusinessId::from_uuid(row.get(0)),
        sequence: row.get(1),
        key: event_key(row, 2)?,
    })
}
