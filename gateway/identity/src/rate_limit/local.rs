//! Limits in the memory of this process. They spare the machine and protect nothing else, so they need not hold over
//! several processes, and each call is cheap.
//!
//! Token buckets: a bucket is stored as the instant at which it is full again.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Allowance, LimitedCaller};

/// The kinds of calls that are counted separately, by caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LocalLimitKind {
    /// A call with the code of a link or the reference of an order that does not exist. Taken after the look-up: a
    /// network that many buyers share must not be refused for their codes, which exist.
    UnknownCode,
    /// A call that needs no session. It may count under another kind too.
    Public,
}

impl LocalLimitKind {
    const fn allowance(self) -> Allowance {
        match self {
            // Codes are too long to guess (48 bits and more). The limit keeps a program from trying all the same.
            Self::UnknownCode => Allowance::of(60, Duration::from_secs(10)),
            Self::Public => Allowance::of(600, Duration::from_millis(100)),
        }
    }
}

#[derive(Default)]
pub struct LocalRateLimiter(Mutex<Buckets<(LocalLimitKind, LimitedCaller)>>);

impl LocalRateLimiter {
    /// An error is the number of seconds to wait.
    pub fn take(&self, kind: LocalLimitKind, caller: LimitedCaller) -> Result<(), u64> {
        self.take_at(kind, caller, Instant::now())
    }

    /// Whether a further call would be accepted, without taking one. An error is the number of seconds to wait.
    pub fn check(&self, kind: LocalLimitKind, caller: LimitedCaller) -> Result<(), u64> {
        self.write(|buckets| accepted(buckets.wait(&(kind, caller), kind.allowance(), Instant::now())))
    }

    fn take_at(&self, kind: LocalLimitKind, caller: LimitedCaller, now: Instant) -> Result<(), u64> {
        let (key, allowance) = ((kind, caller), kind.allowance());
        self.write(|buckets| {
            accepted(buckets.wait(&key, allowance, now))?;
            buckets.take(key, allowance, now);
            Ok(())
        })
    }

    fn write<T>(&self, change: impl FnOnce(&mut Buckets<(LocalLimitKind, LimitedCaller)>) -> T) -> T {
        // A panic while counting leaves at worst a wrong count, so a poisoned lock is still used.
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn accepted(wait: Duration) -> Result<(), u64> {
    if wait.is_zero() {
        return Ok(());
    }
    // One more than the whole seconds, so that the wait is over by then.
    Err(wait.as_secs() + 1)
}

struct Buckets<K> {
    full_at: HashMap<K, Instant>,
    /// At this number of entries, full buckets are dropped, because they hold no information.
    drop_full_at: usize,
}

const DROP_FULL_FIRST_AT: usize = 10_000;

/// Bounds the memory of one map to about 15 MB, even in a flood of keys.
const ENTRIES_MAX: usize = 100_000;

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
    fn wait(&self, key: &K, allowance: Allowance, now: Instant) -> Duration {
        let full_at = self.full_at.get(key).copied().unwrap_or(now).max(now) + allowance.refill;
        let capacity = allowance.refill * allowance.burst;
        (full_at - now).saturating_sub(capacity)
    }

    /// Takes an attempt even if the bucket is empty. The caller has checked `wait` first.
    fn take(&mut self, key: K, allowance: Allowance, now: Instant) {
        self.make_room(now);
        let full_at = self.full_at.entry(key).or_insert(now);
        *full_at = (*full_at).max(now) + allowance.refill;
    }

    fn len(&self) -> usize {
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
    fn callers_and_kinds_are_counted_separately() {
        let (limits, start) = (LocalRateLimiter::default(), Instant::now());
        let [here, there] = [1, 2].map(|last| LimitedCaller::from_address([192, 0, 2, last].into()));
        let accepted = |kind, caller, now| {
            (0..10_000)
                .take_while(|_| limits.take_at(kind, caller, now).is_ok())
                .count()
        };
        assert_eq!(accepted(LocalLimitKind::Public, here, start), 600);
        assert_eq!(limits.take_at(LocalLimitKind::Public, here, start), Err(1));
        assert_eq!(accepted(LocalLimitKind::Public, there, start), 600);
        assert_eq!(accepted(LocalLimitKind::UnknownCode, here, start), 60);
        assert_eq!(
            limits.take_at(LocalLimitKind::UnknownCode, here, start),
            Err(10 + 1)
        );
        let later = start + Duration::from_secs(1);
        assert_eq!(accepted(LocalLimitKind::Public, here, later), 10);
    }

    #[test]
    fn a_check_takes_nothing() {
        let (limits, here) = (
            LocalRateLimiter::default(),
            LimitedCaller::from_address([192, 0, 2, 1].into()),
        );
        for _ in 0..1_000 {
            assert_eq!(limits.check(LocalLimitKind::UnknownCode, here), Ok(()));
        }
        while limits.take(LocalLimitKind::UnknownCode, here).is_ok() {}
        assert!(limits.check(LocalLimitKind::UnknownCode, here).is_err());
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
