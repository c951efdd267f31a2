//! How often one account and one address may try to sign in. In memory: each process counts for itself, which is
//! enough against guessing, and a restart forgives.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A bucket fills up to `burst` and gets one try back every `refill`.
#[derive(Debug, Clone, Copy)]
struct Allowance {
    burst: u32,
    refill: Duration,
}

const BY_ACCOUNT: Allowance = Allowance {
    burst: 8,
    refill: Duration::from_secs(30),
};
/// Wider, for a whole shop may stand behind one address.
const BY_ADDRESS: Allowance = Allowance {
    burst: 60,
    refill: Duration::from_secs(2),
};

/// Beyond this many, buckets that are full again are dropped; they say nothing.
const BUCKETS_MAX: usize = 10_000;

#[derive(Default)]
pub struct SignInLimits {
    accounts: Mutex<Buckets<String>>,
    addresses: Mutex<Buckets<IpAddr>>,
}

impl SignInLimits {
    /// Takes one try from both, or tells how many seconds until there is one again.
    pub fn take(&self, account: &str, address: IpAddr) -> Result<(), u64> {
        let now = Instant::now();
        take(&self.addresses, address, BY_ADDRESS, now)?;
        take(&self.accounts, account.to_owned(), BY_ACCOUNT, now)
    }

    /// A right password forgives the wrong ones before it.
    pub fn forgive(&self, account: &str) {
        if let Ok(mut accounts) = self.accounts.lock() {
            accounts.0.remove(account);
        }
    }
}

fn take<K: Eq + Hash>(
    buckets: &Mutex<Buckets<K>>,
    key: K,
    allowance: Allowance,
    now: Instant,
) -> Result<(), u64> {
    // A poisoned lock means a panic elsewhere while counting; nobody is locked out for that.
    buckets
        .lock()
        .map_or(Ok(()), |mut buckets| buckets.take(key, allowance, now))
}

struct Buckets<K>(HashMap<K, Bucket>);

impl<K> Default for Buckets<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

/// When the bucket will be full again: all that need be known of it.
struct Bucket {
    full_at: Instant,
}

impl<K: Eq + Hash> Buckets<K> {
    fn take(&mut self, key: K, allowance: Allowance, now: Instant) -> Result<(), u64> {
        if self.0.len() >= BUCKETS_MAX {
            self.0.retain(|_, bucket| bucket.full_at > now);
        }
        let bucket = self.0.entry(key).or_insert(Bucket { full_at: now });
        let full_at = bucket.full_at.max(now) + allowance.refill;
        let room = allowance.refill * allowance.burst;
        match (full_at - now).checked_sub(room) {
            Some(wait) if !wait.is_zero() => Err(wait.as_secs() + 1),
            _ => {
                bucket.full_at = full_at;
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_A_MINUTE: Allowance = Allowance {
        burst: 2,
        refill: Duration::from_secs(30),
    };

    #[test]
    fn a_bucket_empties_says_how_long_to_wait_and_fills_again() {
        let mut buckets = Buckets::default();
        let start = Instant::now();
        assert_eq!(buckets.take("a", TWO_A_MINUTE, start), Ok(()));
        assert_eq!(buckets.take("a", TWO_A_MINUTE, start), Ok(()));
        assert_eq!(buckets.take("a", TWO_A_MINUTE, start), Err(31));
        assert_eq!(buckets.take("b", TWO_A_MINUTE, start), Ok(()));
        assert_eq!(
            buckets.take("a", TWO_A_MINUTE, start + Duration::from_secs(30)),
            Ok(())
        );
        assert!(
            buckets
                .take("a", TWO_A_MINUTE, start + Duration::from_secs(30))
                .is_err()
        );
    }

    #[test]
    fn a_right_password_forgives_the_account() {
        let limits = SignInLimits::default();
        let address = IpAddr::from([127, 0, 0, 1]);
        let tries = |limits: &SignInLimits| {
            (0..20)
                .take_while(|_| limits.take("ana@example.com", address).is_ok())
                .count()
        };
        assert_eq!(tries(&limits), 8);
        limits.forgive("ana@example.com");
        assert_eq!(tries(&limits), 8);
    }
}
