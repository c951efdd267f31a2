//! Tests with real servers on real directories, in memory if possible. As root they also test the change of user.

#![allow(clippy::disallowed_methods)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ledger_store::Supervisor;
use nix::sys::signal::Signal;
use tokio_postgres::NoTls;

use super::cluster_paths::ClusterPaths;
use super::pid_file::PidFile;
use super::throwaway::ThrowawayDir;
use super::user::ServerUser;
use super::{DATABASE, Embedded, EmbeddedError, EmbeddedOptions, process, restarter};

const KEPT_DIR_VARIABLE: &str = "RAZAO_TEST_KEPT_DIR";

type TestResult = Result<(), Box<dyn std::error::Error>>;

fn options(dir: &ThrowawayDir) -> EmbeddedOptions {
    EmbeddedOptions {
        data_dir: dir.data_dir(),
        durable: false,
    }
}

async fn query_text(url: &str, question: &str) -> Result<String, tokio_postgres::Error> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    let driver = tokio::spawn(connection);
    let answer = client.query_one(question, &[]).await?.get(0);
    drop(client);
    let _ = driver.await;
    Ok(answer)
}

fn server_pid(dir: &ThrowawayDir) -> Result<i32, Box<dyn std::error::Error>> {
    let file = PidFile::read(&ClusterPaths::resolve(&dir.data_dir())?)?;
    Ok(file.ok_or("no postmaster.pid")?.pid)
}

/// A directory as the server's user would create it, with one file in it.
fn directory_holding(
    dir: &ThrowawayDir,
    name: &str,
    text: &str,
) -> Result<PathBuf, Box<dyn std::error::Error>> {
    let data_dir = dir.data_dir();
    fs::create_dir(&data_dir)?;
    fs::write(data_dir.join(name), text)?;
    ServerUser::choose(&data_dir)?.chown(&data_dir)?;
    Ok(data_dir)
}

#[tokio::test]
async fn data_survives_a_stop_and_a_start() -> TestResult {
    let dir = ThrowawayDir::create()?;
    let durable = EmbeddedOptions {
        durable: true,
        ..options(&dir)
    };
    let embedded = Embedded::start(durable.clone()).await?;
    let url = embedded.url(DATABASE);
    assert_eq!(query_text(&url, "SHOW fsync").await?, "on");
    assert_eq!(query_text(&url, "SHOW synchronous_commit").await?, "on");
    assert_eq!(query_text(&url, "SELECT upper('razão')").await?, "RAZÃO");
    let (client, connection) = tokio_postgres::connect(&url, NoTls).await?;
    tokio::spawn(connection);
    client
        .batch_execute("CREATE TABLE kept AS SELECT 'still here' AS note")
        .await?;
    embedded.stop().await?;

    let again = Embedded::start(durable).await?;
    assert_eq!(
        query_text(&again.url(DATABASE), "SELECT note FROM kept").await?,
        "still here"
    );
    again.stop().await?;
    Ok(())
}

#[tokio::test]
async fn a_wrong_password_is_refused() -> TestResult {
    let dir = ThrowawayDir::create()?;
    let embedded = Embedded::start(options(&dir)).await?;
    let forged = embedded.url(DATABASE).replace(&embedded.password, "guessed");
    let refusal = query_text(&forged, "SELECT 'in'")
        .await
        .err()
        .ok_or("a wrong password was accepted")?;
    assert_eq!(
        refusal.code(),
        Some(&tokio_postgres::error::SqlState::INVALID_PASSWORD)
    );
    Ok(())
}

#[tokio::test]
async fn a_throwaway_cluster_leaves_nothing_behind() -> TestResult {
    let embedded = Embedded::throwaway().await?;
    assert_eq!(query_text(&embedded.url(DATABASE), "SHOW fsync").await?, "off");
    let folder = embedded.data_dir().parent().ok_or("no parent")?.to_owned();
    let pid = PidFile::read(&ClusterPaths::resolve(embedded.data_dir())?)?
        .ok_or("no server")?
        .pid;
    drop(embedded);
    assert!(!folder.exists() && !process::is_alive(pid));
    Ok(())
}

#[tokio::test]
async fn a_second_instance_is_refused_and_can_join() -> TestResult {
    let dir = ThrowawayDir::create()?;
    let first = Embedded::start(options(&dir)).await?;
    match Embedded::start(options(&dir)).await {
        Err(EmbeddedError::AlreadyRunning { holder, .. }) => assert_eq!(holder, Some(std::process::id())),
        other => return Err(format!("not refused: {other:?}").into()),
    }
    let joined = Embedded::join(options(&dir)).await?;
    assert_eq!(joined.url(DATABASE), first.url(DATABASE));
    joined.stop().await?;
    assert_eq!(
        query_text(&first.url(DATABASE), "SELECT 'serving'").await?,
        "serving"
    );
    Ok(())
}

/// The program that the tests below kill. They run it in a separate process.
#[tokio::test]
#[ignore = "a part of other tests"]
async fn keeps_a_server_until_killed() -> TestResult {
    let Some(data_dir) = std::env::var_os(KEPT_DIR_VARIABLE).map(PathBuf::from) else {
        return Ok(());
    };
    let report = data_dir.with_extension("url");
    let embedded = Embedded::start(EmbeddedOptions {
        data_dir,
        durable: false,
    })
    .await?;
    let unfinished = report.with_extension("unfinished");
    fs::write(&unfinished, embedded.url(DATABASE))?;
    fs::rename(unfinished, report)?;
    tokio::time::sleep(Duration::from_secs(60)).await;
    Ok(())
}

async fn program_with_server(dir: &ThrowawayDir) -> Result<(Child, String), Box<dyn std::error::Error>> {
    let child = Command::new(std::env::current_exe()?)
        .args([
            "--exact",
            "embedded::tests::keeps_a_server_until_killed",
            "--ignored",
        ])
        .env(KEPT_DIR_VARIABLE, dir.data_dir())
        .stdout(Stdio::null())
        .spawn()?;
    let report = dir.data_dir().with_extension("url");
    let url = wait_for(|| fs::read_to_string(&report).ok()).await?;
    Ok((child, url))
}

async fn wait_for<T>(look: impl Fn() -> Option<T>) -> Result<T, &'static str> {
    let deadline = Instant::now() + Duration::from_secs(30);
    while Instant::now() < deadline {
        if let Some(found) = look() {
            return Ok(found);
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    Err("nothing was found within 30 s")
}

#[tokio::test]
async fn the_server_of_a_killed_program_is_taken_over() -> TestResult {
    let dir = ThrowawayDir::create()?;
    let (mut program, url) = program_with_server(&dir).await?;
    let pid = server_pid(&dir)?;
    program.kill()?;
    program.wait()?;

    let adopted = Embedded::start(options(&dir)).await?;
    assert_eq!(adopted.url(DATABASE), url);
    assert_eq!(server_pid(&dir)?, pid);
    adopted.stop().await?;
    assert!(!process::is_alive(pid));
    Ok(())
}

#[tokio::test]
async fn a_server_that_was_killed_starts_again() -> TestResult {
    let dir = ThrowawayDir::create()?;
    let (mut program, _) = program_with_server(&dir).await?;
    let killed = server_pid(&dir)?;
    process::signal(killed, Signal::SIGKILL);
    program.kill()?;
    program.wait()?;

    let again = Embedded::start(options(&dir)).await?;
    assert_ne!(server_pid(&dir)?, killed);
    again.stop().await?;
    Ok(())
}

#[tokio::test]
async fn a_server_that_dies_while_the_program_runs_is_restarted_on_its_port() -> TestResult {
    let dir = ThrowawayDir::create()?;
    let embedded = Embedded::start(options(&dir)).await?;
    let supervisor = Supervisor::default();
    let restarter = embedded.keep_running(&supervisor).ok_or("no restarter")?;
    let url = embedded.url(DATABASE);
    for death in 1..=2 {
        let killed = server_pid(&dir)?;
        process::signal(killed, Signal::SIGKILL);
        wait_for(|| (supervisor.tasks()[0].failures == death).then_some(())).await?;
        wait_for(|| supervisor.failing().is_empty().then_some(())).await?;
        assert_ne!(server_pid(&dir)?, killed);
        assert_eq!(query_text(&url, "SELECT 'serving'").await?, "serving");
    }
    let last = server_pid(&dir)?;
    embedded.stop().await?;
    assert!(!process::is_alive(last));
    tokio::time::sleep(5 * restarter::CHECK_INTERVAL).await;
    assert!(server_pid(&dir).is_err(), "a stopped server stays stopped");
    assert!(supervisor.failing().is_empty());
    drop(restarter);
    Ok(())
}

#[tokio::test]
async fn a_restart_creates_no_new_database_in_the_place_of_a_lost_one() -> TestResult {
    let dir = ThrowawayDir::create()?;
    let embedded = Embedded::start(options(&dir)).await?;
    let supervisor = Supervisor::default();
    let restarter = embedded.keep_running(&supervisor).ok_or("no restarter")?;
    let killed = server_pid(&dir)?;
    fs::remove_dir_all(ClusterPaths::resolve(&dir.data_dir())?.data_dir())?;
    process::signal(killed, Signal::SIGKILL);
    let failure = wait_for(|| {
        let failed = supervisor.tasks().swap_remove(0);
        (failed.failures > 1).then_some(failed)
    })
    .await?;
    assert!(failure.reason.contains("was removed while"), "{failure:?}");
    drop(restarter);
    Ok(())
}

#[tokio::test]
async fn a_server_that_is_not_durable_is_not_taken_over_as_durable() -> TestResult {
    let dir = ThrowawayDir::create()?;
    let (mut program, _) = program_with_server(&dir).await?;
    program.kill()?;
    program.wait()?;

    let durable = Embedded::start(EmbeddedOptions {
        durable: true,
        ..options(&dir)
    })
    .await?;
    assert_eq!(query_text(&durable.url(DATABASE), "SHOW fsync").await?, "on");
    Ok(())
}

#[tokio::test]
async fn a_process_number_of_another_program_does_not_block_a_start() -> TestResult {
    let dir = ThrowawayDir::create()?;
    Embedded::start(options(&dir)).await?.stop().await?;
    // PostgreSQL itself ignores its parent's number, and that of a process of another user.
    let mut other_program = ServerUser::choose(&dir.data_dir())?
        .command("sleep")
        .arg("60")
        .spawn()?;
    let pid_file = format!(
        "{}\n{}\n1\n1\n\n127.0.0.1\n",
        other_program.id(),
        dir.data_dir().display()
    );
    fs::write(dir.data_dir().join("postmaster.pid"), pid_file)?;
    let started = Embedded::start(options(&dir)).await;
    let other_program_runs = other_program.try_wait()?.is_none();
    other_program.kill()?;
    other_program.wait()?;
    assert!(other_program_runs);
    started?.stop().await?;
    Ok(())
}

#[tokio::test]
async fn an_interrupted_initdb_is_removed_and_repeated() -> TestResult {
    let dir = ThrowawayDir::create()?;
    let parent = dir.data_dir().parent().map(Path::to_owned).ok_or("no parent")?;
    let half = parent.join("postgres.initdb-0badcafe");
    fs::create_dir_all(half.join("base"))?;
    fs::write(parent.join("postgres.initdb-0badcafe.password"), "half")?;
    // A start that was killed before it wrote the password leaves this file empty.
    fs::write(dir.data_dir().with_extension("password"), "")?;
    Embedded::start(options(&dir)).await?.stop().await?;
    let left: Vec<_> = fs::read_dir(&parent)?
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert!(
        !left.iter().any(|name| name.to_string_lossy().contains("initdb")),
        "{left:?}"
    );
    Ok(())
}

#[tokio::test]
async fn a_cluster_of_another_major_version_is_left_alone() -> TestResult {
    let dir = ThrowawayDir::create()?;
    directory_holding(&dir, "PG_VERSION", "9\n")?;
    fs::write(dir.data_dir().with_extension("password"), "secret\n")?;
    match Embedded::start(options(&dir)).await {
        Err(EmbeddedError::WrongMajor {
            cluster_major: 9,
            tried,
            ..
        }) => assert!(!tried.is_empty()),
        other => return Err(format!("not refused: {other:?}").into()),
    }
    assert_eq!(fs::read_to_string(dir.data_dir().join("PG_VERSION"))?, "9\n");
    Ok(())
}

#[tokio::test]
async fn a_folder_with_other_files_is_refused() -> TestResult {
    let dir = ThrowawayDir::create()?;
    directory_holding(&dir, "notes.txt", "mine")?;
    let refusal = Embedded::start(options(&dir)).await.err();
    assert!(
        matches!(refusal, Some(EmbeddedError::NotACluster { .. })),
        "{refusal:?}"
    );
    Ok(())
}

#[tokio::test]
async fn an_unreadable_cluster_or_one_of_root_is_refused() -> TestResult {
    use std::os::unix::fs::PermissionsExt;

    let dir = ThrowawayDir::create()?;
    let data_dir = directory_holding(&dir, "PG_VERSION", "18\n")?;
    let is_refused = if nix::unistd::geteuid().is_root() {
        // Root can read everything. It must not hand root's cluster to another user.
        std::os::unix::fs::chown(&data_dir, Some(0), Some(0))?;
        let refusal = Embedded::start(options(&dir)).await.err();
        matches!(&refusal, Some(EmbeddedError::DataDirOwner { owner, .. }) if owner == "root")
    } else {
        fs::set_permissions(&data_dir, fs::Permissions::from_mode(0o000))?;
        let refusal = Embedded::start(options(&dir)).await.err();
        fs::set_permissions(&data_dir, fs::Permissions::from_mode(0o700))?;
        matches!(refusal, Some(EmbeddedError::DataDirUnreadable { .. }))
    };
    assert!(is_refused);
    Ok(())
}

#[tokio::test]
async fn a_cluster_without_its_password_is_not_opened() -> TestResult {
    let dir = ThrowawayDir::create()?;
    Embedded::start(options(&dir)).await?.stop().await?;
    fs::remove_file(dir.data_dir().with_extension("password"))?;
    let refusal = Embedded::start(options(&dir)).await.err();
    assert!(
        matches!(refusal, Some(EmbeddedError::PasswordLost { .. })),
        "{refusal:?}"
    );
    Ok(())
}
