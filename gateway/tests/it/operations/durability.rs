//! A server whose settings let an acknowledged commit be lost is an alarm.

use gateway_dev::embedded::{DATABASE, Embedded};
use ledger_store::durability::{WeakCommit, weak_commit};
use tokio_postgres::NoTls;

use crate::support::TestApp;

#[tokio::test]
async fn a_commit_that_does_not_wait_for_the_synchronous_standby_is_weak() {
    // A separate server: on the shared one, other tests would wait for the standby.
    let server = Embedded::throwaway().await.expect("a throwaway PostgreSQL");
    let url = server.url(DATABASE);
    let (client, connection) = tokio_postgres::connect(&url, NoTls).await.expect("a connection");
    tokio::spawn(connection);
    let execute = async |sql: &str| client.batch_execute(sql).await.expect(sql);
    let weak_with = async |setting: &str| {
        execute(&format!("SET synchronous_commit = {setting}")).await;
        weak_commit(&client).await.expect("settings")
    };
    let not_on_standby = |setting: &str| {
        Some(WeakCommit::NotOnStandby {
            setting: setting.to_owned(),
        })
    };
    // Without standbys, the disk of this server is all that there is to wait for.
    for (setting, weak) in [
        ("off", Some(WeakCommit::Off)),
        ("local", None),
        ("remote_write", None),
        ("on", None),
        ("remote_apply", None),
    ] {
        assert_eq!(weak_with(setting).await, weak, "{setting}");
    }
    execute("SET synchronous_commit = local").await;
    execute("ALTER SYSTEM SET synchronous_standby_names = 'elsewhere'").await;
    execute("SELECT pg_reload_conf()").await;
    crate::support::wait::until("the reloaded setting", async || {
        weak_with("local").await == not_on_standby("local")
    })
    .await;
    for (setting, weak) in [
        ("off", Some(WeakCommit::Off)),
        ("remote_write", not_on_standby("remote_write")),
        ("on", None),
        ("remote_apply", None),
    ] {
        assert_eq!(weak_with(setting).await, weak, "{setting}");
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
        crate::support::wait::until("the alarm's state", async || {
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
