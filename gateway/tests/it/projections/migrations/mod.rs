//! Migrations of a filled database. Read models that a migration converts or empties end up as a replay gives them. The
//! log keeps its chains and tree heads, and takes new events.

mod filled;

use std::sync::Arc;

use deadpool_postgres::{Manager, Pool};
use ed25519_dalek::SigningKey;
use ledger_domain::business::{BusinessCommand, PayoutPaid};
use ledger_domain::{BusinessId, SaleId};
use ledger_model::{OnePlan, capture};
use ledger_store::audit::Finding;
use ledger_store::tree_head::TreeHead;
use ledger_store::{Outcome, Writer, WriterOptions, migrate, verify};
use projections::replay;
use projections::{FollowerOptions, Freshness, ReadModelGroup};
use tokio_postgres::{Client, NoTls};

use super::ledger::minute;
use super::transfer_commands::payout;
use crate::support::commands::submission;
use crate::support::wait::until;
use filled::{Filled, KEY, business_of_pending, filled_at_version_13, rows};

/// Verifies chains, claims, balances and tree heads, and returns the number of events.
async fn verified(client: &Client, heads: &[TreeHead]) -> u64 {
    let keys = [SigningKey::from_bytes(&KEY).verifying_key()];
    let mut findings = vec![];
    let mut report = |finding: &Finding| findings.push(finding.to_string());
    let walk = verify::run(client, &keys, heads, &mut report, &mut |_| {}).await;
    let summary = walk.expect("a walk");
    assert_eq!(findings, Vec::<String>::new());
    assert_eq!(summary.tree_heads, heads.len() as u64);
    summary.events
}

#[tokio::test]
async fn the_log_of_version_13_keeps_its_tree_heads_and_takes_new_events() {
    let Filled {
        ledger,
        mut client,
        heads,
        pending,
        ..
    } = filled_at_version_13().await;
    let count = "SELECT count(*) FROM event";
    let before: i64 = client.query_one(count, &[]).await.expect("a count").get(0);
    migrate::run(&mut client).await.expect("the migrations");
    assert!(heads.len() > 1);
    let events = verified(&client, &heads).await;
    assert_eq!(i64::try_from(events), Ok(before));

    let options = WriterOptions::new(ledger.url.parse().expect("an address"), "new");
    let (writer, task) = Writer::start(options, Arc::new(OnePlan)).await.expect("a writer");
    let submit = async |business_id, command| writer.submit(submission(business_id, command)).await;
    let paid = BusinessCommand::PayoutPaid(PayoutPaid {
        transfer_id: pending,
        payout_id: payout(1),
        occurred_at: minute(5),
    });
    let outcome = submit(business_of_pending(), paid).await;
    assert!(matches!(outcome, Outcome::Recorded(_)), "{outcome:?}");
    // Version 13 had no claims. The migration made the events of its sales claim them.
    let old = "SELECT sale_id, business_id FROM sale_state ORDER BY sale_id LIMIT 1";
    let old = client.query_one(old, &[]).await.expect("a sale");
    let (sale_id, owner) = (SaleId::from_uuid(old.get(0)), BusinessId::from_uuid(old.get(1)));
    let outcome = submit(
        business_of_pending(),
        capture(business_of_pending(), sale_id, minute(6)),
    )
    .await;
    assert!(
        matches!(outcome, Outcome::BelongsToOther(found) if found == owner),
        "{outcome:?}"
    );
    let outcome = submit(
        business_of_pending(),
        capture(business_of_pending(), ledger.new_sale(), minute(6)),
    )
    .await;
    assert!(matches!(outcome, Outcome::Recorded(_)), "{outcome:?}");
    writer.shutdown();
    task.join().await;
    assert_eq!(verified(&client, &heads).await, events + 2);
}

#[tokio::test]
async fn a_filled_database_of_version_13_is_migrated_to_the_rows_of_a_replay() {
    let Filled {
        ledger,
        mut client,
        expected,
        ..
    } = filled_at_version_13().await;
    let row_of = |table: &str| {
        let found = expected.iter().find(|(name, _)| *name == table);
        found.expect("a read model").1.clone()
    };

    let converted = migrate::run_to(&mut client, 14).await.expect("the conversion");
    assert_eq!(converted, ["0014_sale_schedule_in_sale"]);
    // The mark of sales that await an approval came with version 18.
    let unmarked = |row: String| {
        row.strip_suffix(",f)")
            .map(|row| format!("{row})"))
            .unwrap_or(row)
    };
    assert_eq!(
        rows(&client, "sale").await,
        row_of("sale").into_iter().map(unmarked).collect::<Vec<_>>(),
        "converted, not folded anew"
    );
    assert_eq!(rows(&client, "agenda").await, row_of("agenda"));

    migrate::run(&mut client).await.expect("the other migrations");
    assert_eq!(
        rows(&client, "sale").await,
        Vec::<String>::new(),
        "to be folded anew"
    );
    // A new pool: the connections of the old one know the tables that are gone.
    let config = ledger.url.parse().expect("an address");
    let pool = Pool::builder(Manager::new(config, NoTls))
        .max_size(8)
        .build()
        .expect("a pool");
    let following = projections::follow_log(pool.clone(), None, FollowerOptions::default());
    let head = ledger_store::log::shard_positions(&client)
        .await
        .expect("positions");
    let long = std::time::Duration::from_secs(20);
    let waited = projections::wait_for(&pool, &ReadModelGroup::ALL, &head, long).await;
    assert_eq!(waited.expect("checkpoints"), Freshness::Fresh);
    following.stop().await;

    for (table, expected) in &expected {
        assert_eq!(&rows(&client, table).await, expected, "{table}");
    }
    let mut findings = vec![];
    replay::run(
        &pool,
        &ledger.url,
        |_| {},
        |finding| findings.push(finding.to_string()),
    )
    .await
    .expect("an audit");
    assert!(findings.is_empty(), "{findings:#?}");
}

/// During a rolling update, the earlier version still runs. Its followers lock their checkpoint and then write the
/// tables.
#[tokio::test]
async fn migrations_wait_for_followers_that_are_at_work() {
    let Filled {
        ledger, mut client, ..
    } = filled_at_version_13().await;
    let follower = ledger.database_client().await;
    let hold = "BEGIN; SELECT FROM projection_checkpoint WHERE model = 'sales' AND shard = 15 FOR UPDATE";
    follower.batch_execute(hold).await.expect("a follower's lock");
    let migrating = tokio::spawn(async move { migrate::run(&mut client).await });
    let watch = ledger.database_client().await;
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
    assert_eq!(applied.len(), migrate::MIGRATIONS.len() - 13);
}
