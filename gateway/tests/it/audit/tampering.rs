//! The log's audit finds every kind of tampering with the log.

use std::path::Path;
use std::time::Duration;

use chrono::Utc;
use ed25519_dalek::SigningKey;
use gateway_environment::clock::BusinessClock;
use gateway_environment::config::Secret;
use gateway_platform::tree_heads::TreeHeads;
use ledger_domain::business::Account;
use ledger_domain::{BusinessId, SaleId};
use ledger_store::audit::{Difference, Finding};
use ledger_store::checkpoint::{self, InvalidTreeHead, TreeHead};
use ledger_store::{Shard, chain, log, verify};
use tokio_postgres::Client;
use uuid::Uuid;

use crate::support::database::Database;
use crate::writer::{self, business, capture_sales};

const KEY: [u8; 32] = [7; 32];

/// Ten sales of one business, with a tree head after the first eight.
async fn recorded() -> (Database, Client) {
    let database = Database::create().await;
    let (writer, task) = writer::start(&database, "one").await;
    let sales: Vec<_> = (0..10)
        .map(|n| (business(1), SaleId::from_uuid(Uuid::from_u128(n + 1))))
        .collect();
    capture_sales(&writer, &sales[..8]).await;
    let client = database.client().await;
    let head = checkpoint::make(&client, shard(), &KEY, Utc::now())
        .await
        .expect("made")
        .expect("a head");
    assert_eq!((head.position, head.businesses), (8, 1));
    assert!(
        checkpoint::make(&client, shard(), &KEY, Utc::now())
            .await
            .expect("made")
            .is_none(),
        "nothing new"
    );
    capture_sales(&writer, &sales[8..]).await;
    writer.shutdown();
    task.join().await;
    client
        .batch_execute("SET session_replication_role = replica")
        .await
        .expect("no trigger stands in the way");
    (database, client)
}

fn shard() -> Shard {
    Shard::of(business(1))
}

async fn walk(client: &Client) -> Vec<Finding> {
    walk_with(client, &[]).await
}

async fn walk_with(client: &Client, kept: &[TreeHead]) -> Vec<Finding> {
    let keys = [SigningKey::from_bytes(&KEY).verifying_key()];
    let mut findings = vec![];
    verify::run(
        client,
        &keys,
        kept,
        &mut |finding: &Finding| findings.push(finding.clone()),
        &mut |_| {},
    )
    .await
    .expect("a walk");
    findings
}

/// The findings after the statement, each with its sequence or, without one, its position.
async fn after(tampering: &str) -> Vec<(Option<i64>, Difference)> {
    let (_database, client) = recorded().await;
    client.batch_execute(tampering).await.expect("tampered");
    walk(&client)
        .await
        .into_iter()
        .map(|finding| (finding.sequence.or(finding.position), finding.what))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_untouched_log_has_no_findings_and_its_rows_cannot_be_edited() {
    let (database, client) = recorded().await;
    assert_eq!(walk(&client).await, []);
    let client = database.client().await;
    for edit in [
        "UPDATE event SET event_type = 'x'",
        "DELETE FROM event",
        "TRUNCATE event",
    ] {
        assert!(client.batch_execute(edit).await.is_err(), "{edit}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_payload_is_found() {
    let found = after(
        "UPDATE event SET payload = replace(payload::text, '\"amount\":10000', '\"amount\":90000')::json \
          WHERE sequence = 3",
    )
    .await;
    assert_eq!(found, [(Some(3), Difference::Digest)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_instant_is_found_by_its_payload() {
    let found =
        after("UPDATE event SET occurred_at = occurred_at - interval '1 day' WHERE sequence = 3").await;
    assert!(
        matches!(
            found[..],
            [
                (Some(3), Difference::Digest),
                (Some(3), Difference::OccurredAt { .. })
            ]
        ),
        "{found:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_type_is_found() {
    let found = after("UPDATE event SET event_type = 'SaleVoided' WHERE sequence = 3").await;
    assert!(
        matches!(
            found[..],
            [(Some(3), Difference::Digest), (Some(3), Difference::Payload(_))]
        ),
        "{found:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_removed_event_is_found_by_sequence_by_chain_and_by_position() {
    let found = after("DELETE FROM event WHERE sequence = 5").await;
    let expected = [
        (Some(6), Difference::SequenceGap { expected: 5 }),
        (Some(6), Difference::Chain),
        head_balance(Account::Receivable, 970_00, 873_00),
        head_balance(Account::PlatformFees, 30_00, 27_00),
        head_balance(Account::Clearing, -1000_00, -900_00),
        (Some(6), Difference::PositionGap { expected: 5 }),
    ];
    assert_eq!(found, expected);
}

fn head_balance(account: Account, head: i64, log: i128) -> (Option<i64>, Difference) {
    (Some(10), Difference::HeadBalance { account, head, log })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cut_tail_is_found_by_the_head_and_the_shard() {
    let found = after("DELETE FROM event WHERE sequence > 9").await;
    let expected = [
        (Some(9), Difference::HeadVersion { head: 10, log: 9 }),
        (Some(10), Difference::ShardPosition { row: 10, log: 9 }),
    ];
    assert_eq!(found, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cut_tail_with_matching_counters_is_found_by_the_tree_head() {
    let found = after(
        "DELETE FROM event WHERE sequence > 7; UPDATE log_shard SET position = 7 WHERE position = 10; \
         UPDATE business_head SET version = 7, \
                receivable = 67900, platform_fees = 2100, clearing = -70000, \
                chain = (SELECT chain FROM event WHERE sequence = 7)",
    )
    .await;
    assert_eq!(found, [(Some(8), Difference::TreeHeadAhead { log: 7 })]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rewritten_history_with_valid_hashes_is_found_by_the_tree_head() {
    let (_database, client) = recorded().await;
    let mut previous = chain::GENESIS;
    for mut event in log::of_business(&client, business(1), 0, 100)
        .await
        .expect("a history")
    {
        event.payload = event
            .payload
            .replace("\"card_last_four\":\"4242\"", "\"card_last_four\":\"9999\"");
        let header = chain::Header {
            business_id: event.business_id,
            sequence: event.sequence,
            event_id: event.event_id,
            event_type: &event.event_type,
            event_version: &event.event_version,
            recorded_at: event.recorded_at,
            occurred_at: event.occurred_at,
        };
        let digest = chain::digest(&header, event.metadata.as_bytes(), event.payload.as_bytes());
        previous = chain::next(&previous, &digest);
        client
            .execute(
                "UPDATE event SET payload = $2::text::json, digest = $3, chain = $4 WHERE sequence = $1",
                &[
                    &event.sequence,
                    &event.payload,
                    &digest.as_slice(),
                    &previous.as_slice(),
                ],
            )
            .await
            .expect("rewritten");
    }
    client
        .execute("UPDATE business_head SET chain = $1", &[&previous.as_slice()])
        .await
        .expect("rewritten");
    let found = walk(&client).await;
    let [finding] = found.as_slice() else {
        panic!("one finding: {found:?}")
    };
    assert_eq!(
        (finding.position, &finding.what),
        (Some(8), &Difference::TreeHeadRoot)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_head_is_found() {
    let found = after("UPDATE business_head SET chain = decode(repeat('00', 32), 'hex')").await;
    assert_eq!(found, [(Some(10), Difference::HeadChain)]);
    let found = after("DELETE FROM business_head").await;
    assert_eq!(found, [(Some(10), Difference::NoHead)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recording_time_that_runs_backwards_is_found() {
    let found =
        after("UPDATE event SET recorded_at = recorded_at - interval '1 hour' WHERE sequence = 4").await;
    assert!(
        matches!(
            found[..],
            [
                (Some(4), Difference::Digest),
                (Some(4), Difference::RecordedBackwards { .. })
            ]
        ),
        "{found:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forged_tree_head_is_found() {
    let found = after("UPDATE checkpoint SET made_at = made_at - interval '1 day'").await;
    assert_eq!(
        found,
        [(Some(8), Difference::TreeHeadInvalid(InvalidTreeHead::Signature))]
    );
    let found = after("UPDATE checkpoint SET key_id = decode(repeat('00', 8), 'hex')").await;
    assert_eq!(
        found,
        [(Some(8), Difference::TreeHeadInvalid(InvalidTreeHead::UnknownKey))]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_balance_is_found_by_the_logs_postings() {
    let (_database, client) = recorded().await;
    let head = log::head(&client, business(1))
        .await
        .expect("a head")
        .expect("a head");
    let (receivable, clearing) = (
        head.accounts.get(Account::Receivable).get(),
        head.accounts.get(Account::Clearing).get(),
    );
    client
        .batch_execute("UPDATE business_head SET receivable = receivable + 100, clearing = clearing - 100")
        .await
        .expect("tampered");
    let mut found: Vec<_> = walk(&client)
        .await
        .into_iter()
        .map(|finding| finding.what)
        .collect();
    found.sort_by_key(|what| format!("{what:?}"));
    let expected = [
        Difference::HeadBalance {
            account: Account::Clearing,
            head: clearing - 100,
            log: clearing.into(),
        },
        Difference::HeadBalance {
            account: Account::Receivable,
            head: receivable + 100,
            log: receivable.into(),
        },
    ];
    assert_eq!(found, expected);
}

/// Tree head 1 is at position 8 and tree head 2 at position 10. One more sale follows. A copy of head 2 is kept
/// outside the database.
async fn with_kept_head() -> (Database, Client, TreeHead) {
    let (database, client) = recorded().await;
    let kept = checkpoint::make(&client, shard(), &KEY, Utc::now())
        .await
        .expect("made")
        .expect("a head");
    assert_eq!((kept.number, kept.position), (2, 10));
    (database, client, kept)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_untouched_log_agrees_with_the_external_tree_head() {
    let (_database, client, kept) = with_kept_head().await;
    assert_eq!(walk_with(&client, &[kept]).await, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_tree_head_leaves_a_gap() {
    let (_database, client, _) = with_kept_head().await;
    client
        .batch_execute("DELETE FROM checkpoint WHERE number = 1")
        .await
        .expect("tampered");
    let found: Vec<_> = walk(&client)
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
    let (_database, client, kept) = with_kept_head().await;
    client
        .batch_execute("DELETE FROM checkpoint WHERE number = 2")
        .await
        .expect("tampered");
    assert_eq!(walk(&client).await, [], "the database alone shows no finding");
    let found = walk_with(&client, &[kept]).await;
    let [finding] = found.as_slice() else {
        panic!("one finding: {found:?}")
    };
    assert_eq!(
        (finding.position, &finding.what),
        (Some(10), &Difference::ExportedHeadMissing { number: 2 })
    );
}

/// The holder of the signing key can sign a shorter history again. Only the external copy of the tree head proves it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_history_that_was_cut_and_signed_again_is_found_by_the_external_tree_head() {
    let (_database, client, kept) = with_kept_head().await;
    client
        .batch_execute(
            "DELETE FROM checkpoint WHERE number = 2; DELETE FROM event WHERE sequence > 9;
             UPDATE log_shard SET position = 9 WHERE position = 10",
        )
        .await
        .expect("tampered");
    // The business head as of the ninth sale.
    let sums = "UPDATE business_head SET version = 9, chain = (SELECT chain FROM event WHERE sequence = 9),
                       receivable = receivable / 10 * 9, platform_fees = platform_fees / 10 * 9,
                       clearing = clearing / 10 * 9";
    client.batch_execute(sums).await.expect("tampered");
    checkpoint::make(&client, shard(), &KEY, Utc::now())
        .await
        .expect("made")
        .expect("a head");
    assert_eq!(walk(&client).await, [], "the database alone shows no finding");
    let found: Vec<_> = walk_with(&client, &[kept])
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
    let (database, client) = recorded().await;
    let heads = |today: &str| TreeHeads {
        pool: database.pool.clone(),
        key: Secret::new(KEY),
        clock: BusinessClock::stopped_on(today.parse().expect("a date")),
    };
    let made = heads("2126-01-01").run().await.expect("heads");
    assert_eq!(
        made.iter()
            .map(|head| (head.shard, head.number, head.position))
            .collect::<Vec<_>>(),
        [(shard(), 2, 10)]
    );
    assert_eq!(
        heads("2126-01-01").run().await.expect("heads"),
        [],
        "one tree head a day"
    );
    assert_eq!(heads("2126-01-02").run().await.expect("heads"), [], "nothing new");
    assert_eq!(walk(&client).await, []);
}

/// Another transaction locks the table of tree heads, so that its readers wait.
async fn hold_heads(database: &Database) -> Client {
    let holder = database.client().await;
    let hold = "BEGIN; LOCK TABLE checkpoint IN ACCESS EXCLUSIVE MODE";
    holder.batch_execute(hold).await.expect("held");
    holder
}

/// Waits until a session waits for the lock on the table of tree heads.
async fn until_waited_for(holder: &Client) {
    let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'checkpoint'::regclass";
    while holder
        .query_one(waiting, &[])
        .await
        .expect("locks")
        .get::<_, i64>(0)
        == 0
    {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Waits until a session waits for the tree heads. Then records one more sale in the first shard, and signs its tree
/// head in the transaction that holds the lock.
async fn sign_another(database: &Database, holder: &Client, n: u128) -> TreeHead {
    until_waited_for(holder).await;
    let (writer, task) = writer::start(database, "one").await;
    let sale_id = SaleId::from_uuid(Uuid::from_u128(n));
    capture_sales(&writer, &[(first_of_shard_0(), sale_id)]).await;
    writer.shutdown();
    task.join().await;
    let made = checkpoint::make(holder, Shard::of(first_of_shard_0()), &KEY, Utc::now()).await;
    holder.batch_execute("COMMIT").await.expect("let go");
    made.expect("made").expect("a head")
}

/// A business of shard 0, where the audit begins.
fn first_of_shard_0() -> BusinessId {
    let of_shard_0 = |id: &BusinessId| Shard::of(*id).number() == 0;
    (0..).map(business).find(of_shard_0).expect("a business")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_state_that_another_process_just_signed_is_not_signed_again() {
    let database = Database::create().await;
    let shard = Shard::of(first_of_shard_0());
    let (writer, task) = writer::start(&database, "one").await;
    capture_sales(
        &writer,
        &[(first_of_shard_0(), SaleId::from_uuid(Uuid::from_u128(1)))],
    )
    .await;
    writer.shutdown();
    task.join().await;
    let holder = hold_heads(&database).await;
    let client = database.client().await;
    let (slow, another) = tokio::join!(
        checkpoint::make(&client, shard, &KEY, Utc::now()),
        sign_another(&database, &holder, 2)
    );
    assert_eq!(another.position, 2);
    assert_eq!(slow.expect("made"), None, "nothing is new");
    assert_eq!(walk(&client).await, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tree_head_that_is_signed_during_the_audit_is_not_ahead_of_the_log() {
    let database = Database::create().await;
    let holder = hold_heads(&database).await;
    let client = database.client().await;
    let (found, another) = tokio::join!(walk(&client), sign_another(&database, &holder, 1));
    assert_eq!(another.position, 1);
    assert_eq!(found, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_dates_tree_heads_by_the_business_clock() {
    let (database, client) = recorded().await;
    let folder = tempfile::tempdir().expect("a folder");
    let dated = |now: &'static str| ("RAZAO_NOW", now);
    let checkpoint = ["audit", "checkpoint"];
    let (status, said) = razao_with(
        &database,
        folder.path(),
        &checkpoint,
        &[dated("2026-01-02T12:00:00-03:00")],
    )
    .await;
    assert_eq!(status, Some(0), "{said}");
    let day =
        "SELECT (made_at AT TIME ZONE 'America/Sao_Paulo')::date::text FROM checkpoint WHERE number = 2";
    let day: String = client.query_one(day, &[]).await.expect("a head").get(0);
    assert_eq!(day, "2026-01-02");
}

/// Runs the program itself, as an operator does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_writes_tree_heads_to_a_file_and_verifies_against_it() {
    let (database, client) = recorded().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("heads.json");
    let file = file.to_str().expect("a name");
    let (status, said) = razao(&database, folder.path(), &["audit", "checkpoint", "--out", file]).await;
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("1 tree heads written"), "{said}");
    let (status, said) = razao(&database, folder.path(), &["audit", "verify", "--head", file]).await;
    assert_eq!(status, Some(0), "{said}");
    assert!(
        said.contains(" 0 findings") && !said.contains("warning"),
        "{said}"
    );
    let (status, said) = razao(&database, folder.path(), &["audit", "verify"]).await;
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("warning: no tree head from outside"), "{said}");
    client
        .batch_execute("DELETE FROM checkpoint WHERE number = 2")
        .await
        .expect("tampered");
    let (status, said) = razao(&database, folder.path(), &["audit", "verify", "--head", file]).await;
    assert_eq!(status, Some(3), "{said}");
    assert!(
        said.contains("tree head: number 2 has an external copy, but is not in the database"),
        "{said}"
    );
}

async fn razao(database: &Database, folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    razao_with(database, folder, arguments, &[]).await
}

async fn razao_with(
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
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}
