//! The random numbers of a run, from one seed: the same on every machine and at any time.

use ledger_model::SplitMix64;

/// Not suitable for secrets.
#[derive(Debug, Clone)]
pub struct SimRng(SplitMix64);

impl SimRng {
    pub const fn of(seed: u64) -> Self {
        Self(SplitMix64::of(seed))
    }

    /// From 0 up to `end`, exclusive.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.0.below(end.max(1) as u64)).unwrap_or(0)
    }

    /// From `first` to `last`, inclusive.
    pub fn between(&mut self, first: i64, last: i64) -> i64 {
        let span = (last - first).unsigned_abs() + 1;
        first + i64::try_from(self.0.below(span)).unwrap_or(0)
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.0.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len())]
    }

    /// One of the values, chosen at random by weight.
    pub fn weighted<T: Copy>(&mut self, among: &[(u64, T)]) -> T {
        let total: u64 = among.iter().map(|(weight, _)| weight).sum();
        let mut left = self.0.below(total.max(1));
        for (weight, choice) in among {
            if left < *weight {
                return *choice;
            }
            left -= weight;
        }
        among[among.len() - 1].1
    }
}
