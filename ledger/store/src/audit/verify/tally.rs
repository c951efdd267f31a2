//! The comparison of two sets of rows that are read in different orders, without keeping them: each row adds its keyed
//! hashes to two sums. Sets with equal sums are equal, but for one case in 2^128: nobody who writes rows knows the keys,
//! which each audit draws anew.

use std::hash::{BuildHasher, Hash, RandomState};

/// The keys of an audit's hashes.
#[derive(Debug, Clone, Default)]
pub(super) struct TallyKeys([RandomState; 2]);

impl TallyKeys {
    /// One hash, for a set of what was seen.
    pub fn short(&self, row: impl Hash) -> u64 {
        self.0[0].hash_one(row)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tally {
    rows: u64,
    sums: [u64; 2],
}

impl Tally {
    pub fn add(&mut self, keys: &TallyKeys, row: impl Hash) {
        self.rows += 1;
        for (sum, key) in self.sums.iter_mut().zip(&keys.0) {
            *sum = sum.wrapping_add(key.hash_one(&row));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(keys: &TallyKeys, rows: &[(u64, u64)]) -> Tally {
        let mut tally = Tally::default();
        rows.iter().for_each(|row| tally.add(keys, row));
        tally
    }

    #[test]
    fn the_order_of_rows_does_not_matter_and_every_row_does() {
        let keys = TallyKeys::default();
        let all = tally(&keys, &[(1, 1), (2, 7), (3, 1)]);
        assert_eq!(all, tally(&keys, &[(3, 1), (1, 1), (2, 7)]));
        let others: [&[_]; 4] = [
            &[(1, 1), (2, 7)],
            &[(1, 1), (2, 7), (3, 1), (3, 1)],
            &[(1, 1), (2, 1), (3, 7)],
            &[(1, 1), (2, 8), (3, 1)],
        ];
        for other in others {
            assert_ne!(all, tally(&keys, other), "{other:?}");
        }
    }

    #[test]
    fn each_audit_has_its_own_keys() {
        let rows = [(1, 1), (2, 7)];
        let (one, other) = (TallyKeys::default(), TallyKeys::default());
        assert_ne!(tally(&one, &rows), tally(&other, &rows));
    }
}
