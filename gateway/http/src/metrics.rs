//! The metrics of the process in Prometheus's text format. A process has one recorder, even if a test starts several
//! gateways in it.

use std::sync::OnceLock;
use std::time::Duration;

use chrono::TimeDelta;
use ledger_store::supervisor::{Failure, Supervised, TaskStatus};
use ledger_store::{SHARDS, Supervisor};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::health::readiness::{Figures, Readiness};

/// The upper bounds of the histogram buckets, in seconds.
const BUCKETS: [f64; 10] = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0];

/// The default of the exporter's own upkeep task, which `install_recorder` does not start.
const SUM_UP_EVERY: Duration = Duration::from_secs(5);

static RECORDER: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Must be called before the first metric is recorded. Values that are recorded earlier are lost.
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
                tracing::error!(error, "the metrics recorder could not be installed");
                None
            }
        }
    });
}

pub fn render() -> String {
    recorder().map(PrometheusHandle::render).unwrap_or_default()
}

/// Sums up the samples of the histograms at an interval. A scrape does so too, but the recorder keeps each sample until
/// then. Without a scrape, its memory would grow.
pub fn start_upkeep(supervisor: &Supervisor) -> Supervised {
    supervisor.every("upkeep of metrics", SUM_UP_EVERY, || async {
        if let Some(recorder) = recorder() {
            recorder.run_upkeep();
        }
        Ok::<_, Failure>(())
    })
}

fn recorder() -> Option<&'static PrometheusHandle> {
    RECORDER.get().and_then(Option::as_ref)
}

/// The gauges of one gateway at the moment of the scrape. They are rendered directly, because the recorder belongs to
/// the process and the values belong to one gateway.
pub struct StatusGauges {
    pub readiness: Readiness,
    pub pool_open: usize,
    pub pool_idle: usize,
    /// Tasks that wait for a connection.
    pub pool_wanted: usize,
    pub tasks: Vec<TaskStatus>,
    /// The machine's time less the database's.
    pub clock_difference: Option<TimeDelta>,
}

impl StatusGauges {
    pub fn render(&self) -> String {
        let Self {
            readiness,
            pool_open: open,
            pool_idle: idle,
            pool_wanted: wanted,
            ..
        } = self;
        let up = u8::from(readiness.database);
        let (reads, writes) = (u8::from(readiness.reads), u8::from(readiness.writes));
        let process = self.process_lines();
        let figures = readiness.figures.as_ref().map(figure_lines).unwrap_or_default();
        let tasks = task_lines(&self.tasks);
        format!(
            "# TYPE razao_database_up gauge\nrazao_database_up {up}\n\
             # TYPE razao_ready gauge\n\
             razao_ready{{kind=\"reads\"}} {reads}\n\
             razao_ready{{kind=\"writes\"}} {writes}\n\
             # TYPE razao_pool_connections gauge\n\
             razao_pool_connections{{state=\"open\"}} {open}\n\
             razao_pool_connections{{state=\"idle\"}} {idle}\n\
             razao_pool_connections{{state=\"wanted\"}} {wanted}\n{process}{figures}{tasks}"
        )
    }

    /// The shards that this process owns, and its clock.
    fn process_lines(&self) -> String {
        let owned = &self.readiness.shards;
        let mut lines = format!(
            "# TYPE razao_ledger_shards_owned gauge\nrazao_ledger_shards_owned {}\n\
             # TYPE razao_ledger_shard_owned gauge\n",
            owned.len()
        );
        for shard in 0..SHARDS {
            let is_owned = u8::from(owned.contains(&shard));
            lines.push_str(&format!(
                "razao_ledger_shard_owned{{shard=\"{shard}\"}} {is_owned}\n"
            ));
        }
        if let Some(difference) = self.clock_difference {
            let milliseconds = difference.num_milliseconds();
            let sign = if milliseconds < 0 { "-" } else { "" };
            let (seconds, rest) = (
                milliseconds.unsigned_abs() / 1_000,
                milliseconds.unsigned_abs() % 1_000,
            );
            lines.push_str(&format!(
                "# TYPE razao_clock_difference_seconds gauge\nrazao_clock_difference_seconds {sign}{seconds}.{rest:03}\n"
            ));
        }
        lines
    }
}

/// The figures of the database. They are absent while it cannot be read: a 0 would look like a good figure, and the last
/// known ones like present ones. `razao_database_up` is 0 then.
fn figure_lines(figures: &Figures) -> String {
    let Figures {
        stopped: _,
        weak_commit: _,
        models_stopped,
        effects_stopped,
        lag_events,
        payouts_open,
        payouts_late,
        refunds_open,
        refunds_late,
        orders_open,
        orders_late,
        emails_waiting,
        emails_oldest_seconds,
        report_emails_late,
    } = figures;
    format!(
        "# TYPE razao_projections_stopped gauge\nrazao_projections_stopped {models_stopped}\n\
         # TYPE razao_projections_lag_events gauge\nrazao_projections_lag_events {lag_events}\n\
         # TYPE razao_effects_stopped gauge\nrazao_effects_stopped {effects_stopped}\n\
         # TYPE razao_payouts gauge\n\
         razao_payouts{{state=\"open\"}} {payouts_open}\n\
         razao_payouts{{state=\"late\"}} {payouts_late}\n\
         # TYPE razao_refunds gauge\n\
         razao_refunds{{state=\"open\"}} {refunds_open}\n\
         razao_refunds{{state=\"late\"}} {refunds_late}\n\
         # TYPE razao_order_attempts gauge\n\
         razao_order_attempts{{state=\"open\"}} {orders_open}\n\
         razao_order_attempts{{state=\"late\"}} {orders_late}\n\
         # TYPE razao_emails_waiting gauge\nrazao_emails_waiting {emails_waiting}\n\
         # TYPE razao_emails_oldest_waiting_seconds gauge\n\
         razao_emails_oldest_waiting_seconds {emails_oldest_seconds}\n\
         # TYPE razao_report_emails_late gauge\nrazao_report_emails_late {report_emails_late}\n"
    )
}

/// A task is down if it failed and has not succeeded since. Task names are constants of the program and need no
/// escaping.
fn task_lines(tasks: &[TaskStatus]) -> String {
    let mut lines = "# TYPE razao_task_up gauge\n".to_owned();
    for TaskStatus { task, failing, .. } in tasks {
        let up = u8::from(!failing);
        lines.push_str(&format!("razao_task_up{{task=\"{task}\"}} {up}\n"));
    }
    lines
}
