//! The table of refunds: adds rows, claims those that are due, and records the results of tries.
//!
//! A claim moves the next try beyond the longest call before anything is sent. So several nodes can work concurrently,
//! and a node that dies leaves a row that the next claim looks up.

use std::time::Duration;

use deadpool_postgres::Transaction;
use ledger_domain::ids::RefundId;
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, Cents, SaleId};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use crate::effects::working::{SendState, milliseconds};
use crate::exceptions::refunds as waiting;
use crate::exceptions::work::{self, UnreadableRow, Work};
use crate::providers::calls::CallFault;
use crate::providers::refunds::RefundRequest;

/// A refund that this process has claimed.
#[derive(Debug, Clone)]
pub struct RefundJob {
    pub request: RefundRequest,
    /// The number of this try. It also distinguishes this claim from a later one of the same row.
    pub tries: i32,
    pub send_state: SendState,
}

/// Adds a refund for a cancel that the platform started and the ledger recorded.
pub(super) async fn add(client: &impl GenericClient, request: &RefundRequest) -> Result<(), Error> {
    client
        .execute_typed(
            "INSERT INTO refund (refund_id, sale_id, business_id, provider, external_id, amount)
             VALUES ($1, $2, $3, $4, $5, $6)",
            &[
                (&request.refund_id.uuid(), Type::UUID),
                (&request.sale_id.uuid(), Type::UUID),
                (&request.business_id.uuid(), Type::UUID),
                (&i16::from(request.provider.number()), Type::INT2),
                (&request.external_id, Type::TEXT),
                (&request.amount.get(), Type::INT8),
            ],
        )
        .await
        .map(drop)
}

/// Adds a new request after the acquirer's final refusal, under an id that is derived from the refused one. Returns
/// false if that request was not refused or already has a new one.
pub async fn again(client: &impl GenericClient, refused: RefundId) -> Result<bool, Error> {
    let refund_id = Uuid::new_v5(&refused.uuid(), b"again");
    let asked = client
        .execute_typed(
            "INSERT INTO refund (refund_id, sale_id, attempt, business_id, provider, external_id, amount)
             SELECT $2, sale_id, attempt + 1, business_id, provider, external_id, amount
               FROM refund WHERE refund_id = $1 AND status = 'refused'
             ON CONFLICT DO NOTHING",
            &[(&refused.uuid(), Type::UUID), (&refund_id, Type::UUID)],
        )
        .await?;
    Ok(asked == 1)
}

/// Claims at most `most` rows that are due, for the time of the lease.
pub(super) async fn claim(
    client: &impl GenericClient,
    most: usize,
    lease: Duration,
) -> Result<Vec<Result<RefundJob, UnreadableRow>>, Error> {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let rows = client
        .query_typed(
            "WITH chosen AS MATERIALIZED (
                SELECT refund_id, status FROM refund
                 WHERE ended_at IS NULL AND next_try_at <= now()
                 ORDER BY next_try_at LIMIT $1 FOR UPDATE SKIP LOCKED)
             UPDATE refund
                SET tries = tries + 1, next_try_at = now() + interval '1 millisecond' * $2, updated_at = now(),
                    status = CASE refund.status WHEN 'waiting' THEN 'unknown' ELSE refund.status END
               FROM chosen
              WHERE refund.refund_id = chosen.refund_id
          RETURNING refund.refund_id, business_id, sale_id, provider, external_id, amount, tries, chosen.status",
            &[(&most, Type::INT8), (&milliseconds(lease), Type::INT8)],
        )
        .await?;
    Ok(rows.iter().map(job).collect())
}

/// A migration of a newer version may allow providers that this version does not know.
fn job(row: &Row) -> Result<RefundJob, UnreadableRow> {
    let refund_id = RefundId::from_uuid(row.get(0));
    let business_id = BusinessId::from_uuid(row.get(1));
    let provider = u8::try_from(row.get::<_, i16>(3)).ok();
    let provider = provider.and_then(|number| Provider::from_number(number).ok());
    let provider = provider.ok_or(UnreadableRow {
        work: Work::Refund,
        id: refund_id.uuid(),
        business_id: Some(business_id),
        column: "provider",
        unsent: row.get::<_, &str>(7) == "waiting",
    })?;
    Ok(RefundJob {
        request: RefundRequest {
            refund_id,
            business_id,
            sale_id: SaleId::from_uuid(row.get(2)),
            provider,
            external_id: row.get(4),
            amount: Cents::new(row.get(5)),
        },
        tries: row.get(6),
        send_state: match row.get(7) {
            "waiting" => SendState::Unsent,
            "sent" => SendState::Sent,
            _ => SendState::Uncertain,
        },
    })
}

/// The acquirer has the request and has not decided.
pub(super) async fn sent(client: &impl GenericClient, job: &RefundJob, pause: Duration) -> Result<(), Error> {
    postpone(client, job, "'sent'", None, pause).await
}

/// The try gave no result, because of `fault`.
pub(super) async fn retry_later(
    client: &impl GenericClient,
    job: &RefundJob,
    fault: CallFault,
    pause: Duration,
) -> Result<(), Error> {
    postpone(client, job, "status", Some(fault.0), pause).await
}

/// Does not change a row that has ended or that another process has claimed since.
async fn postpone(
    client: &impl GenericClient,
    job: &RefundJob,
    status: &'static str,
    fault: Option<&str>,
    pause: Duration,
) -> Result<(), Error> {
    let sql = format!(
        "UPDATE refund SET status = {status}, last_error = $3, updated_at = now(),
                           next_try_at = now() + interval '1 millisecond' * $4
          WHERE refund_id = $1 AND tries = $2 AND ended_at IS NULL"
    );
    client
        .execute_typed(
            &sql,
            &[
                (&job.request.refund_id.uuid(), Type::UUID),
                (&job.tries, Type::INT4),
                (&fault, Type::TEXT),
                (&milliseconds(pause), Type::INT8),
            ],
        )
        .await
        .map(drop)
}

/// The acquirer answered that the buyer has the money.
pub(super) async fn done(client: &impl GenericClient, refund_id: RefundId) -> Result<(), Error> {
    let sql = work::ending(
        Work::Refund,
        "UPDATE refund SET status = 'done', ended_at = now(), updated_at = now(), next_try_at = NULL,
                           last_error = NULL
          WHERE refund_id = $1 AND ended_at IS NULL
         RETURNING refund_id AS id",
    );
    client
        .query_typed(&sql, &[(&refund_id.uuid(), Type::UUID)])
        .await
        .map(drop)
}

/// Records the acquirer's final refusal: ends the row and adds it to the exceptions queue, in one transaction. Returns
/// false if the row had already ended.
pub(super) async fn refuse(
    tx: &Transaction<'_>,
    request: &RefundRequest,
    reason: Option<&str>,
) -> Result<bool, Error> {
    let ended = tx
        .execute_typed(
            "UPDATE refund SET status = 'refused', reason = $2, ended_at = now(), updated_at = now(),
                               next_try_at = NULL, last_error = NULL
              WHERE refund_id = $1 AND ended_at IS NULL",
            &[(&request.refund_id.uuid(), Type::UUID), (&reason, Type::TEXT)],
        )
        .await?;
    if ended == 1 {
        waiting::keep(&**tx, request, reason).await?;
    }
    Ok(ended == 1)
}

/// The acquirer's notice reports that the buyer has the money. It ends the last request, whatever the acquirer answered
/// before, and resolves its exceptions.
pub async fn refunded(client: &impl GenericClient, sale_id: SaleId, provider: Provider) -> Result<(), Error> {
    client
        .execute_typed(
            "WITH done AS (
                UPDATE refund SET status = 'done', ended_at = now(), updated_at = now(), next_try_at = NULL,
                                  last_error = NULL, reason = NULL
                 WHERE sale_id = $1 AND provider = $2 AND status <> 'done'
                   AND attempt = (SELECT max(attempt) FROM refund WHERE sale_id = $1)
             RETURNING refund_id),
                  unreadable AS (
                UPDATE exception SET status = 'resolved', resolution = 'refunded', ended_at = now()
                  FROM done WHERE exception.work = 'refund' AND exception.work_id = done.refund_id
                              AND exception.status = 'waiting')
             UPDATE exception SET status = 'resolved', resolution = 'refunded', ended_at = now()
               FROM done WHERE exception.refund_id = done.refund_id AND exception.status = 'waiting'",
            &[
                (&sale_id.uuid(), Type::UUID),
                (&i16::from(provider.number()), Type::INT2),
            ],
        )
        .await
        .map(drop)
}
