//! The rate of captures in a log with millions of sales, against the rate in a new one. Each sale's first event adds
//! its sale and its idempotency key to two unique indexes, whose entries are random. So a large log costs the append
//! more reads and more full-page images in the WAL.

use std::path::Path;
use std::time::Duration;

use ledger_store::log;

use super::BenchError;
use super::figures::{Grouped, Round, hundredths, ratio};
use super::load::Load;
use super::report::{Report, Series};
use super::system::{BASELINE_CONNECTIONS, System};
use crate::installation::Installation;

const PER_SECOND: fn(&Round) -> u64 = |round| round.figures.per_second;
/// The number of the first sale after `add_claims`. Earlier sales have smaller numbers.
const LATER_SALES: u64 = 1_000_000_000;

pub async fn measure(
    installation: &Installation,
    program: &Path,
    claims: u64,
    rounds: u32,
    duration: Duration,
    report: &mut Report,
) -> Result<(), BenchError> {
    let before = rates(installation, program, 0, rounds, duration, "few claims").await?;
    let (embedded, database) = installation.start_database().await?;
    log::add_claims(&database, claims).await?;
    drop(database);
    embedded.stop().await?;
    let name = format!("{} claims", Grouped(claims));
    let after = rates(installation, program, LATER_SALES, rounds, duration, &name).await?;
    let to_inserts = |[captures, inserts]: &[Series; 2]| captures.ratio_to(inserts, PER_SECOND).median;
    report.line(
        format!("{name}: captures ÷ INSERT, ÷ the same with few"),
        hundredths(ratio(to_inserts(&after), to_inserts(&before))),
        "≥ 0.6",
    );
    report.line(
        format!("{name}: captures ÷ captures with few"),
        hundredths(ratio(after[0].per_second(), before[0].per_second())),
        "",
    );
    report.series.extend(before.into_iter().chain(after));
    Ok(())
}

/// Captures and INSERTs, both at 64 connections.
async fn rates(
    installation: &Installation,
    program: &Path,
    first_sale: u64,
    rounds: u32,
    duration: Duration,
    name: &str,
) -> Result<[Series; 2], BenchError> {
    let system = System::start_numbered_from(installation, program, first_sale).await?;
    let mut captures = Series::new(format!("captures, {name}"));
    let mut inserts = Series::new(format!("INSERTs, {name}"));
    for _ in 0..rounds {
        captures
            .rounds
            .push(system.captures(Load::of(BASELINE_CONNECTIONS), duration).await?);
        inserts
            .rounds
            .push(system.inserts(BASELINE_CONNECTIONS, duration, None).await?);
    }
    system.stop().await?;
    Ok([captures, inserts])
}
