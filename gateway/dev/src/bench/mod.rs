//! The benchmark: acknowledged captures over HTTP on a separate durable cluster, and what they cost. The baseline is
//! plain one-row INSERTs of the same size, on that cluster and in the same minutes. `reads` is a separate benchmark.
//!
//! Both sides write to one server with the same settings and wait for the disk (fsync, synchronous_commit). They
//! share the processors with their clients. Each rate of captures counts the time until the read models had caught up.
//!
//! The ratio of two figures of the same round says more than each figure. Machines differ, and the speed of a disk
//! changes from minute to minute. The benchmark asserts nothing; it reports.

// No task here outlives a measurement.
#![expect(clippy::disallowed_methods)]

mod figures;
mod history;
mod inserts;
mod lag;
mod load;
mod pace;
mod parts;
mod processor_time;
pub mod reads;
mod report;
mod system;
mod upstream;

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use ledger_store::Layout;

use crate::installation::{BoxError, Installation};
pub use report::Report;
use system::System;

#[derive(Debug, Clone)]
pub struct BenchOptions {
    /// The program to measure.
    pub program: PathBuf,
    /// An empty or missing folder on the measured disk; emptied at the end.
    pub folder: PathBuf,
    pub rounds: u32,
    /// The length of each measurement in a round. `Part::One` and `Part::Upstream` take half of it.
    pub duration: Duration,
    /// The length of the sustained run.
    pub sustained: Duration,
    /// The number of sales in the log of `Part::History`.
    pub sales: u64,
    /// Of every part but [`Part::History`], which copies the log's table.
    pub layout: Layout,
    /// All parts if none is named.
    pub only: Option<Part>,
}

/// A part of the benchmark that can run alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Captures as fast as they are acknowledged, on many connections.
    Rates,
    /// One notice after another on one connection.
    One,
    /// A tenth of the rate of INSERTs, for the latency.
    Light,
    /// One long run.
    Sustained,
    /// Unmodified cqrs-es with postgres-es, for comparison.
    Upstream,
    /// The costs that grow with the log.
    History,
}

impl Part {
    pub const ALL: [(&str, Self); 6] = [
        ("rates", Self::Rates),
        ("one", Self::One),
        ("light", Self::Light),
        ("sustained", Self::Sustained),
        ("upstream", Self::Upstream),
        ("history", Self::History),
    ];
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|(name, _)| *name == text);
        found.map(|(_, part)| *part).ok_or_else(|| {
            let names = Self::ALL.map(|(name, _)| name);
            format!("the parts are {}", names.join(", "))
        })
    }
}

pub type BenchError = BoxError;

/// Runs the named part, or all.
pub async fn run(options: BenchOptions, mut progress: impl FnMut(String)) -> Result<Report, BenchError> {
    let mut report = Report::default();
    if options.only != Some(Part::History) {
        let folder = options.folder.join("writing");
        progress(format!("a durable cluster in {}", folder.display()));
        let installation = Installation::prepare(&folder, options.layout).await?;
        let system = System::start(&installation, &options.program).await?;
        run_parts(&system, &installation, &options, &mut report, &mut progress).await?;
        system.stop().await?;
        installation.remove()?;
    }
    if matches!(options.only, None | Some(Part::History)) {
        progress(format!("{} sales", options.sales));
        let installation = Installation::prepare(&options.folder.join("history"), Layout::One).await?;
        history::measure(&installation, &options.program, options.sales, &mut report).await?;
        installation.remove()?;
    }
    Ok(report)
}

async fn run_parts(
    system: &System<'_>,
    installation: &Installation,
    options: &BenchOptions,
    report: &mut Report,
    progress: &mut impl FnMut(String),
) -> Result<(), BenchError> {
    let (rounds, duration) = (options.rounds, options.duration);
    let wanted = |part: Part| options.only.is_none_or(|only| only == part);
    for (name, part) in Part::ALL.into_iter().filter(|(_, part)| wanted(*part)) {
        progress(name.to_owned());
        match part {
            Part::Rates => parts::rates(system, rounds, duration, report).await?,
            Part::One => parts::one(system, rounds, duration / 2, report).await?,
            Part::Light => parts::light(system, rounds, duration, report).await?,
            Part::Sustained => parts::sustained(system, options.sustained, report).await?,
            Part::Upstream => {
                upstream::compare(system, installation, rounds, duration / 2, report).await?;
            }
            // On a separate installation.
            Part::History => {}
        }
    }
    Ok(())
}
