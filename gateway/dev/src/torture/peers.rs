//! Three processes that share the shards, behind a balancer that sends requests to any of them: one joins, one is
//! stopped in order (SIGTERM), one is killed (SIGKILL). Nothing is lost or doubled, and while nothing happens to a
//! process, no request gets a 503.

use std::fmt;
use std::time::Duration;

use chrono::Utc;
use ledger_store::log;
use ledger_store::writer::LEASE;
use tokio::time::sleep;
use tokio_postgres::Client;

use super::ledger::{self, RecordedSales};
use super::senders::Senders;
use super::{CAPTURES_UNDER_LOAD, TortureOptions};
use crate::embedded::DATABASE;
use crate::installation::{BoxError, Installation, connect, free_address};

/// The load goes on for so long while nothing happens, except in a test of the suite.
const UNDISTURBED: Duration = Duration::from_secs(3);
/// The longest pause in the writes of a shard while its process stops in order. Only `just torture` asks this.
const STOP_MAX: Duration = Duration::from_millis(500);

#[derive(Debug, Clone, Default)]
pub struct PeersReport {
    /// Captures, each of which is in the log once.
    pub acknowledged: u64,
    /// 503 answers while nothing happened to a process.
    pub unavailable_at_rest: u64,
    /// 503 answers while a process joined, stopped or was killed.
    pub unavailable: u64,
    /// The longest pause in the writes of any shard at each event.
    pub joined: Duration,
    pub stopped: Duration,
    pub killed: Duration,
}

impl PeersReport {
    /// Fails if writes paused for too long. The tests share their processors, and assert nothing about time.
    pub fn check_bounds(&self) -> Result<(), BoxError> {
        if self.stopped > STOP_MAX || self.killed > LEASE {
            return Err(format!("writes paused for too long: {self}").into());
        }
        Ok(())
    }
}

impl fmt::Display for PeersReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} captures acknowledged and recorded once, {} answers of 503 at rest and {} otherwise, longest pause of a \
             shard {} ms (a process joins), {} ms (SIGTERM), {} ms (SIGKILL)",
            self.acknowledged,
            self.unavailable_at_rest,
            self.unavailable,
            self.joined.as_millis(),
            self.stopped.as_millis(),
            self.killed.as_millis()
        )
    }
}

pub async fn run(
    installation: &Installation,
    options: &TortureOptions,
    mut progress: impl FnMut(String),
) -> Result<PeersReport, BoxError> {
    let (embedded, database) = installation.start_database().await?;
    drop(database);
    let report = run_at(installation, &embedded.url(DATABASE), options, &mut progress).await?;
    embedded.stop().await?;
    ledger::audit(installation, &options.program).await?;
    Ok(report)
}

/// On a database that runs. The caller audits.
pub async fn run_at(
    installation: &Installation,
    url: &str,
    options: &TortureOptions,
    mut progress: impl FnMut(String),
) -> Result<PeersReport, BoxError> {
    let database = connect(url).await?;
    let variables = [("DATABASE_URL", url), ("RAZAO_PEER_ADDR", "127.0.0.1:0")];
    let mut first = installation.spawn(&options.program, &variables)?;
    first.wait_until_ready().await?;
    let mut second = installation.spawn(&options.program, &variables)?;
    second.wait_until_ready().await?;
    let (joining, operations) = (free_address()?, free_address()?);
    let addresses = [first.addr, second.addr, joining];
    let trial = Trial {
        undisturbed: if options.duration.is_zero() {
            Duration::ZERO
        } else {
            UNDISTURBED
        },
        database: &database,
        senders: Senders::start(installation, &addresses, "peers", options.seed),
    };
    let mut report = PeersReport::default();

    trial.rest(&mut report).await?;
    let mut third = installation.spawn_at(&options.program, joining, operations, &variables)?;
    report.joined = trial.during(&mut report, third.wait_until_ready()).await?;
    trial.rest(&mut report).await?;
    progress(report.to_string());
    report.stopped = trial.during(&mut report, second.stop()).await?;
    trial.rest(&mut report).await?;
    progress(report.to_string());
    report.killed = trial.during(&mut report, third.kill()).await?;
    trial.rest(&mut report).await?;

    let acknowledged = trial.senders.stop().await?;
    report.acknowledged = acknowledged.len() as u64;
    first.wait_until_caught_up().await?;
    RecordedSales::default().check(&database, &acknowledged).await?;
    first.stop().await?;
    Ok(report)
}

struct Trial<'a> {
    undisturbed: Duration,
    database: &'a Client,
    senders: Senders,
}

impl Trial<'_> {
    /// Nothing happens to a process.
    async fn rest(&self, report: &mut PeersReport) -> Result<(), BoxError> {
        let before = self.senders.counts().unavailable;
        self.senders.wait_for_more(CAPTURES_UNDER_LOAD).await?;
        sleep(self.undisturbed).await;
        self.senders.wait_for_more(CAPTURES_UNDER_LOAD).await?;
        report.unavailable_at_rest += self.senders.counts().unavailable - before;
        Ok(())
    }

    /// Something happens. Returns the longest pause in the writes of any shard, once all of them are written again.
    async fn during(
        &self,
        report: &mut PeersReport,
        event: impl Future<Output = Result<(), BoxError>>,
    ) -> Result<Duration, BoxError> {
        let before = self.senders.counts().unavailable;
        let begun_at = Utc::now();
        event.await?;
        // Every shard has an owner that answers: captures of all of them are acknowledged.
        self.senders.wait_for_more(20 * CAPTURES_UNDER_LOAD).await?;
        report.unavailable += self.senders.counts().unavailable - before;
        Ok(log::longest_pause(self.database, begun_at).await?)
    }
}
