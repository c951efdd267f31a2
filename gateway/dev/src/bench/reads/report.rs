//! The figures of the calls and exports and their display, in whole numbers only.

use std::fmt;
use std::time::Duration;

use crate::bench::figures::{Figures, micros_as_millis};

/// The ratio of the 99th percentiles that no call should exceed.
pub const RATIO_GOAL: u64 = 2;

#[derive(Debug, Clone)]
pub struct CallFigures {
    pub name: String,
    /// How often it was made at each size.
    pub calls: usize,
    pub small: Figures,
    pub large: Figures,
    /// The rows and index entries that one call read, on both installations.
    pub rows: Option<(u64, u64)>,
}

impl CallFigures {
    pub fn ratio_percent(&self) -> u64 {
        self.large.p99_micros * 100 / self.small.p99_micros.max(1)
    }
}

/// One export of many rows.
#[derive(Debug, Clone)]
pub struct ExportFigures {
    pub name: String,
    pub rows: u64,
    pub bytes: u64,
    pub taken: Duration,
    pub alone: Option<Alone>,
    /// The growth of the gateway's memory at its peak.
    pub peak_kib: u64,
}

/// The time that rust_xlsxwriter alone needs for the same cells.
#[derive(Debug, Clone, Copy)]
pub struct Alone {
    /// With its usual compression.
    pub usual: Duration,
    /// With the gateway's compression.
    pub same_level: Duration,
}

/// Empty if the run only loaded.
#[derive(Debug, Clone, Default)]
pub struct ReadsReport {
    pub calls: Vec<CallFigures>,
    pub exports: Vec<ExportFigures>,
}

impl fmt::Display for ReadsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<62} {:>5} {:>9} {:>9} {:>9} {:>9} {:>6}  rows read",
            "ms", "calls", "p50 small", "p50 large", "p99 small", "p99 large", "ratio"
        )?;
        for call in &self.calls {
            let ratio = call.ratio_percent();
            let rows = call
                .rows
                .map_or(String::new(), |(small, large)| format!("{small} and {large}"));
            writeln!(
                f,
                "{:<62} {:>5} {:>9} {:>9} {:>9} {:>9} {:>6}  {rows}",
                call.name,
                call.calls,
                micros_as_millis(call.small.p50_micros),
                micros_as_millis(call.large.p50_micros),
                micros_as_millis(call.small.p99_micros),
                micros_as_millis(call.large.p99_micros),
                format!("{}.{:02}", ratio / 100, ratio % 100),
            )?;
        }
        let missed = self
            .calls
            .iter()
            .filter(|call| call.ratio_percent() > RATIO_GOAL * 100);
        writeln!(
            f,
            "{} of {} calls miss the ratio of {RATIO_GOAL}",
            missed.count(),
            self.calls.len()
        )?;
        self.exports.iter().try_for_each(|export| write!(f, "{export}"))
    }
}

impl fmt::Display for ExportFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.taken.as_millis().max(1);
        write!(
            f,
            "{}: {} rows in {millis} ms ({} rows a second), {} KiB, {} MiB more memory at the peak",
            self.name,
            self.rows,
            u128::from(self.rows) * 1_000 / millis,
            self.bytes / 1_024,
            self.peak_kib.div_ceil(1_024),
        )?;
        let Some(Alone { usual, same_level }) = self.alone else {
            return writeln!(f);
        };
        let beside = |alone: Duration| {
            let ratio = millis * 100 / alone.as_millis().max(1);
            format!(
                "{} ms, ratio {}.{:02}",
                alone.as_millis(),
                ratio / 100,
                ratio % 100
            )
        };
        writeln!(
            f,
            "; rust_xlsxwriter alone {}; with the same compression {}",
            beside(usual),
            beside(same_level)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_that_of_the_99th_percentiles() {
        let figures = |p99_micros| Figures {
            p99_micros,
            ..Figures::default()
        };
        let call = CallFigures {
            name: "terminals first page".to_owned(),
            calls: 100,
            small: figures(1_500),
            large: figures(3_300),
            rows: Some((40, 10_041)),
        };
        assert_eq!(call.ratio_percent(), 220);
        let report = ReadsReport {
            calls: vec![call],
            exports: vec![],
        };
        let text = report.to_string();
        assert!(text.contains("2.20  40 and 10041"), "{text}");
        assert!(text.ends_with("1 of 1 calls miss the ratio of 2\n"), "{text}");
    }
}
