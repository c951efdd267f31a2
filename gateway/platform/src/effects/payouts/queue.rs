//! The table of payouts: adds the rows that the ledger requires, and records how the ledger ended them.

use std::time::Duration;

use chrono::{DateTime, Utc};
use gateway_environment::config::PayoutProvider;
use gateway_outbox::{LateWork, QueueStats};
use ledger_domain::sale::Provider;
use ledger_domain::{Cents, PayoutId, TransferId};
use ledger_store::trace;
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient, Row};

use crate::exceptions::work;
use crate::outboxes::{PAYOUTS, Work};
use crate::providers::payouts::PayoutOrder;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayoutEnd {
    Paid,
    Failed,
}

impl PayoutEnd {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::Failed => "failed",
        }
    }
}

/// The payouts of a status that have not ended.
pub struct OpenPayouts {
    pub status: String,
    pub payouts: i64,
    pub amount: Cents,
}

pub async fn open_by_status(client: &impl GenericClient) -> Result<Vec<OpenPayouts>, Error> {
    let rows = client
        .query_typed(
            "SELECT status, count(*), sum(amount)::int8 FROM payout
              WHERE ended_at IS NULL GROUP BY status ORDER BY status",
            &[],
        )
        .await?;
    let open = |row: &Row| OpenPayouts {
        status: row.get(0),
        payouts: row.get(1),
        amount: Cents::new(row.get(2)),
    };
    Ok(rows.iter().map(open).collect())
}

/// Adds a payout that the ledger started by the event at this position. One that was added before stays as it is.
pub(super) async fn add(
    client: &impl GenericClient,
    order: &PayoutOrder,
    position: i64,
) -> Result<(), Error> {
    trace::remember(order.payout_id.uuid());
    client
        .execute_typed(
            "INSERT INTO payout (payout_id, transfer_id, business_id, amount, destination, handled_to)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (payout_id) DO NOTHING",
            &[
                (&order.payout_id.uuid(), Type::UUID),
                (&order.transfer_id.uuid(), Type::UUID),
                (&order.business_id.uuid(), Type::UUID),
                (&order.amount.get(), Type::INT8),
                (&Json(&order.destination), Type::JSON),
                (&position, Type::INT8),
            ],
        )
        .await
        .map(drop)
}

/// Records the result that the ledger has for a payout. A later result replaces an earlier one, as in the ledger. A
/// payout that this platform did not start has no row. An event that was applied before changes nothing.
pub(super) async fn end(
    client: &impl GenericClient,
    payout_id: PayoutId,
    end: PayoutEnd,
    at: DateTime<Utc>,
    position: i64,
) -> Result<(), Error> {
    let sql = work::with_exceptions_resolved(
        Work::Payout,
        "UPDATE payout SET status = $2, ended_at = $3, next_try_at = NULL, handled_to = $4
          WHERE payout_id = $1 AND (handled_to IS NULL OR handled_to < $4)
         RETURNING payout_id AS id",
    );
    client
        .query_typed(
            &sql,
            &[
                (&payout_id.uuid(), Type::UUID),
                (&end.as_str(), Type::TEXT),
                (&at, Type::TIMESTAMPTZ),
                (&position, Type::INT8),
            ],
        )
        .await
        .map(drop)
}

/// The provider through which a payout was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SentThrough {
    /// This transfer has no such payout.
    NoSuchPayout,
    /// It was not sent yet, or its provider is one that only a newer version of the program knows.
    NoKnownProvider,
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
    let Some(row) = row else {
        return Ok(SentThrough::NoSuchPayout);
    };
    let provider = row.get::<_, Option<&str>>(0).and_then(PayoutProvider::named);
    Ok(provider.map_or(SentThrough::NoKnownProvider, |provider| {
        SentThrough::Provider(provider.signs_notices_as())
    }))
}

pub async fn queue_stats(client: &impl GenericClient, late_after: Duration) -> Result<QueueStats, Error> {
    gateway_outbox::queue_stats(client, &PAYOUTS, late_after).await
}

pub async fn late_work(client: &impl GenericClient, late_after: Duration) -> Result<Vec<LateWork>, Error> {
    gateway_outbox::late_work(client, &PAYOUTS, "amount", late_after).await
}
