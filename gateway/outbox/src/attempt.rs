//! One try of a row: makes the calls and records their outcome.
//!
//! The process can die at any point. The next claim of the row continues from the recorded outcome.

use std::time::Duration;

use tokio_postgres::types::Type;

use crate::outbox::{End, Fault, Job, Outbox, Outcome, SendState};
use crate::pauses::milliseconds;

/// Tries once and writes the outcome to the row. If this fails, the row is claimed again when the lease ends.
pub async fn attempt<O: Outbox>(outbox: &O, job: &Job<O::Order>) -> Result<(), O::Error> {
    let backoff = outbox.retry_policy().backoff;
    match call(outbox, job).await? {
        Outcome::Accepted => postpone(outbox, job, Some("sent"), None, backoff.after(job.attempt)).await,
        Outcome::Ended(end) => finish(outbox, job, &end).await,
        Outcome::Retry(fault) => match O::give_up(job, &fault) {
            Some(end) => finish(outbox, job, &end).await,
            None => retry(outbox, job, &fault, backoff.after(job.attempt)).await,
        },
        Outcome::RetryRarely(fault) => retry(outbox, job, &fault, backoff.last).await,
    }
}

/// Looks up an order that may have been sent, and sends it only if the other system does not have it.
async fn call<O: Outbox>(outbox: &O, job: &Job<O::Order>) -> Result<Outcome<O::End>, O::Error> {
    if job.send_state != SendState::Unsent {
        let found = outbox.look_up(job).await?;
        // An order that was sent and is not found is not sent again: a system that lost the order may also have lost
        // the fact that it acted on it.
        if found.is_some() || job.send_state == SendState::Sent {
            return outbox.outcome(job, found).await;
        }
    }
    if let Some(outcome) = outbox.check_superseded(job).await? {
        return Ok(outcome);
    }
    // It was never sent, was lost, or is still on its way. A second sending has the same id.
    let answer = outbox.send(job).await?;
    outbox.outcome(job, Some(answer)).await
}

async fn retry<O: Outbox>(
    outbox: &O,
    job: &Job<O::Order>,
    fault: &Fault,
    pause: Duration,
) -> Result<(), O::Error> {
    outbox.on_postponed(job, fault);
    postpone(outbox, job, None, Some(fault), pause).await
}

async fn postpone<O: Outbox>(
    outbox: &O,
    job: &Job<O::Order>,
    status: Option<&'static str>,
    fault: Option<&Fault>,
    pause: Duration,
) -> Result<(), O::Error> {
    let client = outbox.pool().get().await?;
    client
        .execute_typed(
            &O::TABLE.postpone_sql(status),
            &[
                (&job.id, Type::UUID),
                (&job.attempt, Type::INT4),
                (&fault.map(Fault::as_str), Type::TEXT),
                (&milliseconds(pause), Type::INT8),
            ],
        )
        .await?;
    Ok(())
}

async fn finish<O: Outbox>(outbox: &O, job: &Job<O::Order>, end: &O::End) -> Result<(), O::Error> {
    let mut client = outbox.pool().get().await?;
    let tx = client.transaction().await?;
    let ended = tx
        .execute_typed(
            &O::TABLE.end_sql(),
            &[
                (&job.id, Type::UUID),
                (&end.status(), Type::TEXT),
                (&end.fault().map(Fault::as_str), Type::TEXT),
            ],
        )
        .await?;
    if ended == 1 {
        outbox.on_ended(&tx, job, end).await?;
    }
    tx.commit().await?;
    Ok(())
}
