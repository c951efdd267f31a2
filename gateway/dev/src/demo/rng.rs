//! Random numbers for demo data and measurements, the same on every machine and in every version. No secret may come from
//! them.

use ledger_model::SplitMix64;

#[derive(Debug, Clone)]
pub struct DemoRng(SplitMix64);

impl DemoRng {
    /// One generator for each name, so that a change of one does not change the others.
    pub fn seeded_by(name: &str) -> Self {
        // FNV-1a, because it fits in two lines and never changes.
        let seed = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(SplitMix64::of(seed))
    }

    /// From 0 up to `limit`, exclusive.
    pub fn below(&mut self, limit: i64) -> i64 {
        let limit = u64::try_from(limit).unwrap_or(1).max(1);
        i64::try_from(self.0.below(limit)).unwrap_or(0)
    }

    /// Both ends are inclusive.
    pub fn between(&mut self, min: i64, max: i64) -> i64 {
        min + self.below(max - min + 1)
    }

    pub fn with_probability(&mut self, percent: i64) -> bool {
        self.below(100) < percent
    }

    pub fn one_of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let index = usize::try_from(self.below(i64::try_from(items.len()).unwrap_or(1))).unwrap_or(0);
        &items[index]
    }

    pub fn weighted<'a, T>(&mut self, items: &'a [T], weight: impl Fn(&T) -> i64) -> &'a T {
        let mut rest = self.below(items.iter().map(&weight).sum());
        for item in items {
            rest -= weight(item);
            if rest < 0 {
                return item;
            }
        }
        &items[items.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_name_has_the_same_numbers_forever() {
        let mut rng = DemoRng::seeded_by("story");
        let drawn: Vec<_> = (0..5).map(|_| rng.below(1_000)).collect();
        assert_eq!(drawn, DRAWN);
    }

    const DRAWN: [i64; 5] = [753, 611, 387, 515, 201];

    #[test]
    fn choices_follow_their_weights() {
        let mut rng = DemoRng::seeded_by("weights");
        let heavy = (0..1_000)
            .filter(|_| *rng.weighted(&[1, 9], |weight| *weight) == 9)
            .count();
        assert!((850..950).contains(&heavy), "{heavy}");
    }
}
