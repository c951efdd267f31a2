//! What the server's settings make of a commit: one that can be lost is an alarm, and one that cannot end is a fault.

use gateway_dev::embedded::{DATABASE, Embedded};
use ledger_store::durability::{Durability, WeakCommit, durability};
use tokio_postgres::NoTls;

use crate::support::program::Program;
use crate::support::sandbox::free_address;
use crate::support::wait::until;
use crate::support::{Client, TestApp};

#[tokio::test]
async fn a_commit_is_weak_without_its_synchronous_standby_and_waits_for_one_that_is_not_connected() {
    // A separate server: on the shared one, other tests would wait for the standby.
    let server = Embedded::throwaway().await.expect("a throwaway PostgreSQL");
    let url = server.url(DATABASE);
    let (client, connection) = tokio_postgres::connect(&url, NoTls).await.expect("a connection");
    tokio::spawn(connection);
    let execute = async |sql: &str| client.batch_execute(sql).await.expect(sql);
    let durability_with = async |setting: &str| {
        execute(&format!("SET synchronous_commit = {setting}")).await;
        durability(&client).await.expect("settings")
    };
    let not_on_standby = |setting: &str| {
        Some(WeakCommit::NotOnStandby {
            setting: setting.to_owned(),
        })
    };
    let expected = |weak, waits_in_vain| Durability {
        read_only: None,
        weak,
        waits_in_vain,
    };
    // Without standbys, the disk of this server is all that there is to wait for.
    for (setting, weak) in [
        ("off", Some(WeakCommit::Off)),
        ("local", None),
        ("remote_write", None),
        ("on", None),
        ("remote_apply", None),
    ] {
        assert_eq!(durability_with(setting).await, expected(weak, false), "{setting}");
    }
    execute("SET synchronous_commit = local").await;
    execute("ALTER SYSTEM SET synchronous_standby_names = 'elsewhere'").await;
    execute("SELECT pg_reload_conf()").await;
    until("the reloaded setting", async || {
        durability_with("local").await.weak == not_on_standby("local")
    })
    .await;
    // No standby is connected. The writer waits for one also if other sessions do not wait for the disk.
    for (setting, weak, waits_in_vain) in [
        ("local", not_on_standby("local"), false),
        ("off", Some(WeakCommit::Off), true),
        ("remote_write", not_on_standby("remote_write"), true),
        ("on", None, true),
        ("remote_apply", None, true),
    ] {
        assert_eq!(
            durability_with(setting).await,
            expected(weak, waits_in_vain),
            "{setting}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readiness_alarms_of_commits_that_do_not_wait_for_the_disk() {
    let app = TestApp::start().await;
    let in_all_sessions = async |setting: &str| {
        let name = app.text("SELECT current_database()::text").await;
        app.execute(&format!(
            "ALTER DATABASE {name} SET synchronous_commit = {setting}"
        ))
        .await;
        // The program's sessions take the setting when they are opened.
        app.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
              WHERE datname = current_database() AND application_name = 'razao' AND pid <> pg_backend_pid()",
        )
        .await;
    };
    let alarms_until = async |wanted: bool| {
        until("the alarm's state", async || {
            let answer = app.operations().get("/readyz").await;
            let alarms = answer.at("/alarms").to_string();
            answer.status == 200 && alarms.contains("synchronous_commit is off") == wanted
        })
        .await;
    };
    in_all_sessions("off").await;
    alarms_until(true).await;
    in_all_sessions("on").await;
    alarms_until(false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_whose_commits_wait_for_a_missing_standby_is_ready_for_reads_alone() {
    let server = Embedded::throwaway().await.expect("a throwaway PostgreSQL");
    let url = server.url(DATABASE);
    let (client, connection) = tokio_postgres::connect(&url, NoTls).await.expect("a connection");
    tokio::spawn(connection);
    let execute = async |sql: &str| client.batch_execute(sql).await.expect(sql);
    let operations = free_address();
    let variables = [("RAZAO_OPS_ADDR", &*operations.to_string())];
    let program = Program::new(&url, free_address(), free_address(), &variables);
    let _running = program.start();
    program.until_it_serves().await;
    let operations = Client::new(operations);
    let ready = async |status: u16| {
        until("readiness", async || {
            operations.get("/readyz").await.status == status
        })
        .await;
    };
    ready(200).await;
    execute("ALTER SYSTEM SET synchronous_standby_names = 'elsewhere'").await;
    execute("SELECT pg_reload_conf()").await;
    ready(503).await;
    let reasons = operations.get("/readyz").await.at("/reasons").to_string();
    assert!(reasons.contains("none is connected"), "{reasons}");
    assert_eq!(operations.get("/readyz?reads").await.status, 200);
    execute("ALTER SYSTEM RESET synchronous_standby_names").await;
    execute("SELECT pg_reload_conf()").await;
    ready(200).await;
}
