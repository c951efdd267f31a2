//! One try of a row: makes the calls and records their outcome.
//!
//! The process can die at any point. The next claim of the row continues from the recorded outcome.

use std::time::Duration;

use tokio_postgres::types::Type;

use crate::outbox::{End, Fault, Health, Job, Outbox, Outcome, SendState};
use crate::pauses::milliseconds;

/// Tries once and writes the outcome to the row. If this fails, the row is claimed again when the lease ends. Returns
/// what the try showed about the other system.
pub async fn attempt<O: Outbox>(outbox: &O, job: &Job<O::Order>) -> Result<Health, O::Error> {
    let backoff = outbox.retry_policy().backoff;
    let (outcome, health) = call(outbox, job).await?;
    let awaits = (health == Health::Silent).then(|| outbox.provider(job));
    let usual = Pause {
        of: backoff.after(job.attempt),
        awaits,
    };
    match outcome {
        Outcome::Accepted => postpone(outbox, job, Some("sent"), None, usual).await?,
        Outcome::Ended(end) => finish(outbox, job, &end).await?,
        Outcome::Retry(fault) => match O::give_up(job, &fault) {
            Some(end) => finish(outbox, job, &end).await?,
            None => retry(outbox, job, &fault, usual).await?,
        },
        Outcome::RetryRarely(fault) => {
            let of = backoff.last;
            retry(outbox, job, &fault, Pause { of, awaits }).await?;
        }
    }
    Ok(health)
}

/// How long a row waits, and for which silent provider.
#[derive(Clone, Copy)]
struct Pause {
    of: Duration,
    awaits: Option<&'static str>,
}

/// Looks up an order that may have been sent, and sends it only if the other system does not have it. The last call
/// shows what the other system does now.
async fn call<O: Outbox>(outbox: &O, job: &Job<O::Order>) -> Result<(Outcome<O::End>, Health), O::Error> {
    let mut health = Health::Unsaid;
    if job.send_state != SendState::Unsent {
        let found = outbox.look_up(job).await?;
        // It answered that it does not know the order.
        health = found.as_ref().map_or(Health::Answers, O::health);
        // An order that was sent and is not found is not sent again: a system that lost the order may also have lost
        // the fact that it acted on it.
        if found.is_some() || job.send_state == SendState::Sent {
            return Ok((outbox.outcome(job, found).await?, health));
        }
    }
    if let Some(outcome) = outbox.check_superseded(job).await? {
        return Ok((outcome, health));
    }
    // It was never sent, was lost, or is still on its way. A second sending has the same id.
    let answer = outbox.send(job).await?;
    let health = O::health(&answer);
    Ok((outbox.outcome(job, Some(answer)).await?, health))
}

async fn retry<O: Outbox>(
    outbox: &O,
    job: &Job<O::Order>,
    fault: &Fault,
    pause: Pause,
) -> Result<(), O::Error> {
    outbox.on_postponed(job, fault);
    postpone(outbox, job, None, Some(fault), pause).await
}

async fn postpone<O: Outbox>(
    outbox: &O,
    job: &Job<O::Order>,
    status: Option<&'static str>,
    fault: Option<&Fault>,
    pause: Pause,
) -> Result<(), O::Error> {
    let client = outbox.pool().get().await?;
    client
        .execute_typed(
            &O::TABLE.postpone_sql(status),
            &[
                (&job.id, Type::UUID),
                (&job.attempt, Type::INT4),
                (&fault.map(Fault::as_str), Type::TEXT),
                (&milliseconds(pause.of), Type::INT8),
                (&pause.awaits, Type::TEXT),
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
