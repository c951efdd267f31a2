//! A database that takes no writes for some seconds, like a standby after a failed switch-over. Captures are answered
//! by 503 with `Retry-After`. Afterwards the program records captures without a restart.

use std::time::{Duration, Instant};

use tokio_postgres::Client;

use super::ledger::{self, RecordedSales};
use super::senders::Senders;
use super::{CAPTURES_UNDER_LOAD, FaultReport, TortureOptions};
use crate::installation::{BoxError, Installation};

/// The database is read-only until this many answers of 503, and for at least this time.
const UNAVAILABLE_MIN: u64 = 200;
const READ_ONLY_AT_LEAST: Duration = Duration::from_secs(3);

pub async fn run(installation: &Installation, options: &TortureOptions) -> Result<FaultReport, BoxError> {
    let mut gateway = installation.spawn(&options.program, &[])?;
    gateway.wait_until_ready().await?;
    let database = installation.join_database().await?;
    let senders = Senders::start(installation, &[gateway.addr], "read-only", options.seed);
    senders.wait_for_more(CAPTURES_UNDER_LOAD).await?;
    set_read_only(&database, true).await?;
    let began = Instant::now();
    senders
        .wait_until("answers of 503", |counts| {
            counts.unavailable >= UNAVAILABLE_MIN && began.elapsed() >= READ_ONLY_AT_LEAST
        })
        .await?;
    if gateway.is_ready().await? || !gateway.is_ready_for_reads().await? {
        return Err("a process that can only read must be ready for reads alone".into());
    }
    let resident_mebibytes = gateway.resident_kib()? / 1024;
    set_read_only(&database, false).await?;
    let recovered_after = senders.wait_for_more(1).await?;
    senders.wait_for_more(CAPTURES_UNDER_LOAD).await?;
    let counts = senders.counts();
    let acknowledged = senders.stop().await?;
    gateway.wait_until_caught_up().await?;
    RecordedSales::default().check(&database, &acknowledged).await?;
    ledger::audit(installation, &options.program).await?;
    drop(database);
    gateway.stop().await?;
    Ok(FaultReport {
        acknowledged: acknowledged.len() as u64,
        unavailable: counts.unavailable,
        recovered_after,
        resident_mebibytes,
        take_over: None,
    })
}

/// For all other sessions of the server, also for those that are open.
async fn set_read_only(database: &Client, read_only: bool) -> Result<(), BoxError> {
    // This session must be able to change it back.
    database
        .batch_execute("SET default_transaction_read_only = off")
        .await?;
    let value = if read_only { "on" } else { "off" };
    database
        .batch_execute(&format!(
            "ALTER SYSTEM SET default_transaction_read_only = {value}"
        ))
        .await?;
    Ok(database.batch_execute("SELECT pg_reload_conf()").await?)
}
