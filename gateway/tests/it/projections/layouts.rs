//! The move of the tables to layout `schemas`: nothing is lost or counted twice, it can be interrupted, and the ledger
//! goes on.

use std::collections::BTreeMap;

use deadpool_postgres::{Object, Pool};
use ledger_store::audit::Finding;
use ledger_store::audit::export::Heads;
use ledger_store::layout::{MoveError, TABLES};
use ledger_store::migrate::{self, MigrateError, MigrateToSchemasError};
use ledger_store::{Layout, LayoutError, verify};
use projections::{ReadModelGroup, replay};
use tokio_postgres::Client;

use super::ledger::{Ledger, business, card, minute};
use crate::support::database::{PARTITION_SIZE, wants_schemas};

/// Every row of every table of the shards, as text and in order, without who owns the shards.
async fn rows(client: &Client) -> BTreeMap<&'static str, Vec<String>> {
    let mut all = BTreeMap::new();
    for table in TABLES.into_iter().filter(|table| *table != "log_shard") {
        let sql = format!("SELECT (to_jsonb(t) - 'xmin')::text FROM public.{table} AS t ORDER BY 1");
        let rows = client.query(&sql, &[]).await.expect("rows");
        all.insert(table, rows.iter().map(|row| row.get(0)).collect());
    }
    all
}

/// Keys, checks, foreign keys, indexes, settings and triggers of a schema's tables, without the schema's name, and without
/// the events: they are in partitions in layout `schemas` only.
async fn catalog(client: &Client, schema: &str) -> Vec<String> {
    let rows = client
        .query(
            "SELECT replace(said, $1::text || '.', '') FROM (
              SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(pg_constraint.oid) AS said
               FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
              WHERE relnamespace = $1::text::regnamespace AND relname = ANY ($2)
              UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = $1::text AND tablename = ANY ($2)
              UNION ALL SELECT relname || coalesce(reloptions::text, '') || relreplident::text FROM pg_class
                         WHERE relnamespace = $1::text::regnamespace AND relname = ANY ($2)
              UNION ALL SELECT pg_get_triggerdef(pg_trigger.oid) FROM pg_trigger
                          JOIN pg_class ON pg_class.oid = tgrelid AND relnamespace = $1::text::regnamespace
                         WHERE NOT tgisinternal AND relname = ANY ($2)) AS all_said ORDER BY 1",
            &[&schema, &TABLES.into_iter().filter(|table| *table != "event").collect::<Vec<_>>()],
        )
        .await
        .expect("the catalog");
    rows.iter().map(|row| row.get(0)).collect()
}

async fn findings(pool: &Pool) -> Vec<Finding> {
    let mut findings = vec![];
    verify::run(
        pool,
        &[],
        Heads::default(),
        &mut |finding: &Finding| findings.push(finding.clone()),
        &mut |_| {},
    )
    .await
    .expect("a walk");
    findings
}

#[tokio::test]
async fn an_interrupted_move_goes_on_and_keeps_every_row_and_the_ledger_works_after_it() {
    if wants_schemas() {
        return; // Its databases have that layout from the beginning.
    }
    let (ledger, runner) = Ledger::with_reversed_sales().await;
    ledger.until_caught_up().await;
    runner.stop().await;
    let pool = ledger.pool.clone();
    let ledger = ledger
        .restarted_after(async |client| {
            let (before, like) = (rows(client).await, catalog(client, "public").await);
            assert!(before["event"].len() > 10 && before["sale"].len() > 3);
            // The interruption: the program ends between two parts, and its connection with it.
            let mut moving = Object::take(pool.get().await.expect("a connection"));
            let interrupted = tokio::spawn(async move {
                let mut parts = 0;
                migrate::run_to_schemas(&mut moving, PARTITION_SIZE, |_| {
                    parts += 1;
                    assert!(parts < 100, "the program ends");
                })
                .await
            });
            assert!(interrupted.await.expect_err("an end").is_panic());
            assert!(matches!(Layout::of(client).await, Err(LayoutError::Moving)));
            let started = migrate::run(client).await;
            assert!(matches!(started, Err(MigrateError::Layout(LayoutError::Moving))));
            // Nothing of layout `one` is gone.
            assert_eq!(rows(client).await, before);
            let mut left = 0;
            let moved = migrate::run_to_schemas(client, PARTITION_SIZE, |_| left += 1).await;
            assert!(moved.expect("a move"));
            assert_eq!(left, TABLES.len() * 16 - 100);
            assert_eq!(rows(client).await, before);
            for place in Layout::of(client).await.expect("a layout").places() {
                assert_eq!(catalog(client, &place.schema).await, like, "{}", place.schema);
            }
            let again = migrate::run_to_schemas(client, PARTITION_SIZE, |_| {}).await;
            assert!(!again.expect("nothing to move"));
        })
        .await;
    // Writers, followers, a rebuild and the audit have the new layout.
    let runner = ledger.follow();
    for number in 1..=6 {
        ledger
            .capture(business(number), card(ledger.new_sale()), minute(20))
            .await;
    }
    ledger.until_caught_up().await;
    let client = ledger.database_client().await;
    let live = rows(&client).await;
    projections::rebuild(&ledger.pool, &ReadModelGroup::ALL, |_| {})
        .await
        .expect("a rebuild");
    let rebuilt = rows(&client).await;
    for table in ReadModelGroup::ALL.iter().flat_map(|model| model.tables()) {
        assert_eq!(rebuilt[table], live[table], "{table}");
    }
    assert_eq!(findings(&ledger.pool).await, []);
    let mut different = vec![];
    let replayed = replay::run(
        &ledger.pool,
        &ledger.connector,
        |_| {},
        |finding| different.push(finding.to_string()),
    );
    replayed.await.expect("a replay");
    assert_eq!(different, Vec::<String>::new());
    runner.stop().await;
}

#[tokio::test]
async fn a_move_is_refused_while_a_process_runs() {
    let ledger = Ledger::create().await;
    let mut client = ledger.database_client().await;
    let moved = migrate::run_to_schemas(&mut client, PARTITION_SIZE, |_| {}).await;
    let is_refused = matches!(
        moved,
        Err(MigrateToSchemasError::Move(MoveError::InUse { connections })) if connections > 0
    );
    assert!(
        is_refused || (wants_schemas() && matches!(moved, Ok(false))),
        "{moved:?}"
    );
}
