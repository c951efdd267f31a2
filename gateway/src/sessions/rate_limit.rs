//! How often one account and one address may make the calls that somebody could wear out: guess a password or a code,
//! fill a mailbox, ask without being signed in. In memory: each process counts for itself, which is enough against
//! guessing, and a restart forgives.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

/// What is counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A password that is tried: at a sign-in, or before money moves.
    SignIn,
    /// A new password asked for.
    Forgot,
    /// A letter that confirms an address.
    Confirm,
    /// A letter to somebody else that a signed-in person causes: to welcome them, or to an address that they set.
    Letter,
    /// A code out of a letter.
    Code,
    /// Whatever else needs no session.
    Public,
}

impl Kind {
    #[cfg(test)]
    const ALL: [Self; 6] = [
        Self::SignIn,
        Self::Forgot,
        Self::Confirm,
        Self::Letter,
        Self::Code,
        Self::Public,
    ];

    /// `None` where there is no account to count by.
    const fn by_account(self) -> Option<Allowance> {
        match self {
            Self::SignIn => Some(Allowance::of(8, Duration::from_secs(30))),
            Self::Forgot | Self::Confirm => Some(Allowance::of(3, Duration::from_mins(10))),
            // A team may be brought in at one sitting; a mailbox must not be filled by it.
            Self::Letter => Some(Allowance::of(60, Duration::from_secs(30))),
            Self::Code | Self::Public => None,
        }
    }

    /// Wider than an account's, for a whole shop may stand behind one address.
    const fn by_address(self) -> Allowance {
        match self {
            Self::SignIn => Allowance::of(60, Duration::from_secs(2)),
            Self::Forgot | Self::Confirm | Self::Code => Allowance::of(20, Duration::from_secs(30)),
            Self::Letter => Allowance::of(200, Duration::from_secs(10)),
            Self::Public => Allowance::of(600, Duration::from_millis(100)),
        }
    }
}

/// A bucket fills up to `burst` and gets one try back every `refill`.
#[derive(Debug, Clone, Copy)]
struct Allowance {
    burst: u32,
    refill: Duration,
}

impl Allowance {
    const fn of(burst: u32, refill: Duration) -> Self {
        Self { burst, refill }
    }
}

/// Of one size, however long the text is that somebody types as their address.
type Account = [u8; 32];

fn digest(account: &str) -> Account {
    Sha256::digest(account).into()
}

#[derive(Default)]
pub struct Limits {
    accounts: Mutex<Buckets<(Kind, Account)>>,
    addresses: Mutex<Buckets<(Kind, IpAddr)>>,
}

impl Limits {
    /// Takes one try from both, or tells how many seconds until there is one again. `account` is the audience and the
    /// address of the mailbox, whether anybody has it or not; of letters whoever causes them.
    pub fn take(&self, kind: Kind, account: &str, address: IpAddr) -> Result<(), u64> {
        self.take_at(kind, Some(account), address, Instant::now())
    }

    /// Where nobody's account is in play.
    pub fn take_by_address(&self, kind: Kind, address: IpAddr) -> Result<(), u64> {
        self.take_at(kind, None, address, Instant::now())
    }

    fn take_at(&self, kind: Kind, account: Option<&str>, address: IpAddr, now: Instant) -> Result<(), u64> {
        take(
            &self.addresses,
            (kind, one_caller(address)),
            kind.by_address(),
            now,
        )?;
        match (account, kind.by_account()) {
            (Some(account), Some(allowance)) => take(&self.accounts, (kind, digest(account)), allowance, now),
            _ => Ok(()),
        }
    }

    /// A right password forgives the wrong ones before it.
    pub fn forgive(&self, account: &str) {
        if let Ok(mut accounts) = self.accounts.lock() {
            accounts.full_at.remove(&(Kind::SignIn, digest(account)));
        }
    }
}

/// Who has one IPv6 address has all 2⁶⁴ of its network (RFC 6177), and could take a fresh one for each try.
fn one_caller(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        v4 => v4,
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

struct Buckets<K> {
    /// When each bucket will be full again: all that need be known of it.
    full_at: HashMap<K, Instant>,
    /// At this many, those that are full again are dropped; they say nothing.
    sweep_at: usize,
}

const SWEEP_FIRST_AT: usize = 10_000;

impl<K> Default for Buckets<K> {
    fn default() -> Self {
        Self {
            full_at: HashMap::new(),
            sweep_at: SWEEP_FIRST_AT,
        }
    }
}

impl<K: Eq + Hash> Buckets<K> {
    fn take(&mut self, key: K, allowance: Allowance, now: Instant) -> Result<(), u64> {
        if self.full_at.len() >= self.sweep_at {
            self.full_at.retain(|_, full_at| *full_at > now);
            // Twice what is left, so that many callers at once don't make each call a walk over all of them.
            self.sweep_at = SWEEP_FIRST_AT.max(self.full_at.len() * 2);
        }
        let bucket = self.full_at.entry(key).or_insert(now);
        let full_at = (*bucket).max(now) + allowance.refill;
        let room = allowance.refill * allowance.burst;
        match (full_at - now).checked_sub(room) {
            Some(wait) if !wait.is_zero() => Err(wait.as_secs() + 1),
            _ => {
                *bucket = full_at;
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_A_MINUTE: Allowance = Allowance::of(2, Duration::from_secs(30));
    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    /// How many tries pass, one after the other at the same instant.
    fn tries(limits: &Limits, kind: Kind, account: Option<&str>, from: &str, now: Instant) -> usize {
        (0..10_000)
            .take_while(|_| limits.take_at(kind, account, address(from), now).is_ok())
            .count()
    }

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
    fn each_kind_has_its_own_allowances() {
        let start = Instant::now();
        for (kind, of_account, of_address) in [
            (Kind::SignIn, 8, 60),
            (Kind::Forgot, 3, 20),
            (Kind::Confirm, 3, 20),
            (Kind::Letter, 60, 200),
            (Kind::Code, 20, 20),
            (Kind::Public, 600, 600),
        ] {
            let limits = Limits::default();
            assert_eq!(
                tries(&limits, kind, Some("ana"), "192.0.2.1", start),
                of_account,
                "{kind:?}"
            );
            let limits = Limits::default();
            assert_eq!(
                tries(&limits, kind, None, "192.0.2.1", start),
                of_address,
                "{kind:?}"
            );
            assert_eq!(
                tries(&limits, kind, None, "192.0.2.2", start),
                of_address,
                "another address"
            );
        }
    }

    #[test]
    fn one_kind_takes_nothing_from_another() {
        let (limits, start) = (Limits::default(), Instant::now());
        for kind in Kind::ALL {
            assert!(
                tries(&limits, kind, Some("ana"), "192.0.2.1", start) >= 3,
                "{kind:?}"
            );
        }
    }

    #[test]
    fn an_account_is_counted_over_all_addresses_and_an_address_over_all_accounts() {
        let (limits, start) = (Limits::default(), Instant::now());
        for address in ["192.0.2.1", "192.0.2.2", "192.0.2.3"] {
            assert_eq!(tries(&limits, Kind::Forgot, Some(address), address, start), 3);
        }
        assert_eq!(
            tries(&limits, Kind::Forgot, Some("192.0.2.1"), "192.0.2.9", start),
            0
        );
        let limits = Limits::default();
        let accounts = (0..100).filter(|number| {
            limits
                .take_at(Kind::Forgot, Some(&number.to_string()), HERE, start)
                .is_ok()
        });
        assert_eq!(accounts.count(), 20);
    }

    #[test]
    fn a_try_comes_back_after_its_while() {
        let start = Instant::now();
        for (kind, later) in [(Kind::SignIn, 30), (Kind::Forgot, 600), (Kind::Confirm, 600)] {
            let limits = Limits::default();
            tries(&limits, kind, Some("ana"), "192.0.2.1", start);
            let at = |seconds| start + Duration::from_secs(seconds);
            // From another address, whose allowance is not worn out.
            assert_eq!(
                tries(&limits, kind, Some("ana"), "192.0.2.2", at(later - 1)),
                0,
                "{kind:?}"
            );
            assert_eq!(
                tries(&limits, kind, Some("ana"), "192.0.2.2", at(later)),
                1,
                "{kind:?}"
            );
        }
        let limits = Limits::default();
        tries(&limits, Kind::Public, None, "192.0.2.1", start);
        let second = start + Duration::from_secs(1);
        assert_eq!(tries(&limits, Kind::Public, None, "192.0.2.1", second), 10);
    }

    #[test]
    fn a_network_of_ipv6_is_one_caller_and_a_mapped_ipv4_is_itself() {
        let (limits, start) = (Limits::default(), Instant::now());
        assert_eq!(tries(&limits, Kind::Code, None, "2001:db8:1:2::1", start), 20);
        assert_eq!(tries(&limits, Kind::Code, None, "2001:db8:1:2:ffff::9", start), 0);
        assert_eq!(tries(&limits, Kind::Code, None, "2001:db8:1:3::1", start), 20);
        assert_eq!(tries(&limits, Kind::Code, None, "192.0.2.1", start), 20);
        assert_eq!(tries(&limits, Kind::Code, None, "::ffff:192.0.2.1", start), 0);
    }

    #[test]
    fn a_right_password_forgives_the_account() {
        let (limits, start) = (Limits::default(), Instant::now());
        assert_eq!(tries(&limits, Kind::SignIn, Some("ana"), "192.0.2.1", start), 8);
        limits.forgive("ana");
        assert_eq!(tries(&limits, Kind::SignIn, Some("ana"), "192.0.2.1", start), 8);
    }

    #[test]
    fn buckets_that_are_full_again_make_room() {
        let (mut buckets, start) = (Buckets::default(), Instant::now());
        for number in 0..SWEEP_FIRST_AT {
            buckets.take(number, TWO_A_MINUTE, start).expect("a first try");
        }
        buckets
            .take(usize::MAX, TWO_A_MINUTE, start + Duration::from_secs(31))
            .expect("a first try");
        assert_eq!(buckets.full_at.len(), 1);
    }
}
