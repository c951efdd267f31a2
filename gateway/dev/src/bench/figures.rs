//! The figures of the benchmark and their display, in whole numbers only.

use std::collections::BTreeMap;
use std::fmt;

/// One round of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Figures {
    pub per_second: u64,
    pub p50_micros: u64,
    pub p99_micros: u64,
}

impl Figures {
    /// From the latencies of one round, in microseconds.
    pub fn of(mut latencies_micros: Vec<u32>, elapsed_micros: u64) -> Self {
        latencies_micros.sort_unstable();
        let count = latencies_micros.len() as u64;
        let at = |percent: usize| {
            let place =
                (latencies_micros.len() * percent / 100).min(latencies_micros.len().saturating_sub(1));
            latencies_micros.get(place).copied().map_or(0, u64::from)
        };
        Self {
            per_second: count.saturating_mul(1_000_000) / elapsed_micros.max(1),
            p50_micros: at(50),
            p99_micros: at(99),
        }
    }

    /// The median of the rounds, for each figure.
    fn median(rounds: &[Self]) -> Self {
        let middle = |figure: fn(&Self) -> u64| {
            let mut figures: Vec<_> = rounds.iter().map(figure).collect();
            figures.sort_unstable();
            figures.get(figures.len() / 2).copied().unwrap_or(0)
        };
        Self {
            per_second: middle(|round| round.per_second),
            p50_micros: middle(|round| round.p50_micros),
            p99_micros: middle(|round| round.p99_micros),
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct Report {
    /// By the number of connections.
    pub captures: BTreeMap<usize, Vec<Figures>>,
    pub inserts: Vec<Figures>,
    /// The bytes of a capture's payload and metadata, and so of an inserted row.
    pub row_bytes: usize,
    /// The time after each round of captures until the read models had caught up.
    pub behind_millis: Vec<u128>,
    pub idle_kib: u64,
    pub busy_kib: u64,
}

impl Report {
    pub fn median_captures(&self, connections: usize) -> Figures {
        self.captures
            .get(&connections)
            .map_or_else(Figures::default, |rounds| Figures::median(rounds))
    }

    pub fn median_inserts(&self) -> Figures {
        Figures::median(&self.inserts)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inserts = self.median_inserts();
        writeln!(
            f,
            "{:<34} {:>10} {:>10} {:>10} {:>8}",
            "", "a second", "p50 ms", "p99 ms", "ratio"
        )?;
        let mut line = |name: String, figures: Figures| {
            let percent = figures.per_second * 100 / inserts.per_second.max(1);
            writeln!(
                f,
                "{name:<34} {:>10} {:>10} {:>10} {:>8}",
                figures.per_second,
                thousandths(figures.p50_micros),
                thousandths(figures.p99_micros),
                format!("{}.{:02}", percent / 100, percent % 100),
            )
        };
        line(
            format!("INSERT of {} bytes, 64 connections", self.row_bytes),
            inserts,
        )?;
        for connections in self.captures.keys() {
            line(
                format!("captures, {connections} connections"),
                self.median_captures(*connections),
            )?;
        }
        writeln!(
            f,
            "read models: up to {} ms behind the last capture",
            self.behind_millis.iter().max().unwrap_or(&0)
        )?;
        writeln!(
            f,
            "memory of the gateway: {} MiB idle, {} MiB after",
            self.idle_kib / 1024,
            self.busy_kib / 1024
        )
    }
}

pub(super) fn thousandths(micros: u64) -> String {
    format!("{}.{:03}", micros / 1_000, micros % 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_and_rates_come_from_the_latencies() {
        let figures = Figures::of((1..=100).rev().collect(), 2_000_000);
        assert_eq!(
            figures,
            Figures {
                per_second: 50,
                p50_micros: 51,
                p99_micros: 100
            }
        );
        assert_eq!(Figures::of(vec![], 1), Figures::default());
    }

    #[test]
    fn the_ratio_refers_to_the_inserts_of_the_same_run() {
        let round = |per_second| Figures {
            per_second,
            p50_micros: 1_500,
            p99_micros: 2_000,
        };
        let report = Report {
            captures: BTreeMap::from([(64, vec![round(1_000), round(3_000), round(2_000)])]),
            inserts: vec![round(1_600)],
            ..Report::default()
        };
        let text = report.to_string();
        assert!(text.contains("1.25"), "{text}");
        assert!(text.contains("1.500"), "{text}");
    }
}
