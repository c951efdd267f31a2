//! The endpoints of the operations port: liveness, readiness, metrics. Only `healthz` is also public.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;

use super::readiness::readiness;
use crate::{AppState, metrics};

pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

pub(crate) async fn readyz(State(state): State<AppState>) -> impl IntoResponse {
    let readiness = readiness(&state).await;
    let status = if readiness.ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    ([(header::CACHE_CONTROL, "no-store")], (status, Json(readiness)))
}

pub(crate) async fn get_metrics(State(state): State<AppState>) -> impl IntoResponse {
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
        orders_open: readiness.orders_open,
        orders_late: readiness.orders_late,
        emails_waiting: readiness.emails_waiting,
        emails_oldest_seconds: readiness.emails_oldest_seconds,
        report_emails_late: readiness.report_emails_late,
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
