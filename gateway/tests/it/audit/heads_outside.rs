//! Signed heads in a folder outside of the database.

use chrono::{DateTime, Utc};
use gateway_environment::config::HeadsPlace;
use gateway_platform::heads_outside::{HeadsOutside, last_written};
use tempfile::TempDir;

use super::proofs::{Log, checkpointed, rewrite_the_end};
use super::tree_heads::razao_with;

fn job(log: &Log, folder: &TempDir) -> HeadsOutside {
    let place = HeadsPlace::Folder(folder.path().to_owned());
    HeadsOutside::new(log.database.program_pool(), Some(&place)).expect("a folder")
}

fn at(text: &str) -> DateTime<Utc> {
    text.parse().expect("an instant")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn heads_are_written_once_a_day_and_never_overwritten() {
    let log = checkpointed().await;
    let folder = tempfile::tempdir().expect("a folder");
    let job = job(&log, &folder);
    let name = job.run(at("2026-11-30T15:00:00Z")).await.expect("written");
    let name = name.expect("a new file");
    assert!(name.starts_with("heads-2026-11-30-"), "{name}");
    let path = folder.path().join(&name);
    std::fs::write(&path, "[]").expect("a changed file");
    assert_eq!(job.run(at("2026-11-30T23:00:00Z")).await.expect("no fault"), None);
    assert_eq!(std::fs::read_to_string(&path).expect("the file"), "[]");
    let next = job.run(at("2026-12-01T15:00:00Z")).await.expect("written");
    assert!(next.is_some_and(|name| name.starts_with("heads-2026-12-01-")));
    let heads = job.read().await.expect("readable");
    assert_eq!((heads.log.len(), heads.checkpoints.len()), (1, 1));
    let written = last_written(&log.client).await.expect("read").expect("noted");
    assert!(written.name.contains("heads-2026-12-01-"), "{written:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn verify_compares_with_all_that_is_kept_outside() {
    let log = checkpointed().await;
    let folder = tempfile::tempdir().expect("a folder");
    job(&log, &folder).run(Utc::now()).await.expect("written");
    let url = format!("file://{}", folder.path().display());
    let data = tempfile::tempdir().expect("a folder");
    let verify = async || {
        let variables = [("RAZAO_HEADS_URL", url.as_str())];
        razao_with(&log.database, data.path(), &["audit", "verify"], &variables).await
    };
    let (status, output) = verify().await;
    assert_eq!(status, Some(0), "{output}");
    assert!(output.contains("compared with 2 heads from outside"), "{output}");
    rewrite_the_end(&log.client).await;
    let (status, output) = verify().await;
    assert_ne!(status, Some(0), "{output}");
    assert!(
        output.contains("checkpoint: the events up to it are not those that were signed"),
        "{output}"
    );
    std::fs::write(folder.path().join("heads-2026-01-01-0.json"), "damaged").expect("a file");
    let (status, output) = verify().await;
    assert_ne!(status, Some(0), "{output}");
    assert!(output.contains("heads-2026-01-01-0.json is damaged"), "{output}");
}
