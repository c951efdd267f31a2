//! The numbers that operators see about attempts.

use std::time::Duration;

use gateway_outbox::{LateWork, QueueStats};
use tokio_postgres::{Error, GenericClient};

use crate::outboxes::ORDER_ATTEMPTS;

/// The open attempts that can be late: those that were not sent or not answered clearly, payments by card, those whose
/// last try failed, and those whose cancel was requested more than `$1` milliseconds ago. Any other PIX code or boleto
/// waits for the buyer, so it is never late.
const CAN_BE_LATE: &str = "status <> 'sent' OR payment_type = 'credit' OR last_error IS NOT NULL
                           OR cancel_asked_at < now() - interval '1 millisecond' * $1";

pub async fn queue_stats(client: &impl GenericClient, late_after: Duration) -> Result<QueueStats, Error> {
    gateway_outbox::queue_stats_if(client, &ORDER_ATTEMPTS, CAN_BE_LATE, late_after).await
}

pub async fn late_work(client: &impl GenericClient, late_after: Duration) -> Result<Vec<LateWork>, Error> {
    gateway_outbox::late_work_if(client, &ORDER_ATTEMPTS, CAN_BE_LATE, "total", late_after).await
}
