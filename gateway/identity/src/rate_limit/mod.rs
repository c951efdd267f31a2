//! Rate limits against abuse, such as guesses of passwords and codes, floods of e-mails, and tries of stolen cards.
//! They are held in memory. Each process counts separately, which is enough against guessing, and a restart resets the
//! counts.
//!
//! Calls are counted by caller (an address or the last user of a browser) and, for most kinds, by a second key: the
//! account that the password is for, the mailbox, the payment link. `LimitKind` says what the second key of each kind
//! is.
//!
//! A password attempt counts only if it fails, and a `DeclinedCard` unless the card is known not to be declined. All
//! other calls count. The password attempts of a known device and of a session each have a bucket, which other callers
//! cannot exhaust (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").

mod buckets;
#[cfg(test)]
mod tests;

use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ledger_domain::ids::UserId;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use buckets::{Allowance, Buckets};

/// The kinds of calls that are counted separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LimitKind {
    /// A password attempt at a sign-in, from an unknown device. Second key: the account.
    SignIn,
    /// A request for a new password. Second key: the account.
    PasswordLink,
    /// A user's request for an e-mail that confirms their present or a new address. Second key: the account, with the
    /// present address.
    EmailConfirmation,
    /// A user's action that sends an e-mail to other users: a welcome, the confirmation of an address that the action
    /// set, or one e-mail to several users, such as the owners of a company. Second key: the user who acts.
    EmailToOther,
    /// A message to the platform, which is stored and sent to its contact address. Second key: the user who writes it.
    ContactMessage,
    /// The use of a code from an e-mail. No second key.
    CodeUse,
    /// An order on a payment link, or another attempt of one. Second key: the link's code, or the order's reference.
    Order,
    /// A call with a card on the page of a payment link, whatever its answer. Second key: the card's token, which is
    /// good for one charge.
    Card,
    /// A card that was declined. Taken before the card is sent, and given back once it is known not to be declined. No
    /// second key.
    DeclinedCard,
    /// A call with the code of a link or the reference of an order that does not exist. Taken after the look-up: a
    /// network that many buyers share must not be refused for their codes, which exist. No second key.
    UnknownCode,
    /// A call that needs no session. It may count under another kind too. No second key.
    Public,
}

/// The limit of each password bucket (of a caller on an account, of a known device, of a session): 8 failures at once,
/// then one every 30 seconds.
const PASSWORD_ALLOWANCE: Allowance = Allowance::of(8, Duration::from_secs(30));

impl LimitKind {
    #[cfg(test)]
    const ALL: [Self; 11] = [
        Self::SignIn,
        Self::PasswordLink,
        Self::EmailConfirmation,
        Self::EmailToOther,
        Self::ContactMessage,
        Self::CodeUse,
        Self::Order,
        Self::Card,
        Self::DeclinedCard,
        Self::UnknownCode,
        Self::Public,
    ];

    /// The calls that one second key has at once, and the time until each further one. `None` if calls of the kind are
    /// counted by caller only.
    const fn second_key_allowance(self) -> Option<Allowance> {
        match self {
            // Several times `PASSWORD_ALLOWANCE`, so that one caller alone cannot lock out other unknown devices.
            Self::SignIn => Some(Allowance::of(40, Duration::from_secs(30))),
            Self::PasswordLink | Self::EmailConfirmation => Some(Allowance::of(3, Duration::from_mins(10))),
            // An owner may create a whole team at once, but must not fill a mailbox.
            Self::EmailToOther => Some(Allowance::of(60, Duration::from_secs(30))),
            // A flood would hide the questions of others.
            Self::ContactMessage => Some(Allowance::of(5, Duration::from_mins(10))),
            // A link on a popular page sells many times in a minute.
            Self::Order => Some(Allowance::of(300, Duration::from_millis(500))),
            // A browser that lost the answer repeats the request with the same token.
            Self::Card => Some(Allowance::of(5, Duration::from_mins(10))),
            Self::CodeUse | Self::DeclinedCard | Self::UnknownCode | Self::Public => None,
        }
    }

    /// The calls that one caller has at once, and the time until each further one. They are more than for most second
    /// keys, because a whole shop may share one address. Of `Order` they are fewer, because a link has more buyers than
    /// an address.
    const fn caller_allowance(self) -> Allowance {
        match self {
            // A large office may sign in at the same time. A correct password returns its attempt.
            Self::SignIn => Allowance::of(300, Duration::from_secs(2)),
            Self::PasswordLink | Self::EmailConfirmation | Self::CodeUse => {
                Allowance::of(20, Duration::from_secs(30))
            }
            Self::EmailToOther => Allowance::of(200, Duration::from_secs(10)),
            Self::ContactMessage => Allowance::of(60, Duration::from_secs(60)),
            // A mobile network shares one address among many buyers.
            Self::Order => Allowance::of(200, Duration::from_secs(2)),
            Self::Card => Allowance::of(150, Duration::from_secs(2)),
            // A buyer whose card is declined tries a few others. A thief with stolen cards tries hundreds.
            Self::DeclinedCard => Allowance::of(15, Duration::from_mins(2)),
            // Codes are too long to guess (48 bits and more). The limit keeps a program from trying all the same.
            Self::UnknownCode => Allowance::of(60, Duration::from_secs(10)),
            Self::Public => Allowance::of(600, Duration::from_millis(100)),
        }
    }
}

/// The address or the last user by which calls are counted, with or without a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LimitedCaller {
    Address(IpAddr),
    /// The user who signed in last in this browser. All browsers of the user share the bucket, at any address. Other
    /// callers behind the same address are counted separately.
    LastUser(UserId),
}

impl LimitedCaller {
    /// The owner of one IPv6 address usually has the 2⁶⁴ addresses of its network (RFC 6177). Each attempt could use a
    /// new one, so the network is the caller.
    pub fn from_address(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
            v4 => v4,
        })
    }
}

/// The source of a password attempt.
#[derive(Debug, Clone, Copy)]
pub enum PasswordAttemptSource<'a> {
    /// A device that signed in as the user with the current password, by the nonce of its cookie.
    KnownDevice(Uuid),
    /// Any other device. `account` is the audience and the e-mail, whether or not a user has it.
    UnknownDevice { account: &'a str, caller: LimitedCaller },
    /// A signed-in user who must enter the password again.
    Session(Uuid),
}

/// A digest, so that a bucket's key has a fixed size for texts of any length.
type KeyDigest = [u8; 32];

fn digest(text: &str) -> KeyDigest {
    Sha256::digest(text).into()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum BucketKey {
    /// All calls of a kind with the same second key.
    SecondKey(LimitKind, KeyDigest),
    /// The attempts of one caller on one account's password.
    CallerOnAccount(KeyDigest, LimitedCaller),
    KnownDevice(Uuid),
    Session(Uuid),
}

/// Two maps, so that a flood of accounts or links cannot evict callers.
#[derive(Default)]
struct BucketMaps {
    /// The buckets that are not by caller alone.
    keys: Buckets<BucketKey>,
    callers: Buckets<(LimitKind, LimitedCaller)>,
}

/// The buckets of one call. It takes from all of them or from none.
#[derive(Debug, Clone, Copy, Default)]
struct BucketUse {
    /// The bucket of the password attempt's source.
    source: Option<(BucketKey, Allowance)>,
    second_key: Option<(BucketKey, Allowance)>,
    caller: Option<((LimitKind, LimitedCaller), Allowance)>,
}

#[derive(Default)]
pub struct RateLimiter(Mutex<BucketMaps>);

/// A password attempt in progress. It counts as a failure when it is dropped, unless `succeeded` or `do_not_count` was
/// called.
#[must_use = "call `succeeded` for a correct password"]
pub struct PasswordAttempt<'a> {
    limiter: &'a RateLimiter,
    bucket_use: BucketUse,
}

impl PasswordAttempt<'_> {
    /// The password is correct. Resets the failures of this source; those of other unknown devices stay.
    pub fn succeeded(self) {
        self.limiter.write(|buckets| {
            buckets.give_back(self.bucket_use);
            if let Some((source, _)) = self.bucket_use.source {
                buckets.keys.reset(&source);
            }
        });
    }

    /// The check failed for another reason, so the attempt does not count.
    pub fn do_not_count(self) {
        self.limiter.write(|buckets| buckets.give_back(self.bucket_use));
    }
}

impl RateLimiter {
    /// Takes a call from the buckets of the second key and the caller. An error is the number of seconds to wait.
    /// `LimitKind` says what the second key of each kind is.
    pub fn take(&self, kind: LimitKind, second_key: &str, caller: LimitedCaller) -> Result<(), u64> {
        self.take_at(BucketUse::of(kind, Some(second_key), caller), Instant::now())
    }

    /// For kinds without a second key. An error is the number of seconds to wait.
    pub fn take_by_caller(&self, kind: LimitKind, caller: LimitedCaller) -> Result<(), u64> {
        self.take_at(BucketUse::of(kind, None, caller), Instant::now())
    }

    /// Whether a further call would be accepted, without taking one. An error is the number of seconds to wait.
    pub fn check_by_caller(&self, kind: LimitKind, caller: LimitedCaller) -> Result<(), u64> {
        self.take_by_caller(kind, caller)?;
        self.give_back_by_caller(kind, caller);
        Ok(())
    }

    /// Gives back a call that `take_by_caller` took.
    pub fn give_back_by_caller(&self, kind: LimitKind, caller: LimitedCaller) {
        self.write(|buckets| buckets.give_back(BucketUse::of(kind, None, caller)));
    }

    /// Call this before the password is checked. Otherwise many concurrent attempts could pass before the first one
    /// fails. An error is the number of seconds to wait.
    pub fn try_password(&self, source: PasswordAttemptSource) -> Result<PasswordAttempt<'_>, u64> {
        self.try_password_at(source, Instant::now())
    }

    fn try_password_at(
        &self,
        source: PasswordAttemptSource,
        now: Instant,
    ) -> Result<PasswordAttempt<'_>, u64> {
        let bucket_use = BucketUse::of_password_attempt(source);
        self.take_at(bucket_use, now)?;
        Ok(PasswordAttempt {
            limiter: self,
            bucket_use,
        })
    }

    /// Resets the failures of an account, and those of `caller` on it, after `caller` set a new password by an e-mail's
    /// link.
    pub fn reset_failures(&self, account: &str, caller: LimitedCaller) {
        let account = digest(account);
        self.write(|buckets| {
            buckets
                .keys
                .reset(&BucketKey::SecondKey(LimitKind::SignIn, account));
            buckets.keys.reset(&BucketKey::CallerOnAccount(account, caller));
        });
    }

    fn take_at(&self, bucket_use: BucketUse, now: Instant) -> Result<(), u64> {
        self.write(|buckets| {
            let wait = buckets.wait(bucket_use, now);
            if wait.is_zero() {
                buckets.take(bucket_use, now);
                return Ok(());
            }
            // One more than the whole seconds, so that the wait is over by then.
            Err(wait.as_secs() + 1)
        })
    }

    fn write<T>(&self, change: impl FnOnce(&mut BucketMaps) -> T) -> T {
        // A panic while counting leaves at worst a wrong count, so a poisoned lock is still used.
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl BucketUse {
    fn of(kind: LimitKind, second_key: Option<&str>, caller: LimitedCaller) -> Self {
        let limited = second_key.zip(kind.second_key_allowance());
        Self {
            source: None,
            second_key: limited.map(|(key, allowance)| (BucketKey::SecondKey(kind, digest(key)), allowance)),
            caller: Some(((kind, caller), kind.caller_allowance())),
        }
    }

    fn of_password_attempt(source: PasswordAttemptSource) -> Self {
        let source_bucket = |key| Some((key, PASSWORD_ALLOWANCE));
        match source {
            PasswordAttemptSource::KnownDevice(nonce) => Self {
                source: source_bucket(BucketKey::KnownDevice(nonce)),
                ..Self::default()
            },
            PasswordAttemptSource::Session(session_id) => Self {
                source: source_bucket(BucketKey::Session(session_id)),
                ..Self::default()
            },
            PasswordAttemptSource::UnknownDevice { account, caller } => Self {
                source: source_bucket(BucketKey::CallerOnAccount(digest(account), caller)),
                ..Self::of(LimitKind::SignIn, Some(account), caller)
            },
        }
    }

    /// The buckets that are not by caller alone, with their allowances.
    fn keys(self) -> impl Iterator<Item = (BucketKey, Allowance)> {
        self.source.into_iter().chain(self.second_key)
    }
}

impl BucketMaps {
    /// The longest wait of the call's buckets.
    fn wait(&self, bucket_use: BucketUse, now: Instant) -> Duration {
        let keys = bucket_use
            .keys()
            .map(|(key, allowance)| self.keys.wait(&key, allowance, now));
        let callers = bucket_use
            .caller
            .iter()
            .map(|(key, allowance)| self.callers.wait(key, *allowance, now));
        keys.chain(callers).max().unwrap_or_default()
    }

    fn take(&mut self, bucket_use: BucketUse, now: Instant) {
        for (key, allowance) in bucket_use.keys() {
            self.keys.take(key, allowance, now);
        }
        if let Some((key, allowance)) = bucket_use.caller {
            self.callers.take(key, allowance, now);
        }
    }

    fn give_back(&mut self, bucket_use: BucketUse) {
        for (key, allowance) in bucket_use.keys() {
            self.keys.give_back(&key, allowance);
        }
        if let Some((key, allowance)) = bucket_use.caller {
            self.callers.give_back(&key, allowance);
        }
    }
}
