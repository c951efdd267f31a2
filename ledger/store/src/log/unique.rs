//! The tables of what exists once: the claims of sales, and the idempotency keys of commands. Only the append writes
//! them, and no row ever changes.

use std::collections::HashMap;

use ledger_domain::{BusinessId, SaleId};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use super::event_key;
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

/// At most `limit` keys of the shard after the given one, in their order.
pub async fn keys_after(
    client: &impl GenericClient,
    shard: Shard,
    after: BusinessKey,
    limit: i64,
) -> Result<Vec<UsedKey>, tokio_postgres::Error> {
    let rows = client
        .query_typed(
            "SELECT business_id, sequence, idempotency_key, fingerprint, span FROM command_key \
              WHERE shard = $1 AND (business_id, idempotency_key) > ($2, $3) \
              ORDER BY shard, business_id, idempotency_key LIMIT $4",
            &[
                (&shard.sql(), Type::INT2),
                (&after.0.uuid(), Type::UUID),
                (&Uuid::from_bytes(after.1), Type::UUID),
                (&limit, Type::INT8),
            ],
        )
        .await?;
    Ok(rows.iter().filter_map(used_key).collect())
}

/// No column may be NULL, so every row has a key.
fn used_key(row: &Row) -> Option<UsedKey> {
    Some(UsedKey {
        business_id: BusinessId::from_uuid(row.get(0)),
        sequence: row.get(1),
        key: event_key(row, 2)?,
    })
}
