//! Measures whether lists and reports stay fast as an installation grows: each call on one with 1,000 companies and
//! 10,000 sales, and on one with 100,000 companies, 300,000 terminals and ten million sales by default. Each has its
//! own cluster and its own gateway.
//!
//! The calls alternate between the two, one at a time, so that a slow minute of the machine affects both. The ratio of
//! the 99th percentiles says more than each of them. The benchmark asserts nothing.

mod calls;
mod exports;
mod report;
mod sales;
mod world;

use std::path::{Path, PathBuf};
use std::time::Duration;

use calls::{ListCall, list_calls, sale_calls};
use futures::try_join;
use report::CallFigures;
pub use report::ReadsReport;
use world::{Size, World};

use super::BenchError;
use super::figures::Figures;

#[derive(Debug, Clone)]
pub struct ReadsOptions {
    /// The program to measure.
    pub program: PathBuf,
    /// An empty or missing folder; for `Stage::Measure`, the folder that `Stage::Load` has filled.
    pub folder: PathBuf,
    /// Each round makes every call some times on both installations.
    pub rounds: u32,
    /// Measures one round, and counts no rows.
    pub quick: bool,
    /// The sales of the large installation. `None`: ten million, or three million if the disk has no place for ten.
    pub sales: Option<u64>,
    pub stage: Stage,
    /// Only calls whose names contain this text, and no exports.
    pub only: Option<String>,
}

/// Loading takes longer than measuring, so that both can be separate runs on one folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Removes the loaded clusters at the end.
    Both,
    /// Leaves the loaded clusters.
    Load,
    /// Measures what was loaded, and leaves it too.
    Measure,
}

/// The calls of one kind in a round: as many as this time allows, within the bounds. Four rounds are 200 of each quick
/// call, so that its 99th percentile is not the slowest one.
const TIME_PER_ROUND: Duration = Duration::from_millis(500);
const CALLS_MIN: usize = 4;
const CALLS_MAX: usize = 50;
/// Enough to fill the caches, and to know how slow a call is.
const WARM_UP_CALLS: usize = 3;
/// The most calls that are made to count rows.
const COUNTED_CALLS_MAX: usize = 40;

const TEN_MILLION: u64 = 10_000_000;
const THREE_MILLION: u64 = 3_000_000;
/// The bytes of a sale on the disk: its rows, statement lines, sums, indexes, and the temporary files of their sorts.
const BYTES_PER_SALE: u64 = 3_600;
/// The bytes of the records of 100,000 companies on the disk.
const BYTES_OF_RECORDS: u64 = 2_000_000_000;

pub async fn run(options: ReadsOptions, mut progress: impl FnMut(String)) -> Result<ReadsReport, BenchError> {
    let (small, large) = (options.folder.join("small"), options.folder.join("large"));
    if options.stage != Stage::Measure {
        let sales = sales_that_fit(&options, &mut progress)?;
        progress("loading the small installation".to_owned());
        world::load(&small, Size::SMALL, &mut progress).await?;
        progress(format!("loading the large installation with {sales} sales"));
        world::load(&large, Size::large(sales), &mut progress).await?;
    }
    if options.stage == Stage::Load {
        return Ok(ReadsReport::default());
    }
    let small = World::open(&small, &options.program).await?;
    let large = World::open(&large, &options.program).await?;
    progress(format!("PostgreSQL {}", large.server_version().await?));
    let measured = measure(&options, (&small, &large), &mut progress).await;
    let installations = [small.stop().await?, large.stop().await?];
    if options.stage == Stage::Both {
        for installation in installations {
            installation.remove()?;
        }
    }
    measured
}

async fn measure(
    options: &ReadsOptions,
    (small, large): (&World, &World),
    progress: &mut impl FnMut(String),
) -> Result<ReadsReport, BenchError> {
    let mut calls = list_calls();
    calls.extend(sale_calls());
    let wanted = |call: &ListCall| options.only.as_ref().is_none_or(|text| call.name.contains(text));
    calls.retain(wanted);
    let rounds = if options.quick { 1 } else { options.rounds };
    progress(format!("{} calls, {rounds} rounds", calls.len()));
    let mut measured = vec![];
    for call in calls {
        measured.push(MeasuredCall::warmed_up(call, (small, large)).await?);
    }
    for round in 1..=rounds {
        progress(format!("round {round} of {rounds}"));
        for call in &mut measured {
            for _ in 0..call.per_round {
                let (small, large) = call.time((small, large)).await?;
                call.small.push(small);
                call.large.push(large);
            }
        }
    }
    // Before the rows are counted, which takes minutes and leaves other pages in the caches.
    let exports = match options.only {
        None => exports::measure(large, progress).await?,
        Some(_) => vec![],
    };
    progress("the rows that each call reads".to_owned());
    let mut figures = vec![];
    for call in measured {
        let rows = if options.quick {
            None
        } else {
            let times = u32::try_from((2 * call.per_round).min(COUNTED_CALLS_MAX))?;
            let MeasuredCall { call, .. } = &call;
            let small = small.rows_read(call.panel, &call.small, times);
            let large = large.rows_read(call.panel, &call.large, times);
            Some(try_join!(small, large)?)
        };
        figures.push(call.figures(rows));
    }
    Ok(ReadsReport {
        calls: figures,
        exports,
    })
}

/// How many sales are loaded. An error if the disk has no place for them.
fn sales_that_fit(options: &ReadsOptions, progress: &mut impl FnMut(String)) -> Result<u64, BenchError> {
    std::fs::create_dir_all(&options.folder)?;
    let free = free_bytes(&options.folder)?;
    let fits = |sales: u64| free >= BYTES_OF_RECORDS + sales * BYTES_PER_SALE;
    if let Some(sales) = options.sales {
        let message = "the disk has no place for so many sales";
        return if fits(sales) {
            Ok(sales)
        } else {
            Err(message.into())
        };
    }
    if fits(TEN_MILLION) {
        return Ok(TEN_MILLION);
    }
    progress("the disk has no place for ten million sales: three million".to_owned());
    if fits(THREE_MILLION) {
        Ok(THREE_MILLION)
    } else {
        Err("the disk has no place for three million sales".into())
    }
}

fn free_bytes(folder: &Path) -> Result<u64, BenchError> {
    let disk = nix::sys::statvfs::statvfs(folder)?;
    Ok(disk.blocks_available() * disk.fragment_size())
}

/// A call and the microseconds that it took at both sizes.
struct MeasuredCall {
    call: ListCall,
    per_round: usize,
    small: Vec<u32>,
    large: Vec<u32>,
}

impl MeasuredCall {
    async fn warmed_up(call: ListCall, worlds: (&World, &World)) -> Result<Self, BenchError> {
        let mut warmed = Self {
            call,
            per_round: CALLS_MIN,
            small: vec![],
            large: vec![],
        };
        let mut last = 0;
        for _ in 0..WARM_UP_CALLS {
            let (small, large) = warmed.time(worlds).await?;
            last = small + large;
        }
        let fit = TIME_PER_ROUND.as_micros() / u128::from(last.max(1));
        warmed.per_round = usize::try_from(fit)?.clamp(CALLS_MIN, CALLS_MAX);
        Ok(warmed)
    }

    async fn time(&self, (small, large): (&World, &World)) -> Result<(u32, u32), BenchError> {
        let call = &self.call;
        Ok((
            small.time(call.panel, &call.small).await?,
            large.time(call.panel, &call.large).await?,
        ))
    }

    fn figures(self, rows: Option<(u64, u64)>) -> CallFigures {
        let calls = self.small.len();
        // Only the latencies are reported, so the rate is zero.
        let of = |micros| Figures::of(0, micros, 0);
        CallFigures {
            name: self.call.name,
            calls,
            small: of(self.small),
            large: of(self.large),
            rows,
        }
    }
}
