//! Reads from a real streaming replica: a copy of the installation's cluster that follows it.

use std::path::{Path, PathBuf};
use std::process::Command;

use gateway_dev::embedded::{DATABASE, Embedded, EmbeddedOptions};
use gateway_dev::installation::Installation;
use gateway_identity::roles::SellerRole;
use ledger_store::Layout;
use serde_json::json;
use tokio_postgres::NoTls;

use super::faults::open_folder;
use crate::support::acquirer::{self, SECRETS};
use crate::support::database::Database;
use crate::support::wait::until;
use crate::support::{Client, PARTS, TestApp};

fn run(command: &mut Command) {
    let status = command.status().expect("a command");
    assert!(status.success(), "{command:?}: {status}");
}

/// A copy of the files of a cluster that does not run.
fn copy(primary: &Path, folder: &Path) -> PathBuf {
    run(Command::new("cp").arg("-a").arg(primary).arg(folder));
    folder.join("postgres")
}

/// Makes the copy follow the primary. Its files keep their owner, who may be another user.
fn follow(data_dir: &Path, primary: &str) {
    let options: tokio_postgres::Config = primary.parse().expect("an address");
    let password = String::from_utf8_lossy(options.get_password().expect("a password")).into_owned();
    let (port, user) = (options.get_ports()[0], options.get_user().expect("a user"));
    let settings = data_dir.join("postgresql.auto.conf");
    let mut text = std::fs::read_to_string(&settings).expect("settings");
    text.push_str(&format!(
        "primary_conninfo = 'host=127.0.0.1 port={port} user={user} password={password}'\n"
    ));
    std::fs::write(&settings, text).expect("settings");
    let (known, signal) = (data_dir.join("PG_VERSION"), data_dir.join("standby.signal"));
    run(Command::new("cp").arg("-a").arg(known).arg(signal));
}

async fn readiness(operations: &Client) -> (u16, String) {
    let answer = operations.get("/readyz").await;
    (answer.status, answer.at("/alarms").to_string())
}

/// A counter of the metrics; 0 until it counts.
async fn count(operations: &Client, name: &str) -> u64 {
    let metrics = operations.get("/metrics").await;
    let text = metrics.body.as_str().expect("metrics").to_owned();
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.map_or(0, |count| count.parse().expect("a number"))
}

const READS: &str = "razao_replica_reads_total";
const FALLBACKS: &str = "razao_replica_fallbacks_total";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_answers_lists_and_sums_and_the_primary_whatever_it_cannot() {
    let folder = open_folder();
    let installation = Installation::without_spare_wal(&folder.path().join("primary"), Layout::One)
        .await
        .expect("an installation");
    std::fs::create_dir(folder.path().join("standby")).expect("a folder");
    let data_dir = copy(
        &folder.path().join("primary").join("postgres"),
        &folder.path().join("standby"),
    );
    for file in ["postgres.password", "postgres.log"] {
        let _ = Command::new("cp")
            .arg("-a")
            .arg(folder.path().join("primary").join(file))
            .arg(folder.path().join("standby"))
            .status();
    }
    let (primary, _client) = installation.start_database().await.expect("the primary");
    let primary_url = primary.url(DATABASE);
    follow(&data_dir, &primary_url);
    let standby = Embedded::start(EmbeddedOptions {
        data_dir,
        durable: true,
    })
    .await
    .expect("the standby");
    let standby_url = standby.url(DATABASE);
    let variables = [SECRETS, ("RAZAO_READ_DATABASE_URL", standby_url.as_str())];
    let app = TestApp::start_at(Database::at(&primary_url), &variables, PARTS).await;
    let operations = app.operations();
    let is_used = async || {
        let replica = app.app.state.replica.as_ref().expect("a replica");
        replica.fault().is_none()
    };
    until("the replica is used", is_used).await;

    // A read that names its own write finds it, wherever it reads.
    let company = app.company("Padaria").await;
    let owner = app
        .sign_in(&app.seller(&[(&company, SellerRole::Owner)]).await)
        .await;
    let recorded = app.send(&acquirer::capture(&company, "nsu-1")).await;
    let position = recorded.headers["ledger-position"]
        .to_str()
        .expect("a position")
        .to_owned();
    let sales = async |position: &str| {
        let list = owner.clone().with("ledger-position", position);
        let answer = list
            .get(&format!("/api/transactions?business_id={}", company.id))
            .await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.at("/meta/total").clone()
    };
    until("the replica answers", async || {
        let before = count(&operations, READS).await;
        assert_eq!(sales(&position).await, json!(1));
        count(&operations, READS).await > before
    })
    .await;
    // A call that is not marked reads from the primary.
    let before = count(&operations, READS).await;
    let company_page = owner.get(&format!("/api/business/{}", company.id)).await;
    assert_eq!(company_page.status, 200, "{}", company_page.body);
    assert_eq!(count(&operations, READS).await, before);

    // Every marked call of a company can be answered by the replica: none writes.
    let (before, fallbacks) = (
        count(&operations, READS).await,
        count(&operations, FALLBACKS).await,
    );
    let id = &company.id;
    let calls = [
        format!("/api/transactions?business_id={id}"),
        format!("/api/transactions/totals?business_id={id}"),
        format!("/api/transactions/report?business_id={id}"),
        format!("/api/transactions/financial?business_id={id}"),
        format!("/api/business/{id}/terminals/sales"),
        format!("/api/balance/history?business_id={id}"),
        format!("/api/balance/daily?business_id={id}"),
        format!("/api/receivables?business_id={id}"),
        format!("/api/receivables/units?business_id={id}"),
        format!("/api/business/{id}/closing?month=2026-10"),
    ];
    for call in &calls {
        let answer = owner.get(call).await;
        assert_eq!(answer.status, 200, "{call}: {}", answer.body);
    }
    assert_eq!(count(&operations, FALLBACKS).await, fallbacks);
    assert_eq!(count(&operations, READS).await, before + calls.len() as u64);

    // The replica falls behind: the primary answers, and operators are told.
    let (client, connection) = tokio_postgres::connect(&standby_url, NoTls)
        .await
        .expect("the standby");
    tokio::spawn(connection);
    client
        .batch_execute("SELECT pg_wal_replay_pause()")
        .await
        .expect("paused");
    let recorded = app.send(&acquirer::capture(&company, "nsu-2")).await;
    let position = recorded.headers["ledger-position"]
        .to_str()
        .expect("a position")
        .to_owned();
    assert_eq!(sales(&position).await, json!(2));
    until("the replica is too far behind", async || {
        readiness(&operations).await.1.contains("ms behind")
    })
    .await;
    assert_eq!(
        readiness(&operations).await.0,
        200,
        "a missing replica stops nothing"
    );
    client
        .batch_execute("SELECT pg_wal_replay_resume()")
        .await
        .expect("resumed");
    until("the replica is used again", is_used).await;
    assert_eq!(sales(&position).await, json!(2));
    drop(client);

    // It ends: reads go on.
    standby.stop().await.expect("the standby stops");
    assert_eq!(sales(&position).await, json!(2));
    until("operators are told", async || {
        readiness(&operations)
            .await
            .1
            .contains("the replica answers no reads")
    })
    .await;
    // The last known lag would look like a present one.
    until("the lag is no figure any more", async || {
        let metrics = operations.get("/metrics").await.body;
        metrics
            .as_str()
            .is_some_and(|text| text.contains("razao_replica_lag_seconds NaN"))
    })
    .await;
    let TestApp { app, .. } = app;
    app.stop().await;
    primary.stop().await.expect("the primary stops");
}
