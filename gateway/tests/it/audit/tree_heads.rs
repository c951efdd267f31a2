//! Signed tree heads, and their copies outside the database.

use std::path::Path;

use chrono::Utc;
use gateway_environment::clock::BusinessClock;
use gateway_environment::config::{CheckpointKeys, KeyRing, Live};
use gateway_platform::tree_heads::TreeHeads;
use ledger_domain::{BusinessId, SaleId};
use ledger_store::Shard;
use ledger_store::audit::Difference;
use ledger_store::tree_head::{self, SignError, TreeHead};
use tokio_postgres::Client;
use uuid::Uuid;

use super::{KEY, recorded, shard, walk, walk_with};
use crate::support::database::Database;
use crate::support::wait::until;
use crate::writer::{self, business, capture_sales};

/// Tree head 1 is at position 8, and tree head 2 at position 10, the last one. A copy of head 2 is kept outside the
/// database.
async fn with_kept_head() -> (Database, Client, TreeHead) {
    let (database, client) = recorded().await;
    let kept = tree_head::make(&client, shard(), &KEY, Utc::now())
        .await
        .expect("made")
        .expect("a head");
    assert_eq!((kept.number, kept.position), (2, 10));
    (database, client, kept)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_untouched_log_agrees_with_the_external_tree_head() {
    let (database, _client, kept) = with_kept_head().await;
    assert_eq!(walk_with(&database, &[kept]).await, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_chain_hash_of_another_length_is_not_signed() {
    let (_database, client) = recorded().await;
    client
        .batch_execute("UPDATE business_head SET chain = 'short'")
        .await
        .expect("tampered");
    let made = tree_head::make(&client, shard(), &KEY, Utc::now()).await;
    assert!(matches!(made, Err(SignError::ChainLength(_))), "{made:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_tree_head_leaves_a_gap() {
    let (database, client, _) = with_kept_head().await;
    client
        .batch_execute("DELETE FROM tree_head WHERE number = 1")
        .await
        .expect("tampered");
    let found: Vec<_> = walk(&database)
        .await
        .into_iter()
        .map(|finding| finding.what)
        .collect();
    let gap = Difference::TreeHeadGap {
        expected: 1,
        found: 2,
    };
    assert_eq!(found, [gap, Difference::TreeHeadLink]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_last_tree_head_is_found_by_its_external_copy() {
    let (database, client, kept) = with_kept_head().await;
    client
        .batch_execute("DELETE FROM tree_head WHERE number = 2")
        .await
        .expect("tampered");
    assert_eq!(walk(&database).await, [], "the database alone shows no finding");
    let found = walk_with(&database, &[kept]).await;
    let [finding] = found.as_slice() else {
        panic!("one finding: {found:?}")
    };
    assert_eq!(
        (finding.position, &finding.what),
        (Some(10), &Difference::ExportedHeadMissing { number: 2 })
    );
}

/// The holder of the signing key can sign a shorter history again. Only an external copy of the tree head reveals it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_history_that_was_cut_and_signed_again_is_found_by_the_external_tree_head() {
    let (database, client, kept) = with_kept_head().await;
    client
        .batch_execute(
            "DELETE FROM tree_head WHERE number = 2; DELETE FROM event WHERE sequence > 9;
             DELETE FROM command_key WHERE sequence > 9; DELETE FROM sale_claim WHERE sequence > 9;
             UPDATE log_shard SET position = 9 WHERE position = 10",
        )
        .await
        .expect("tampered");
    // The business head as of the ninth sale.
    let sums = "UPDATE business_head SET version = 9, chain = (SELECT chain FROM event WHERE sequence = 9),
                       receivable = receivable / 10 * 9, platform_fees = platform_fees / 10 * 9,
                       clearing = clearing / 10 * 9";
    client.batch_execute(sums).await.expect("tampered");
    tree_head::make(&client, shard(), &KEY, Utc::now())
        .await
        .expect("made")
        .expect("a head");
    assert_eq!(walk(&database).await, [], "the database alone shows no finding");
    let found: Vec<_> = walk_with(&database, &[kept])
        .await
        .into_iter()
        .map(|finding| finding.what)
        .collect();
    assert_eq!(
        found,
        [
            Difference::ExportedHeadDiffers { number: 2 },
            Difference::TreeHeadAhead { log: 9 }
        ]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tree_heads_are_signed_once_a_day_with_consecutive_numbers() {
    let (database, _client) = recorded().await;
    // `recorded` has made head 1 by the machine's clock. The days here are a century later.
    let heads = |today: &str| TreeHeads {
        name: "razao.example.com".to_owned(),
        pool: database.pool.clone(),
        keys: Live::new(CheckpointKeys::new(KeyRing::new([KEY]))),
        clock: BusinessClock::stopped_on(today.parse().expect("a date")),
    };
    let made_on = async |today: &str| {
        let made = heads(today).run().await.expect("heads");
        made.iter()
            .map(|head| (head.shard, head.number, head.position))
            .collect::<Vec<_>>()
    };
    assert_eq!(made_on("2126-01-01").await, [(shard(), 2, 10)]);
    record_sale(&database, business(1), 11).await;
    assert_eq!(made_on("2126-01-01").await, [], "one tree head a day");
    assert_eq!(made_on("2126-01-02").await, [(shard(), 3, 11)]);
    assert_eq!(made_on("2126-01-03").await, [], "nothing new");
    assert_eq!(walk(&database).await, []);
}

/// Another transaction locks the table of tree heads, so that its readers wait.
async fn hold_heads(database: &Database) -> Client {
    let holder = database.client().await;
    let hold = "BEGIN; LOCK TABLE tree_head IN ACCESS EXCLUSIVE MODE";
    holder.batch_execute(hold).await.expect("held");
    holder
}

/// Waits until a session waits for the lock on the table of tree heads.
async fn until_waited_for(holder: &Client) {
    // In layout `schemas` each shard has such a table.
    let waiting = "SELECT count(*) FROM pg_locks JOIN pg_class ON pg_class.oid = relation
                    WHERE NOT granted AND relname = 'tree_head'";
    until("a wait for the tree heads", async || {
        let waits: i64 = holder.query_one(waiting, &[]).await.expect("locks").get(0);
        waits > 0
    })
    .await;
}

/// Waits until a session waits for the tree heads. Then records one more sale in shard 0, and signs its tree head in
/// the transaction that holds the lock.
async fn sign_another(database: &Database, holder: &Client, sale_number: u128) -> TreeHead {
    until_waited_for(holder).await;
    record_sale(database, business_of_shard_0(), sale_number).await;
    let made = tree_head::make(holder, Shard::of(business_of_shard_0()), &KEY, Utc::now()).await;
    holder.batch_execute("COMMIT").await.expect("released");
    made.expect("made").expect("a head")
}

/// Records the capture of one sale by a new writer.
async fn record_sale(database: &Database, business_id: BusinessId, sale_number: u128) {
    let (writer, task) = writer::start(database, "one").await;
    let sale_id = SaleId::from_uuid(Uuid::from_u128(sale_number));
    capture_sales(&writer, &[(business_id, sale_id)]).await;
    writer.shutdown();
    task.join().await;
}

/// A business of shard 0, where the audit begins.
fn business_of_shard_0() -> BusinessId {
    let of_shard_0 = |id: &BusinessId| Shard::of(*id).number() == 0;
    (0..).map(business).find(of_shard_0).expect("a business")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_state_that_another_process_just_signed_is_not_signed_again() {
    let database = Database::create().await;
    let shard = Shard::of(business_of_shard_0());
    record_sale(&database, business_of_shard_0(), 1).await;
    let holder = hold_heads(&database).await;
    let client = database.client().await;
    let (slow, another) = tokio::join!(
        tree_head::make(&client, shard, &KEY, Utc::now()),
        sign_another(&database, &holder, 2)
    );
    assert_eq!(another.position, 2);
    assert_eq!(slow.expect("made"), None, "nothing is new");
    assert_eq!(walk(&database).await, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tree_head_that_is_signed_during_the_audit_is_not_ahead_of_the_log() {
    let database = Database::create().await;
    let holder = hold_heads(&database).await;
    let (found, another) = tokio::join!(walk(&database), sign_another(&database, &holder, 1));
    assert_eq!(another.position, 1);
    assert_eq!(found, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_dates_tree_heads_by_the_business_clock() {
    let (database, client) = recorded().await;
    let folder = tempfile::tempdir().expect("a folder");
    let dated = |now: &'static str| ("RAZAO_NOW", now);
    let checkpoint = ["audit", "checkpoint"];
    let (status, output) = razao_with(
        &database,
        folder.path(),
        &checkpoint,
        &[dated("2026-01-02T12:00:00-03:00")],
    )
    .await;
    assert_eq!(status, Some(0), "{output}");
    let day = "SELECT (made_at AT TIME ZONE 'America/Sao_Paulo')::date::text FROM tree_head WHERE number = 2";
    let day: String = client.query_one(day, &[]).await.expect("a head").get(0);
    assert_eq!(day, "2026-01-02");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_writes_tree_heads_to_a_file_and_verifies_against_it() {
    let (database, client) = recorded().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("heads.json");
    let file = file.to_str().expect("a name");
    let (status, output) = razao(&database, folder.path(), &["audit", "checkpoint", "--out", file]).await;
    assert_eq!(status, Some(0), "{output}");
    assert!(
        output.contains(&format!("heads written to {file}: 1 of the log, 1 of rows")),
        "{output}"
    );
    let (status, output) = razao(&database, folder.path(), &["audit", "verify", "--head", file]).await;
    assert_eq!(status, Some(0), "{output}");
    assert!(
        output.contains(" 0 findings") && !output.contains("warning"),
        "{output}"
    );
    let (status, output) = razao(&database, folder.path(), &["audit", "verify"]).await;
    assert_eq!(status, Some(0), "{output}");
    assert!(output.contains("warning: no tree head from outside"), "{output}");
    client
        .batch_execute("DELETE FROM tree_head WHERE number = 2")
        .await
        .expect("tampered");
    let (status, output) = razao(&database, folder.path(), &["audit", "verify", "--head", file]).await;
    assert_eq!(status, Some(3), "{output}");
    assert!(
        output.contains("tree head: number 2 has an external copy, but is not in the database"),
        "{output}"
    );
}

/// The exit code of the program and its output.
pub(super) async fn razao(database: &Database, folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    razao_with(database, folder, arguments, &[]).await
}

pub(super) async fn razao_with(
    database: &Database,
    folder: &Path,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> (Option<i32>, String) {
    let output = tokio::process::Command::new(env!("CARGO_BIN_EXE_razao"))
        .args(arguments)
        .env("DATABASE_URL", &database.url)
        .env("RAZAO_DATA", folder)
        .env("RAZAO_KEY_CHECKPOINT", hex::encode(KEY))
        .env("RAZAO_LOG", "warn")
        .envs(variables.iter().copied())
        .output()
        .await
        .expect("the program runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}
