//! A migration that replaces the append, while a program of the version before still runs; and a migration whose SQL
//! was edited.

use std::sync::Arc;
use std::time::Duration;

use ledger_model::OnePlan;
use ledger_store::{Outcome, Supervisor, Writer, WriterOptions, WriterTask, migrate};
use tokio_postgres::Client;

use super::{assert_consistent, business, capture_sales, captured, sale_id, start};
use crate::support::database::Database;
use crate::support::wait::until;

/// The statements of a later migration that replaces the append.
const REPLACE_APPEND: &str = "ALTER FUNCTION append_events RENAME TO later_append;
    UPDATE log_shard SET epoch = epoch + 1, lease_until = '-infinity'";

/// The writer of the version before, with this lease.
async fn old(database: &Database, lease: Duration) -> (Writer, WriterTask, Supervisor) {
    let options = WriterOptions {
        lease,
        ..WriterOptions::new(database.config.clone(), "old")
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
    let database = Database::create().await;
    // The lease is so long that the program does not renew it during this test.
    let (old, task, supervisor) = old(&database, Duration::from_secs(3_600)).await;
    capture_sales(&old, &[(business(1), sale_id(1))]).await;
    let client = database.client().await;
    client
        .batch_execute("ALTER FUNCTION append_events RENAME TO later_append")
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
        .batch_execute("ALTER FUNCTION later_append RENAME TO append_events")
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
    let database = Database::create().await;
    let mut client = database.client().await;
    client
        .batch_execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        .await
        .expect("an empty database");
    // Migration 43 replaces the append.
    migrate::run_to(&mut client, 43 - 1)
        .await
        .expect("the version before");
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
    migrate::run(&mut client).await.expect("the others");
    let least = "SELECT min(epoch) FROM log_shard";
    let least: i64 = client.query_one(least, &[]).await.expect("an epoch").get(0);
    assert!(least > last, "a batch of the old program is refused");
    assert_eq!(shards_taken_by_new(&client).await, 16);
}

/// The digest of the whole file, which earlier programs stored for migration 3.
const EARLIER_DIGEST: &str = "7ed3ec99e790d21636e8f831954e91c425128e0f1915a6e53db22a57daab4ce1";

#[tokio::test]
async fn an_edited_migration_is_refused_and_a_digest_of_an_earlier_program_is_not() {
    let database = Database::create().await;
    let mut client = database.client().await;
    for (digest, ending) in [(EARLIER_DIGEST, None), ("00", Some("add a new file instead"))] {
        let store = format!("UPDATE schema_migration SET sha256 = '\\x{digest}' WHERE version = 3");
        client.batch_execute(&store).await.expect("stored");
        let refusal = migrate::run(&mut client)
            .await
            .err()
            .map(|error| error.to_string());
        match ending {
            None => assert_eq!(refusal, None),
            Some(ending) => assert!(refusal.is_some_and(|text| text.ends_with(ending))),
        }
    }
}
