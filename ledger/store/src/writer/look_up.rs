//! One look-up for one group of commands (`lane/group.rs`): keys, heads, sales, transfers and reference data, pipelined
//! on one connection.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use futures::future::try_join5;
use thiserror::Error;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row, Statement};
use uuid::Uuid;

use super::connection::{LookUpConnection, refused};
use crate::archive;
use crate::causes::Causes;
use crate::event::StoredEvent;
use crate::lane::{FoundKey, Head, LookUpFailure, LookUpRequest, LookUpResult};
use crate::log::{LogError, found_sales, found_transfer, stored_event, stored_head};
use crate::position::Shard;
use crate::reference_data::ReferenceData;
use crate::submission::RecordedEvent;
use ledger_domain::BusinessId;
use ledger_domain::business::DecodeError;

/// Finds the events of the commands that used these keys. Most keys are new and find nothing. `span` is the number of
/// events that the command recorded, and `event` is each of them that is not archived. `OFFSET 0` fixes the join order: the statement may be
/// planned while the log is empty, and without statistics the planner may choose to read a whole shard for each key.
pub(super) const KEYS: &str = "SELECT event.shard, event.position, event.business_id, event.sequence, event.event_id, \
       event.event_type, event.event_version, event.payload::text, event.metadata::text, event.recorded_at, \
       event.occurred_at, event.digest, event.chain, event.idempotency_key, event.fingerprint, event.span, \
       asked.business_id, used.idempotency_key, used.fingerprint, used.sequence, used.span \
  FROM unnest($1::smallint[], $2::uuid[], $3::uuid[]) AS asked (shard, business_id, key) \
 CROSS JOIN LATERAL (SELECT known.* FROM command_key known \
        WHERE known.shard = asked.shard AND known.business_id = asked.business_id \
          AND known.idempotency_key = asked.key OFFSET 0) AS used \
  LEFT JOIN LATERAL (SELECT led_to.* FROM event led_to \
        WHERE led_to.shard = asked.shard AND led_to.business_id = asked.business_id \
          AND led_to.sequence >= used.sequence AND led_to.sequence < used.sequence + used.span OFFSET 0) AS event ON true \
 ORDER BY event.shard, event.position";

#[derive(Debug, Error)]
enum LookUpError {
    #[error(transparent)]
    Database(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("a recorded event cannot be decoded")]
    Event(#[from] DecodeError),
}

pub(super) async fn look_up(
    connection: &LookUpConnection,
    reference_data: &dyn ReferenceData,
    asked: &LookUpRequest,
) -> Result<LookUpResult, LookUpFailure> {
    find(connection, reference_data, asked).await.map_err(|error| {
        if matches!(error, LookUpError::Log(LogError::ClaimBeforeEvent { .. })) {
            tracing::warn!(error = %Causes(&error), "a look-up is made again");
            return LookUpFailure::Conflict;
        }
        tracing::error!(error = %Causes(&error), "a look-up failed");
        match error {
            LookUpError::Database(error) | LookUpError::Log(LogError::Database(error))
                if refused(&error).is_none() =>
            {
                LookUpFailure::ConnectionLost
            }
            LookUpError::Database(_) | LookUpError::Log(_) | LookUpError::Event(_) => {
                LookUpFailure::DatabaseError
            }
        }
    })
}

async fn find(
    connection: &LookUpConnection,
    reference_data: &dyn ReferenceData,
    asked: &LookUpRequest,
) -> Result<LookUpResult, LookUpError> {
    let key_shards: Vec<i16> = asked
        .keys
        .iter()
        .map(|(business_id, _)| Shard::of(*business_id).sql())
        .collect();
    let key_businesses: Vec<Uuid> = asked
        .keys
        .iter()
        .map(|(business_id, _)| business_id.uuid())
        .collect();
    let keys: Vec<Uuid> = asked.keys.iter().map(|(_, key)| Uuid::from_bytes(*key)).collect();
    let head_shards: Vec<i16> = asked
        .heads
        .iter()
        .map(|business_id| Shard::of(*business_id).sql())
        .collect();
    let heads: Vec<Uuid> = asked.heads.iter().map(|business_id| business_id.uuid()).collect();
    let sales: Vec<Uuid> = asked.sales.iter().map(|sale_id| sale_id.uuid()).collect();
    let transfers: Vec<Uuid> = asked
        .transfers
        .iter()
        .map(|transfer_id| transfer_id.uuid())
        .collect();
    // Contexts come from memory unless the request asks for those in force. Memory may be out of date, so its version
    // is returned, and the append checks it.
    let remembered = if asked.contexts_in_force || asked.contexts.is_empty() {
        None
    } else {
        reference_data.remembered(&asked.contexts)
    };
    let remembered_version = remembered.as_ref().map(|remembered| remembered.version);
    let contexts = async {
        match (remembered, asked.contexts.as_slice()) {
            (Some(remembered), _) => Ok(remembered.contexts),
            (None, []) => Ok(vec![]),
            (None, requests) => reference_data.contexts(&connection.client, requests).await,
        }
    };
    let (keys, heads, sales, transfers, contexts) = try_join5(
        rows(
            connection,
            &connection.keys,
            keys.len(),
            &[&key_shards, &key_businesses, &keys],
        ),
        rows(
            connection,
            &connection.heads,
            heads.len(),
            &[&head_shards, &heads],
        ),
        rows(connection, &connection.sales, sales.len(), &[&sales]),
        rows(connection, &connection.transfers, transfers.len(), &[&transfers]),
        contexts,
    )
    .await?;
    Ok(LookUpResult {
        keys: keys_found(&connection.client, &keys).await?,
        heads: heads.iter().map(found_head).collect::<Result<_, _>>()?,
        sales: found_sales(&connection.client, &sales).await?,
        transfers: transfers.iter().map(found_transfer).collect::<Result<_, _>>()?,
        contexts,
        remembered_version,
    })
}

async fn rows(
    connection: &LookUpConnection,
    statement: &Statement,
    asked: usize,
    parameters: &[&(dyn ToSql + Sync)],
) -> Result<Vec<Row>, tokio_postgres::Error> {
    if asked == 0 {
        return Ok(vec![]);
    }
    connection.client.query(statement, parameters).await
}

fn found_head(row: &Row) -> Result<(BusinessId, Head), LogError> {
    let (business_id, stored) = stored_head(row);
    let head = stored
        .parsed()
        .map_err(|source| LogError::RecentWithdrawals { business_id, source })?;
    Ok((business_id, head))
}

/// The column of the business in `KEYS`, after the columns of `stored_event`. The used key, its fingerprint, its first
/// sequence and its span follow.
const USED_BY: usize = 16;

async fn keys_found(client: &Client, rows: &[Row]) -> Result<Vec<FoundKey>, LookUpError> {
    let mut found: BTreeMap<(BusinessId, [u8; 16]), (FoundKey, RangeInclusive<i64>)> = BTreeMap::new();
    for row in rows {
        let business_id = BusinessId::from_uuid(row.get(USED_BY));
        let (key, fingerprint) = (uuid_bytes(row, USED_BY + 1), uuid_bytes(row, USED_BY + 2));
        let (first, span): (i64, i16) = (row.get(USED_BY + 3), row.get(USED_BY + 4));
        let (found, _) = found.entry((business_id, key)).or_insert_with(|| {
            let found = FoundKey {
                business_id,
                key,
                fingerprint,
                events: vec![],
            };
            (found, first..=first + i64::from(span) - 1)
        });
        if row.get::<_, Option<i64>>(1).is_some() {
            found.events.push(recorded(&stored_event(row))?);
        }
    }
    let mut complete = vec![];
    for (mut found, sequences) in found.into_values() {
        let live = found
            .events
            .first()
            .map_or(sequences.end() + 1, |event| event.sequence);
        let missing: Vec<i64> = sequences.filter(|sequence| *sequence < live).collect();
        // The commands of most keys that are used again are not old.
        if !missing.is_empty() {
            let archived = archive::events(client, archive::VISIBLE, found.business_id, &missing).await;
            let archived = archived.map_err(LogError::from)?;
            let archived = archived.iter().map(recorded).collect::<Result<Vec<_>, _>>()?;
            found.events.splice(..0, archived);
        }
        if !found.events.is_empty() {
            complete.push(found);
        }
    }
    Ok(complete)
}

fn recorded(event: &StoredEvent) -> Result<RecordedEvent, DecodeError> {
    Ok(RecordedEvent {
        event_id: event.event_id,
        sequence: event.sequence,
        shard: event.shard,
        position: event.position,
        recorded_at: event.recorded_at,
        event: Arc::new(event.decode()?),
    })
}

fn uuid_bytes(row: &Row, column: usize) -> [u8; 16] {
    row.get::<_, Uuid>(column).into_bytes()
}
