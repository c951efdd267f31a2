//! Two processes on one database. The one that owns the shards is stopped (SIGSTOP) past its lease, and the other one
//! takes over. The first resumes later with its unwritten batches, and nothing is written twice. The time until the
//! take-over is counted in thirds of a lease: a process looks for free shards three times a lease.

use std::time::{Duration, Instant};

use ledger_store::log;
use ledger_store::writer::{LEASE, RENEWALS_PER_LEASE};
use nix::sys::signal::Signal;
use tokio_postgres::Client;

use super::ledger::{self, RecordedSales};
use super::senders::Senders;
use super::{CAPTURES_UNDER_LOAD, FaultReport, TortureOptions};
use crate::embedded::DATABASE;
use crate::installation::{BoxError, Installation};

/// Both work for so long after the stopped one resumes.
const TOGETHER: Duration = Duration::from_secs(2);

pub async fn run(installation: &Installation, options: &TortureOptions) -> Result<FaultReport, BoxError> {
    let (embedded, database) = installation.start_database().await?;
    let url = embedded.url(DATABASE);
    let variables = [("DATABASE_URL", url.as_str())];
    let mut owner = installation.spawn(&options.program, &variables)?;
    owner.wait_until_ready().await?;
    let mut other = installation.spawn(&options.program, &variables)?;
    other.wait_until_ready_for_reads().await?;
    let addresses = [owner.addr, other.addr];
    let senders = Senders::start(installation, &addresses, "two", options.seed);
    senders.wait_for_more(CAPTURES_UNDER_LOAD).await?;
    let epochs = log::shard_epochs(&database).await?;
    owner.signal(Signal::SIGSTOP)?;
    let stopped_at = Instant::now();
    let take_over = TakeOver::of(all_shards_taken(&database, &epochs, &senders).await?);
    senders.wait_for_more(1).await?;
    let recovered_after = stopped_at.elapsed();
    senders.wait_for_more(CAPTURES_UNDER_LOAD).await?;
    let resident_mebibytes = other.resident_kib()? / 1024;
    owner.signal(Signal::SIGCONT)?;
    tracing::debug!(
        stopped_ms = stopped_at.elapsed().as_millis(),
        "the stopped process goes on"
    );
    tokio::time::sleep(TOGETHER).await;
    senders.wait_for_more(CAPTURES_UNDER_LOAD).await?;
    let counts = senders.counts();
    let acknowledged = senders.stop().await?;
    other.wait_until_caught_up().await?;
    RecordedSales::default().check(&database, &acknowledged).await?;
    owner.stop().await?;
    other.stop().await?;
    drop(database);
    embedded.stop().await?;
    ledger::audit(installation, &options.program).await?;
    Ok(FaultReport {
        acknowledged: acknowledged.len() as u64,
        unavailable: counts.unavailable,
        recovered_after,
        resident_mebibytes,
        take_over: Some(take_over),
    })
}

/// Waits until every shard has a greater epoch than before: another process owns it. Returns how long that took.
async fn all_shards_taken(
    database: &Client,
    before: &[i64],
    senders: &Senders,
) -> Result<Duration, BoxError> {
    let began = Instant::now();
    loop {
        let now = log::shard_epochs(database).await?;
        if now.iter().zip(before).all(|(now, before)| now > before) {
            return Ok(began.elapsed());
        }
        senders.check()?;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The time from the owner's stop until all shards had a new owner, in thirds of a lease, rounded up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakeOver {
    pub thirds: u32,
}

impl TakeOver {
    /// The owner may have renewed its lease just before it stopped. The other process looks for free shards at most a
    /// third of a lease after the lease's end. The last third is a margin for a busy machine.
    pub const THIRDS_MAX: u32 = RENEWALS_PER_LEASE + 2;

    fn of(took: Duration) -> Self {
        let third = LEASE.as_millis() / u128::from(RENEWALS_PER_LEASE);
        Self {
            thirds: u32::try_from(took.as_millis().div_ceil(third)).unwrap_or(u32::MAX),
        }
    }
}
