//! For probes and scrapers, on any host: whether the process lives, whether it can serve, and how it is doing.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use projections::{ShardLag, lag};
use serde::Serialize;
use tokio::time::timeout;

use crate::AppState;
use crate::metrics;

/// A probe that waits longer would be answered too late.
const PATIENCE: Duration = Duration::from_secs(2);
/// Beyond this the screens would show yesterday's world.
const LAG_EVENTS_MAX: i64 = 20_000;

pub async fn healthz() -> &'static str {
    "ok\n"
}

#[derive(Debug, Serialize)]
pub struct Readiness {
    ready: bool,
    database: bool,
    /// Read models that met an event they cannot take, and wait for people: `model of shard at position`.
    stopped: Vec<String>,
    /// Events that the slowest read model has still to fold.
    lag_events: i64,
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
    let standing = metrics::Standing {
        database_up: readiness.database,
        projections_stopped: readiness.stopped.len(),
        projections_lag_events: readiness.lag_events,
        pool_open: pool.size,
        pool_idle: pool.available,
        pool_wanted: pool.waiting,
    };
    (
        [(header::CONTENT_TYPE, "text/plain; version=0.0.4")],
        metrics::render() + &standing.render(),
    )
}

async fn readiness(state: &AppState) -> Readiness {
    match timeout(PATIENCE, shards(state)).await {
        Ok(Ok(shards)) => judge(&shards),
        Ok(Err(error)) => {
            tracing::warn!(%error, "not ready");
            Readiness {
                ready: false,
                database: false,
                stopped: vec![],
                lag_events: 0,
            }
        }
        Err(_) => {
            tracing::warn!("not ready: the database did not answer in time");
            Readiness {
                ready: false,
                database: false,
                stopped: vec![],
                lag_events: 0,
            }
        }
    }
}

async fn shards(state: &AppState) -> Result<Vec<ShardLag>, projections::Error> {
    lag(&**state.pool.get().await?).await
}

fn judge(shards: &[ShardLag]) -> Readiness {
    let lag_events = shards.iter().map(ShardLag::events).max().unwrap_or(0);
    let stopped: Vec<String> = shards
        .iter()
        .flat_map(|shard| {
            shard.models.iter().filter_map(|at| {
                let stop = at.stopped.as_ref()?;
                Some(format!("{} of {} at {}", at.model, shard.shard, stop.position))
            })
        })
        .collect();
    Readiness {
        ready: stopped.is_empty() && lag_events <= LAG_EVENTS_MAX,
        database: true,
        stopped,
        lag_events,
    }
}
