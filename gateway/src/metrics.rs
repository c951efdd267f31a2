//! The process's metrics in Prometheus's text form. One recorder a process, however many gateways a test starts in it.

use std::sync::OnceLock;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// Seconds: from a cached read to a stuck one.
const BUCKETS: [f64; 10] = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0];

static RECORDER: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Before anything is counted; what was counted before is lost.
pub fn install() {
    RECORDER.get_or_init(|| {
        let durations = Matcher::Suffix("_duration_seconds".to_owned());
        let builder = PrometheusBuilder::new().set_buckets_for_metric(durations, &BUCKETS);
        match builder
            .map_err(|error| error.to_string())
            .and_then(|b| b.install_recorder().map_err(|e| e.to_string()))
        {
            Ok(handle) => Some(handle),
            Err(error) => {
                tracing::error!(error, "no metrics");
                None
            }
        }
    });
}

pub fn render() -> String {
    RECORDER
        .get()
        .and_then(Option::as_ref)
        .map(PrometheusHandle::render)
        .unwrap_or_default()
}

pub fn report_readiness(database: bool, stopped: usize, lag_events: i64) {
    metrics::gauge!("razao_database_up").set(f64::from(u8::from(database)));
    metrics::gauge!("razao_projections_stopped").set(stopped as f64);
    metrics::gauge!("razao_projections_lag_events").set(lag_events as f64);
}

pub fn report_pool(size: usize, available: usize, waiting: usize) {
    metrics::gauge!("razao_pool_connections", "state" => "open").set(size as f64);
    metrics::gauge!("razao_pool_connections", "state" => "idle").set(available as f64);
    metrics::gauge!("razao_pool_connections", "state" => "wanted").set(waiting as f64);
}
