//! The append on PostgreSQL: one call, with an array of rows for each kind. A batch of one shard and one of several have
//! functions of their own.

use std::fmt::Debug;

use bytes::BytesMut;
use chrono::{DateTime, Utc};
use ledger_domain::{SaleId, TransferId};
use postgres_types::{IsNull, ToSql, Type, accepts, to_sql_checked};
use serde::Serialize;
use tokio_postgres::error::DbError;
use tokio_postgres::{Client, Error, Statement};
use uuid::Uuid;

use super::connection::{AppendConnection, is_outdated, refused};
use crate::causes::Causes;
use crate::lane::{Append, AppendError, Appended, EventRow, HeadRow, ShardAdvance, StateRow};

const APPEND_SHARD: &str = "SELECT append_shard($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
const APPEND_EVENTS: &str = "SELECT append_events($1, $2, $3, $4, $5, $6, $7)";

pub(super) struct AppendStatements {
    one_shard: Statement,
    shards: Statement,
}

impl AppendStatements {
    /// Fails if a newer program migrated the database to another append.
    pub async fn prepare(client: &Client) -> Result<Self, Error> {
        Ok(Self {
            one_shard: client.prepare(APPEND_SHARD).await?,
            shards: client.prepare(APPEND_EVENTS).await?,
        })
    }
}

/// JSON that is already serialized.
#[derive(Debug)]
struct JsonText<T>(T);

impl<T: AsRef<str> + Debug> ToSql for JsonText<T> {
    fn to_sql(
        &self,
        _: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        out.extend_from_slice(self.0.as_ref().as_bytes());
        Ok(IsNull::No)
    }

    accepts!(JSON);
    to_sql_checked!();
}

pub(super) async fn append(
    connection: &AppendConnection,
    append: &Append,
) -> Result<Appended, (AppendError, String)> {
    let Records {
        heads,
        sales,
        transfers,
        events,
        claims,
    } = Records::of(append);
    let statements = &connection.append;
    let answer = if let [one] = append.shards.as_slice() {
        connection
            .client
            .query_one(
                &statements.one_shard,
                &[
                    &one.shard.sql(),
                    &one.epoch,
                    &one.base,
                    &one.events,
                    &one.recorded_at,
                    &heads,
                    &sales,
                    &transfers,
                    &events,
                    &claims,
                    &append.reference_version,
                ],
            )
            .await
            .map(|row| Appended(vec![row.get::<_, bool>(0).then_some(one.base)]))
    } else {
        let shards: Vec<_> = append.shards.iter().map(ShardRecord::from).collect();
        connection
            .client
            .query_one(
                &statements.shards,
                &[
                    &shards,
                    &heads,
                    &sales,
                    &transfers,
                    &events,
                    &claims,
                    &append.reference_version,
                ],
            )
            .await
            .map(|row| {
                let recorded: Vec<i16> = row.get(0);
                let base =
                    |advance: &ShardAdvance| recorded.contains(&advance.shard.sql()).then_some(advance.base);
                Appended(append.shards.iter().map(base).collect())
            })
    };
    answer.map_err(|error| (append_error(&error), Causes(&error).to_string()))
}

/// The rows of a batch, for both functions.
struct Records<'a> {
    heads: Vec<HeadRecord<'a>>,
    sales: Vec<StateRecord<'a>>,
    transfers: Vec<StateRecord<'a>>,
    events: Vec<EventRecord<'a>>,
    claims: Vec<ClaimRecord>,
}

impl<'a> Records<'a> {
    fn of(append: &'a Append) -> Self {
        let shard = |index: usize| append.shards[index].shard.sql();
        let (sales, transfers) = (append.sales.iter(), append.transfers.iter());
        Self {
            heads: append
                .heads
                .iter()
                .map(|row| HeadRecord::convert(row, shard(row.shard_index)))
                .collect(),
            sales: sales
                .map(|row| StateRecord::convert(row, row.id.uuid(), shard(row.shard_index)))
                .collect(),
            transfers: transfers
                .map(|row| StateRecord::convert(row, row.id.uuid(), shard(row.shard_index)))
                .collect(),
            events: append
                .events
                .iter()
                .map(|row| EventRecord::convert(row, &append.shards[row.shard_index]))
                .collect(),
            claims: append
                .events
                .iter()
                .filter_map(|row| ClaimRecord::of(row, shard(row.shard_index)))
                .collect(),
        }
    }
}

#[derive(Debug, ToSql)]
#[postgres(name = "append_advance")]
struct ShardRecord {
    shard: i16,
    epoch: i64,
    expected: i64,
    events: i64,
    recorded_at: DateTime<Utc>,
}

impl From<&ShardAdvance> for ShardRecord {
    fn from(advance: &ShardAdvance) -> Self {
        Self {
            shard: advance.shard.sql(),
            epoch: advance.epoch,
            expected: advance.base,
            events: advance.events,
            recorded_at: advance.recorded_at,
        }
    }
}

/// A row of `business_head`.
#[derive(Debug, ToSql)]
#[postgres(name = "append_head")]
struct HeadRecord<'a> {
    shard: i16,
    business_id: Uuid,
    expected: i64,
    version: i64,
    receivable: i64,
    available: i64,
    in_transfer: i64,
    held_by_staff: i64,
    in_dispute: i64,
    platform_fees: i64,
    clearing: i64,
    chain: &'a [u8],
    recent_withdrawals: Option<JsonText<String>>,
    held_for_sales: i64,
    holds: Option<JsonText<String>>,
}

impl<'a> HeadRecord<'a> {
    fn convert(row: &'a HeadRow, shard: i16) -> Self {
        let accounts = &row.head.accounts;
        Self {
            shard,
            business_id: row.business_id.uuid(),
            expected: row.expected,
            version: row.head.version,
            receivable: accounts.receivable.get(),
            available: accounts.available.get(),
            in_transfer: accounts.in_transfer.get(),
            held_by_staff: accounts.held_by_staff.get(),
            in_dispute: accounts.in_dispute.get(),
            platform_fees: accounts.platform_fees.get(),
            clearing: accounts.clearing.get(),
            chain: &row.head.chain,
            recent_withdrawals: list(&row.head.recent_withdrawals),
            held_for_sales: row.head.held_for_sales.get(),
            holds: list(&row.head.holds),
        }
    }
}

/// The state of a sale or of a transfer.
#[derive(Debug, ToSql)]
#[postgres(name = "append_state")]
struct StateRecord<'a> {
    shard: i16,
    id: Uuid,
    existed: bool,
    business_id: Uuid,
    status: &'a str,
    created_at: DateTime<Utc>,
    sequence: i64,
    state: JsonText<&'a str>,
}

impl<'a> StateRecord<'a> {
    fn convert<Id>(row: &'a StateRow<Id>, id: Uuid, shard: i16) -> Self {
        Self {
            shard,
            id,
            existed: row.existed,
            business_id: row.business_id.uuid(),
            status: row.status,
            created_at: row.created_at,
            sequence: row.sequence,
            state: JsonText(&row.state),
        }
    }
}

/// A row of `event`, with the columns of the table in their order.
#[derive(Debug, ToSql)]
#[postgres(name = "append_event")]
struct EventRecord<'a> {
    shard: i16,
    position: i64,
    business_id: Uuid,
    sequence: i64,
    event_id: Uuid,
    event_type: &'a str,
    event_version: &'a str,
    payload: JsonText<&'a str>,
    metadata: JsonText<&'a str>,
    recorded_at: DateTime<Utc>,
    occurred_at: DateTime<Utc>,
    digest: &'a [u8],
    chain: &'a [u8],
    idempotency_key: Option<Uuid>,
    fingerprint: Option<Uuid>,
    span: Option<i16>,
}

impl<'a> EventRecord<'a> {
    fn convert(row: &'a EventRow, advance: &ShardAdvance) -> Self {
        Self {
            shard: advance.shard.sql(),
            position: advance.base + row.ordinal,
            business_id: row.business_id.uuid(),
            sequence: row.sequence,
            event_id: row.event_id.uuid(),
            event_type: row.event_type,
            event_version: row.event_version,
            payload: JsonText(&row.payload),
            metadata: JsonText(&row.metadata),
            recorded_at: row.recorded_at,
            occurred_at: row.occurred_at,
            digest: &row.digest,
            chain: &row.chain,
            idempotency_key: row.key.map(|own| Uuid::from_bytes(own.key)),
            fingerprint: row.key.map(|own| Uuid::from_bytes(own.fingerprint)),
            span: row.key.map(|own| own.event_count),
        }
    }
}

/// A row of `sale_claim`.
#[derive(Debug, ToSql)]
#[postgres(name = "append_claim")]
struct ClaimRecord {
    sale_id: Uuid,
    business_id: Uuid,
    sequence: i64,
    shard: i16,
}

impl ClaimRecord {
    /// `None` if the event is not the first of its sale.
    fn of(row: &EventRow, shard: i16) -> Option<Self> {
        Some(Self {
            sale_id: row.claimed_sale?.uuid(),
            business_id: row.business_id.uuid(),
            sequence: row.sequence,
            shard,
        })
    }
}

/// Null if it is empty, which is usual.
fn list<Item: Serialize>(items: &[Item]) -> Option<JsonText<String>> {
    (!items.is_empty())
        .then(|| JsonText(serde_json::to_string(items).expect("a list of the state serializes")))
}

/// The append's own codes are explained with its functions (`migrations/shard/0035_claims.sql`).
pub(super) fn append_error(error: &Error) -> AppendError {
    let Some(state) = refused(error) else {
        tracing::warn!(error = %Causes(error), "the connection was lost during an append");
        return AppendError::ConnectionLost;
    };
    if is_outdated(error) {
        return AppendError::Outdated;
    }
    // No warning: this is usual after each change of the reference data.
    if state.code() == "RZ005" {
        return AppendError::ReferenceDataChanged;
    }
    tracing::warn!(state = state.code(), error = %Causes(error), "an append was refused");
    match state.code() {
        "RZ001" | "RZ003" | "40001" | "40P01" => AppendError::Conflict,
        "RZ004" => AppendError::SalesExist(named_ids(error, SaleId::from_uuid)),
        "RZ006" => AppendError::KeyUsed,
        "RZ007" => AppendError::TransfersBelongToOther(named_ids(error, TransferId::from_uuid)),
        code if code.starts_with("22") || code.starts_with("23") => AppendError::Rejected,
        _ => AppendError::Unavailable,
    }
}

/// The ids in the detail of the error, between spaces.
fn named_ids<Id>(error: &Error, id: impl Fn(Uuid) -> Id) -> Vec<Id> {
    let detail = error.as_db_error().and_then(DbError::detail).unwrap_or_default();
    let ids = detail.split(' ').filter_map(|text| text.parse().ok());
    ids.map(id).collect()
}
