//! Token buckets in memory. A bucket is stored as the instant at which it is full again.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::{Duration, Instant};

/// A bucket holds up to `burst` attempts and gets one back every `refill`.
#[derive(Debug, Clone, Copy)]
pub struct Allowance {
    burst: u32,
    refill: Duration,
}

impl Allowance {
    pub const fn of(burst: u32, refill: Duration) -> Self {
        Self { burst, refill }
    }
}

pub struct Buckets<K> {
    full_at: HashMap<K, Instant>,
    /// At this number of entries, full buckets are dropped, because they hold no information.
    drop_full_at: usize,
}

const DROP_FULL_FIRST_AT: usize = 10_000;

/// Bounds the memory of one map to about 15 MB, even in a flood of keys.
pub const ENTRIES_MAX: usize = 100_000;

impl<K> Default for Buckets<K> {
    fn default() -> Self {
        Self {
            full_at: HashMap::new(),
            drop_full_at: DROP_FULL_FIRST_AT,
        }
    }
}

impl<K: Eq + Hash> Buckets<K> {
    /// The time until the bucket has an attempt; zero if it has one now.
    pub fn wait(&self, key: &K, allowance: Allowance, now: Instant) -> Duration {
        let full_at = self.full_at.get(key).copied().unwrap_or(now).max(now) + allowance.refill;
        let capacity = allowance.refill * allowance.burst;
        (full_at - now).saturating_sub(capacity)
    }

    /// Takes an attempt even if the bucket is empty. The caller has checked `wait` first.
    pub fn take(&mut self, key: K, allowance: Allowance, now: Instant) {
        self.make_room(now);
        let full_at = self.full_at.entry(key).or_insert(now);
        *full_at = (*full_at).max(now) + allowance.refill;
    }

    pub fn give_back(&mut self, key: &K, allowance: Allowance) {
        if let Some(full_at) = self.full_at.get_mut(key)
            && let Some(before) = full_at.checked_sub(allowance.refill)
        {
            *full_at = before;
        }
    }

    /// Forgets the bucket: it is full again.
    pub fn reset(&mut self, key: &K) {
        self.full_at.remove(key);
    }

    pub fn len(&self) -> usize {
        self.full_at.len()
    }

    fn make_room(&mut self, now: Instant) {
        if self.len() < self.drop_full_at {
            return;
        }
        self.full_at.retain(|_, full_at| *full_at > now);
        if self.len() >= ENTRIES_MAX {
            self.drop_the_fullest_half();
        }
        // Twice the remaining size, so that drops are rare compared with the buckets that are added.
        self.drop_full_at = (self.len() * 2).clamp(DROP_FULL_FIRST_AT, ENTRIES_MAX);
    }

    /// Drops at least half of the buckets, those nearest to full, because they refuse the least.
    fn drop_the_fullest_half(&mut self) {
        let mut instants: Vec<Instant> = self.full_at.values().copied().collect();
        let middle = instants.len() / 2;
        let (_, median, _) = instants.select_nth_unstable(middle);
        let median = *median;
        self.full_at.retain(|_, full_at| *full_at > median);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_A_MINUTE: Allowance = Allowance::of(2, Duration::from_secs(30));

    /// Takes an attempt if there is one.
    fn try_take<K: Eq + Hash>(buckets: &mut Buckets<K>, key: K, now: Instant) -> bool {
        let passes = buckets.wait(&key, TWO_A_MINUTE, now).is_zero();
        if passes {
            buckets.take(key, TWO_A_MINUTE, now);
        }
        passes
    }

    #[test]
    fn a_bucket_empties_returns_the_wait_and_refills() {
        let (mut buckets, start) = (Buckets::default(), Instant::now());
        assert!(try_take(&mut buckets, "a", start));
        assert!(try_take(&mut buckets, "a", start));
        assert!(!try_take(&mut buckets, "a", start));
        assert_eq!(buckets.wait(&"a", TWO_A_MINUTE, start), Duration::from_secs(30));
        assert!(try_take(&mut buckets, "b", start));
        let later = start + Duration::from_secs(30);
        assert!(try_take(&mut buckets, "a", later));
        assert!(!try_take(&mut buckets, "a", later));
    }

    #[test]
    fn a_returned_attempt_does_not_count() {
        let (mut buckets, start) = (Buckets::default(), Instant::now());
        for _ in 0..1_000 {
            assert!(try_take(&mut buckets, "a", start));
            buckets.give_back(&"a", TWO_A_MINUTE);
        }
        buckets.give_back(&"b", TWO_A_MINUTE);
        assert_eq!(buckets.len(), 1, "an unknown key adds no bucket");
        assert!(try_take(&mut buckets, "a", start) && try_take(&mut buckets, "a", start));
        assert!(!try_take(&mut buckets, "a", start));
        buckets.reset(&"a");
        assert!(try_take(&mut buckets, "a", start));
    }

    #[test]
    fn full_buckets_are_dropped() {
        let (mut buckets, start) = (Buckets::default(), Instant::now());
        for number in 0..DROP_FULL_FIRST_AT {
            buckets.take(number, TWO_A_MINUTE, start);
        }
        buckets.take(usize::MAX, TWO_A_MINUTE, start + Duration::from_secs(31));
        assert_eq!(buckets.len(), 1);
    }

    #[test]
    fn a_flood_of_keys_is_bounded_and_keeps_the_emptiest_buckets() {
        let (mut buckets, start) = (Buckets::default(), Instant::now());
        assert!(try_take(&mut buckets, 0, start) && try_take(&mut buckets, 0, start));
        for number in 1..=3 * ENTRIES_MAX {
            buckets.take(number, TWO_A_MINUTE, start);
            assert!(buckets.len() <= ENTRIES_MAX);
        }
        assert!(!try_take(&mut buckets, 0, start), "the refusing bucket is kept");
    }
}
