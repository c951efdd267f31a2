//! Unreadable rows of outboxes. They leave their queues until staff retry them.
//!
//! The exception names the row, its company and the unreadable column. It contains no other value, because a row may
//! contain data that staff must not read.

use gateway_outbox::UnreadableRow;
use ledger_domain::ids::UserId;
use ledger_domain::{BusinessId, PayoutId, TransferId};
use ledger_store::log;
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::ExceptionResolution;
use crate::error::Result;
use crate::outboxes::Work;

/// Takes an unreadable row out of its queue and adds it to the exceptions queue, in one statement.
pub async fn add(client: &impl GenericClient, work: Work, row: &UnreadableRow) -> Result<(), Error> {
    let UnreadableRow {
        id,
        unreadable,
        unsent,
    } = row;
    let name = work.table().name;
    let business_id = unreadable.business_id.map(BusinessId::from_uuid);
    let body = json!({ "table": name, "id": id, "business_id": business_id }).to_string();
    let fingerprint = Sha256::digest(&body);
    // The table's statement has the parameters `$1` (the id) and `$2` (whether the row is unsent).
    let sql = format!(
        "WITH unreadable AS ({} RETURNING 1)
         INSERT INTO exception (id, notice_id, notice_type, fingerprint, body, reason, reason_parameters, business_id,
                                work, work_id)
         SELECT $3, $4, $5, $6, $7, $8, $9, $10, $11, $1 FROM unreadable
         ON CONFLICT (work, work_id) WHERE status = 'waiting' DO NOTHING",
        work.table().remove_from_queue_sql()
    );
    client
        .execute_typed(
            &sql,
            &[
                (id, Type::UUID),
                (unsent, Type::BOOL),
                (&Uuid::now_v7(), Type::UUID),
                (&id.to_string(), Type::TEXT),
                (&work.exception_type(), Type::TEXT),
                (&fingerprint.as_slice(), Type::BYTEA),
                (&body, Type::TEXT),
                (&work.reason(), Type::TEXT),
                (&Json(json!({ "column": unreadable.column })), Type::JSON),
                (&unreadable.business_id, Type::UUID),
                (&name, Type::TEXT),
            ],
        )
        .await
        .map(drop)
}

/// Resolves the exception of a row that has ended: it needs no staff any more.
pub async fn resolve_ended(client: &impl GenericClient, work: Work, id: Uuid) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE exception SET status = 'resolved', resolution = $3, ended_at = now()
              WHERE work = $1 AND work_id = $2 AND status = 'waiting'",
            &[
                (&work.table().name, Type::TEXT),
                (&id, Type::UUID),
                (&ExceptionResolution::Ended.as_str(), Type::TEXT),
            ],
        )
        .await
        .map(drop)
}

/// Extends `update`, a statement that ends rows of this work and returns their ids as `id`. The extended statement also
/// resolves the exceptions of those rows, which need no staff any more. It returns the number of ended rows.
pub fn with_exceptions_resolved(work: Work, update: &str) -> String {
    format!(
        "WITH ended AS ({update}),
              resolved AS (
                UPDATE exception SET status = 'resolved', resolution = '{}', ended_at = now()
                  FROM ended
                 WHERE exception.work = '{}' AND exception.work_id = ended.id AND exception.status = 'waiting')
         SELECT count(*) FROM ended",
        ExceptionResolution::Ended,
        work.table().name
    )
}

/// Puts the row back into its queue on behalf of staff, in the caller's transaction. Returns false if it no longer
/// waits: the caller then rolls back.
pub async fn resume(client: &impl GenericClient, work: Work, id: Uuid, staff: UserId) -> Result<bool> {
    let resolved = client
        .execute_typed(
            "UPDATE exception SET status = 'resolved', resolution = $4, handled_by = $3, ended_at = now()
              WHERE work = $1 AND work_id = $2 AND status = 'waiting'",
            &[
                (&work.table().name, Type::TEXT),
                (&id, Type::UUID),
                (&staff.uuid(), Type::UUID),
                (&ExceptionResolution::TriedAgain.as_str(), Type::TEXT),
            ],
        )
        .await?;
    if work == Work::Payout {
        restore_destination(client, PayoutId::from_uuid(id)).await?;
    }
    let resumed = client
        .execute_typed(&work.table().resume_sql(), &[(&id, Type::UUID)])
        .await?;
    Ok(resolved == 1 && resumed == 1)
}

/// Restores the destination of an unreadable payout from the ledger, which has it for each withdrawal.
async fn restore_destination(client: &impl GenericClient, payout_id: PayoutId) -> Result<()> {
    let row = client
        .query_typed(
            "SELECT transfer_id FROM payout WHERE payout_id = $1",
            &[(&payout_id.uuid(), Type::UUID)],
        )
        .await?
        .pop();
    let Some(transfer_id) = row.map(|row| TransferId::from_uuid(row.get(0))) else {
        return Ok(());
    };
    let found = log::transfer_states(client, &[transfer_id]).await?.pop();
    let Some(destination) = found.and_then(|(_, found)| found.state.destination) else {
        return Ok(());
    };
    client
        .execute_typed(
            "UPDATE payout SET destination = $2 WHERE payout_id = $1 AND status = 'unreadable'",
            &[(&payout_id.uuid(), Type::UUID), (&Json(&destination), Type::JSON)],
        )
        .await?;
    Ok(())
}
