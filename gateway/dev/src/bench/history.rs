//! The costs that grow with history: bytes of the database, the start, the rebuild of the read models, verification,
//! and the settlement of every installment.

use std::path::Path;
use std::time::{Duration, Instant};

use chrono::{TimeDelta, Utc};
use ledger_store::log;
use tokio_postgres::Client;

use super::BenchError;
use super::figures::{Grouped, hundredths, micros_as_millis, ratio};
use super::load::{Load, NoticeSender, Until};
use super::report::Report;
use crate::embedded::DATABASE;
use crate::installation::Installation;

/// The settlement runs so many days later, when all installments are due.
const LATER_DAYS: i64 = 60;
const COPY_TABLE: &str = "bench_copy";
/// A table or an index with fewer bytes for each sale is not named.
const NAMED_BYTES: i64 = 25;

/// Fills an empty installation with so many sales and measures what they cost.
pub async fn measure(
    installation: &Installation,
    program: &Path,
    sales: u64,
    report: &mut Report,
) -> Result<(), BenchError> {
    fill(installation, program, sales, report).await?;
    let (embedded, database) = installation.start_database().await?;
    database.batch_execute("VACUUM ANALYZE").await?;
    database.batch_execute("CHECKPOINT").await?;
    let url = embedded.url(DATABASE);
    let database_url = [("DATABASE_URL", url.as_str())];
    start(installation, program, &url, sales, report).await?;
    let copied = copy(&database).await?;
    let events = copied.rows;
    let copy_rate = events * 1_000_000 / copied.micros;
    report.line(
        "COPY of the log's events, a second",
        Grouped(copy_rate).to_string(),
        "",
    );
    let rate =
        |took: Duration| events * 1_000_000 / u64::try_from(took.as_micros()).unwrap_or(u64::MAX).max(1);
    let rebuild_rate = rate(run(installation, program, &["rebuild"], &database_url).await?);
    let what = format!(
        "replay into every read model ÷ COPY ({} a second)",
        Grouped(rebuild_rate)
    );
    report.line(what, hundredths(ratio(rebuild_rate, copy_rate)), "≥ 0.25");
    let verify_rate = rate(run(installation, program, &["audit", "verify"], &database_url).await?);
    let what = format!("verify ÷ COPY ({} a second)", Grouped(verify_rate));
    report.line(what, hundredths(ratio(verify_rate, copy_rate)), "≥ 1.0");
    let later = (Utc::now() + TimeDelta::days(LATER_DAYS)).to_rfc3339();
    let variables = [("DATABASE_URL", url.as_str()), ("RAZAO_NOW", later.as_str())];
    let took = run(installation, program, &["settle"], &variables).await?;
    // Each event captures a sale of one installment.
    let what = format!("settling {} due installments, a second", Grouped(events));
    report.line(what, Grouped(rate(took)).to_string(), "");
    drop(database);
    Ok(embedded.stop().await?)
}

async fn fill(
    installation: &Installation,
    program: &Path,
    sales: u64,
    report: &mut Report,
) -> Result<(), BenchError> {
    let gateway = installation.start(program).await?;
    let database = installation.join_database().await?;
    let before = database_bytes(&database).await?;
    let load = Load {
        notices: 100,
        ..Load::of(16)
    };
    let sender = NoticeSender::new(installation, gateway.addr);
    let sent = sender.send(load, Until::Captures(sales)).await?;
    gateway.wait_until_caught_up().await?;
    let bytes = database_bytes(&database).await?.saturating_sub(before) / sent.count.max(1);
    let what = format!("database bytes of a sale at {} sales", Grouped(sent.count));
    report.line(what, bytes.to_string(), "≤ 2000");
    for (relation, bytes) in relation_bytes(&database, sent.count).await? {
        report.line(format!("    of them in {relation}"), bytes.to_string(), "");
    }
    drop(database);
    gateway.stop().await
}

/// From the start of the process to the first recorded notice. The database runs already.
async fn start(
    installation: &Installation,
    program: &Path,
    url: &str,
    sales: u64,
    report: &mut Report,
) -> Result<(), BenchError> {
    let began = Instant::now();
    let gateway = installation.spawn(program, &[("DATABASE_URL", url)])?;
    // Greater than the numbers of `fill`, which sends up to 1,600 sales more than `sales`.
    let sender = NoticeSender::numbered_from(installation, gateway.addr, sales + 10_000);
    while let Err(error) = sender.send_one().await {
        if began.elapsed() > Duration::from_secs(60) {
            return Err(error);
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let micros = u64::try_from(began.elapsed().as_micros())?;
    let what = format!("start with {} sales to the first answer, ms", Grouped(sales));
    report.line(what, micros_as_millis(micros), "≤ 2000");
    tokio::time::sleep(Duration::from_secs(2)).await;
    let mebibytes = gateway.resident_kib()? / 1024;
    report.line(
        "memory of the gateway after that start, MiB",
        mebibytes.to_string(),
        "≤ 150",
    );
    gateway.wait_until_caught_up().await?;
    gateway.stop().await
}

struct Copied {
    rows: u64,
    micros: u64,
}

/// Copies the log's events into a table with the same columns and indexes.
async fn copy(database: &Client) -> Result<Copied, BenchError> {
    let folder: String = database.query_one("SHOW data_directory", &[]).await?.get(0);
    let file = format!("{folder}/{COPY_TABLE}");
    log::export_events(database, &file, COPY_TABLE).await?;
    let began = Instant::now();
    let rows = database
        .execute(&format!("COPY {COPY_TABLE} FROM '{file}' (FORMAT binary)"), &[])
        .await?;
    let micros = u64::try_from(began.elapsed().as_micros())?.max(1);
    database
        .batch_execute(&format!("DROP TABLE {COPY_TABLE}"))
        .await?;
    std::fs::remove_file(&file)?;
    Ok(Copied { rows, micros })
}

/// Runs a command of the program to its end.
async fn run(
    installation: &Installation,
    program: &Path,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> Result<Duration, BenchError> {
    let began = Instant::now();
    let mut command = installation.command(program, arguments)?;
    let status = command.envs(variables.iter().copied()).status().await?;
    if status.success() {
        return Ok(began.elapsed());
    }
    Err(format!("{arguments:?}: {status}\n{}", installation.log_tail()).into())
}

async fn database_bytes(database: &Client) -> Result<u64, BenchError> {
    let row = database
        .query_one("SELECT pg_database_size(current_database())", &[])
        .await?;
    Ok(u64::try_from(row.get::<_, i64>(0))?)
}

/// The tables and indexes with at least `NAMED_BYTES` for each sale, the largest first.
async fn relation_bytes(database: &Client, sales: u64) -> Result<Vec<(String, i64)>, BenchError> {
    let rows = database
        .query(
            "SELECT relname::text, pg_relation_size(oid) / greatest($1::bigint, 1) AS bytes FROM pg_class
             WHERE relkind IN ('r', 'i', 't') AND pg_relation_size(oid) / greatest($1::bigint, 1) >= $2::bigint
             ORDER BY bytes DESC",
            &[&i64::try_from(sales)?, &NAMED_BYTES],
        )
        .await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}
