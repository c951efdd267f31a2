//! Kills with SIGKILL under load: the gateway, the whole of PostgreSQL, one of its backends, or gateway and PostgreSQL
//! at once.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use ledger_model::SplitMix64;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::ledger::{self, RecordedSales};
use super::senders::Senders;
use super::{CAPTURES_UNDER_LOAD, TortureOptions};
use crate::installation::{BoxError, GatewayProcess, Installation};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Victim {
    Gateway,
    Postmaster,
    /// One backend of the gateway's writer. PostgreSQL then ends all sessions and recovers by itself.
    Backend,
    Both,
}

impl Victim {
    const ALL: [Self; 4] = [Self::Gateway, Self::Postmaster, Self::Both, Self::Backend];
}

#[derive(Debug, Clone, Default)]
pub struct KillReport {
    pub rounds: u32,
    kills: BTreeMap<Victim, u32>,
    /// Captures, each of which is in the log once.
    pub acknowledged: u64,
    /// Requests without an answer. The sender repeated each.
    pub unanswered: u64,
    pub unavailable: u64,
    /// The most memory that a gateway used at the end of a round.
    pub resident_mebibytes: u64,
    /// From each kill to the next acknowledgment after the gateway was ready.
    recovered_after: Vec<Duration>,
}

impl fmt::Display for KillReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sorted = self.recovered_after.clone();
        sorted.sort_unstable();
        let at = |place: usize| sorted.get(place).map_or(0, Duration::as_millis);
        write!(
            f,
            "{} rounds {:?}, {} captures acknowledged and recorded once, {} requests without an answer, {} answers of \
             503, writing again after {} ms (median) and {} ms (longest), {} MiB at most",
            self.rounds,
            self.kills,
            self.acknowledged,
            self.unanswered,
            self.unavailable,
            at(sorted.len() / 2),
            at(sorted.len().saturating_sub(1)),
            self.resident_mebibytes
        )
    }
}

pub async fn run(
    installation: &Installation,
    options: &TortureOptions,
    mut progress: impl FnMut(String),
) -> Result<KillReport, BoxError> {
    let mut random = SplitMix64::of(options.seed);
    let mut sales = RecordedSales::default();
    let mut report = KillReport::default();
    let mut gateway = installation.spawn(&options.program, &[])?;
    gateway.wait_until_ready().await?;
    for round in 1..=options.rounds {
        // A short run has no victim twice. A longer one selects the victims at random.
        let kinds = Victim::ALL.len();
        let place = if usize::try_from(options.rounds)? > kinds {
            random.below(kinds as u64)
        } else {
            u64::from(round - 1)
        };
        let victim = Victim::ALL[usize::try_from(place)?];
        let name = format!("kill-{round}");
        let senders = Senders::start(
            installation,
            &[gateway.addr],
            &name,
            options.seed ^ u64::from(round),
        );
        senders.wait_for_more(CAPTURES_UNDER_LOAD).await?;
        tokio::time::sleep(Duration::from_millis(random.below(1_000))).await;
        let killed_at = Instant::now();
        gateway = strike(installation, &options.program, gateway, victim).await?;
        gateway.wait_until_ready().await?;
        senders.wait_for_more(1).await?;
        report.recovered_after.push(killed_at.elapsed());
        senders.wait_for_more(CAPTURES_UNDER_LOAD).await?;
        let counts = senders.counts();
        let acknowledged = senders.stop().await?;
        gateway.wait_until_caught_up().await?;
        report.resident_mebibytes = report.resident_mebibytes.max(gateway.resident_kib()? / 1024);
        let database = installation.join_database().await?;
        sales
            .check(&database, &acknowledged)
            .await
            .map_err(|error| format!("round {round}, {victim:?}: {error}"))?;
        ledger::audit(installation, &options.program)
            .await
            .map_err(|error| format!("round {round}, {victim:?}: {error}"))?;
        report.rounds = round;
        *report.kills.entry(victim).or_default() += 1;
        report.acknowledged = sales.count();
        report.unanswered += counts.unanswered;
        report.unavailable += counts.unavailable;
        progress(format!(
            "round {round}: {victim:?}, {} captures, {} without an answer, {} answers of 503, recovered after {} ms",
            acknowledged.len(),
            counts.unanswered,
            counts.unavailable,
            report.recovered_after.last().map_or(0, Duration::as_millis)
        ));
    }
    gateway.stop().await?;
    Ok(report)
}

/// Returns the running gateway: the same one, or another one in the place of a killed one.
async fn strike(
    installation: &Installation,
    program: &Path,
    gateway: GatewayProcess,
    victim: Victim,
) -> Result<GatewayProcess, BoxError> {
    let (addr, operations) = (gateway.addr, gateway.operations);
    match victim {
        Victim::Gateway => gateway.kill().await?,
        Victim::Postmaster => {
            kill_process(installation.postmaster_pid()?)?;
            return Ok(gateway);
        }
        Victim::Backend => {
            let database = installation.join_database().await?;
            let row = database
                .query_one(
                    "SELECT pid FROM pg_stat_activity WHERE application_name = 'razao-writer' ORDER BY random() LIMIT 1",
                    &[],
                )
                .await?;
            kill_process(row.get(0))?;
            return Ok(gateway);
        }
        Victim::Both => {
            // In this order, because a gateway would start PostgreSQL again at once.
            let postmaster = installation.postmaster_pid()?;
            gateway.kill().await?;
            kill_process(postmaster)?;
        }
    }
    installation.spawn_at(program, addr, operations, &[])
}

fn kill_process(pid: i32) -> Result<(), BoxError> {
    Ok(kill(Pid::from_raw(pid), Signal::SIGKILL)?)
}
