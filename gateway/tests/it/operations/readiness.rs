//! Readiness tells the truth: whether events can be recorded now, and why not.

use std::process::Stdio;

use serde_json::json;
use tokio::process::Command;

use crate::support::acquirer::{self, app_and_company};
use crate::support::database::Database;
use crate::support::database::only_with_tables;
use crate::support::sandbox::free_address;
use crate::support::wait::until;
use crate::support::{Answer, TestApp};

/// The log refuses every event, as on a full disk.
const FULL: &str = "
    CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
    END $$;
    CREATE TRIGGER full_disk BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION full_disk();";
const ROOM: &str = "DROP TRIGGER full_disk ON event; DROP FUNCTION full_disk()";

fn reason(answer: &Answer) -> String {
    answer.at("/reasons/0").as_str().expect("a reason").to_owned()
}

async fn assert_takes_no_events(app: &TestApp) {
    let unready = app.operations().get("/readyz").await;
    assert_eq!((unready.status, unready.at("/writes")), (503, &json!(false)));
    let reason = reason(&unready);
    assert!(
        reason.starts_with("the log takes no events") && reason.contains("No space left on device"),
        "{reason}"
    );
    let reads = app.operations().get("/readyz?reads").await;
    assert_eq!((reads.status, reads.at("/reads")), (200, &json!(true)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_process_whose_log_takes_no_events_is_not_ready() {
    only_with_tables!();
    let app = TestApp::start().await;
    app.execute(FULL).await;
    assert_takes_no_events(&app).await;
    app.execute(ROOM).await;
    until("readiness", async || {
        app.operations().get("/readyz").await.status == 200
    })
    .await;
    assert_eq!(app.rows("event").await, 0, "the proof is rolled back");
    let positions = "log_shard WHERE position > 0";
    assert_eq!(app.rows(positions).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_append_decides_on_readiness() {
    only_with_tables!();
    let (app, company) = app_and_company().await;
    let recorded = app.send(&acquirer::capture(&company, "nsu-1")).await;
    assert_eq!(recorded.text("/result"), "recorded");
    app.execute(FULL).await;
    let refused = app.send(&acquirer::capture(&company, "nsu-2")).await;
    assert_eq!(
        (refused.status, refused.text("/type")),
        (503, "/problems/ledger-unavailable")
    );
    assert_eq!(refused.headers["retry-after"], "1");
    assert_takes_no_events(&app).await;
    app.execute(ROOM).await;
    let recorded = app.send(&acquirer::capture(&company, "nsu-2")).await;
    assert_eq!(recorded.text("/result"), "recorded");
    assert_eq!(app.operations().get("/readyz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_read_only_is_the_first_reason_also_once_nobody_owns_a_shard() {
    let app = TestApp::start().await;
    // Opened before, so that it can write.
    let client = app.database.client().await;
    let name = app.text("SELECT current_database()::text").await;
    let set = async |setting: &str| {
        client
            .batch_execute(&format!("ALTER DATABASE {name} {setting}"))
            .await
            .expect("set");
    };
    let end_sessions = async |of: &str| {
        let end = format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE datname = current_database() AND {of} AND pid <> pg_backend_pid()"
        );
        client.batch_execute(&end).await.expect("ended");
    };
    let ready = async |status: u16| {
        until("readiness", async || {
            app.operations().get("/readyz").await.status == status
        })
        .await;
    };
    ready(200).await;
    set("SET default_transaction_read_only = on").await;
    // The sessions of the pool were opened before the setting, those that record come after it.
    end_sessions("application_name = 'razao-writer'").await;
    until("shards that nobody owns", async || {
        let unready = app.operations().get("/readyz").await;
        unready.status == 503 && unready.at("/shards") == &json!([])
    })
    .await;
    let cause = "the log takes no events: the database is read-only: its default_transaction_read_only is on";
    assert_eq!(reason(&app.operations().get("/readyz").await), cause);
    // So the sessions of the pool are read-only too.
    end_sessions("application_name LIKE 'razao%'").await;
    until("the same reason, and reads", async || {
        let operations = app.operations();
        let (all, reads) = tokio::join!(operations.get("/readyz"), operations.get("/readyz?reads"));
        all.at("/reasons/0") == cause && reads.status == 200
    })
    .await;
    set("RESET default_transaction_read_only").await;
    end_sessions("application_name LIKE 'razao%'").await;
    ready(200).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn figures_are_absent_while_the_database_cannot_be_read() {
    let app = TestApp::start().await;
    let before = app.operations().get("/metrics").await.body.to_string();
    assert!(before.contains("razao_payouts{") && before.contains("razao_database_up 1"));
    app.execute("ALTER TABLE projection_checkpoint RENAME TO gone")
        .await;
    let unready = app.operations().get("/readyz?reads").await;
    assert_eq!((unready.status, unready.at("/database")), (503, &json!(false)));
    let reason = reason(&unready);
    assert!(
        reason.contains("projection_checkpoint") && reason.contains("42P01"),
        "the whole chain of causes: {reason}"
    );
    assert!(unready.body.get("payouts_open").is_none() && unready.body.get("lag_events").is_none());
    let metrics = app.operations().get("/metrics").await;
    let metrics = metrics.body.as_str().expect("metrics");
    for absent in [
        "razao_payouts{",
        "razao_refunds{",
        "razao_projections_lag_events",
        "razao_emails_waiting",
        "razao_negative_balances",
    ] {
        assert!(!metrics.lines().any(|line| line.starts_with(absent)), "{absent}");
    }
    assert!(metrics.contains("razao_database_up 0"), "{metrics}");
}

/// What a start of the program says and how it ends.
async fn start(variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_razao"))
        .args(["serve"])
        .env("RAZAO_DATA", folder.path())
        .env("RAZAO_ADDR", "127.0.0.1:0")
        .env("RAZAO_OPS_ADDR", "127.0.0.1:0")
        .env("RAZAO_SANDBOX_ADDR", "127.0.0.1:0")
        .env("RAZAO_LOG", "error")
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), text)
}

#[tokio::test]
async fn a_start_names_the_whole_cause_and_no_password() {
    let nobody = free_address();
    let url = format!("postgres://razao:s3cret-word@{nobody}/razao");
    let (code, text) = start(&[("DATABASE_URL", &url)]).await;
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("Connection refused"), "{text}");
    assert!(!text.contains("s3cret-word"), "{text}");

    let database = Database::create().await;
    let (server, _) = database.url.rsplit_once('/').expect("an address");
    let (code, text) = start(&[("DATABASE_URL", &format!("{server}/no_such_database"))]).await;
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("no_such_database") && text.contains("3D000"),
        "not only 'db error': {text}"
    );
}

#[tokio::test]
async fn a_misspelled_variable_ends_the_start_with_the_nearest_name() {
    let (code, text) = start(&[("RAZAO_PAYOUT", "none"), ("RAZAO_E2E_URL", "http://localhost:1")]).await;
    assert_eq!(code, Some(2), "{text}");
    assert!(
        text.contains("RAZAO_PAYOUT is not a variable of this program: is RAZAO_PAYOUTS meant?"),
        "{text}"
    );
    assert!(!text.contains("RAZAO_E2E_URL"), "{text}");
}
