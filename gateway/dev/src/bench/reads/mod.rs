//! Measures whether the registry's lists stay fast as the registry grows: each call on an installation with 1,000
//! companies and on one with 100,000 companies and 300,000 terminals. Each has its own cluster and its own gateway.
//!
//! The calls alternate between the two, one at a time, so that a slow minute of the machine affects both. The ratio of
//! the 99th percentiles says more than each of them. For a call that misses the goal, the benchmark also counts the rows
//! that PostgreSQL read. It asserts nothing; it reports.

mod calls;
mod report;
mod world;

use std::path::PathBuf;

use calls::{ListCall, list_calls};
pub use report::ReadsReport;
use report::{CallFigures, RATIO_GOAL};
use world::{Size, World};

use super::BenchError;
use super::figures::Figures;

#[derive(Debug, Clone)]
pub struct ReadsOptions {
    /// The program to measure.
    pub program: PathBuf,
    /// An empty or missing folder; emptied at the end.
    pub folder: PathBuf,
    /// Each round makes every call some times on both installations.
    pub rounds: u32,
    /// Measures one round after a short warm-up, and counts no rows.
    pub quick: bool,
}

/// The calls of one kind in a round.
const CALLS_PER_ROUND: u32 = 20;
/// Of a quick run: enough to fill the caches.
const QUICK_WARM_UP_CALLS: u32 = 3;
/// The calls whose rows are counted.
const COUNTED_CALLS: u32 = 5;

pub async fn run(options: ReadsOptions, mut progress: impl FnMut(String)) -> Result<ReadsReport, BenchError> {
    let open = |name: &str, size: Size| World::open(options.folder.join(name), &options.program, size);
    progress("the small installation".to_owned());
    let small = open("small", Size::SMALL).await?;
    progress("the large installation".to_owned());
    let large = open("large", Size::LARGE).await?;
    let calls = list_calls();
    let mut times = vec![(vec![], vec![]); calls.len()];
    let rounds = if options.quick { 1 } else { options.rounds };
    for round in 0..=rounds {
        progress(format!("round {round} of {rounds}"));
        let calls_per_round = match round {
            0 if options.quick => QUICK_WARM_UP_CALLS,
            _ => CALLS_PER_ROUND,
        };
        for (call, times) in calls.iter().zip(&mut times) {
            for _ in 0..calls_per_round {
                let taken = (small.time(&call.small).await?, large.time(&call.large).await?);
                // The first round warms the caches.
                if round > 0 {
                    times.0.push(taken.0);
                    times.1.push(taken.1);
                }
            }
        }
    }
    let mut figures: Vec<CallFigures> = calls.iter().zip(times).map(of_call).collect();
    for (call, figures) in calls.iter().zip(&mut figures) {
        if !options.quick && figures.ratio_percent() > RATIO_GOAL * 100 {
            progress(format!("the rows of {}", call.name));
            figures.rows = Some((
                small.rows_read(&call.small, COUNTED_CALLS).await?,
                large.rows_read(&call.large, COUNTED_CALLS).await?,
            ));
        }
    }
    small.close().await?;
    large.close().await?;
    Ok(ReadsReport { calls: figures })
}

fn of_call((call, (small, large)): (&ListCall, (Vec<u32>, Vec<u32>))) -> CallFigures {
    let of = |micros| Figures::of(0, micros, 0);
    CallFigures {
        name: call.name.clone(),
        small: of(small),
        large: of(large),
        rows: None,
    }
}
