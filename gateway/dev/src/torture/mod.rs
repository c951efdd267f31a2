//! Breaks a durable installation under load. After each fault it checks that no acknowledged capture is lost or
//! doubled, that the log verifies, and that the read models are those of a replay.
//!
//! The order of kills follows from a seed. The instant at which a kill meets the program does not: the operating system
//! decides it.

pub mod citus;
mod disk;
mod kills;
mod ledger;
mod peers;
mod read_only;
mod round_robin;
mod senders;
mod standby;
mod two_processes;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

pub use kills::KillReport;
pub use peers::PeersReport;
pub use round_robin::RoundRobinReport;
pub use standby::StandbyReport;
pub use two_processes::TakeOver;

use ledger_store::Layout;

use crate::installation::{BoxError, Installation};

#[derive(Debug, Clone)]
pub struct TortureOptions {
    /// The program to break: the running one, unless a test names another.
    pub program: PathBuf,
    /// An empty or missing folder. A trial uses a subfolder, and removes its files if it succeeds.
    pub folder: PathBuf,
    /// The rounds of [`Fault::Kills`].
    pub rounds: u32,
    /// How long [`Fault::RoundRobin`] goes on: at least one round.
    pub duration: Duration,
    pub seed: u64,
    /// [`Fault::Standby`] keeps to layout `one`.
    pub layout: Layout,
    /// All faults if none is named.
    pub only: Option<Fault>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The gateway, PostgreSQL or both are killed.
    Kills,
    /// The database takes no writes.
    ReadOnly,
    /// The database's disk is full.
    DiskFull,
    /// One of two processes is stopped for longer than its lease.
    TwoProcesses,
    /// Two processes get the requests in turn, and end one after the other.
    RoundRobin,
    /// Three processes share the shards: one joins, one is stopped, one is killed.
    Peers,
    /// The leader of three nodes under Patroni is lost.
    Standby,
}

impl Fault {
    pub const ALL: [(&str, Self); 7] = [
        ("kills", Self::Kills),
        ("read-only", Self::ReadOnly),
        ("disk-full", Self::DiskFull),
        ("two-processes", Self::TwoProcesses),
        ("round-robin", Self::RoundRobin),
        ("peers", Self::Peers),
        ("standby", Self::Standby),
    ];
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|(name, _)| *name == text);
        found.map(|(_, fault)| *fault).ok_or_else(|| {
            let names = Self::ALL.map(|(name, _)| name);
            format!("the faults are {}", names.join(", "))
        })
    }
}

/// How the program behaved while the database took no writes, or while the process that owned the shards was stopped.
#[derive(Debug, Clone, Default)]
pub struct FaultReport {
    /// Captures that were acknowledged during the trial. All are in the log once.
    pub acknowledged: u64,
    /// 503 answers. Each had `Retry-After`.
    pub unavailable: u64,
    /// From the end of the fault to the next acknowledgment. For two processes: from the stop of the shards' owner to
    /// the first acknowledgment after the take-over.
    pub recovered_after: Duration,
    /// The gateway's memory at the end of the fault.
    pub resident_mebibytes: u64,
    /// Set by the trial of two processes only.
    pub take_over: Option<TakeOver>,
}

/// Captures that must be acknowledged before a fault, and again after the recovery.
const CAPTURES_UNDER_LOAD: u64 = 50;

/// The most resident memory that a gateway may have when it is checked. The writer's cache alone may take 128 MiB.
const RESIDENT_MAX_MEBIBYTES: u64 = 320;

impl FaultReport {
    /// Fails if the gateway used too much memory or a take-over took too long. Only `just torture` asks this: the tests
    /// share their processors, and assert nothing about time.
    fn check_bounds(&self) -> Result<(), BoxError> {
        check_memory(self.resident_mebibytes)?;
        match self.take_over {
            Some(TakeOver { thirds }) if thirds > TakeOver::THIRDS_MAX => {
                Err(format!("the shards were taken over only after {thirds} thirds of a lease").into())
            }
            Some(_) | None => Ok(()),
        }
    }
}

fn check_memory(resident_mebibytes: u64) -> Result<(), BoxError> {
    match resident_mebibytes {
        0..=RESIDENT_MAX_MEBIBYTES => Ok(()),
        _ => Err(
            format!("the gateway uses {resident_mebibytes} MiB, more than {RESIDENT_MAX_MEBIBYTES}").into(),
        ),
    }
}

impl fmt::Display for FaultReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} captures acknowledged, {} answers of 503, writing again after {} ms, {} MiB",
            self.acknowledged,
            self.unavailable,
            self.recovered_after.as_millis(),
            self.resident_mebibytes
        )?;
        match self.take_over {
            Some(TakeOver { thirds }) => write!(
                f,
                ", all shards taken over within {thirds} thirds of a lease (at most {})",
                TakeOver::THIRDS_MAX
            ),
            None => Ok(()),
        }
    }
}

/// Runs the named fault or all of them. The result has one line for each fault.
pub async fn run(options: TortureOptions, mut progress: impl FnMut(String)) -> Result<Vec<String>, BoxError> {
    let mut lines = Vec::new();
    let wanted = |fault: Fault| options.only.is_none_or(|only| only == fault);
    for (name, fault) in Fault::ALL.into_iter().filter(|(_, fault)| wanted(*fault)) {
        progress(name.to_owned());
        let line = match fault {
            Fault::Kills => {
                let report = kills(&options, &mut progress).await?;
                check_memory(report.resident_mebibytes)?;
                report.to_string()
            }
            Fault::ReadOnly => checked(read_only(&options).await?)?,
            Fault::DiskFull => match disk_full(&options).await? {
                Some(report) => checked(report)?,
                None => "SKIPPED: a small file system could not be mounted".to_owned(),
            },
            Fault::TwoProcesses => checked(two_processes(&options).await?)?,
            Fault::RoundRobin => round_robin(&options, &mut progress).await?.to_string(),
            Fault::Peers => {
                let report = peers(&options, &mut progress).await?;
                report.check_bounds()?;
                report.to_string()
            }
            Fault::Standby => match standby::needs(&options) {
                Ok(needs) => {
                    let report = standby::run(needs, &options, &mut progress).await?;
                    report.check_bounds()?;
                    report.to_string()
                }
                Err(missing) => format!("SKIPPED: {missing}"),
            },
        };
        progress(line.clone());
        lines.push(format!("{name}: {line}"));
    }
    Ok(lines)
}

fn checked(report: FaultReport) -> Result<String, BoxError> {
    report.check_bounds()?;
    Ok(report.to_string())
}

/// Kills the gateway, PostgreSQL or both in each round.
pub async fn kills(options: &TortureOptions, progress: impl FnMut(String)) -> Result<KillReport, BoxError> {
    let installation = installation(options, "kills").await?;
    let report = kills::run(&installation, options, progress).await;
    finished(installation, report)
}

/// Makes the database read-only for some seconds.
pub async fn read_only(options: &TortureOptions) -> Result<FaultReport, BoxError> {
    let installation = installation(options, "read-only").await?;
    let report = read_only::run(&installation, options).await;
    finished(installation, report)
}

/// Fills the database's disk for some seconds. `None` if a small file system for it cannot be mounted.
pub async fn disk_full(options: &TortureOptions) -> Result<Option<FaultReport>, BoxError> {
    let Some(disk) = disk::SmallDisk::mount(&options.folder.join("disk-full"))? else {
        return Ok(None);
    };
    let installation =
        Installation::without_spare_wal(&disk.path().join("installation"), options.layout).await?;
    if !installation.data_dir.starts_with(disk.path()) {
        return Err("the database's user cannot enter the small file system".into());
    }
    let report = disk::run(&installation, &disk, options).await;
    let report = finished(installation, report)?;
    disk.unmount()?;
    Ok(Some(report))
}

/// Stops one of two processes for longer than its lease, and then lets it go on.
pub async fn two_processes(options: &TortureOptions) -> Result<FaultReport, BoxError> {
    let installation = installation(options, "two-processes").await?;
    let report = two_processes::run(&installation, options).await;
    finished(installation, report)
}

/// Sends each request to one of two processes in turn, and ends them one after the other.
pub async fn round_robin(
    options: &TortureOptions,
    progress: impl FnMut(String),
) -> Result<RoundRobinReport, BoxError> {
    let installation = installation(options, "round-robin").await?;
    let report = round_robin::run(&installation, options, progress).await;
    finished(installation, report)
}

/// Lets one of three processes that share the shards join, stops one, and kills one.
pub async fn peers(options: &TortureOptions, progress: impl FnMut(String)) -> Result<PeersReport, BoxError> {
    let installation = installation(options, "peers").await?;
    let report = peers::run(&installation, options, progress).await;
    finished(installation, report)
}

async fn installation(options: &TortureOptions, name: &str) -> Result<Installation, BoxError> {
    Installation::without_spare_wal(&options.folder.join(name), options.layout).await
}

/// Removes the files of a trial that succeeded. The error of a failed one shows the last lines of the program's log.
fn finished<R>(installation: Installation, report: Result<R, BoxError>) -> Result<R, BoxError> {
    match report {
        Ok(report) => {
            installation.remove()?;
            Ok(report)
        }
        Err(error) => Err(format!("{error}\n{}", installation.log_tail()).into()),
    }
}
