//! The numbers that operators see about attempts.

use std::time::Duration;

use gateway_outbox::QueueStats;
use tokio_postgres::{Error, GenericClient};

use crate::outboxes::ORDER_ATTEMPTS;

/// A PIX code or a boleto at its acquirer waits for the buyer. All else waits for the acquirer: what it has not taken or
/// not answered clearly, a card, what it does not find, and what it is to cancel.
const WAITS_FOR_THE_ACQUIRER: &str = "status <> 'sent' OR payment_type = 'credit' OR last_error IS NOT NULL
                                      OR cancel_asked_at < now() - interval '1 millisecond' * $1";

pub async fn queue_stats(client: &impl GenericClient, late_after: Duration) -> Result<QueueStats, Error> {
    gateway_outbox::queue_stats_if(client, &ORDER_ATTEMPTS, WAITS_FOR_THE_ACQUIRER, late_after).await
}
