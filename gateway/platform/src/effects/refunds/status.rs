//! The state of refunds: of one sale for its screen, and of all refunds for operators.

use std::time::Duration;

use chrono::{DateTime, Utc};
use gateway_outbox::{LateWork, QueueStats};
use ledger_domain::{Cents, SaleId};
use ledger_rows::{FromRow, fetch, params, row};
use tokio_postgres::{Error, GenericClient};

use crate::outboxes::REFUNDS;

row! {
    /// A refund of a sale that the platform requested, with all its requests.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct RefundState {
        /// The ledger's id of the refund. `None` for a cancel of the whole sale.
        pub reference: Option<String>,
        pub amount: Cents,
        pub status: RefundStatus = "CASE WHEN status IN ('done', 'refused') THEN status ELSE 'asked' END",
        /// The number of tries, over all its requests.
        pub tries: i64,
        /// The acquirer's reason, if it refused.
        pub reason: Option<String>,
        pub updated_at: DateTime<Utc>,
    }
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

/// The sale's refunds in the order in which they were first requested, each as its last request left it.
pub async fn of_sale(client: &impl GenericClient, sale_id: SaleId) -> Result<Vec<RefundState>, Error> {
    let sql = format!(
        "SELECT {} FROM (
             SELECT DISTINCT ON (reference) reference, amount, status, reason, updated_at,
                    (sum(tries) OVER of_refund)::int8 AS tries, min(created_at) OVER of_refund AS requested_at,
                    min(handled_to) OVER of_refund AS position
               FROM refund WHERE sale_id = $1
             WINDOW of_refund AS (PARTITION BY reference)
              ORDER BY reference, attempt DESC) AS refund
          ORDER BY requested_at, position",
        RefundState::COLUMNS
    );
    fetch(client, &sql, params![sale_id]).await
}

pub async fn queue_stats(client: &impl GenericClient, late_after: Duration) -> Result<QueueStats, Error> {
    gateway_outbox::queue_stats(client, &REFUNDS, late_after).await
}

pub async fn late_work(client: &impl GenericClient, late_after: Duration) -> Result<Vec<LateWork>, Error> {
    gateway_outbox::late_work(client, &REFUNDS, "amount", late_after).await
}
