//! Several processes on one database: which of them records, and what happens to their shards when they end.

use gateway::app::{App, Parts};
use ledger_store::log::{ShardOwner, shard_owners};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::support::acquirer::{self, SECRETS, app_and_company};
use crate::support::program::Program;
use crate::support::sandbox::free_address;
use crate::support::wait::until;
use crate::support::{Client, PARTS, TestApp};

fn operations(app: &App) -> Client {
    Client::new(app.operations_address().expect("operations listen"))
}

async fn metrics(operations: &Client) -> String {
    let answer = operations.get("/metrics").await;
    answer.body.as_str().expect("metrics").to_owned()
}

async fn owners(app: &TestApp) -> Vec<ShardOwner> {
    let client = app.database.client().await;
    shard_owners(&client).await.expect("the owners")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_second_process_is_ready_for_reads_only_and_names_the_one_that_records() {
    let (first, company) = app_and_company().await;
    let second = first.second_gateway_with(&[SECRETS], PARTS).await;
    let (first_name, second_name) = (first.app.state.writer.owner(), second.state.writer.owner());
    assert_ne!(first_name, second_name, "each process has its own name");

    let ready = first.operations().get("/readyz").await;
    let expected = (200, &json!(true), &json!([]));
    assert_eq!(
        (ready.status, ready.at("/writes"), ready.at("/reasons")),
        expected
    );
    assert_eq!(
        ready.at("/shards"),
        &json!((0..16).collect::<Vec<u8>>()),
        "{}",
        ready.body
    );
    let unready = operations(&second).get("/readyz").await;
    let expected = (503, &json!(false), &json!(false), &json!(true));
    assert_eq!(
        (
            unready.status,
            unready.at("/ready"),
            unready.at("/writes"),
            unready.at("/reads")
        ),
        expected
    );
    let reason = format!("this process owns 0 of 16 shards of the log; {first_name} owns 16");
    assert_eq!(unready.at("/reasons"), &json!([reason]));
    let reads = operations(&second).get("/readyz?reads").await;
    assert_eq!((reads.status, reads.at("/reasons")), (200, &json!([])));

    let (of_first, of_second) = (
        metrics(&first.operations()).await,
        metrics(&operations(&second)).await,
    );
    assert!(of_first.contains("razao_ledger_shards_owned 16\n"), "{of_first}");
    assert!(of_first.contains("razao_ledger_shard_owned{shard=\"15\"} 1\n"));
    assert!(of_second.contains("razao_ledger_shards_owned 0\n"), "{of_second}");
    assert!(of_second.contains("razao_ledger_shard_owned{shard=\"15\"} 0\n"));
    assert!(of_second.contains("razao_ready{kind=\"writes\"} 0\n"));
    assert!(of_second.contains("razao_ready{kind=\"reads\"} 1\n"));

    // A write to it says why it is refused.
    let notice = acquirer::capture(&company, "nsu-1");
    let refused = acquirer::send_to(second.address().expect("it listens"), &notice).await;
    assert_eq!(
        (refused.status, refused.text("/type")),
        (503, "/problems/other-process-records")
    );
    assert_eq!(refused.headers["retry-after"], "1");
    assert_eq!(first.send(&notice).await.text("/result"), "recorded");
    second.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jobs_work_for_the_companies_of_their_own_process_only() {
    let (first, _) = app_and_company().await;
    let second = first.second_gateway(PARTS).await;
    // A run that submitted anything would wait for the read models, or count a failure.
    first
        .execute("ALTER TABLE receivables_schedule RENAME TO gone")
        .await;
    let settled = second.settlement().run(|_| ()).await;
    assert_eq!(settled.expect("nothing to do"), Default::default());
    assert!(
        first.app.settlement().run(|_| ()).await.is_err(),
        "the owner looks for due installments"
    );
    first
        .execute("ALTER TABLE gone RENAME TO receivables_schedule")
        .await;
    second.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_gives_the_shards_up_before_it_waits_for_a_slow_client() {
    let (app, _) = app_and_company().await;
    let second = app.second_gateway(PARTS).await;
    let mut slow = TcpStream::connect(app.addr()).await.expect("a connection");
    let begun = b"POST /api/webhooks/zoop HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n1";
    slow.write_all(begun).await.expect("sent");
    // The server has the connection when it answers the next one.
    assert_eq!(app.client().get("/healthz").await.status, 200);
    let TestApp { app, database, .. } = app;
    let stopping = tokio::spawn(app.stop());
    let new_owner = second.state.writer.owner();
    until("the second process records", async || {
        second.state.writer.owns_all()
    })
    .await;
    assert!(!stopping.is_finished(), "it still waits for the slow client");
    let owners = shard_owners(&database.client().await).await.expect("owners");
    assert!(
        owners
            .iter()
            .all(|shard| shard.owner.as_deref() == Some(new_owner)),
        "{owners:?}"
    );
    drop(slow);
    stopping.await.expect("it stops");
    assert_eq!(operations(&second).get("/readyz").await.status, 200);
    second.stop().await;
}

/// The program of this database, which does not run yet.
fn program(app: &TestApp, variables: &[(&str, &str)]) -> Program {
    Program::new(&app.database.url, free_address(), free_address(), variables)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_process_leaves_its_shards_to_the_next_one_without_waiting_for_its_lease() {
    let app = TestApp::start_with(
        &[],
        Parts {
            writer: false,
            ..PARTS
        },
    )
    .await;
    let program = program(&app, &[]);
    let mut killed = program.start();
    program.until_it_serves().await;
    // The lease of the killed process would last longer than this test waits for anything.
    app.execute("UPDATE log_shard SET lease_until = now() + interval '1 day'")
        .await;
    killed.kill().await.expect("killed");
    let next = program.start();
    until("the next process records", async || {
        owners(&app).await.iter().all(|shard| shard.owner.is_some())
    })
    .await;
    drop(next);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_settlement_by_hand_takes_no_shard_from_a_running_process() {
    let (app, company) = app_and_company().await;
    let before = app.count("SELECT sum(epoch)::int8 FROM log_shard").await;
    let refused = program(&app, &[]).output(&["settle"]).await;
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    let owner = app.app.state.writer.owner();
    assert!(
        text.contains("another process of the platform records")
            && text.contains(&format!("{owner} owns 16 of 16 shards")),
        "{text}"
    );
    assert_eq!(app.count("SELECT sum(epoch)::int8 FROM log_shard").await, before);
    let recorded = app.send(&acquirer::capture(&company, "nsu-1")).await;
    assert_eq!(recorded.text("/result"), "recorded");

    // Once the process has ended, the command settles.
    let app = app
        .restart(
            &[],
            Parts {
                writer: false,
                ..PARTS
            },
        )
        .await;
    program(&app, &[]).succeeds(&["settle"]).await;

    let ahead = [("RAZAO_NOW", ""), ("RAZAO_CLOCK_ERROR_SECONDS", "3600")];
    let findings = program(&app, &ahead).output(&["settle"]).await;
    assert_eq!(findings.status.code(), Some(3), "{findings:?}");
    let text = String::from_utf8_lossy(&findings.stdout).into_owned();
    assert!(
        text.contains("Nothing was settled") && text.contains("ahead of the database's"),
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hang_up_of_the_terminal_ends_no_service() {
    let app = TestApp::start_with(
        &[],
        Parts {
            writer: false,
            ..PARTS
        },
    )
    .await;
    let program = program(&app, &[]);
    let mut running = program.start();
    program.until_it_serves().await;
    let pid = Pid::from_raw(i32::try_from(running.id().expect("it runs")).expect("a process id"));
    kill(pid, Signal::SIGHUP).expect("a signal");
    // A SIGTERM after it is handled after it.
    assert_eq!(Client::new(program.addr).get("/healthz").await.status, 200);
    assert!(matches!(running.try_wait(), Ok(None)), "it runs");
    kill(pid, Signal::SIGTERM).expect("a signal");
    let status = running.wait().await.expect("it ends");
    assert!(status.success(), "it stops in order: {status}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_machines_clock_ahead_of_the_databases_settles_nothing_and_alarms() {
    const AHEAD_DAYS: u32 = 40;
    let seconds = (AHEAD_DAYS * 86_400).to_string();
    // The machine's own clock, not that of the tests.
    let variables = [
        SECRETS,
        ("RAZAO_NOW", ""),
        ("RAZAO_NOW_SLOWDOWN", ""),
        ("RAZAO_CLOCK_ERROR_SECONDS", &seconds),
    ];
    let app = TestApp::start_with(&variables, PARTS).await;
    let company = app.company("Padaria").await;
    let mut notice = acquirer::capture(&company, "nsu-1");
    // Due in about 30, 60 and 90 days.
    notice.occurred_at = chrono::Utc::now();
    assert_eq!(app.send(&notice).await.text("/result"), "recorded");
    app.until_count("SELECT count(*) FROM sale", 1).await;
    let settled = app.app.settlement().run(|_| ()).await.expect("a run");
    assert_eq!(settled, Default::default());
    assert_eq!(app.count_events("ReceivablesSettled").await, 0);
    let stuck = "event WHERE recorded_at > clock_timestamp() + interval '1 hour'";
    assert_eq!(app.rows(stuck).await, 0, "later events would repeat this time");

    let ready = app.operations().get("/readyz").await;
    let alarm = ready.at("/alarms/0").as_str().expect("an alarm").to_owned();
    assert!(
        alarm.contains("ahead of the database's: nothing settles, and no other job works by the date"),
        "{alarm}"
    );
    let difference = ready.at("/clock_difference_ms").as_i64().expect("a difference");
    assert!(
        difference > i64::from(AHEAD_DAYS - 1) * 86_400_000,
        "{difference}"
    );
    let metrics = metrics(&app.operations()).await;
    assert!(
        metrics.contains("razao_clock_difference_seconds 345"),
        "{metrics}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shard_is_the_same_for_the_database_and_for_the_program() {
    let app = TestApp::start().await;
    let client = app.database.client().await;
    for _ in 0..50 {
        let id = uuid::Uuid::new_v4();
        let row = client.query_one("SELECT shard_of($1)", &[&id]).await;
        let shard = ledger_store::Shard::of(ledger_domain::BusinessId::from_uuid(id));
        assert_eq!(row.expect("a shard").get::<_, i16>(0), shard.sql());
    }
}
