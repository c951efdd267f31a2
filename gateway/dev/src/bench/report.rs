//! The tables that the benchmark prints: the figures next to the goals, the rates, and where the processor time went.

use std::collections::BTreeSet;
use std::fmt;

use super::figures::{Grouped, Round, Spread, hundredths, micros_as_millis, ratio};

/// The rounds of one kind of load.
#[derive(Debug, Clone)]
pub struct Series {
    pub name: String,
    pub rounds: Vec<Round>,
}

impl Series {
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            rounds: vec![],
        }
    }

    pub fn spread(&self, figure: impl Fn(&Round) -> u64) -> Spread {
        Spread::of(self.rounds.iter().map(figure))
    }

    pub fn per_second(&self) -> u64 {
        self.spread(|round| round.figures.per_second).median
    }

    /// The ratio of each pair of rounds in hundredths: the machine's speed changes between rounds.
    pub fn ratio_to(&self, other: &Self, figure: impl Fn(&Round) -> u64) -> Spread {
        let pairs = self.rounds.iter().zip(&other.rounds);
        Spread::of(pairs.map(|(one, other)| ratio(figure(one), figure(other))))
    }
}

/// One line of the first table.
#[derive(Debug, Clone)]
pub struct Line {
    pub what: String,
    pub figure: String,
    /// Empty without a goal.
    pub goal: &'static str,
}

#[derive(Debug, Clone, Default)]
pub struct Report {
    pub lines: Vec<Line>,
    pub series: Vec<Series>,
}

impl Report {
    pub fn line(&mut self, what: impl Into<String>, figure: impl Into<String>, goal: &'static str) {
        self.lines.push(Line {
            what: what.into(),
            figure: figure.into(),
            goal,
        });
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<64} {:>28}  goal", "", "median (least–greatest)")?;
        for Line { what, figure, goal } in &self.lines {
            writeln!(f, "{what:<64} {figure:>28}  {goal}")?;
        }
        if self.series.is_empty() {
            return Ok(());
        }
        self.rates(f)?;
        self.processor_times(f)
    }
}

impl Report {
    fn rates(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\n{:<40} {:>26} {:>9} {:>9} {:>10} {:>9}",
            "", "a second", "p50 ms", "p99 ms", "behind ms", "WAL bytes"
        )?;
        for series in &self.series {
            let median = |figure: fn(&Round) -> u64| series.spread(figure).median;
            writeln!(
                f,
                "{:<40} {:>26} {:>9} {:>9} {:>10} {:>9}",
                series.name,
                series
                    .spread(|round| round.figures.per_second)
                    .show(|rate| Grouped(rate).to_string()),
                micros_as_millis(median(|round| round.figures.p50_micros)),
                micros_as_millis(median(|round| round.figures.p99_micros)),
                series.spread(|round| round.behind_millis).max,
                Grouped(median(Round::wal_bytes_each)),
            )?;
        }
        Ok(())
    }

    /// Each kind of process is a row, each load a column.
    fn processor_times(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: BTreeSet<&str> = self
            .series
            .iter()
            .flat_map(|series| &series.rounds)
            .flat_map(|round| round.processor.0.keys().copied())
            .collect();
        write!(f, "\n{:<40}", "processor microseconds per operation")?;
        for number in 1..=self.series.len() {
            write!(f, " {:>7}", format!("({number})"))?;
        }
        writeln!(f)?;
        for kind in kinds {
            let each =
                |round: &Round| round.processor.0.get(kind).copied().unwrap_or(0) * 100 / round.count.max(1);
            self.row(f, kind, |series| hundredths_as_tenths(series.spread(each).median))?;
        }
        self.row(f, "sum", |series| {
            series.spread(Round::processor_micros_each).median.to_string()
        })?;
        self.row(f, "processors busy, percent", |series| {
            series.spread(Round::busy_percent).median.to_string()
        })?;
        let names = self.series.iter().enumerate();
        let names: Vec<_> = names
            .map(|(number, series)| format!("({}) {}", number + 1, series.name))
            .collect();
        writeln!(f, "{}", names.join("; "))
    }

    fn row(&self, f: &mut fmt::Formatter<'_>, name: &str, figure: impl Fn(&Series) -> String) -> fmt::Result {
        write!(f, "{name:<40}")?;
        for series in &self.series {
            write!(f, " {:>7}", figure(series))?;
        }
        writeln!(f)
    }
}

fn hundredths_as_tenths(figure: u64) -> String {
    hundredths(figure)
        .strip_suffix(|_: char| true)
        .unwrap_or_default()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::figures::Figures;
    use super::*;

    fn series(name: &str, rates: &[u64]) -> Series {
        let round = |per_second| Round {
            figures: Figures {
                per_second,
                p50_micros: 1_500,
                p99_micros: 2_000,
            },
            count: 1,
            ..Round::default()
        };
        Series {
            name: name.to_owned(),
            rounds: rates.iter().copied().map(round).collect(),
        }
    }

    #[test]
    fn a_ratio_refers_to_the_same_round() {
        let captures = series("captures", &[1_000, 3_000, 2_000]);
        let inserts = series("INSERTs", &[3_000, 2_000, 3_000]);
        let ratio = captures.ratio_to(&inserts, |round| round.figures.per_second);
        assert_eq!(ratio.show(hundredths), "0.66 (0.33–1.50)");
        let mut report = Report {
            series: vec![captures, inserts],
            ..Report::default()
        };
        report.line("captures ÷ INSERT", ratio.show(hundredths), "≥ 0.7");
        let text = report.to_string();
        assert!(
            text.contains("≥ 0.7") && text.contains("2,000 (1,000–3,000)"),
            "{text}"
        );
    }
}
