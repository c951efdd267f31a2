//! Liveness, readiness and metrics for operators. Only `healthz` is also public.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use gateway_identity::mail;
use gateway_outbox::QueueStats;
use gateway_platform::effects::{self, StoppedEffectHandler, payouts, refunds};
use ledger_store::supervisor::TaskStatus;
use projections::{ShardLag, lag};
use serde::Serialize;
use tokio::time::timeout;

use crate::problem::Problem;
use crate::{AppState, metrics};

/// A probe would time out if the database took longer.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(2);
/// With a larger lag the screens would show outdated data.
const LAG_EVENTS_MAX: i64 = 20_000;

pub async fn healthz() -> &'static str {
    "ok\n"
}

#[derive(Debug, Default, Serialize)]
pub struct Readiness {
    ready: bool,
    database: bool,
    /// Read models and effect handlers that stopped at a poison event and wait for staff: `name of shard at position`.
    stopped: Vec<String>,
    /// Long-lived tasks of this process that failed and have not recovered.
    failing: Vec<TaskStatus>,
    /// Events that the slowest read model has not folded yet.
    lag_events: i64,
    #[serde(skip)]
    effects_stopped: usize,
    payouts_open: i64,
    /// Open for longer than a bank may take. Does not affect readiness; operators must look.
    payouts_late: i64,
    refunds_open: i64,
    /// Open for longer than an acquirer may take. Does not affect readiness; operators must look.
    refunds_late: i64,
    emails_waiting: i64,
    /// Age of the oldest waiting e-mail, in seconds.
    emails_oldest_seconds: i64,
}

/// The data that readiness depends on.
struct Found {
    shards: Vec<ShardLag>,
    effects: Vec<StoppedEffectHandler>,
    payouts: QueueStats,
    refunds: QueueStats,
    emails: QueueStats,
}

pub async fn readyz(State(state): State<AppState>) -> impl IntoResponse {
    let readiness = readiness(&state).await;
    let status = if readiness.ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    ([(header::CACHE_CONTROL, "no-store")], (status, Json(readiness)))
}

pub async fn get_metrics(State(state): State<AppState>) -> impl IntoResponse {
    let readiness = readiness(&state).await;
    let pool = state.pool.status();
    let gauges = metrics::StatusGauges {
        database_up: readiness.database,
        projections_stopped: readiness.stopped.len() - readiness.effects_stopped,
        projections_lag_events: readiness.lag_events,
        effects_stopped: readiness.effects_stopped,
        payouts_open: readiness.payouts_open,
        payouts_late: readiness.payouts_late,
        refunds_open: readiness.refunds_open,
        refunds_late: readiness.refunds_late,
        emails_waiting: readiness.emails_waiting,
        emails_oldest_seconds: readiness.emails_oldest_seconds,
        pool_open: pool.size,
        pool_idle: pool.available,
        pool_wanted: pool.waiting,
        tasks: state.supervisor.tasks(),
    };
    (
        [(header::CONTENT_TYPE, "text/plain; version=0.0.4")],
        metrics::render() + &gauges.render(),
    )
}

async fn readiness(state: &AppState) -> Readiness {
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
    let client = state.pool.get().await?;
    Ok(Found {
        shards: lag(&**client).await?,
        effects: effects::stopped(&**client).await?,
        payouts: payouts::queue_stats(&**client, state.config.withdrawals.payout_late_after).await?,
        refunds: refunds::queue_stats(&**client, state.config.refunds.late_after).await?,
        emails: mail::queue_stats(&**client).await?,
    })
}

fn evaluate(found: &Found) -> Readiness {
    let lag_events = found.shards.iter().map(ShardLag::events).max().unwrap_or(0);
    let models = found.shards.iter().flat_map(|shard| {
        shard.models.iter().filter_map(|at| {
            let stop = at.stopped.as_ref()?;
            Some(format!("{} of {} at {}", at.model, shard.shard, stop.position))
        })
    });
    let effects = found.effects.iter().map(|stopped| {
        let StoppedEffectHandler {
            effect_handler,
            shard,
            position,
        } = stopped;
        format!("{effect_handler} of {shard} at {position}")
    });
    let stopped: Vec<String> = models.chain(effects).collect();
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
        emails_waiting: found.emails.open,
        emails_oldest_seconds: found.emails.oldest_seconds,
    }
}
