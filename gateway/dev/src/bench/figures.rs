//! The figures of rounds, in whole numbers only.

use std::fmt;

use super::processor_time::ProcessorTime;

/// The rate and the latencies of one round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Figures {
    pub per_second: u64,
    pub p50_micros: u64,
    pub p99_micros: u64,
}

impl Figures {
    /// `count` in `elapsed_micros`, with these latencies in microseconds.
    pub fn of(count: u64, mut latencies_micros: Vec<u32>, elapsed_micros: u64) -> Self {
        latencies_micros.sort_unstable();
        Self {
            per_second: count.saturating_mul(1_000_000) / elapsed_micros.max(1),
            p50_micros: percentile(&latencies_micros, 50),
            p99_micros: percentile(&latencies_micros, 99),
        }
    }
}

/// The percentile of sorted values. It is 0 if there are none.
pub fn percentile(sorted: &[u32], percent: usize) -> u64 {
    let place = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
    sorted.get(place).copied().map_or(0, u64::from)
}

/// One round with everything that it cost.
#[derive(Debug, Clone, Default)]
pub struct Round {
    /// In a round of captures, the rate includes the time of `behind_millis`.
    pub figures: Figures,
    pub count: u64,
    pub elapsed_micros: u64,
    /// The time after the last answer until the read models had caught up.
    pub behind_millis: u64,
    pub processor: ProcessorTime,
    pub wal_bytes: u64,
}

impl Round {
    pub fn processor_micros_each(&self) -> u64 {
        self.processor.sum() / self.count.max(1)
    }

    pub fn wal_bytes_each(&self) -> u64 {
        self.wal_bytes / self.count.max(1)
    }

    /// The share of all processors that the gateway, the database and the load generator used.
    pub fn busy_percent(&self) -> u64 {
        let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
        self.processor.sum() * 100 / (self.elapsed_micros * processors).max(1)
    }
}

/// The median of some figures with the least and the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spread {
    pub median: u64,
    pub min: u64,
    pub max: u64,
}

impl Spread {
    pub fn of(figures: impl IntoIterator<Item = u64>) -> Self {
        let mut sorted: Vec<u64> = figures.into_iter().collect();
        sorted.sort_unstable();
        Self {
            median: sorted.get(sorted.len() / 2).copied().unwrap_or(0),
            min: sorted.first().copied().unwrap_or(0),
            max: sorted.last().copied().unwrap_or(0),
        }
    }

    /// The median, and the least and the greatest if they differ, each written by `text`.
    pub fn show(&self, text: impl Fn(u64) -> String) -> String {
        match self.min == self.max {
            true => text(self.median),
            false => format!("{} ({}–{})", text(self.median), text(self.min), text(self.max)),
        }
    }
}

/// A ratio in hundredths: `0.41`.
pub fn hundredths(ratio: u64) -> String {
    format!("{}.{:02}", ratio / 100, ratio % 100)
}

/// The ratio of two figures in hundredths.
pub fn ratio(of: u64, to: u64) -> u64 {
    of.saturating_mul(100) / to.max(1)
}

/// Microseconds as milliseconds.
pub(super) fn micros_as_millis(micros: u64) -> String {
    format!("{}.{:03}", micros / 1_000, micros % 1_000)
}

/// `1234567` as `1,234,567`.
pub struct Grouped(pub u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let mut text = String::new();
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_come_from_the_latencies_and_the_rate_from_the_count() {
        let figures = Figures::of(100, (1..=100).rev().collect(), 2_000_000);
        assert_eq!(
            figures,
            Figures {
                per_second: 50,
                p50_micros: 51,
                p99_micros: 100
            }
        );
        assert_eq!(Figures::of(0, vec![], 1), Figures::default());
    }

    #[test]
    fn a_spread_is_a_median_with_its_ends() {
        let spread = Spread::of([45, 30, 41]);
        assert_eq!(spread.show(hundredths), "0.41 (0.30–0.45)");
        assert_eq!(Spread::of([125]).show(hundredths), "1.25");
        assert_eq!(Grouped(1_234_567).to_string(), "1,234,567");
        assert_eq!(Grouped(12).to_string(), "12");
    }
}
