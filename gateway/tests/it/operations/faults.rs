//! Faults of the machine under load, each on a separate durable cluster. `just torture` runs them too.

use std::path::PathBuf;
use std::time::Duration;

use gateway_dev::torture::{self, TortureOptions};
use tempfile::TempDir;

use crate::support::database::layout_of_tests;

/// PostgreSQL's user must be able to enter the folder.
const OPEN_FOLDER: u32 = 0o755;

/// A folder that PostgreSQL's user can enter.
pub fn open_folder() -> TempDir {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;
    tempfile::Builder::new()
        .prefix("razao-faults-")
        .permissions(Permissions::from_mode(OPEN_FOLDER))
        .tempdir()
        .expect("a folder")
}

fn options(folder: &TempDir) -> TortureOptions {
    TortureOptions {
        program: PathBuf::from(env!("CARGO_BIN_EXE_razao")),
        folder: folder.path().to_owned(),
        rounds: 3,
        // One round.
        duration: Duration::ZERO,
        layout: layout_of_tests(),
        seed: 1,
        only: None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_neither_lose_nor_duplicate_an_acknowledged_sale() {
    let folder = open_folder();
    let report = torture::kills(&options(&folder), |_| ()).await.expect("no fault");
    assert_eq!(report.rounds, 3);
    assert!(report.acknowledged > 0, "{report}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notices_are_a_503_while_the_database_takes_no_writes_and_recorded_afterwards() {
    let folder = open_folder();
    let report = torture::read_only(&options(&folder)).await.expect("no fault");
    assert!(report.unavailable > 0, "{report}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notices_are_a_503_while_the_disk_is_full_and_recorded_afterwards() {
    let folder = open_folder();
    let report = torture::disk_full(&options(&folder)).await.expect("no fault");
    // The run is skipped for a user without the right to mount a small file system.
    if let Some(report) = report {
        assert!(report.unavailable > 0 && report.acknowledged > 0, "{report}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_is_stopped_past_its_lease_writes_nothing_twice() {
    let folder = open_folder();
    let report = torture::two_processes(&options(&folder)).await.expect("no fault");
    assert!(report.acknowledged > 0, "{report}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_behind_a_round_robin_lose_and_double_nothing_when_they_end_in_turn() {
    let folder = open_folder();
    let report = torture::round_robin(&options(&folder), |_| ())
        .await
        .expect("no fault");
    assert_eq!(report.rounds, 1);
    assert!(report.acknowledged > 0 && report.unavailable > 0, "{report}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_three_processes_that_share_the_shards_one_joins_one_is_stopped_and_one_is_killed() {
    let folder = open_folder();
    let report = torture::peers(&options(&folder), |_| ()).await.expect("no fault");
    assert_eq!(report.unavailable_at_rest, 0, "{report}");
    assert!(report.acknowledged > 0, "{report}");
}
