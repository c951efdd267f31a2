//! The end of a process, what a command of the command line does beside a running one, and clocks that differ.

use std::time::Duration;

use chrono::TimeDelta;
use gateway::app::{App, Parts, STOP_MAX};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::process::Child;
use tokio::time::{sleep, timeout};

use crate::support::acquirer::{self, SECRETS, app_and_company, capture};
use crate::support::program::Program;
use crate::support::sandbox::free_address;
use crate::support::wait::{TIMEOUT, until};
use crate::support::{Client, Company, PARTS, TestApp};

const PEER: (&str, &str) = ("RAZAO_PEER_ADDR", "127.0.0.1:0");
/// Longer than a test waits for anything.
const HOUR: Duration = Duration::from_secs(3_600);
/// A process that records nothing, beside the program of a test.
const WITHOUT_WRITER: Parts = Parts {
    writer: false,
    ..PARTS
};

fn terminate(running: &Child) {
    let pid = i32::try_from(running.id().expect("it runs")).expect("a process id");
    kill(Pid::from_raw(pid), Signal::SIGTERM).expect("a signal");
}

async fn ends(running: &mut Child) {
    let ended = timeout(TIMEOUT, running.wait()).await.expect("it ends");
    assert!(ended.expect("a status").success());
}

fn operations(app: &App) -> Client {
    Client::new(app.operations_address().expect("operations listen"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_alone_is_not_ready_after_a_signal_and_records_until_a_second_one() {
    let (app, company) = app_and_company().await;
    let app = app.restart(&[SECRETS], WITHOUT_WRITER).await;
    let operations = free_address();
    let (of_operations, hour) = (operations.to_string(), HOUR.as_millis().to_string());
    let too_long = [("RAZAO_DRAIN_MS", hour.as_str())];
    let refused = Program::new(&app.database.url, free_address(), free_address(), &too_long);
    let refused = timeout(TIMEOUT, refused.output(&["serve"]))
        .await
        .expect("it ends");
    assert_eq!(refused.status.code(), Some(2));

    let variables = [
        ("RAZAO_OPS_ADDR", of_operations.as_str()),
        ("RAZAO_DRAIN_MS", "300000"),
    ];
    let program = Program::new(&app.database.url, free_address(), free_address(), &variables);
    let mut running = program.start();
    program.until_it_serves().await;
    let operations = Client::new(operations);
    until("it is ready", async || {
        operations.get("/readyz").await.status == 200
    })
    .await;

    terminate(&running);
    until("it is not ready", async || {
        operations.get("/readyz").await.status == 503
    })
    .await;
    for path in ["/readyz", "/readyz?reads"] {
        let unready = operations.get(path).await;
        assert_eq!(
            (unready.status, unready.at("/reasons")),
            (503, &json!(["stopping"])),
            "{path}"
        );
    }
    // Nobody else would record it.
    let recorded = acquirer::send_to(program.addr, &capture(&company, "nsu-1")).await;
    assert_eq!(
        (recorded.status, recorded.text("/result")),
        (200, "recorded"),
        "{}",
        recorded.body
    );
    assert_eq!(Client::new(program.addr).get("/healthz").await.status, 200);

    terminate(&running);
    ends(&mut running).await;
    assert_eq!(app.count_events("SaleCaptured").await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_beside_others_gives_its_shards_up_and_answers_until_its_drain_ends() {
    let first = TestApp::start_with(&[SECRETS, PEER], PARTS).await;
    let second = first.second_gateway_with(&[SECRETS, PEER], PARTS).await;
    until("each has its half", async || {
        [&first.app, &second]
            .iter()
            .all(|app| app.state.writer.owned().count() == 8)
    })
    .await;
    let company = first.company("Padaria").await;
    let answers = async {
        until("the other one owns all", async || {
            first.app.state.writer.owns_all()
        })
        .await;
        let addr = second.address().expect("it listens");
        for number in 0..20 {
            let recorded = acquirer::send_to(addr, &capture(&company, &format!("nsu-{number}"))).await;
            assert_eq!(recorded.text("/result"), "recorded", "{}", recorded.body);
        }
        let unready = operations(&second).get("/readyz").await;
        // It may not have seen yet who owns the shards that it gave up.
        assert_eq!((unready.status, unready.text("/reasons/0")), (503, "stopping"));
        assert_eq!(operations(&first.app).get("/readyz").await.status, 200);
    };
    tokio::select! {
        () = second.drain(HOUR) => panic!("the drain is over"),
        () = answers => {}
    }
    second.stop().await;
    assert_eq!(first.count_events("SaleCaptured").await, 20);
}

/// A client that sends a byte now and then, for as long as its connection is open.
async fn trickle(mut stream: TcpStream) {
    let begun = b"POST /api/webhooks/zoop HTTP/1.1\r\nhost: a\r\ncontent-length: 10000\r\n\r\n";
    stream.write_all(begun).await.expect("sent");
    while stream.write_all(b" ").await.is_ok() {
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_trickles_does_not_keep_a_process_from_its_end() {
    // The limits of the server would let it.
    let hour = HOUR.as_millis().to_string();
    let limits = [
        ("RAZAO_HTTP_BODY_MS", hour.as_str()),
        ("RAZAO_HTTP_REQUEST_MS", hour.as_str()),
    ];
    let app = TestApp::start_with(&limits, PARTS).await;
    let stream = TcpStream::connect(app.addr()).await.expect("a connection");
    let answer = async {
        // The server has the connection when it answers the next one.
        assert_eq!(app.client().get("/healthz").await.status, 200);
    };
    let trickling = tokio::spawn(trickle(stream));
    answer.await;
    let TestApp { app, .. } = app;
    // After a drain of the whole time.
    timeout(TIMEOUT, app.stop_after(STOP_MAX)).await.expect("it ends");
    // Its connection is closed.
    timeout(TIMEOUT, trickling)
        .await
        .expect("the client ends")
        .expect("no panic");
}

/// Captures a sale whose first installment is due by the tests' clock.
async fn capture_due(app: &TestApp, company: &Company) {
    let mut notice = capture(company, "nsu-due");
    notice.occurred_at = "2026-10-15T15:00:00Z".parse().expect("an instant");
    assert_eq!(app.send(&notice).await.text("/result"), "recorded");
    app.until_count("SELECT count(*) FROM sale", 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_settlement_by_hand_sends_its_commands_to_processes_that_share_the_shards() {
    let app = TestApp::start_with(&[SECRETS, PEER], PARTS).await;
    let company = app.company("Padaria").await;
    capture_due(&app, &company).await;
    let owners = "SELECT count(DISTINCT owner) * 1000 + sum(epoch)::int8 FROM log_shard";
    let before = app.count(owners).await;
    let program = Program::new(&app.database.url, free_address(), free_address(), &[PEER]);
    let settled = program.output(&["settle"]).await;
    assert!(settled.status.success(), "{settled:?}");
    let text = String::from_utf8_lossy(&settled.stdout).into_owned();
    assert!(text.contains("1 installments settled by 1 commands"), "{text}");
    assert_eq!(app.count_events("ReceivablesSettled").await, 1);
    assert_eq!(app.count(owners).await, before, "no shard changed its owner");
    assert!(app.app.state.writer.owns_all());
    let members = "SELECT count(*) FROM gateway_process";
    assert_eq!(app.count(members).await, 1, "the command has left");

    // Of another installation's key.
    let other_key = hex::encode([3; 32]);
    let variables = [PEER, ("RAZAO_KEY_CHECKPOINT", other_key.as_str())];
    let stranger = Program::new(&app.database.url, free_address(), free_address(), &variables);
    let refused = stranger.output(&["settle"]).await;
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        refused.status.code() == Some(1) && text.contains("the running processes cannot be asked"),
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_command_takes_a_shard_from_a_running_process() {
    let (app, _) = app_and_company().await;
    let epochs = "SELECT sum(epoch)::int8 FROM log_shard";
    let before = app.count(epochs).await;
    let program = Program::new(&app.database.url, free_address(), free_address(), &[]);
    for command in [
        &["settle"][..],
        &["demo"],
        &["rebuild", "balance"],
        &["audit", "verify"],
        &["audit", "checkpoint"],
        &["migrate"],
    ] {
        let output = program.output(command).await;
        let refused = output.status.code() == Some(1);
        assert_eq!(refused, matches!(command, ["settle" | "demo"]), "{output:?}");
        assert!(app.app.state.writer.owns_all(), "{command:?}");
        assert_eq!(app.count(epochs).await, before, "{command:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_settles_while_the_clocks_differ_and_all_of_it_once_they_agree() {
    let real_clock = [SECRETS, ("RAZAO_NOW", ""), ("RAZAO_NOW_SLOWDOWN", "")];
    let app = TestApp::start_with(&real_clock, PARTS).await;
    let company = app.company("Padaria").await;
    let mut notice = capture(&company, "nsu-due");
    // The first installment was due some days ago.
    notice.occurred_at = chrono::Utc::now() - TimeDelta::days(45);
    assert_eq!(app.send(&notice).await.text("/result"), "recorded");
    app.until_count("SELECT count(*) FROM sale", 1).await;
    // Days that `settlement days` marks. The list of jobs alone keeps it and others from running; settlement and rentals
    // ask the clock themselves too.
    app.execute("INSERT INTO settlement_coverage (provider, since) VALUES (1, current_date - 5)")
        .await;
    let marked = "SELECT count(*) FROM settlement_day";
    let app = app.restart(&real_clock, WITHOUT_WRITER).await;
    let parts = ["--gateway", "--writer", "--projections", "--settlement"];
    for seconds in ["86400", "-86400"] {
        let variables = [("RAZAO_NOW", ""), ("RAZAO_CLOCK_ERROR_SECONDS", seconds)];
        let program = Program::new(&app.database.url, free_address(), free_address(), &variables);
        let mut running = program.serve(&parts);
        for job in [
            "settlement",
            "rentals",
            "settlement days",
            "acquirers' receivables",
            "retention of buyers' data",
            "reports by e-mail",
        ] {
            until("the job is stopped", async || {
                program.log().contains(&format!("\"job\":\"{job}\""))
            })
            .await;
        }
        terminate(&running);
        ends(&mut running).await;
        assert_eq!(app.count_events("ReceivablesSettled").await, 0);
        assert_eq!(app.count(marked).await, 0, "{seconds}");
    }
    let now = [("RAZAO_NOW", "")];
    let program = Program::new(&app.database.url, free_address(), free_address(), &now);
    let running = program.serve(&parts);
    until("it settles", async || {
        app.count_events("ReceivablesSettled").await == 1
    })
    .await;
    until("days are marked", async || app.count(marked).await > 0).await;
    drop(running);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_small_difference_of_the_clocks_is_reported_and_stops_no_job() {
    let real_clock = [("RAZAO_NOW", ""), ("RAZAO_NOW_SLOWDOWN", "")];
    let error = |seconds| {
        [
            real_clock[0],
            real_clock[1],
            ("RAZAO_CLOCK_ERROR_SECONDS", seconds),
        ]
    };
    for (seconds, stops) in [("20", false), ("-20", false), ("60", true), ("-60", true)] {
        let app = TestApp::start_with(&error(seconds), PARTS).await;
        let ready = app.operations().get("/readyz").await;
        let alarm = ready.at("/alarms/0").as_str().expect("an alarm").to_owned();
        assert_eq!(alarm.contains("nothing settles"), stops, "{alarm}");
        // A run that looked for due installments would fail.
        app.execute("ALTER TABLE receivables_schedule RENAME TO gone")
            .await;
        let run = app.app.settlement().run(|_| ()).await;
        assert_eq!(run.is_ok(), stops, "{seconds}: {run:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn production_needs_its_panels_at_the_start_and_later() {
    let app = TestApp::start_with(&[SECRETS], WITHOUT_WRITER).await;
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("index.html");
    let operations = free_address();
    let (of_operations, key) = (operations.to_string(), |byte| hex::encode([byte; 32]));
    let (jwt, refresh) = (key(1), key(2));
    let variables = [
        ("RAZAO_ENV", "production"),
        ("RAZAO_NOW", ""),
        ("RAZAO_OPS_ADDR", of_operations.as_str()),
        ("RAZAO_DRAIN_MS", "0"),
        ("RAZAO_UI", folder.path().to_str().expect("a path in UTF-8")),
        ("RAZAO_KEY_JWT", jwt.as_str()),
        ("RAZAO_KEY_REFRESH", refresh.as_str()),
        ("RAZAO_KEY_SALES", "5f6e7a52-3c1d-4b8e-9a70-2d1f0c4b6e81"),
        ("RAZAO_SELLER_HOSTS", "lojas.example"),
        ("RAZAO_ADMIN_HOSTS", "staff.lojas.example"),
        ("RAZAO_SMTP_URL", "smtps://user:password@mail.lojas.example:465"),
        ("RAZAO_MAIL_FROM", "Razão <nao-responda@lojas.example>"),
    ];
    let program = Program::new(&app.database.url, free_address(), free_address(), &variables);
    let refused = timeout(TIMEOUT, program.output(&["serve"]))
        .await
        .expect("it ends");
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    let expected = format!("there are no panels: {}", page.display());
    assert!(
        refused.status.code() == Some(1) && text.contains(&expected),
        "{text}"
    );

    std::fs::write(&page, "<!doctype html>").expect("a page");
    let mut running = program.start();
    let client = Client::new(operations);
    until("it is ready", async || {
        TcpStream::connect(operations).await.is_ok() && client.get("/readyz").await.status == 200
    })
    .await;
    std::fs::remove_file(&page).expect("removed");
    let unready = client.get("/readyz?reads").await;
    let reason = unready.at("/reasons/0").as_str().expect("a reason").to_owned();
    assert!(unready.status == 503 && reason.contains(&expected), "{reason}");
    terminate(&running);
    ends(&mut running).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_running_program_and_its_first_line_say_what_was_built() {
    let app = TestApp::start_with(&[SECRETS], WITHOUT_WRITER).await;
    let version = env!("CARGO_PKG_VERSION");
    let ready = app.operations().get("/readyz").await;
    assert_eq!(ready.at("/version"), version);
    let variables = [("RAZAO_LOG", "info")];
    let program = Program::new(&app.database.url, free_address(), free_address(), &variables);
    let printed = program.output(&["--version"]).await;
    let printed = String::from_utf8_lossy(&printed.stdout).into_owned();
    assert!(printed.starts_with(&format!("razao {version}")), "{printed}");
    let running = program.start();
    program.until_it_serves().await;
    let log = program.log();
    let first = log.lines().next().expect("a line");
    let built = printed.trim().trim_start_matches("razao ");
    assert!(
        first.contains("\"starting\"") && first.contains(&format!("\"version\":\"{built}\"")),
        "{first}"
    );
    drop(running);
}
