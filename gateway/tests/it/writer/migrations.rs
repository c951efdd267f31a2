//! Migrations while a program of the version before still runs, and a migration whose SQL was edited.

use std::sync::Arc;
use std::time::Duration;

use ledger_model::OnePlan;
use ledger_store::migrate::{self, MIGRATIONS, MigrateError, Migration};
use ledger_store::{Outcome, Supervisor, Writer, WriterOptions, WriterTask};
use tokio_postgres::Client;

use super::{assert_consistent, business, capture_sales, captured, sale_id, start};
use crate::support::database::Database;
use crate::support::database::only_with_tables;
use crate::support::wait::until;

/// The statements of a later migration that replaces the append.
const REPLACE_APPEND: &str = "ALTER FUNCTION append_shard RENAME TO later_append;
    UPDATE log_shard SET epoch = epoch + 1, lease_until = '-infinity'";

/// The present migrations and one more.
fn later(sql: &'static str) -> Vec<Migration> {
    let added = Migration {
        version: 9999,
        name: "shard/9999_later",
        sql,
    };
    [MIGRATIONS, &[added]].concat()
}

/// The writer of the version before, with this lease.
async fn old(database: &Database, lease: Duration) -> (Writer, WriterTask, Supervisor) {
    let options = WriterOptions {
        lease,
        ..WriterOptions::new(database.connector(), "old")
    };
    let supervisor = options.supervisor.clone();
    let (writer, task) = Writer::start(options, Arc::new(OnePlan)).await.expect("a writer");
    (writer, task, supervisor)
}

fn is_retired(supervisor: &Supervisor) -> bool {
    let failing = supervisor.failing();
    failing.iter().any(|task| task.reason.contains("newer program"))
}

/// Takes all 16 shards as the newer program does, and returns how many it got.
async fn shards_taken_by_new(client: &Client) -> i64 {
    let all: Vec<i16> = (0..16).collect();
    let sql = "SELECT count(*) FROM take_shards('new', $1, interval '0 ms')";
    client.query_one(sql, &[&all]).await.expect("an answer").get(0)
}

#[tokio::test]
async fn a_program_whose_append_is_gone_leaves_its_shards_to_the_newer_one() {
    only_with_tables!();
    let database = Database::create().await;
    // The lease is so long that the program does not renew it during this test.
    let (old, task, supervisor) = old(&database, Duration::from_secs(3_600)).await;
    capture_sales(&old, &[(business(1), sale_id(1))]).await;
    let client = database.client().await;
    client
        .batch_execute("ALTER FUNCTION append_shard RENAME TO later_append")
        .await
        .expect("replaced");
    assert_eq!(
        shards_taken_by_new(&client).await,
        0,
        "the old program has a lease"
    );
    for sale in [2, 3] {
        let outcome = old.submit(captured(business(1), sale_id(sale))).await;
        assert!(matches!(outcome, Outcome::NotOwner), "{outcome:?}");
    }
    until("the old program retires", async || is_retired(&supervisor)).await;
    assert_eq!(
        shards_taken_by_new(&client).await,
        16,
        "long before the lease ends"
    );

    client
        .batch_execute("ALTER FUNCTION later_append RENAME TO append_shard")
        .await
        .expect("the append has its name again");
    old.shutdown();
    task.join().await;
    let (new, task) = start(&database, "new").await;
    capture_sales(&new, &[(business(1), sale_id(2))]).await;
    new.shutdown();
    task.join().await;
    assert_eq!(assert_consistent(&database).await.events, 2);
}

#[tokio::test]
async fn a_program_whose_append_is_gone_takes_no_shard_again() {
    only_with_tables!();
    let database = Database::create().await;
    let (old, task, supervisor) = old(&database, Duration::from_millis(300)).await;
    let client = database.client().await;
    client.batch_execute(REPLACE_APPEND).await.expect("replaced");
    // It gets no command. It loses its shards, and finds that its append is gone before it takes them again.
    until("the old program retires", async || is_retired(&supervisor)).await;
    let outcome = old.submit(captured(business(1), sale_id(1))).await;
    assert!(matches!(outcome, Outcome::NotOwner), "{outcome:?}");
    let held = "SELECT count(*) FROM log_shard WHERE lease_until > '-infinity'";
    let held: i64 = client.query_one(held, &[]).await.expect("an answer").get(0);
    assert_eq!(held, 0);
    old.shutdown();
    task.join().await;
}

#[tokio::test]
async fn a_migration_that_replaces_the_append_ends_all_leases() {
    only_with_tables!();
    let database = Database::create().await;
    let mut client = database.client().await;
    let all: Vec<i16> = (0..16).collect();
    let taken = client
        .query(
            "SELECT epoch FROM take_shards('old', $1, interval '1 hour')",
            &[&all],
        )
        .await
        .expect("shards");
    assert_eq!(taken.len(), 16);
    let last: i64 = taken.iter().map(|row| row.get(0)).max().expect("an epoch");
    let later = later("DROP FUNCTION append_events");
    migrate::run_list(&mut client, &later)
        .await
        .expect("a later migration");
    let least = "SELECT min(epoch) FROM log_shard";
    let least: i64 = client.query_one(least, &[]).await.expect("an epoch").get(0);
    assert!(least > last, "a batch of the old program is refused");
    assert_eq!(shards_taken_by_new(&client).await, 16);
}

#[tokio::test]
async fn an_edited_migration_is_refused() {
    let database = Database::create().await;
    let mut client = database.client().await;
    let applied = later("SELECT 1");
    migrate::run_list(&mut client, &applied)
        .await
        .expect("a later migration");
    let edited = later("SELECT 2");
    let refused = migrate::run_list(&mut client, &edited).await;
    assert!(matches!(refused, Err(MigrateError::Edited { .. })), "{refused:?}");
    assert!(!migrate::has_other_baseline(&client).await.expect("digests"));
    client
        .batch_execute("UPDATE schema_migration SET sha256 = '\\x00' WHERE version = 3")
        .await
        .expect("stored");
    let refused = migrate::run_list(&mut client, &applied).await;
    assert!(matches!(refused, Err(MigrateError::OtherBaseline)), "{refused:?}");
    assert!(migrate::has_other_baseline(&client).await.expect("digests"));
}

/// During a rolling update, the earlier version still runs. Its followers lock their checkpoint and then write the
/// tables.
#[tokio::test]
async fn migrations_wait_for_followers_that_are_at_work() {
    let database = Database::create().await;
    let mut client = database.client().await;
    let follower = database.client().await;
    let hold = "BEGIN; SELECT FROM projection_checkpoint WHERE model = 'sales' AND shard = 15 FOR UPDATE";
    follower.batch_execute(hold).await.expect("a follower's lock");
    let later = later("ALTER TABLE sale ADD COLUMN later bigint");
    let migrating = tokio::spawn(async move { migrate::run_list(&mut client, &later).await });
    let watch = database.client().await;
    let waits = "SELECT EXISTS (SELECT FROM pg_stat_activity
                                 WHERE datname = current_database() AND wait_event_type = 'Lock')";
    until("a migration that waits", async || {
        assert!(!migrating.is_finished(), "the migration did not wait");
        watch.query_one(waits, &[]).await.expect("the activity").get(0)
    })
    .await;
    let write = "SET LOCAL statement_timeout = '10s'; UPDATE sale SET status = status; COMMIT";
    follower.batch_execute(write).await.expect("the follower's rows");
    let applied = migrating
        .await
        .expect("the migration's task")
        .expect("the migrations");
    assert_eq!(applied, ["shard/9999_later"]);
}
