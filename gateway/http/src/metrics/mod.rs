//! The metrics of the process in Prometheus's text format. A process has one recorder, even if a test starts several
//! gateways in it.

mod families;
mod page;
mod process;
pub mod status;

use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use ledger_store::Supervisor;
use ledger_store::supervisor::{Failure, Supervised};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// The upper bounds of the histogram buckets, in seconds.
const BUCKETS: [f64; 10] = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0];

/// The default of the exporter's own upkeep task, which `install_recorder` does not start.
const SUM_UP_EVERY: Duration = Duration::from_secs(5);

static RECORDER: OnceLock<Option<Recorder>> = OnceLock::new();

struct Recorder {
    handle: PrometheusHandle,
    started_at: SystemTime,
}

/// Must be called before the first metric is recorded. Values that are recorded earlier are lost.
pub fn install() {
    RECORDER.get_or_init(|| {
        let durations = Matcher::Suffix("_duration_seconds".to_owned());
        let commits = Matcher::Full("razao_ledger_commit_seconds".to_owned());
        let builder = PrometheusBuilder::new()
            .set_buckets_for_metric(durations, &BUCKETS)
            .and_then(|builder| builder.set_buckets_for_metric(commits, &BUCKETS));
        match builder
            .map_err(|error| error.to_string())
            .and_then(|b| b.install_recorder().map_err(|e| e.to_string()))
        {
            Ok(handle) => {
                families::begin();
                Some(Recorder {
                    handle,
                    started_at: SystemTime::now(),
                })
            }
            Err(error) => {
                tracing::error!(error, "the metrics recorder could not be installed");
                None
            }
        }
    });
}

/// What was recorded, and the figures of the process itself. Each family has its head, also without a sample.
pub fn render(version: &str) -> String {
    let Some(recorder) = recorder() else {
        return String::new();
    };
    let recorded = recorder.handle.render();
    let heads = families::heads_missing_in(&recorded);
    recorded + &heads + &process::render(recorder.started_at, version)
}

/// Sums up the samples of the histograms at an interval. A scrape does so too, but the recorder keeps each sample until
/// then. Without a scrape, its memory would grow.
pub fn start_upkeep(supervisor: &Supervisor) -> Supervised {
    supervisor.every("upkeep of metrics", SUM_UP_EVERY, || async {
        if let Some(recorder) = recorder() {
            recorder.handle.run_upkeep();
        }
        Ok::<_, Failure>(())
    })
}

fn recorder() -> Option<&'static Recorder> {
    RECORDER.get().and_then(Option::as_ref)
}
