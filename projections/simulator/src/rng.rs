//! The random numbers of a run, from one seed: the same on every machine and at any time.
//!
//! A generator of our own (SplitMix64): the generators of libraries may change with their version, and a seed must
//! replay.

/// Not suitable for secrets.
#[derive(Debug, Clone)]
pub struct SimRng(u64);

impl SimRng {
    pub const fn of(seed: u64) -> Self {
        Self(seed)
    }

    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to `end`, exclusive.
    pub fn below(&mut self, end: usize) -> usize {
        // The modulo bias does not matter here.
        usize::try_from(self.next() % (end.max(1) as u64)).unwrap_or(0)
    }

    /// From `first` to `last`, inclusive.
    pub fn between(&mut self, first: i64, last: i64) -> i64 {
        let span = (last - first).unsigned_abs() + 1;
        first + i64::try_from(self.next() % span).unwrap_or(0)
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    pub fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len())]
    }

    /// One of the values, chosen at random by weight.
    pub fn weighted<T: Copy>(&mut self, among: &[(u64, T)]) -> T {
        let mut left = self.next() % among.iter().map(|(weight, _)| weight).sum::<u64>().max(1);
        for (weight, choice) in among {
            if left < *weight {
                return *choice;
            }
            left -= weight;
        }
        among[among.len() - 1].1
    }
}
