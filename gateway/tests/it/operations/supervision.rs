//! A task of the running program that fails is started again, and readiness reports it until it works.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use chrono::Utc;
use gateway::app::{App, Database as AppDatabase, Parts};
use ledger_domain::business::{ContextRequest, SaleContext};
use ledger_model::{OnePlan, capture};
use ledger_store::{
    Idempotency, Outcome, ReferenceData, RememberedContexts, Shard, Submission, Writer, WriterOptions,
    WriterTask,
};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use tokio_postgres::Client;

use crate::support::acquirer::{self, SECRETS};
use crate::support::commands::submission;
use crate::support::database::Database;
use crate::support::database::only_with_tables;
use crate::support::wait::{until, until_some};
use crate::support::{TestApp, app as test_app};
use crate::writer::{business, sale_id};

/// Reference data whose look-up panics while a test wants it to. The panic ends the lane's task.
#[derive(Default)]
struct PanickingReferenceData {
    panics: AtomicBool,
}

#[async_trait]
impl ReferenceData for PanickingReferenceData {
    fn remembered(&self, _: &[ContextRequest]) -> Option<RememberedContexts> {
        None
    }

    async fn contexts(
        &self,
        client: &Client,
        requests: &[ContextRequest],
    ) -> Result<Vec<SaleContext>, tokio_postgres::Error> {
        assert!(!self.panics.load(Ordering::Acquire), "a test made it panic");
        OnePlan.contexts(client, requests).await
    }
}

struct Lanes {
    database: Database,
    reference_data: Arc<PanickingReferenceData>,
    writer: Writer,
    task: WriterTask,
    options: WriterOptions,
}

impl Lanes {
    async fn start() -> Self {
        let database = Database::create().await;
        let options = WriterOptions::new(database.connector(), "one");
        let reference_data = Arc::new(PanickingReferenceData::default());
        let (writer, task) = Writer::start(options.clone(), Arc::clone(&reference_data) as _)
            .await
            .expect("a writer");
        Self {
            database,
            reference_data,
            writer,
            task,
            options,
        }
    }

    /// The look-up before each decision on a capture panics.
    fn break_decisions(&self) {
        self.reference_data.panics.store(true, Ordering::Release);
    }

    fn mend_decisions(&self) {
        self.reference_data.panics.store(false, Ordering::Release);
    }

    /// Captures a sale of business 1, under a key that is derived from the sale.
    async fn capture(&self, sale: u128) -> Outcome {
        let key = sale.to_string();
        let submission = Submission {
            idempotency: Some(Idempotency::new("test", &key, key.as_bytes())),
            ..submission(business(1), capture(business(1), sale_id(sale), Utc::now()))
        };
        self.writer.submit(submission).await
    }

    /// Retries while no lane is running.
    async fn capture_once_a_lane_runs(&self, sale: u128) -> Outcome {
        until_some("a running lane", async || match self.capture(sale).await {
            Outcome::NotOwner => None,
            outcome => Some(outcome),
        })
        .await
    }

    async fn number(&self, sql: &str) -> i64 {
        let client = self.database.client().await;
        client.query_one(sql, &[]).await.expect(sql).get(0)
    }

    async fn epoch(&self) -> i64 {
        let shard = Shard::of(business(1));
        self.number(&format!("SELECT epoch FROM log_shard WHERE shard = {shard}"))
            .await
    }

    async fn stop(self) {
        self.writer.shutdown();
        self.task.join().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lane_that_panics_answers_its_waiters_and_takes_its_shards_again() {
    only_with_tables!();
    let lanes = Lanes::start().await;
    assert!(matches!(lanes.capture(1).await, Outcome::Recorded(_)));
    let epoch = lanes.epoch().await;
    lanes.break_decisions();
    let waiters = tokio::join!(lanes.capture(2), lanes.capture(3));
    for outcome in [&waiters.0, &waiters.1] {
        assert!(
            matches!(outcome, Outcome::Unknown | Outcome::NotOwner),
            "{outcome:?}"
        );
    }
    // The second command may arrive when no lane is left to take it.
    assert!(
        matches!(waiters.0, Outcome::Unknown) || matches!(waiters.1, Outcome::Unknown),
        "{waiters:?}"
    );
    let status = || lanes.options.supervisor.tasks()[0].clone();
    // The waiters are answered while the lane unwinds, and the failure is recorded afterwards.
    until("a failure of the task", async || status().failures > 0).await;
    assert_eq!(
        (status().task.as_str(), status().reason.as_str()),
        ("ledger lane 0", "panic: a test made it panic")
    );
    lanes.mend_decisions();
    for sale in [2, 3] {
        let outcome = lanes.capture_once_a_lane_runs(sale).await;
        assert!(
            matches!(&outcome, Outcome::Recorded(receipt) if !receipt.replayed),
            "{outcome:?}"
        );
    }
    assert_eq!(lanes.number("SELECT count(*) FROM event").await, 3);
    let failures = i64::try_from(status().failures).expect("a count");
    assert_eq!(
        lanes.epoch().await,
        epoch + failures,
        "one epoch for each restart"
    );
    assert_eq!(lanes.options.supervisor.failing(), []);
    lanes.stop().await;
}

/// The database has the batch when the lane dies, so its outcome is unknown.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_that_a_dying_lane_had_sent_is_recorded_once() {
    only_with_tables!();
    let lanes = Lanes::start().await;
    assert!(matches!(lanes.capture(1).await, Outcome::Recorded(_)));
    let mut client = lanes.database.client().await;
    let lock = client.transaction().await.expect("a transaction");
    lock.batch_execute("SELECT FROM log_shard FOR UPDATE")
        .await
        .expect("a lock");
    let waiting_appends = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                   AND wait_event_type = 'Lock' AND query LIKE '%append_shard%'";
    let (first, ()) = tokio::join!(lanes.capture(2), async {
        until("an append that waits", async || {
            lanes.number(waiting_appends).await > 0
        })
        .await;
        lanes.break_decisions();
        assert!(matches!(lanes.capture(3).await, Outcome::Unknown));
        lanes.mend_decisions();
    });
    assert!(matches!(first, Outcome::Unknown), "{first:?}");
    lock.commit().await.expect("a commit");
    let outcome = lanes.capture_once_a_lane_runs(2).await;
    assert!(matches!(outcome, Outcome::Recorded(_)), "{outcome:?}");
    let outcome = lanes.capture_once_a_lane_runs(3).await;
    assert!(matches!(outcome, Outcome::Recorded(_)), "{outcome:?}");
    assert_eq!(lanes.number("SELECT count(*) FROM event").await, 3, "each once");
    lanes.stop().await;
}

/// All tasks of the program with all parts, by name. A lane more for each further processor is left out.
const TASKS: [&str; 40] = [
    "HTTP server",
    "acquirers' receivables",
    "audit of recent events",
    "changes of e-mail addresses",
    "cosignatures of checkpoints",
    "daily tree heads",
    "effects of orders",
    "effects of orders, lag",
    "effects of payouts",
    "effects of payouts, lag",
    "effects of refunds",
    "effects of refunds, lag",
    "expiry of orders",
    "followed orders",
    "full rate limits",
    "ledger lane 0",
    "operations server",
    "plan impacts",
    "read models",
    "read models, lag",
    "release of holds",
    "rentals",
    "reports by e-mail",
    "requested adjustments",
    "retention of buyers' data",
    "retention of e-mails",
    "retries of notices",
    "sandbox",
    "scheduled withdrawals",
    "seals of row changes",
    "settlement",
    "settlement days",
    "settlement imports",
    "signed heads outside",
    "upkeep of metrics",
    "watch over slow statements",
    "worker of mail",
    "worker of orders",
    "worker of payouts",
    "worker of refunds",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_that_dies_makes_readiness_fail_and_is_restarted() {
    let app = TestApp::start_with(&[SECRETS], Parts::ALL).await;
    let company = app.company("Padaria").await;
    let supervisor = &app.app.state.supervisor;
    let mut names: Vec<_> = supervisor.tasks().into_iter().map(|task| task.task).collect();
    let mut known = names.clone();
    known.retain(|name| !name.starts_with("ledger lane") || name == "ledger lane 0");
    known.sort_unstable();
    assert_eq!(known, TASKS);
    // The test needs these two servers for its own requests.
    names.retain(|name| !["HTTP server", "operations server"].contains(&name.as_str()));
    names.iter().for_each(|name| supervisor.break_tasks(name));
    until("a failure of every task", async || {
        supervisor.failing().len() == names.len()
    })
    .await;
    assert_tasks_are_reported_as_failing(&app, &names).await;
    let refused = app.send(&acquirer::capture(&company, "nsu-1")).await;
    assert_eq!(
        refused.status, 503,
        "the request is answered and does not hang: {}",
        refused.body
    );

    names.iter().for_each(|name| supervisor.mend_tasks(name));
    until("no failing task", async || supervisor.failing().is_empty()).await;
    assert_tasks_are_reported_as_running(&app, &names).await;
    let accepted = app.send(&acquirer::capture(&company, "nsu-1")).await;
    assert_eq!(accepted.text("/result"), "recorded");
    app.until_count("SELECT count(*) FROM sale", 1).await;
}

async fn assert_tasks_are_reported_as_failing(app: &TestApp, names: &[String]) {
    let readiness = app.operations().get("/readyz").await;
    assert_eq!(
        (readiness.status, readiness.at("/ready")),
        (503, &json!(false)),
        "{}",
        readiness.body
    );
    let failing: Vec<_> = list(readiness.at("/failing"));
    let failing_names: Vec<_> = failing.iter().map(|task| task["task"].clone()).collect();
    assert_eq!(failing_names, names);
    for task in &failing {
        assert_eq!(task["reason"], "panic: a test broke the task", "{task}");
    }
    let metrics = app.operations().get("/metrics").await.body.to_string();
    for name in names {
        assert!(
            metrics.contains(&format!("razao_task_up{{task=\\\"{name}\\\"}} 0")),
            "{name}"
        );
    }
}

async fn assert_tasks_are_reported_as_running(app: &TestApp, names: &[String]) {
    let readiness = app.operations().get("/readyz").await;
    assert_eq!(
        (readiness.status, readiness.at("/failing")),
        (200, &json!([])),
        "{}",
        readiness.body
    );
    let metrics = app.operations().get("/metrics").await.body.to_string();
    for name in names {
        assert!(
            !metrics.contains(&format!("razao_task_failures_total{{task=\\\"{name}\\\"}} 0\\n")),
            "{name}"
        );
        assert!(
            metrics.contains(&format!("razao_task_failures_total{{task=\\\"{name}\\\"}}")),
            "{name}"
        );
        assert!(
            metrics.contains(&format!("razao_task_up{{task=\\\"{name}\\\"}} 1")),
            "{name}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_http_server_answers_again_on_its_port_after_it_dies() {
    let app = TestApp::start().await;
    let supervisor = &app.app.state.supervisor;
    assert_eq!(app.client().get("/healthz").await.status, 200);
    supervisor.break_tasks("HTTP server");
    until("a failing task", async || !supervisor.failing().is_empty()).await;
    supervisor.mend_tasks("HTTP server");
    until("no failing task", async || supervisor.failing().is_empty()).await;
    assert_eq!(app.client().get("/healthz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_that_returns_an_error_counts_as_failing_until_it_works() {
    let app = TestApp::start_with(&[], Parts::ALL).await;
    let supervisor = &app.app.state.supervisor;
    app.execute("ALTER TABLE projection_checkpoint RENAME TO gone")
        .await;
    let name = "read models, lag";
    until("a failure of the task", async || {
        supervisor.failing().iter().any(|task| task.task == name)
    })
    .await;
    let failing = supervisor.failing();
    let lag_watch = failing.iter().find(|task| task.task == name).expect("it fails");
    assert!(!lag_watch.reason.starts_with("panic"), "{lag_watch:?}");
    assert_eq!(app.operations().get("/readyz").await.status, 503);
    app.execute("ALTER TABLE gone RENAME TO projection_checkpoint")
        .await;
    until("no failing task", async || supervisor.failing().is_empty()).await;
    assert_eq!(app.operations().get("/readyz").await.status, 200);
}

/// `kill -9` of the first process of the embedded server, while the program runs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_survives_the_death_of_its_embedded_database() {
    let outbox = tempfile::tempdir().expect("a folder");
    let config = test_app::config("postgres://unused", &outbox, &[]);
    let database = AppDatabase::throwaway(&config.database).await.expect("a cluster");
    let app = App::start_on(database, config, Parts::ALL)
        .await
        .expect("the program");
    let data_dir: String = {
        let client = app.state.pool.get().await.expect("a connection");
        let row = client
            .query_one("SELECT current_setting('data_directory')", &[])
            .await;
        row.expect("a setting").get(0)
    };
    kill(postmaster(&data_dir), Signal::SIGKILL).expect("a kill");

    let supervisor = &app.state.supervisor;
    let dead_database = || {
        let tasks = supervisor.tasks();
        tasks
            .into_iter()
            .find(|task| task.task == "embedded database" && task.failures > 0)
    };
    until("the end of the database", async || dead_database().is_some()).await;
    let reason = dead_database().expect("a death").reason;
    assert!(reason.contains("SIGKILL"), "{reason}");
    until("no failing task", async || supervisor.failing().is_empty()).await;

    let url = format!("http://{}/readyz", app.operations_address().expect("an address"));
    until("readiness", async || {
        crate::support::fetch(&url).await.expect("an answer").status() == 200
    })
    .await;
    let outcome = until_some("a running lane", async || {
        let command = capture(business(1), sale_id(1), Utc::now());
        match app.state.writer.submit(submission(business(1), command)).await {
            Outcome::NotOwner => None,
            outcome => Some(outcome),
        }
    })
    .await;
    // The writer works again: it read that business 1 does not exist, and refused the sale.
    assert!(matches!(outcome, Outcome::Refused(_)), "{outcome:?}");
    app.stop().await;
}

fn postmaster(data_dir: &str) -> Pid {
    let file = Path::new(data_dir).join("postmaster.pid");
    let text = std::fs::read_to_string(file).expect("the server's file of its process id");
    Pid::from_raw(text.lines().next().expect("a line").parse().expect("a process"))
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().expect("a list").clone()
}
