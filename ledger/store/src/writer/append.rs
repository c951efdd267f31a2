//! The append on PostgreSQL: one call, with an array for each column of the rows.

use std::fmt::Debug;

use bytes::BytesMut;
use chrono::{DateTime, Utc};
use ledger_domain::business::Accounts;
use ledger_domain::{Cents, SaleId, TransferId};
use postgres_types::{IsNull, ToSql, Type, accepts, to_sql_checked};
use tokio_postgres::error::DbError;
use uuid::Uuid;

use super::connection::{AppendConnection, is_outdated, refused};
use crate::lane::{Append, AppendError, Appended, EventRow, HeadRow, ShardAdvance, StateRow};

/// The parameters in the order of `append_events`.
pub(super) const APPEND: &str = "SELECT append_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, \
     $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, \
     $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, \
     $53, $54)";

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

type Parameter<'a> = &'a (dyn ToSql + Sync);

pub(super) async fn append(connection: &AppendConnection, append: &Append) -> Result<Appended, AppendError> {
    let shards = ShardColumns::of(&append.shards);
    let heads = HeadColumns::of(&append.heads);
    let sales = StateColumns::of(&append.sales, SaleId::uuid);
    let transfers = StateColumns::of(&append.transfers, TransferId::uuid);
    let events = EventColumns::of(&append.events);
    let parameters = [
        &shards.parameters()[..],
        &heads.parameters(),
        &sales.parameters(),
        &transfers.parameters(),
        &events.parameters(),
        &[&append.reference_version, &connection.has_unclaimed_sales],
    ]
    .concat();
    match connection.client.query_one(&connection.append, &parameters).await {
        Ok(row) => Ok(Appended(row.get(0))),
        Err(error) => Err(append_error(&error)),
    }
}

struct ShardColumns {
    shard: Vec<i16>,
    epoch: Vec<i64>,
    base: Vec<i64>,
    events: Vec<i64>,
    recorded_at: Vec<DateTime<Utc>>,
}

impl ShardColumns {
    fn of(shards: &[ShardAdvance]) -> Self {
        Self {
            shard: column(shards, |row| row.shard.sql()),
            epoch: column(shards, |row| row.epoch),
            base: column(shards, |row| row.base),
            events: column(shards, |row| row.events),
            recorded_at: column(shards, |row| row.recorded_at),
        }
    }

    fn parameters(&self) -> [Parameter<'_>; 5] {
        [
            &self.shard,
            &self.epoch,
            &self.base,
            &self.events,
            &self.recorded_at,
        ]
    }
}

/// The rows of `business_head`.
struct HeadColumns<'a> {
    shard: Vec<i32>,
    business: Vec<Uuid>,
    expected: Vec<i64>,
    version: Vec<i64>,
    /// One array for each account.
    accounts: [Vec<i64>; 7],
    chain: Vec<&'a [u8]>,
    recent_withdrawals: Vec<Option<JsonText<String>>>,
    held_for_sales: Vec<i64>,
}

impl<'a> HeadColumns<'a> {
    fn of(rows: &'a [HeadRow]) -> Self {
        let account =
            |cents: fn(&Accounts) -> Cents| column(rows, move |row| cents(&row.head.accounts).get());
        Self {
            shard: column(rows, |row| place(row.shard_index)),
            business: column(rows, |row| row.business_id.uuid()),
            expected: column(rows, |row| row.expected),
            version: column(rows, |row| row.head.version),
            accounts: [
                account(|accounts| accounts.receivable),
                account(|accounts| accounts.available),
                account(|accounts| accounts.in_transfer),
                account(|accounts| accounts.held_by_staff),
                account(|accounts| accounts.in_dispute),
                account(|accounts| accounts.platform_fees),
                account(|accounts| accounts.clearing),
            ],
            chain: column(rows, |row| row.head.chain.as_slice()),
            recent_withdrawals: column(rows, |row| recent_withdrawals(row).map(JsonText)),
            held_for_sales: column(rows, |row| row.head.held_for_sales.get()),
        }
    }

    fn parameters(&self) -> [Parameter<'_>; 14] {
        let [
            receivable,
            available,
            in_transfer,
            held_by_staff,
            in_dispute,
            platform_fees,
            clearing,
        ] = &self.accounts;
        [
            &self.shard,
            &self.business,
            &self.expected,
            &self.version,
            receivable,
            available,
            in_transfer,
            held_by_staff,
            in_dispute,
            platform_fees,
            clearing,
            &self.chain,
            &self.recent_withdrawals,
            &self.held_for_sales,
        ]
    }
}

/// The states of sales or of transfers.
struct StateColumns<'a> {
    shard: Vec<i32>,
    id: Vec<Uuid>,
    existed: Vec<bool>,
    business: Vec<Uuid>,
    status: Vec<&'a str>,
    created_at: Vec<DateTime<Utc>>,
    sequence: Vec<i64>,
    state: Vec<JsonText<&'a str>>,
}

impl<'a> StateColumns<'a> {
    fn of<Id: Copy>(rows: &'a [StateRow<Id>], uuid: fn(Id) -> Uuid) -> Self {
        Self {
            shard: column(rows, |row| place(row.shard_index)),
            id: column(rows, |row| uuid(row.id)),
            existed: column(rows, |row| row.existed),
            business: column(rows, |row| row.business_id.uuid()),
            status: column(rows, |row| row.status),
            created_at: column(rows, |row| row.created_at),
            sequence: column(rows, |row| row.sequence),
            state: column(rows, |row| JsonText(row.state.as_str())),
        }
    }

    fn parameters(&self) -> [Parameter<'_>; 8] {
        [
            &self.shard,
            &self.id,
            &self.existed,
            &self.business,
            &self.status,
            &self.created_at,
            &self.sequence,
            &self.state,
        ]
    }
}

struct EventColumns<'a> {
    shard: Vec<i32>,
    ordinal: Vec<i64>,
    business: Vec<Uuid>,
    sequence: Vec<i64>,
    id: Vec<Uuid>,
    event_type: Vec<&'a str>,
    event_version: Vec<&'a str>,
    payload: Vec<JsonText<&'a str>>,
    metadata: Vec<JsonText<&'a str>>,
    recorded_at: Vec<DateTime<Utc>>,
    occurred_at: Vec<DateTime<Utc>>,
    digest: Vec<&'a [u8]>,
    chain: Vec<&'a [u8]>,
    key: Vec<Option<Uuid>>,
    fingerprint: Vec<Option<Uuid>>,
    event_count: Vec<Option<i16>>,
    claimed_sale: Vec<Option<Uuid>>,
}

impl<'a> EventColumns<'a> {
    /// The rows are in the order of the sales that they claim. So two writers that claim the same sales lock them in
    /// the same order and cannot deadlock.
    fn of(rows: &'a [EventRow]) -> Self {
        let mut rows: Vec<&EventRow> = rows.iter().collect();
        rows.sort_by_key(|row| row.claimed_sale);
        let rows = rows.as_slice();
        Self {
            shard: column(rows, |row| place(row.shard_index)),
            ordinal: column(rows, |row| row.ordinal),
            business: column(rows, |row| row.business_id.uuid()),
            sequence: column(rows, |row| row.sequence),
            id: column(rows, |row| row.event_id.uuid()),
            event_type: column(rows, |row| row.event_type),
            event_version: column(rows, |row| row.event_version),
            payload: column(rows, |row| JsonText(row.payload.as_str())),
            metadata: column(rows, |row| JsonText(row.metadata.as_ref())),
            recorded_at: column(rows, |row| row.recorded_at),
            occurred_at: column(rows, |row| row.occurred_at),
            digest: column(rows, |row| row.digest.as_slice()),
            chain: column(rows, |row| row.chain.as_slice()),
            key: column(rows, |row| row.key.map(|own| Uuid::from_bytes(own.key))),
            fingerprint: column(rows, |row| row.key.map(|own| Uuid::from_bytes(own.fingerprint))),
            event_count: column(rows, |row| row.key.map(|own| own.event_count)),
            claimed_sale: column(rows, |row| row.claimed_sale.map(SaleId::uuid)),
        }
    }

    fn parameters(&self) -> [Parameter<'_>; 17] {
        [
            &self.shard,
            &self.ordinal,
            &self.business,
            &self.sequence,
            &self.id,
            &self.event_type,
            &self.event_version,
            &self.payload,
            &self.metadata,
            &self.recorded_at,
            &self.occurred_at,
            &self.digest,
            &self.chain,
            &self.key,
            &self.fingerprint,
            &self.event_count,
            &self.claimed_sale,
        ]
    }
}

/// Null if there are none, which is usual.
fn recent_withdrawals(row: &HeadRow) -> Option<String> {
    let recent = &row.head.recent_withdrawals;
    (!recent.is_empty()).then(|| serde_json::to_string(&recent[..]).expect("withdrawals serialize"))
}

fn column<'a, R, C>(rows: &'a [R], cell: impl Fn(&'a R) -> C) -> Vec<C> {
    rows.iter().map(cell).collect()
}

/// SQL arrays start at 1.
fn place(shard_index: usize) -> i32 {
    i32::try_from(shard_index + 1).expect("a batch has at most 16 shards")
}

/// `append_events` itself raises RZ001 if a business, sale or transfer is not as it was decided on, and RZ003 if a
/// shard is at another position or its latest event has a later time. It raises RZ004 if a sale that should be new was
/// recorded before claims existed, and RZ005 if the reference data has another version.
fn append_error(error: &tokio_postgres::Error) -> AppendError {
    let Some(state) = refused(error) else {
        tracing::warn!(%error, "the connection was lost during an append");
        return AppendError::ConnectionLost;
    };
    if is_outdated(error) {
        return AppendError::Outdated;
    }
    let database_error = error.as_db_error();
    let constraint = database_error.and_then(DbError::constraint);
    // No warning: this is usual after each change of the reference data.
    if state.code() == "RZ005" {
        return AppendError::ReferenceDataChanged;
    }
    tracing::warn!(state = state.code(), error = ?database_error, "an append was refused");
    match state.code() {
        "RZ001" | "RZ003" | "40001" | "40P01" => AppendError::Conflict,
        "RZ004" => AppendError::SalesExist(vec![]),
        "23505" if matches!(constraint, Some("event_claim" | "sale_state_pkey")) => {
            let sale = database_error.and_then(DbError::detail).and_then(named_id);
            AppendError::SalesExist(sale.map(SaleId::from_uuid).into_iter().collect())
        }
        "23505" if constraint == Some("transfer_state_pkey") => {
            let transfer = database_error.and_then(DbError::detail).and_then(named_id);
            AppendError::TransfersBelongToOther(transfer.map(TransferId::from_uuid).into_iter().collect())
        }
        "23505" if constraint == Some("event_idempotency") => AppendError::KeyUsed,
        code if code.starts_with("22") || code.starts_with("23") => AppendError::Rejected,
        _ => AppendError::Unavailable,
    }
}

/// The id in the detail of a unique violation: `Key (sale_id)=(…) already exists.`
fn named_id(detail: &str) -> Option<Uuid> {
    let (_, rest) = detail.split_once(")=(")?;
    let (id, _) = rest.split_once(')')?;
    id.parse().ok()
}
