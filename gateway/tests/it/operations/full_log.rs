//! The program's log has no room, as on a full disk.

use std::fs::File;
use std::process::Stdio;

use tokio::process::Command;

use crate::support::Client;
use crate::support::database::Database;
use crate::support::sandbox::free_address;
use crate::support::wait::until;

/// Each write to it fails with ENOSPC.
const FULL: &str = "/dev/full";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_without_room_fails_no_request_and_its_lost_lines_are_counted() {
    let database = Database::create().await;
    let folder = tempfile::tempdir().expect("a folder");
    let (addr, operations) = (free_address(), free_address());
    let _running = Command::new(env!("CARGO_BIN_EXE_razao"))
        .args(["serve", "--gateway"])
        .env("DATABASE_URL", &database.url)
        .env("RAZAO_DATA", folder.path())
        .env("RAZAO_ADDR", addr.to_string())
        .env("RAZAO_OPS_ADDR", operations.to_string())
        .env("RAZAO_LOG", "debug")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::options().write(true).open(FULL).expect("a device"))
        .kill_on_drop(true)
        .spawn()
        .expect("the program starts");
    until("a listener", async || std::net::TcpStream::connect(addr).is_ok()).await;
    // The program logs each request.
    assert_eq!(Client::new(addr).get("/api/overview").await.status, 401);
    let metrics = Client::new(operations).get("/metrics").await;
    let metrics = metrics.body.as_str().expect("metrics");
    let lost = metrics
        .lines()
        .find_map(|line| line.strip_prefix("razao_log_lines_lost_total "));
    assert!(lost.is_some_and(|lost| lost != "0"), "{metrics}");
}
