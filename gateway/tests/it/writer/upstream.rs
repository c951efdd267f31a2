//! Upstream tools on the project's log: cqrs-es runs its framework on it, and an unchanged postgres-es reads the same
//! balances from it.

use cqrs_es::persist::PersistedEventStore;
use cqrs_es::{AggregateContext, CqrsFramework, EventStore};
use ledger_domain::business::Business;
use ledger_model::{OnePlan, capture, sale};
use ledger_store::framework::LedgerEventStore;
use ledger_store::log;
use postgres_es::PostgresEventRepository;

use super::{assert_consistent, business, capture_sales, sale_id, start};
use crate::support::database::Database;
use crate::support::noon;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cqrs_framework_runs_on_the_log() {
    let database = Database::create().await;
    let (writer, task) = start(&database, "one").await;
    let framework = CqrsFramework::new(
        LedgerEventStore::new(database.pool.clone(), writer.clone()),
        vec![],
        (),
    );
    for n in 0..3 {
        let request = ledger_domain::business::ContextRequest {
            business_id: business(1),
            solution: sale(sale_id(n)).solution,
            terminal_id: None,
            occurred_at: noon(),
            terms_at: noon(),
        };
        let mut command = capture(business(1), sale_id(n), request.terms_at);
        *command.context_mut().expect("a context").2 = OnePlan::context(&request);
        framework
            .execute(&business(1).to_string(), command)
            .await
            .expect("executed");
    }
    let store = LedgerEventStore::new(database.pool.clone(), writer.clone());
    let stale = store
        .load_aggregate(&business(1).to_string())
        .await
        .expect("loaded");
    let events = store.load_events(&business(1).to_string()).await.expect("events");
    assert_eq!(events.len(), 3);
    capture_sales(&writer, &[(business(1), sale_id(9))]).await;
    let late = store
        .commit(vec![events[0].payload.clone()], stale, Default::default())
        .await;
    assert!(
        matches!(late, Err(cqrs_es::AggregateError::AggregateConflict)),
        "decided on an older version"
    );
    writer.shutdown();
    task.join().await;
    assert_eq!(assert_consistent(&database).await.events, 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn upstream_postgres_es_reads_the_same_balances_from_the_log() {
    let database = Database::create().await;
    let (writer, task) = start(&database, "one").await;
    let sales: Vec<_> = (0..60).map(|n| (business(n % 4), sale_id(n))).collect();
    capture_sales(&writer, &sales).await;
    let pool = sqlx::PgPool::connect(&database.url).await.expect("a pool");
    let upstream: PersistedEventStore<PostgresEventRepository, Business> =
        PersistedEventStore::new_event_store(PostgresEventRepository::new(pool));
    for n in 0..4 {
        let mut loaded = upstream
            .load_aggregate(&business(n).to_string())
            .await
            .expect("loaded");
        let head = log::head(&database.client().await, business(n))
            .await
            .expect("a head")
            .expect("a head");
        assert_eq!(loaded.aggregate().accounts, head.accounts);
        assert_eq!(loaded.current_sequence as i64, head.version);
    }
    writer.shutdown();
    task.join().await;
}
