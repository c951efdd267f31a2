//! Two processes on one database behind a balancer that asks nobody who is ready: each request goes to one of them in
//! turn. In each round the process that owns the shards is stopped in order (SIGTERM), and later killed (SIGKILL). Every
//! notice is answered by the process that records it, or by a 503 with its reason; nothing is lost or doubled.

use std::fmt;
use std::time::{Duration, Instant};

use super::ledger::{self, RecordedSales};
use super::senders::Senders;
use super::{CAPTURES_UNDER_LOAD, TortureOptions};
use crate::embedded::DATABASE;
use crate::installation::{BoxError, GatewayProcess, Installation};

/// The load goes on for so long between two ends of a process, in a run of several rounds.
const UNDISTURBED: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Default)]
pub struct RoundRobinReport {
    pub rounds: u32,
    /// Captures, each of which is in the log once.
    pub acknowledged: u64,
    /// 503 answers. Each had `Retry-After` and a reason.
    pub unavailable: u64,
    /// Requests to a process that was ending or had ended. The sender repeated each.
    pub unanswered: u64,
    /// From a SIGTERM until the other process was ready for writes.
    handed_over_after: Vec<Duration>,
    /// From a SIGKILL until the other process was ready for writes.
    taken_over_after: Vec<Duration>,
}

impl fmt::Display for RoundRobinReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let longest = |times: &[Duration]| times.iter().max().map_or(0, Duration::as_millis);
        write!(
            f,
            "{} rounds, {} captures acknowledged and recorded once, {} answers of 503 with their reason, {} requests \
             without an answer, the other process ready after at most {} ms (SIGTERM) and {} ms (SIGKILL)",
            self.rounds,
            self.acknowledged,
            self.unavailable,
            self.unanswered,
            longest(&self.handed_over_after),
            longest(&self.taken_over_after)
        )
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Stop,
    Kill,
}

pub async fn run(
    installation: &Installation,
    options: &TortureOptions,
    mut progress: impl FnMut(String),
) -> Result<RoundRobinReport, BoxError> {
    let (embedded, database) = installation.start_database().await?;
    let url = embedded.url(DATABASE);
    let variables = [("DATABASE_URL", url.as_str())];
    let mut owner = installation.spawn(&options.program, &variables)?;
    owner.wait_until_ready().await?;
    let mut other = installation.spawn(&options.program, &variables)?;
    other.wait_until_ready_for_reads().await?;
    if other.is_ready().await? {
        return Err("a process without shards says that it is ready for writes".into());
    }
    let senders = Senders::start(installation, &[owner.addr, other.addr], "robin", options.seed);
    let began = Instant::now();
    let mut report = RoundRobinReport::default();
    while report.rounds == 0 || began.elapsed() < options.duration {
        for end in [End::Stop, End::Kill] {
            senders.wait_for_more(CAPTURES_UNDER_LOAD).await?;
            if !options.duration.is_zero() {
                tokio::time::sleep(UNDISTURBED).await;
            }
            let (addr, operations) = (owner.addr, owner.operations);
            let ended_at = Instant::now();
            let took = match end {
                End::Stop => &mut report.handed_over_after,
                End::Kill => &mut report.taken_over_after,
            };
            end_process(owner, end, &mut other).await?;
            took.push(ended_at.elapsed());
            senders.wait_for_more(CAPTURES_UNDER_LOAD).await?;
            let mut again = installation.spawn_at(&options.program, addr, operations, &variables)?;
            again.wait_until_ready_for_reads().await?;
            owner = std::mem::replace(&mut other, again);
        }
        report.rounds += 1;
        progress(format!(
            "round {}: {:?} after {} s",
            report.rounds,
            senders.counts(),
            began.elapsed().as_secs()
        ));
    }
    let counts = senders.counts();
    if counts.unexplained > 0 {
        return Err(format!("503 answers without a reason: {counts:?}").into());
    }
    let acknowledged = senders.stop().await?;
    owner.wait_until_caught_up().await?;
    RecordedSales::default().check(&database, &acknowledged).await?;
    owner.stop().await?;
    other.stop().await?;
    drop(database);
    embedded.stop().await?;
    ledger::audit(installation, &options.program).await?;
    report.acknowledged = acknowledged.len() as u64;
    report.unavailable = counts.unavailable;
    report.unanswered = counts.unanswered;
    Ok(report)
}

/// Ends the owner, and returns when the other process is ready for writes.
async fn end_process(owner: GatewayProcess, end: End, other: &mut GatewayProcess) -> Result<(), BoxError> {
    match end {
        End::Stop => {
            let (stopped, ready) = tokio::join!(owner.stop(), other.wait_until_ready());
            stopped?;
            ready
        }
        End::Kill => {
            owner.kill().await?;
            other.wait_until_ready().await
        }
    }
}
