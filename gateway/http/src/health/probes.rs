//! The endpoints of the operations port: liveness, readiness, metrics. Only `healthz` is also public.

use axum::Json;
use axum::extract::{RawQuery, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;

use super::readiness::{Purpose, readiness};
use crate::metrics::status::{StatusGauges, begin_task_failures};
use crate::{AppState, metrics};

pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

/// Whether the process can do all that its parts are for; with `?reads`, whether it answers reads.
pub(crate) async fn readyz(State(state): State<AppState>, RawQuery(query): RawQuery) -> impl IntoResponse {
    let asks_for_reads = query.is_some_and(|query| {
        query
            .split('&')
            .any(|field| field == "reads" || field.starts_with("reads="))
    });
    let purpose = if asks_for_reads {
        Purpose::Reads
    } else {
        Purpose::All
    };
    let readiness = readiness(&state, purpose).await;
    let status = if readiness.ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    ([(header::CACHE_CONTROL, "no-store")], (status, Json(readiness)))
}

pub(crate) async fn get_metrics(State(state): State<AppState>) -> impl IntoResponse {
    let readiness = readiness(&state, Purpose::All).await;
    // A database that did not answer just now is not asked for more.
    let slow = if readiness.database {
        state.slow_figures.of(&state).await
    } else {
        None
    };
    let pool = state.pool.status();
    let tasks = state.supervisor.tasks();
    begin_task_failures(&tasks);
    let gauges = StatusGauges {
        pool_open: pool.size,
        pool_idle: pool.available,
        pool_wanted: pool.waiting,
        tasks,
        clock_difference: state.clock.difference(),
        readiness,
        slow,
    };
    (
        [(header::CONTENT_TYPE, "text/plain; version=0.0.4")],
        metrics::render(state.config.build.version) + &gauges.render(),
    )
}
