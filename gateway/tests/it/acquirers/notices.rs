//! Unsigned notices: their secret address, and the handling of hints.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;

use ledger_domain::sale::Provider;
use serde_json::json;
use tokio::process::{Child, Command};

use crate::support::database::Database;
use crate::support::sandbox::free_address;
use crate::support::wait::until;
use crate::support::{Client, PARTS, TestApp};

/// The last segment of an acquirer's notice address.
const SECRET: &str = "s3cret-of-the-path-0123456789";
const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

#[tokio::test]
async fn a_hint_of_an_unknown_charge_waits_for_staff_and_an_unrelated_notice_is_ignored() {
    let iugu = [
        ("RAZAO_ACQUIRER_IUGU_URL", "https://api.iugu.invalid/v1"),
        ("RAZAO_ACQUIRER_IUGU_KEY", "token"),
        ("RAZAO_ACQUIRER_IUGU_ACCOUNT", "account"),
        ("RAZAO_ACQUIRER_IUGU_NOTICE_SECRETS", SECRET),
    ];
    let parts = PARTS;
    let app = TestApp::start_with(&iugu, parts).await;
    let path = |provider| {
        let url = app.app.state.acquirers.notice_url(provider).expect("an address");
        let (_, path) = url.0.split_once("/api/").expect("a path");
        format!("/api/{path}")
    };
    let (valori, iugu) = (path(Provider::Valori), path(Provider::Iugu));
    let send = async |path: &str, content_type, body| app.client().post_text(path, content_type, body).await;

    let paid = r#"{"event": "charge.paid", "charge_id": "chg_1", "sale_id": null}"#;
    let form =
        "event=invoice.status_changed&data%5Bid%5D=1757E1D7FD5E410A9C563024250015BF&data%5Bstatus%5D=paid";
    for answer in [send(&valori, JSON, paid).await, send(&iugu, FORM, form).await] {
        assert_eq!(
            (answer.status, &answer.body),
            (200, &json!({ "result": "recorded" }))
        );
    }
    let transfer = r#"{"event": "transfer.done", "charge_id": null, "sale_id": null}"#;
    let unrelated = send(&valori, JSON, transfer).await;
    assert_eq!(
        (unrelated.status, &unrelated.body),
        (200, &json!({ "result": "unrelated" }))
    );
    assert_eq!(send(&valori, JSON, "{").await.status, 422);
    let kept = "SELECT count(*) FROM exception WHERE notice_type = 'charge.unknown'";
    assert_eq!(app.count(kept).await, 2);
}

/// Starts the program with its most verbose log, and waits until it listens.
async fn start_with_trace_log(database: &Database, folder: &Path, [addr, ops]: [SocketAddr; 2]) -> Child {
    let running = Command::new(env!("CARGO_BIN_EXE_razao"))
        .args(["serve", "--gateway"])
        .env("DATABASE_URL", &database.url)
        .env("RAZAO_DATA", folder)
        .env("RAZAO_ADDR", addr.to_string())
        .env("RAZAO_OPS_ADDR", ops.to_string())
        .env("RAZAO_ACQUIRER_IUGU_NOTICE_SECRETS", SECRET)
        .env(
            "RAZAO_ACQUIRER_VALORI_NOTICE_SECRETS",
            format!("another-secret-0123456789,{SECRET}"),
        )
        .env("RAZAO_LOG", "trace")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(folder.join("log")).expect("a file"))
        .kill_on_drop(true)
        .spawn()
        .expect("the program starts");
    until("a listener", async || std::net::TcpStream::connect(addr).is_ok()).await;
    running
}

async fn assert_wrong_addresses_are_unknown(client: &Client) {
    let unknown = client.post_text("/api/webhooks/valori/wrong", JSON, "{}").await;
    assert_eq!(unknown.status, 404);
    for path in [
        format!("/api/webhooks/zoop/{SECRET}"),
        format!("/api/webhooks/entrepay/{SECRET}"),
        format!("/api/webhooks/stone/{SECRET}"),
        format!("/api/webhooks/valori/{SECRET}x"),
        format!("/api/webhooks/valori/{SECRET}%00"),
    ] {
        let answer = client.post_text(&path, JSON, "{}").await;
        assert_eq!(
            (answer.status, answer.text("/message")),
            (404, unknown.text("/message")),
            "{path}"
        );
    }
}

async fn assert_no_answer_has_the_secret(client: &Client, path: &str) {
    for (content_type, body, status) in [
        (
            JSON,
            r#"{"event": "transfer.done", "charge_id": null, "sale_id": null}"#.to_owned(),
            200,
        ),
        (FORM, "event=charge.paid".to_owned(), 422),
        (JSON, "x".repeat(256 * 1024 + 1), 413),
    ] {
        let answer = client.post_text(path, content_type, &body).await;
        assert_eq!(answer.status, status, "{}", answer.body);
        assert!(!answer.body.to_string().contains(SECRET), "{}", answer.body);
    }
    // Other paths and methods with the secret. Their answers do not matter; the log must not show it.
    for path in [
        format!("/api/webhooks/valori/{SECRET}/more"),
        format!("/API/Webhooks/valori/{SECRET}"),
        format!("/api/webhooks/{SECRET}"),
    ] {
        client.get(&path).await;
        client.post_text(&path, JSON, "{}").await;
    }
    assert_eq!(client.get(path).await.status, 405);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_secret_is_an_unknown_address_and_no_log_or_metric_has_a_secret() {
    let database = Database::create().await;
    let folder = tempfile::tempdir().expect("a folder");
    let (addr, ops) = (free_address(), free_address());
    let running = start_with_trace_log(&database, folder.path(), [addr, ops]).await;
    let client = Client::new(addr);
    assert_wrong_addresses_are_unknown(&client).await;
    let path = format!("/api/webhooks/valori/{SECRET}");
    until("its acquirers", async || {
        client.post_text(&path, JSON, "{}").await.status != 503
    })
    .await;
    assert_no_answer_has_the_secret(&client, &path).await;
    let metrics = Client::new(ops).get("/metrics").await.body.to_string();
    assert!(metrics.contains("/api/webhooks/{provider}/{secret}"), "{metrics}");
    assert!(!metrics.contains(SECRET), "{metrics}");
    drop(running);

    let log = fs::read_to_string(folder.path().join("log")).expect("the log");
    assert!(
        log.contains("/api/webhooks/valori") && log.contains("the sandbox takes"),
        "{log}"
    );
    let leak = log
        .lines()
        .find(|line| line.contains(SECRET) || line.contains("another-secret"));
    assert_eq!(leak, None);
}
