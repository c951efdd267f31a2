//! The state of refunds: of one sale for its screen, and of all refunds for operators.

use std::time::Duration;

use chrono::{DateTime, Utc};
use gateway_outbox::QueueStats;
use ledger_domain::SaleId;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use crate::outboxes::REFUNDS;

/// The state of the last refund of a sale that the platform requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundState {
    pub status: RefundStatus,
    /// The number of tries, over all its requests.
    pub tries: i64,
    /// The acquirer's reason, if it refused.
    pub reason: Option<String>,
    pub updated_at: DateTime<Utc>,
}

ledger_domain::words! {
    /// asked: the acquirer has not decided yet, or the request is unreadable and waits for staff. refused: refused for
    /// good; staff find it in the exceptions queue.
    pub enum RefundStatus {
        Asked = "asked",
        Done = "done",
        Refused = "refused",
    }
}

/// The state of the sale's last request; `None` if there is none.
pub async fn of_sale(client: &impl GenericClient, sale_id: SaleId) -> Result<Option<RefundState>, Error> {
    let row = client
        .query_typed(
            "SELECT status, (sum(tries) OVER (PARTITION BY reference))::int8, reason, updated_at
               FROM refund WHERE sale_id = $1 ORDER BY created_at DESC, attempt DESC LIMIT 1",
            &[(&sale_id.uuid(), Type::UUID)],
        )
        .await?
        .pop();
    Ok(row.map(|row| RefundState {
        status: match row.get(0) {
            "done" => RefundStatus::Done,
            "refused" => RefundStatus::Refused,
            _ => RefundStatus::Asked,
        },
        tries: row.get(1),
        reason: row.get(2),
        updated_at: row.get(3),
    }))
}

pub async fn queue_stats(client: &impl GenericClient, late_after: Duration) -> Result<QueueStats, Error> {
    gateway_outbox::queue_stats(client, &REFUNDS, late_after).await
}
