//! Rebuilds of read models equal the live ones, let writers and readers continue, and are never half done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ledger_domain::Cents;
use ledger_store::Shard;
use projections::{Error, ReadModelGroup};

use crate::support::tampering::without_triggers;

use super::ledger::{Ledger, business, card, minute, pix};

fn tables() -> Vec<&'static str> {
    ReadModelGroup::ALL
        .iter()
        .flat_map(|model| model.tables().iter().copied().chain(model.shared_tables()))
        .collect()
}

/// Every row of every read model, as text and in order.
async fn rows(ledger: &Ledger) -> Vec<(&'static str, Vec<String>)> {
    let client = ledger.client().await;
    let mut all = vec![];
    for table in tables() {
        // A view of layout `schemas` may show which transaction wrote a row.
        let sql = format!("SELECT (to_jsonb(t) - 'xmin')::text FROM public.{table} AS t ORDER BY 1");
        let rows = client.query(&sql, &[]).await.expect("rows");
        assert!(!rows.is_empty(), "{table} has rows to compare");
        all.push((table, rows.iter().map(|row| row.get(0)).collect()));
    }
    all
}

/// Keys, checks, indexes and settings of the read models' tables.
async fn catalog(ledger: &Ledger) -> Vec<String> {
    let client = ledger.client().await;
    let rows = client
        .query(
            "SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(pg_constraint.oid)
               FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
              WHERE relnamespace = 'public'::regnamespace AND relname = ANY ($1)
              UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename = ANY ($1)
              UNION ALL SELECT relname || coalesce(reloptions::text, '') FROM pg_class
                         WHERE relnamespace = 'public'::regnamespace AND relname = ANY ($1)
              ORDER BY 1",
            &[&tables()],
        )
        .await
        .expect("the catalog");
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn rebuilt_tables_equal_the_live_ones_in_rows_keys_and_indexes() {
    let (ledger, runner) = Ledger::with_reversed_sales().await;
    let (live_rows, live_catalog) = (rows(&ledger).await, catalog(&ledger).await);
    let mut reported = vec![];
    projections::rebuild(&ledger.pool, &ReadModelGroup::ALL, |progress| {
        reported.push(progress)
    })
    .await
    .expect("a rebuild");
    assert_eq!(rows(&ledger).await, live_rows);
    assert_eq!(catalog(&ledger).await, live_catalog);
    assert!(
        reported
            .iter()
            .any(|progress| progress.log_end > 0 && progress.position == progress.log_end)
    );
    // The second rebuild replaces tables that a rebuild made.
    projections::rebuild(&ledger.pool, &[ReadModelGroup::Sales], |_| {})
        .await
        .expect("a rebuild");
    assert_eq!(rows(&ledger).await, live_rows);
    assert_eq!(catalog(&ledger).await, live_catalog);
    // The followers continue in the new tables.
    ledger
        .capture(business(1), card(ledger.new_sale()), minute(9))
        .await;
    ledger.until_caught_up().await;
    assert_ne!(rows(&ledger).await, live_rows);
    runner.stop().await;
}

#[tokio::test]
async fn a_rebuild_repairs_wrong_rows() {
    let (ledger, runner) = Ledger::with_reversed_sales().await;
    let right = rows(&ledger).await;
    ledger
        .execute(
            "DELETE FROM sale WHERE status = 'failed';
             UPDATE receivables_schedule SET expected = expected + 1;
             UPDATE balance SET available = available + 1, clearing = clearing - 1;
             UPDATE statement_line SET balance = balance + 1;
             UPDATE daily_sales SET sales = sales + 1;
             UPDATE hourly_sales SET sales = sales + 1;
             UPDATE monthly_sales SET sales = sales + 1;
             UPDATE platform_fees_daily SET sales = sales + 1;
             UPDATE journal SET available_balance = available_balance + 1, clearing_balance = clearing_balance - 1;
             UPDATE transfer SET needs_attention = NOT needs_attention",
        )
        .await;
    projections::rebuild(&ledger.pool, &ReadModelGroup::ALL, |_| {})
        .await
        .expect("a rebuild");
    assert_eq!(rows(&ledger).await, right);
    runner.stop().await;
}

#[tokio::test]
async fn rebuilds_during_writes_lose_nothing_and_no_reader_goes_back_in_time() {
    let (ledger, runner) = Ledger::with_history().await;
    let (ledger, done) = (Arc::new(ledger), Arc::new(AtomicBool::new(false)));
    let writing = tokio::spawn({
        let (ledger, done) = (ledger.clone(), done.clone());
        async move {
            let mut recorded = 0;
            while !done.load(Ordering::Relaxed) {
                ledger
                    .capture(business(3), pix(ledger.new_sale()), minute(recorded))
                    .await;
                recorded += 1;
            }
            recorded
        }
    });
    let reading = tokio::spawn({
        let (ledger, done) = (ledger.clone(), done.clone());
        async move {
            let client = ledger.client().await;
            let mut seen = Cents::ZERO;
            while !done.load(Ordering::Relaxed) {
                let balance = projections::balance::balance_fetch(&**client, business(3))
                    .await
                    .expect("a balance");
                assert!(balance.receivable >= seen, "a reader went back in time");
                seen = balance.receivable;
            }
        }
    });
    for _ in 0..3 {
        projections::rebuild(&ledger.pool, &ReadModelGroup::ALL, |_| {})
            .await
            .expect("a rebuild");
    }
    done.store(true, Ordering::Relaxed);
    reading.await.expect("the reader");
    let recorded = writing.await.expect("the writer");
    ledger.until_caught_up().await;
    let client = ledger.client().await;
    let balance = projections::balance::balance_fetch(&**client, business(3))
        .await
        .expect("a balance");
    assert!(recorded > 0);
    // Each PIX of R$ 50,00 has a net of R$ 49,30.
    assert_eq!(balance.receivable, Cents::new(49_30 * recorded));
    runner.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_swap_folds_no_further_than_the_live_tables_so_that_writers_cannot_prolong_it() {
    let (ledger, runner) = Ledger::with_reversed_sales().await;
    // The followers stop, so the live tables stay where they are.
    ledger.until_caught_up().await;
    runner.stop().await;
    let live = ledger.position().await;
    let mut passes = 0;
    projections::rebuild(&ledger.pool, &ReadModelGroup::ALL, |progress| {
        // Writers record more sales after the pass of the last shard, 15, and so before the swap.
        if progress.shard == 15 && progress.position == progress.log_end {
            passes += 1;
            let sales =
                [1, 2, 3].map(|number| ledger.capture(business(number), card(ledger.new_sale()), minute(9)));
            tokio::task::block_in_place(|| {
                tokio::runtime::Handle::current().block_on(futures::future::join_all(sales))
            });
        }
    })
    .await
    .expect("a rebuild");
    assert_eq!(passes, 1);
    assert_ne!(ledger.position().await, live);
    let checkpoints = ledger
        .client()
        .await
        .query(
            "SELECT DISTINCT shard, position FROM projection_checkpoint ORDER BY shard",
            &[],
        )
        .await
        .expect("checkpoints");
    let positions: Vec<i64> = checkpoints.iter().map(|row| row.get(1)).collect();
    let expected: Vec<i64> = Shard::all().map(|shard| live.get(shard)).collect();
    assert_eq!(positions, expected);
}

#[tokio::test]
async fn a_rebuild_that_meets_an_unreadable_event_fails_and_leaves_the_live_tables_and_no_schema() {
    let (ledger, runner) = Ledger::with_reversed_sales().await;
    runner.stop().await;
    let live = rows(&ledger).await;
    ledger
        .execute(&without_triggers(
            "UPDATE event SET event_version = '9.0' WHERE sequence = 3",
        ))
        .await;
    let refused = projections::rebuild(&ledger.pool, &[ReadModelGroup::Balance], |_| {}).await;
    assert!(matches!(refused, Err(Error::RebuildPoisoned(_))), "{refused:?}");
    assert_eq!(rows(&ledger).await, live);
    let schemas_of_rebuilds = ledger
        .client()
        .await
        .query("SELECT FROM pg_namespace WHERE nspname LIKE 'rebuild%'", &[])
        .await;
    assert!(schemas_of_rebuilds.expect("schemas").is_empty());
}
