//! The numbers that operators see about attempts.

use std::time::Duration;

use gateway_outbox::{LateWork, QueueStats};
use tokio_postgres::{Error, GenericClient};

use crate::outboxes::ORDER_ATTEMPTS;

pub async fn queue_stats(client: &impl GenericClient, late_after: Duration) -> Result<QueueStats, Error> {
    gateway_outbox::queue_stats(client, &ORDER_ATTEMPTS, late_after).await
}

pub async fn late_work(client: &impl GenericClient, late_after: Duration) -> Result<Vec<LateWork>, Error> {
    gateway_outbox::late_work(client, &ORDER_ATTEMPTS, "total", late_after).await
}
