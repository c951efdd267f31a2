//! The append on PostgreSQL: one call whose parameters are one array for each column.

use bytes::BytesMut;
use chrono::{DateTime, Utc};
use ledger_domain::{SaleId, TransferId};
use postgres_types::{IsNull, ToSql, Type, accepts, to_sql_checked};
use tokio_postgres::error::DbError;
use uuid::Uuid;

use super::connection::{AppendConnection, refused};
use crate::lane::{Append, AppendError, Appended, EventRow, HeadRow, StateRow};

/// The parameters in the order of `append_events`.
pub(super) const APPEND: &str = "SELECT append_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, \
     $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, \
     $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49)";

/// JSON that is already serialized.
#[derive(Debug)]
struct JsonText<'a>(&'a str);

impl ToSql for JsonText<'_> {
    fn to_sql(
        &self,
        _: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        out.extend_from_slice(self.0.as_bytes());
        Ok(IsNull::No)
    }

    accepts!(JSON);
    to_sql_checked!();
}

pub(super) async fn append(connection: &AppendConnection, append: &Append) -> Result<Appended, AppendError> {
    let Append {
        shards,
        heads,
        sales,
        transfers,
        events,
    } = append;
    let shard: Vec<i16> = column(shards, |advance| advance.shard.sql());
    let epoch: Vec<i64> = column(shards, |advance| advance.epoch);
    let count: Vec<i64> = column(shards, |advance| advance.events);
    let recorded: Vec<DateTime<Utc>> = column(shards, |advance| advance.recorded_at);

    let head_at: Vec<i32> = column(heads, |row: &HeadRow| place(row.at));
    let head_business: Vec<Uuid> = column(heads, |row| row.business_id.uuid());
    let head_expected: Vec<i64> = column(heads, |row| row.expected);
    let head_version: Vec<i64> = column(heads, |row| row.head.version);
    let receivable: Vec<i64> = column(heads, |row| row.head.accounts.receivable.get());
    let available: Vec<i64> = column(heads, |row| row.head.accounts.available.get());
    let in_transfer: Vec<i64> = column(heads, |row| row.head.accounts.in_transfer.get());
    let held_by_staff: Vec<i64> = column(heads, |row| row.head.accounts.held_by_staff.get());
    let in_dispute: Vec<i64> = column(heads, |row| row.head.accounts.in_dispute.get());
    let platform_fees: Vec<i64> = column(heads, |row| row.head.accounts.platform_fees.get());
    let clearing: Vec<i64> = column(heads, |row| row.head.accounts.clearing.get());
    let head_chain: Vec<&[u8]> = column(heads, |row| row.head.chain.as_slice());

    let head_recent: Vec<Option<String>> = column(heads, recent_withdrawals);
    let head_recent: Vec<_> = column(&head_recent, |text| text.as_deref().map(JsonText));

    let sale_at: Vec<i32> = column(sales, |row: &StateRow<_>| place(row.at));
    let sale_id: Vec<Uuid> = column(sales, |row| row.id.uuid());
    let sale_existed: Vec<bool> = column(sales, |row| row.existed);
    let sale_business: Vec<Uuid> = column(sales, |row| row.business_id.uuid());
    let sale_status: Vec<&str> = column(sales, |row| row.status);
    let sale_created: Vec<DateTime<Utc>> = column(sales, |row| row.created_at);
    let sale_sequence: Vec<i64> = column(sales, |row| row.sequence);
    let sale_state: Vec<JsonText<'_>> = column(sales, |row| JsonText(&row.state));

    let transfer_at: Vec<i32> = column(transfers, |row: &StateRow<_>| place(row.at));
    let transfer_id: Vec<Uuid> = column(transfers, |row| row.id.uuid());
    let transfer_existed: Vec<bool> = column(transfers, |row| row.existed);
    let transfer_business: Vec<Uuid> = column(transfers, |row| row.business_id.uuid());
    let transfer_status: Vec<&str> = column(transfers, |row| row.status);
    let transfer_created: Vec<DateTime<Utc>> = column(transfers, |row| row.created_at);
    let transfer_sequence: Vec<i64> = column(transfers, |row| row.sequence);
    let transfer_state: Vec<JsonText<'_>> = column(transfers, |row| JsonText(&row.state));

    let event_at: Vec<i32> = column(events, |row: &EventRow| place(row.at));
    let ordinal: Vec<i64> = column(events, |row| row.ordinal);
    let business: Vec<Uuid> = column(events, |row| row.business_id.uuid());
    let sequence: Vec<i64> = column(events, |row| row.sequence);
    let event_id: Vec<Uuid> = column(events, |row| row.event_id.uuid());
    let event_type: Vec<&str> = column(events, |row| row.event_type);
    let event_version: Vec<&str> = column(events, |row| row.event_version);
    let payload: Vec<JsonText<'_>> = column(events, |row| JsonText(&row.payload));
    let metadata: Vec<JsonText<'_>> = column(events, |row| JsonText(&row.metadata));
    let recorded_at: Vec<DateTime<Utc>> = column(events, |row| row.recorded_at);
    let occurred_at: Vec<DateTime<Utc>> = column(events, |row| row.occurred_at);
    let digest: Vec<&[u8]> = column(events, |row| row.digest.as_slice());
    let chain: Vec<&[u8]> = column(events, |row| row.chain.as_slice());
    let key: Vec<Option<Uuid>> = column(events, |row| row.key.map(|own| Uuid::from_bytes(own.key)));
    let fingerprint: Vec<Option<Uuid>> =
        column(events, |row| row.key.map(|own| Uuid::from_bytes(own.fingerprint)));
    let span: Vec<Option<i16>> = column(events, |row| row.key.as_ref().map(|key| key.span));

    let parameters: [&(dyn ToSql + Sync); 49] = [
        &shard,
        &epoch,
        &count,
        &recorded,
        &head_at,
        &head_business,
        &head_expected,
        &head_version,
        &receivable,
        &available,
        &in_transfer,
        &held_by_staff,
        &in_dispute,
        &platform_fees,
        &clearing,
        &head_chain,
        &head_recent,
        &sale_at,
        &sale_id,
        &sale_existed,
        &sale_business,
        &sale_status,
        &sale_created,
        &sale_sequence,
        &sale_state,
        &transfer_at,
        &transfer_id,
        &transfer_existed,
        &transfer_business,
        &transfer_status,
        &transfer_created,
        &transfer_sequence,
        &transfer_state,
        &event_at,
        &ordinal,
        &business,
        &sequence,
        &event_id,
        &event_type,
        &event_version,
        &payload,
        &metadata,
        &recorded_at,
        &occurred_at,
        &digest,
        &chain,
        &key,
        &fingerprint,
        &span,
    ];
    match connection.client.query_one(&connection.append, &parameters).await {
        Ok(row) => Ok(Appended(row.get(0))),
        Err(error) => Err(append_error(&error)),
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
fn place(at: usize) -> i32 {
    i32::try_from(at + 1).expect("a batch has at most 16 shards")
}

fn append_error(error: &tokio_postgres::Error) -> AppendError {
    let Some(state) = refused(error) else {
        tracing::warn!(%error, "the connection was lost during an append");
        return AppendError::Lost;
    };
    let database_error = error.as_db_error();
    tracing::warn!(state = state.code(), error = ?database_error, "an append was refused");
    match state.code() {
        "RZ001" | "RZ003" | "40001" | "40P01" => AppendError::Conflict,
        "23505" if database_error.and_then(DbError::constraint) == Some("sale_state_pkey") => {
            let sale = database_error.and_then(DbError::detail).and_then(named_id);
            AppendError::SalesBelongToOther(sale.map(SaleId::from_uuid).into_iter().collect())
        }
        "23505" if database_error.and_then(DbError::constraint) == Some("transfer_state_pkey") => {
            let transfer = database_error.and_then(DbError::detail).and_then(named_id);
            AppendError::TransfersBelongToOther(transfer.map(TransferId::from_uuid).into_iter().collect())
        }
        "23505" if database_error.and_then(DbError::constraint) == Some("event_idempotency") => {
            AppendError::KeyUsed
        }
        code if code.starts_with("22") || code.starts_with("23") => AppendError::Rejected,
        _ => AppendError::Unavailable,
    }
}

/// `Key (sale_id)=(…) already exists.`
fn named_id(detail: &str) -> Option<Uuid> {
    let (_, rest) = detail.split_once(")=(")?;
    let (id, _) = rest.split_once(')')?;
    id.parse().ok()
}
