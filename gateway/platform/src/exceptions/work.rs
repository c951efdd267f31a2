//! Unreadable rows of work (payouts, refunds, e-mails). They are parked until staff retry or close them.
//!
//! The exception contains only the id of the row and its company: a row may contain data that staff must not read.

use ledger_domain::ids::UserId;
use ledger_domain::{BusinessId, PayoutId, TransferId};
use ledger_store::log;
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use crate::error::Result;

/// A kind of work: one per table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    Payout,
    Refund,
    Email,
}

/// A claimed row with an unreadable column.
#[derive(Debug, Clone)]
pub struct UnreadableRow {
    pub work: Work,
    pub id: Uuid,
    pub business_id: Option<BusinessId>,
    pub column: &'static str,
    /// It was never sent, so any provider may be chosen later.
    pub unsent: bool,
}

impl Work {
    const fn table(self) -> &'static str {
        match self {
            Self::Payout => "payout",
            Self::Refund => "refund",
            Self::Email => "mail",
        }
    }

    pub fn of_column(table: &str) -> Option<Self> {
        [Self::Payout, Self::Refund, Self::Email]
            .into_iter()
            .find(|work| work.table() == table)
    }

    /// The type in the list, next to the types of notices.
    const fn exception_type(self) -> &'static str {
        match self {
            Self::Payout => "payout.unreadable",
            Self::Refund => "refund.unreadable",
            Self::Email => "email.unreadable",
        }
    }

    const fn reason(self) -> &'static str {
        match self {
            Self::Payout => "unreadable_payout",
            Self::Refund => "unreadable_refund",
            Self::Email => "unreadable_email",
        }
    }

    /// `$1` is the row's id, `$2` whether it was never sent.
    const fn park(self) -> &'static str {
        match self {
            Self::Payout => {
                "UPDATE payout SET status = 'unreadable', next_try_at = NULL, last_error = 'unreadable',
                                   provider = CASE WHEN $2 THEN NULL ELSE provider END
                  WHERE payout_id = $1 AND ended_at IS NULL AND status <> 'unreadable'"
            }
            Self::Refund => {
                "UPDATE refund SET status = 'unreadable', next_try_at = NULL, last_error = 'unreadable',
                                   updated_at = now()
                  WHERE refund_id = $1 AND ended_at IS NULL AND status <> 'unreadable' AND $2 IS NOT NULL"
            }
            Self::Email => {
                "UPDATE mail SET status = 'given-up', next_try_at = NULL, ended_at = now(), last_error = 'unreadable'
                  WHERE id = $1 AND status = 'waiting' AND $2 IS NOT NULL"
            }
        }
    }

    /// A row that may have been sent is looked up before it is sent again.
    const fn resume(self) -> &'static str {
        match self {
            Self::Payout => {
                "UPDATE payout SET status = CASE WHEN provider IS NULL THEN 'waiting' ELSE 'unknown' END,
                                   next_try_at = now()
                  WHERE payout_id = $1 AND status = 'unreadable'"
            }
            Self::Refund => {
                "UPDATE refund SET status = 'unknown', next_try_at = now(), updated_at = now()
                  WHERE refund_id = $1 AND status = 'unreadable'"
            }
            Self::Email => {
                "UPDATE mail SET status = 'waiting', next_try_at = now(), ended_at = NULL
                  WHERE id = $1 AND status = 'given-up' AND last_error = 'unreadable'"
            }
        }
    }
}

/// Takes the row out of its queue and adds it to the exceptions queue, in one statement.
pub async fn park(client: &impl GenericClient, row: &UnreadableRow) -> Result<(), Error> {
    let UnreadableRow {
        work,
        id,
        business_id,
        column,
        unsent,
    } = row;
    let name = work.table();
    tracing::error!(
        code = "row_unreadable", table = name, %id, column,
        "a row of work can't be read: staff must check it"
    );
    metrics::counter!("razao_rows_unreadable_total", "table" => name).increment(1);
    let body = json!({ "table": name, "id": id, "business_id": business_id }).to_string();
    let fingerprint = Sha256::digest(&body);
    let sql = format!(
        "WITH parked AS ({} RETURNING 1)
         INSERT INTO exception (id, notice_id, notice_type, fingerprint, body, reason, reason_parameters, business_id,
                                work, work_id)
         SELECT $3, $4, $5, $6, $7, $8, $9, $10, $11, $1 FROM parked
         ON CONFLICT (work, work_id) WHERE status = 'waiting' DO NOTHING",
        work.park()
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
                (&Json(json!({ "column": column })), Type::JSON),
                (&business_id.map(BusinessId::uuid), Type::UUID),
                (&name, Type::TEXT),
            ],
        )
        .await
        .map(drop)
}

/// Extends `update`, a statement that ends rows of this work and returns their ids as `id`. The result also resolves
/// the exceptions of those rows, which need no staff any more. It returns the number of ended rows.
pub fn ending(work: Work, update: &str) -> String {
    format!(
        "WITH ended AS ({update}),
              settled AS (
                UPDATE exception SET status = 'resolved', resolution = 'ended', ended_at = now()
                  FROM ended
                 WHERE exception.work = '{}' AND exception.work_id = ended.id AND exception.status = 'waiting')
         SELECT count(*) FROM ended",
        work.table()
    )
}

/// Puts the row back into its queue on behalf of staff, in the caller's transaction. Returns false if it no longer
/// waits.
pub async fn resume(client: &impl GenericClient, work: Work, id: Uuid, staff: UserId) -> Result<bool> {
    let resolved = client
        .execute_typed(
            "UPDATE exception SET status = 'resolved', resolution = 'tried_again', handled_by = $3, ended_at = now()
              WHERE work = $1 AND work_id = $2 AND status = 'waiting'",
            &[
                (&work.table(), Type::TEXT),
                (&id, Type::UUID),
                (&staff.uuid(), Type::UUID),
            ],
        )
        .await?;
    if work == Work::Payout {
        restore_destination(client, PayoutId::from_uuid(id)).await?;
    }
    let resumed = client.execute_typed(work.resume(), &[(&id, Type::UUID)]).await?;
    Ok(resolved == 1 && resumed == 1)
}

/// Restores the destination from the ledger, which has it for each withdrawal.
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
