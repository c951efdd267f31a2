//! Decides whether this process is ready for requests.

use std::time::Duration;

use gateway_identity::mail;
use gateway_identity::reports::report_emails_late;
use gateway_outbox::QueueStats;
use gateway_platform::effects::{self, StoppedEffectHandler, payouts, refunds};
use gateway_platform::orders;
use ledger_store::supervisor::TaskStatus;
use projections::{ShardLag, lag};
use serde::Serialize;
use tokio::time::timeout;

use crate::AppState;
use crate::problem::Problem;

const DATABASE_TIMEOUT: Duration = Duration::from_secs(2);
/// Ten times the lag from which answers are marked as stale (`FAR_BEHIND_EVENTS` of the projections).
const LAG_EVENTS_MAX: i64 = 20_000;

#[derive(Debug, Default, Serialize)]
pub struct Readiness {
    pub ready: bool,
    pub database: bool,
    /// Read models and effect handlers that stopped at a poison event and wait for staff, such as `sales of shard 3 at
    /// position 1042`.
    pub stopped: Vec<String>,
    /// Long-lived tasks of this process that failed and have not recovered.
    pub failing: Vec<TaskStatus>,
    /// Events that the slowest read model has not folded yet, in the shard that has the most of them.
    pub lag_events: i64,
    #[serde(skip)]
    pub effects_stopped: usize,
    pub payouts_open: i64,
    /// Open for longer than a bank may take. Does not affect readiness; operators must look.
    pub payouts_late: i64,
    pub refunds_open: i64,
    /// Open for longer than an acquirer may take. Does not affect readiness; operators must look.
    pub refunds_late: i64,
    /// Attempts of orders that have not ended.
    pub orders_open: i64,
    /// Waiting for an acquirer for longer than it may take. Does not affect readiness; operators must look.
    pub orders_late: i64,
    pub emails_waiting: i64,
    /// Age of the oldest waiting e-mail, in seconds.
    pub emails_oldest_seconds: i64,
    /// Reports by e-mail that were due before today, by the business clock. Does not affect readiness; operators must
    /// look.
    pub report_emails_late: i64,
}

/// The data that is read from the database. Without all of it, the process is not ready. Of the values, only `shards`
/// and `effects` count for readiness.
struct Found {
    shards: Vec<ShardLag>,
    effects: Vec<StoppedEffectHandler>,
    payouts: QueueStats,
    refunds: QueueStats,
    orders: QueueStats,
    emails: QueueStats,
    report_emails_late: i64,
}

pub(crate) async fn readiness(state: &AppState) -> Readiness {
    let failing = state.supervisor.failing();
    let readiness = readiness_of_database(state).await;
    Readiness {
        ready: readiness.ready && failing.is_empty(),
        failing,
        ..readiness
    }
}

async fn readiness_of_database(state: &AppState) -> Readiness {
    match timeout(DATABASE_TIMEOUT, found(state)).await {
        Ok(Ok(found)) => evaluate(&found),
        Ok(Err(problem)) => {
            tracing::warn!(message = %problem.message, "not ready");
            Readiness::default()
        }
        Err(_) => {
            tracing::warn!("not ready: the database did not answer in time");
            Readiness::default()
        }
    }
}

async fn found(state: &AppState) -> Result<Found, Problem> {
    let db = state.db().await?;
    Ok(Found {
        shards: lag(&*db).await?,
        effects: effects::stopped_handlers(&*db).await?,
        payouts: payouts::queue_stats(&*db, state.config.withdrawals.payout_late_after).await?,
        refunds: refunds::queue_stats(&*db, state.config.refunds.late_after).await?,
        orders: orders::queue_stats(&*db, state.config.acquirers.orders_late_after).await?,
        emails: mail::queue_stats(&*db).await?,
        report_emails_late: report_emails_late(&*db, state.clock.today()).await?,
    })
}

fn evaluate(found: &Found) -> Readiness {
    let lag_events = found.shards.iter().map(ShardLag::events).max().unwrap_or(0);
    let stopped_models = found.shards.iter().flat_map(|shard| {
        shard.models.iter().filter_map(|at| {
            let stop = at.stopped.as_ref()?;
            Some(format!(
                "{} of shard {} at position {}",
                at.model, shard.shard, stop.position
            ))
        })
    });
    let effects = found.effects.iter().map(|stopped| {
        let StoppedEffectHandler {
            effect_handler,
            shard,
            position,
        } = stopped;
        format!("{effect_handler} of shard {shard} at position {position}")
    });
    let stopped: Vec<String> = stopped_models.chain(effects).collect();
    Readiness {
        ready: stopped.is_empty() && lag_events <= LAG_EVENTS_MAX,
        database: true,
        stopped,
        failing: vec![],
        lag_events,
        effects_stopped: found.effects.len(),
        payouts_open: found.payouts.open,
        payouts_late: found.payouts.late,
        refunds_open: found.refunds.open,
        refunds_late: found.refunds.late,
        orders_open: found.orders.open,
        orders_late: found.orders.late,
        emails_waiting: found.emails.open,
        report_emails_late: found.report_emails_late,
        emails_oldest_seconds: found.emails.oldest_seconds,
    }
}
