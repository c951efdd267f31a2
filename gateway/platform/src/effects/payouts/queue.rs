//! The table of payouts: adds rows, claims those that are due, and records the results of tries.
//!
//! A claim moves the next try beyond the longest call before anything is sent. So several nodes can work concurrently,
//! and a node that dies leaves a row that the next claim looks up.

use std::time::Duration;

use chrono::{DateTime, Utc};
use gateway_environment::config::PayoutProvider;
use ledger_domain::sale::Provider;
use ledger_domain::transfer::Destination;
use ledger_domain::{BusinessId, Cents, PayoutId, TransferId};
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient, Row};

use crate::effects::working::{QueueStats, SendState, milliseconds};
use crate::exceptions::work::{self, UnreadableRow, Work};
use crate::providers::calls::CallFault;
use crate::providers::payouts::PayoutOrder;

/// A payout that this process has claimed.
#[derive(Debug, Clone)]
pub struct PayoutJob {
    pub order: PayoutOrder,
    /// The number of this try. It also distinguishes this claim from a later one of the same row.
    pub tries: i32,
    pub send_state: SendState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayoutEnd {
    Paid,
    Failed,
}

impl PayoutEnd {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::Failed => "failed",
        }
    }
}

/// Adds a payout that the ledger started.
pub(super) async fn add(client: &impl GenericClient, order: &PayoutOrder) -> Result<(), Error> {
    client
        .execute_typed(
            "INSERT INTO payout (payout_id, transfer_id, business_id, amount, destination)
             VALUES ($1, $2, $3, $4, $5)",
            &[
                (&order.payout_id.uuid(), Type::UUID),
                (&order.transfer_id.uuid(), Type::UUID),
                (&order.business_id.uuid(), Type::UUID),
                (&order.amount.get(), Type::INT8),
                (&Json(&order.destination), Type::JSON),
            ],
        )
        .await
        .map(drop)
}

/// Records the result that the ledger has for a payout. A later result replaces an earlier one, as in the ledger. A
/// payout that this platform did not start has no row.
pub(super) async fn end(
    client: &impl GenericClient,
    payout_id: PayoutId,
    end: PayoutEnd,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let sql = work::ending(
        Work::Payout,
        "UPDATE payout SET status = $2, ended_at = $3, next_try_at = NULL WHERE payout_id = $1
         RETURNING payout_id AS id",
    );
    client
        .query_typed(
            &sql,
            &[
                (&payout_id.uuid(), Type::UUID),
                (&end.as_str(), Type::TEXT),
                (&at, Type::TIMESTAMPTZ),
            ],
        )
        .await
        .map(drop)
}

/// Ends a row that is still open, after the worker reported the result to the ledger. The effect handler may not have
/// read the event yet; a result that it wrote is not changed.
pub(super) async fn end_open(
    client: &impl GenericClient,
    job: &PayoutJob,
    end: PayoutEnd,
) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE payout SET status = $2, ended_at = now(), next_try_at = NULL
              WHERE payout_id = $1 AND ended_at IS NULL",
            &[
                (&job.order.payout_id.uuid(), Type::UUID),
                (&end.as_str(), Type::TEXT),
            ],
        )
        .await
        .map(drop)
}

/// The provider through which a payout was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SentThrough {
    /// This transfer has no such payout.
    Unknown,
    NoProvider,
    /// The provider that signs the payout's notices.
    Provider(Provider),
}

/// Both ids must be of one row: a payout pays one transfer.
pub async fn sent_through(
    client: &impl GenericClient,
    payout_id: PayoutId,
    transfer_id: TransferId,
) -> Result<SentThrough, Error> {
    let row = client
        .query_typed(
            "SELECT provider FROM payout WHERE payout_id = $1 AND transfer_id = $2",
            &[(&payout_id.uuid(), Type::UUID), (&transfer_id.uuid(), Type::UUID)],
        )
        .await?
        .pop();
    Ok(
        match row.map(|row| row.get::<_, Option<&str>>(0).map(PayoutProvider::named)) {
            None => SentThrough::Unknown,
            // This version of the program accepts no notice of a provider that it does not know.
            Some(None | Some(None)) => SentThrough::NoProvider,
            Some(Some(Some(payouts))) => SentThrough::Provider(payouts.signs_notices_as()),
        },
    )
}

/// Claims at most `most` rows that are due, for the time of the lease.
pub(super) async fn claim(
    client: &impl GenericClient,
    provider: PayoutProvider,
    most: usize,
    lease: Duration,
) -> Result<Vec<Result<PayoutJob, UnreadableRow>>, Error> {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let rows = client
        .query_typed(
            "WITH chosen AS MATERIALIZED (
                SELECT payout_id, status FROM payout
                 WHERE ended_at IS NULL AND next_try_at <= now() AND (provider IS NULL OR provider = $1)
                 ORDER BY next_try_at LIMIT $2 FOR UPDATE SKIP LOCKED)
             UPDATE payout
                SET provider = $1, tries = tries + 1, next_try_at = now() + interval '1 millisecond' * $3,
                    status = CASE payout.status WHEN 'waiting' THEN 'unknown' ELSE payout.status END
               FROM chosen
              WHERE payout.payout_id = chosen.payout_id
          RETURNING payout.payout_id, transfer_id, business_id, amount, destination, tries, chosen.status",
            &[
                (&provider.as_str(), Type::TEXT),
                (&most, Type::INT8),
                (&milliseconds(lease), Type::INT8),
            ],
        )
        .await?;
    Ok(rows.iter().map(job).collect())
}

fn job(row: &Row) -> Result<PayoutJob, UnreadableRow> {
    let payout_id = PayoutId::from_uuid(row.get(0));
    let business_id = BusinessId::from_uuid(row.get(2));
    let Json(destination): Json<Destination> = row.try_get(4).map_err(|_| UnreadableRow {
        work: Work::Payout,
        id: payout_id.uuid(),
        business_id: Some(business_id),
        column: "destination",
        unsent: row.get::<_, &str>(6) == "waiting",
    })?;
    Ok(PayoutJob {
        order: PayoutOrder {
            payout_id,
            transfer_id: TransferId::from_uuid(row.get(1)),
            business_id,
            amount: Cents::new(row.get(3)),
            destination,
        },
        tries: row.get(5),
        send_state: match row.get(6) {
            "waiting" => SendState::Unsent,
            "sent" => SendState::Sent,
            _ => SendState::Uncertain,
        },
    })
}

/// The bank has the order and has not decided.
pub(super) async fn sent(client: &impl GenericClient, job: &PayoutJob, pause: Duration) -> Result<(), Error> {
    postpone(client, job, "'sent'", None, pause).await
}

/// The try gave no result, because of `fault`.
pub(super) async fn retry_later(
    client: &impl GenericClient,
    job: &PayoutJob,
    fault: CallFault,
    pause: Duration,
) -> Result<(), Error> {
    postpone(client, job, "status", Some(fault.0), pause).await
}

/// Does not change a row that has ended or that another process has claimed since.
async fn postpone(
    client: &impl GenericClient,
    job: &PayoutJob,
    status: &'static str,
    fault: Option<&str>,
    pause: Duration,
) -> Result<(), Error> {
    let sql = format!(
        "UPDATE payout SET status = {status}, last_error = $3, next_try_at = now() + interval '1 millisecond' * $4
          WHERE payout_id = $1 AND tries = $2 AND ended_at IS NULL"
    );
    client
        .execute_typed(
            &sql,
            &[
                (&job.order.payout_id.uuid(), Type::UUID),
                (&job.tries, Type::INT4),
                (&fault, Type::TEXT),
                (&milliseconds(pause), Type::INT8),
            ],
        )
        .await
        .map(drop)
}

pub async fn queue_stats(client: &impl GenericClient, late_after: Duration) -> Result<QueueStats, Error> {
    let row = client
        .query_typed(
            "SELECT count(*), count(*) FILTER (WHERE created_at < now() - interval '1 millisecond' * $1)
               FROM payout WHERE ended_at IS NULL",
            &[(&milliseconds(late_after), Type::INT8)],
        )
        .await?
        .pop();
    Ok(row.map_or(QueueStats::default(), |row| QueueStats {
        open: row.get(0),
        late: row.get(1),
    }))
}
