//! Unmodified cqrs-es with postgres-es, in this process, on the same cluster and with the same command: no HTTP, no
//! read model, no signature. Each capture is the first of a new company, so that upstream loads no history: its best
//! case.

use std::time::{Duration, Instant};

use chrono::Utc;
use cqrs_es::CqrsFramework;
use cqrs_es::persist::PersistedEventStore;
use ledger_domain::business::{Business, BusinessCommand, ContextRequest};
use ledger_domain::{BusinessId, SaleId};
use ledger_model::{OnePlan, capture, sale};
use postgres_es::PostgresEventRepository;
use sqlx::postgres::{PgPool, PgPoolOptions};
use uuid::Uuid;

use super::figures::ratio;
use super::load::Load;
use super::report::{Report, Series};
use super::system::{BASELINE_CONNECTIONS, System};
use super::{BenchError, figures};
use crate::installation::Installation;

/// A separate database, so that its tables do not mix with those of the log.
const DATABASE: &str = "upstream";
/// The table that postgres-es documents as `events`. Only `ledger/store` may name the log's view `events` in SQL, so
/// this table has another name.
const TABLE: &str = "CREATE TABLE upstream_event (
    aggregate_type text                         NOT NULL,
    aggregate_id   text                         NOT NULL,
    sequence       bigint CHECK (sequence >= 0) NOT NULL,
    event_type     text                         NOT NULL,
    event_version  text                         NOT NULL,
    payload        json                         NOT NULL,
    metadata       json                         NOT NULL,
    PRIMARY KEY (aggregate_type, aggregate_id, sequence))";

/// Measures rounds that alternate with captures over HTTP. Both have `BASELINE_CONNECTIONS` at a time.
pub async fn compare(
    system: &System<'_>,
    installation: &Installation,
    rounds: u32,
    duration: Duration,
    report: &mut Report,
) -> Result<(), BenchError> {
    let database = system.connect().await?;
    database
        .batch_execute(&format!("CREATE DATABASE {DATABASE}"))
        .await?;
    let options = PgPoolOptions::new().max_connections(u32::try_from(BASELINE_CONNECTIONS)?);
    let pool = options.connect(&installation.url(DATABASE).await?).await?;
    sqlx::query(TABLE).execute(&pool).await?;
    let mut ours = Series::new("captures beside upstream, 64 connections");
    let mut theirs = Vec::new();
    record(&pool, Duration::from_secs(1)).await?;
    for _ in 0..rounds {
        ours.rounds
            .push(system.captures(Load::of(BASELINE_CONNECTIONS), duration).await?);
        theirs.push(record(&pool, duration).await?);
    }
    pool.close().await;
    let rate = figures::Spread::of(theirs.iter().copied());
    let pairs = ours.rounds.iter().zip(&theirs);
    let ratios = figures::Spread::of(pairs.map(|(ours, theirs)| ratio(ours.figures.per_second, *theirs)));
    let what = "upstream CqrsFramework with postgres-es in process, a second";
    report.line(what, rate.show(|rate| figures::Grouped(rate).to_string()), "");
    report.line(
        "captures over HTTP ÷ upstream's",
        ratios.show(figures::hundredths),
        "≥ 4",
    );
    report.series.push(ours);
    Ok(())
}

/// The captures a second.
async fn record(pool: &PgPool, duration: Duration) -> Result<u64, BenchError> {
    let began = Instant::now();
    let recording = (0..BASELINE_CONNECTIONS).map(|_| {
        let store: PersistedEventStore<PostgresEventRepository, Business> =
            PersistedEventStore::new_event_store(
                PostgresEventRepository::new(pool.clone()).with_tables("upstream_event", "upstream_snapshot"),
            );
        let framework = CqrsFramework::new(store, vec![], ());
        tokio::spawn(async move {
            let mut count = 0_u64;
            while began.elapsed() < duration {
                let business_id = BusinessId::from_uuid(Uuid::new_v4());
                framework
                    .execute(&business_id.to_string(), command(business_id)?)
                    .await
                    .map_err(|error| error.to_string())?;
                count += 1;
            }
            Ok::<_, BenchError>(count)
        })
    });
    let mut sum = 0;
    for count in futures::future::join_all(recording).await {
        sum += count??;
    }
    Ok(sum * 1_000_000 / u64::try_from(began.elapsed().as_micros())?.max(1))
}

fn command(business_id: BusinessId) -> Result<BusinessCommand, BenchError> {
    let (sale_id, now) = (SaleId::from_uuid(Uuid::new_v4()), Utc::now());
    let request = ContextRequest {
        business_id,
        solution: sale(sale_id).solution,
        terminal_id: None,
        occurred_at: now,
        terms_at: now,
    };
    let mut command = capture(business_id, sale_id, now);
    let (_, _, context) = command.context_mut().ok_or("a command without a context")?;
    *context = OnePlan::context(&request);
    Ok(command)
}
