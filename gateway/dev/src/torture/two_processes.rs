//! Two processes on one database. The one that owns the shards is stopped (SIGSTOP) past its lease, and goes on later
//! with what it had in hand: the other one takes over, and nothing is written twice.

use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use super::ledger::{self, RecordedSales};
use super::senders::Senders;
use super::{FaultReport, TortureOptions};
use crate::embedded::DATABASE;
use crate::installation::{BoxError, Installation};

const UNDER_LOAD: u64 = 50;
/// Both work for so long after the stopped one goes on.
const TOGETHER: Duration = Duration::from_secs(2);

pub async fn run(installation: &Installation, options: &TortureOptions) -> Result<FaultReport, BoxError> {
    let (embedded, database) = installation.start_database().await?;
    let url = embedded.url(DATABASE);
    let variables = [("DATABASE_URL", url.as_str())];
    let mut owner = installation.spawn(&options.program, &variables)?;
    owner.wait_until_ready().await?;
    let mut other = installation.spawn(&options.program, &variables)?;
    other.wait_until_ready().await?;
    let addresses = [owner.addr, other.addr];
    let senders = Senders::start(installation, &addresses, "two", options.seed);
    senders.wait_for_more(UNDER_LOAD).await?;
    owner.signal(Signal::SIGSTOP)?;
    // What the owner had sent to the database may still be answered for a moment.
    tokio::time::sleep(Duration::from_millis(200)).await;
    let stopped_at = Instant::now();
    let recovered_after = senders.wait_for_more(1).await?;
    senders.wait_for_more(UNDER_LOAD).await?;
    let resident_mebibytes = other.resident_kib()? / 1024;
    owner.signal(Signal::SIGCONT)?;
    tracing::debug!(
        stopped_ms = stopped_at.elapsed().as_millis(),
        "the stopped process goes on"
    );
    tokio::time::sleep(TOGETHER).await;
    senders.wait_for_more(UNDER_LOAD).await?;
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
        acknowledged: counts.acknowledged,
        unavailable: counts.unavailable,
        recovered_after,
        resident_mebibytes,
    })
}
