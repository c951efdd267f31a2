//! Rate limits against abuse, such as guesses of passwords and codes, floods of e-mails, and tries of stolen cards.
//!
//! They are counted in PostgreSQL (migration 0034), so that they hold over all processes. Only what spares the machine
//! is counted in memory ([`local`]). If the database does not count, the call is refused: a guess that nobody counts is
//! worth more to an attacker than an answer to a user, and these calls can do nothing without the database anyway.
//!
//! Calls are counted by caller (an address or the last user of a browser) and, for most kinds, by a second key: the
//! account that the password is for, the mailbox, the payment link. `LimitKind` says what the second key of each kind
//! is.
//!
//! A password attempt counts only if it fails, and a `DeclinedCard` unless the card is known not to be declined. All
//! other calls count. The password attempts of a known device and of a session each have a bucket, which other callers
//! cannot exhaust (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").

mod buckets;
pub mod local;
mod retention;

use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use chrono::{DateTime, Utc};
use deadpool_postgres::{Pool, PoolError};
use gateway_environment::config::{Keys, Secret};
use ledger_domain::ids::UserId;
use ledger_store::Causes;
use thiserror::Error;
use uuid::Uuid;

use buckets::{Bucket, BucketKey};
pub use retention::delete_full_buckets;

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
}

/// A bucket holds up to `burst` attempts and gets one back every `refill`.
#[derive(Debug, Clone, Copy)]
pub struct Allowance {
    burst: u32,
    refill: Duration,
}

impl Allowance {
    const fn of(burst: u32, refill: Duration) -> Self {
        Self { burst, refill }
    }
}

/// The limit of each password bucket (of a caller on an account, of a known device, of a session): 8 failures at once,
/// then one every 30 seconds.
const PASSWORD_ALLOWANCE: Allowance = Allowance::of(8, Duration::from_secs(30));

impl LimitKind {
    pub const ALL: [Self; 9] = [
        Self::SignIn,
        Self::PasswordLink,
        Self::EmailConfirmation,
        Self::EmailToOther,
        Self::ContactMessage,
        Self::CodeUse,
        Self::Order,
        Self::Card,
        Self::DeclinedCard,
    ];

    /// A part of the keys of the kind's buckets.
    const fn as_str(self) -> &'static str {
        match self {
            Self::SignIn => "sign-in",
            Self::PasswordLink => "password-link",
            Self::EmailConfirmation => "email-confirmation",
            Self::EmailToOther => "email-to-other",
            Self::ContactMessage => "contact-message",
            Self::CodeUse => "code-use",
            Self::Order => "order",
            Self::Card => "card",
            Self::DeclinedCard => "declined-card",
        }
    }

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
            Self::CodeUse | Self::DeclinedCard => None,
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

/// Why a call is not accepted.
#[derive(Debug, Error)]
pub enum LimitError {
    #[error("too many tries; the next one is allowed in {retry_after_seconds} s")]
    TooMany { retry_after_seconds: u64 },
    #[error("no connection to the database")]
    Pool(#[from] PoolError),
    #[error("the database failed")]
    Database(#[from] tokio_postgres::Error),
}

#[derive(Clone)]
pub struct RateLimiter {
    /// Its own, because some calls count while they hold a connection of the program's pool. If all of these waited for
    /// another one of the same pool, none would ever get it.
    pool: Pool,
    key: Secret<[u8; 32]>,
    now: Option<DateTime<Utc>>,
}

/// A password attempt in progress. It counts as a failure unless `succeeded` or `do_not_count` is called.
#[must_use = "call `succeeded` for a correct password"]
pub struct PasswordAttempt<'a> {
    limiter: &'a RateLimiter,
    source: Bucket<'a>,
    /// The buckets that other attempts share.
    shared: Vec<Bucket<'a>>,
}

impl PasswordAttempt<'_> {
    /// The password is correct. Resets the failures of this source; those of other unknown devices stay.
    pub async fn succeeded(self) {
        let full = [self.source.key];
        let given_back = self.limiter.give_back(&self.shared, &full).await;
        log_uncounted(given_back);
    }

    /// The check failed for another reason, so the attempt does not count.
    pub async fn do_not_count(mut self) {
        self.shared.push(self.source);
        let given_back = self.limiter.give_back(&self.shared, &[]).await;
        log_uncounted(given_back);
    }
}

/// An attempt that cannot be given back stays counted. What it was for is done, so that is no error of the caller.
fn log_uncounted(given_back: Result<(), LimitError>) {
    if let Err(error) = given_back {
        tracing::warn!(error = %Causes(&error), "an attempt could not be given back to its rate limits");
    }
}

impl RateLimiter {
    /// All processes must have the same keys, or each counts for itself.
    pub fn new(keys: &Keys, pool: Pool) -> Self {
        Self {
            pool,
            key: keys.refresh.clone(),
            now: None,
        }
    }

    /// The same limits, which decide as of an instant. Otherwise the database's clock decides.
    pub fn at(&self, now: DateTime<Utc>) -> Self {
        Self {
            now: Some(now),
            ..self.clone()
        }
    }

    /// Takes a call from the buckets of the second key and the caller. `LimitKind` says what the second key of each kind
    /// is.
    pub async fn take(
        &self,
        kind: LimitKind,
        second_key: &str,
        caller: LimitedCaller,
    ) -> Result<(), LimitError> {
        let second = kind.second_key_allowance().map(|allowance| Bucket {
            key: BucketKey::SecondKey(kind, second_key),
            allowance,
        });
        let buckets: Vec<_> = second.into_iter().chain([of_caller(kind, caller)]).collect();
        self.take_from(&buckets).await
    }

    /// For kinds without a second key.
    pub async fn take_by_caller(&self, kind: LimitKind, caller: LimitedCaller) -> Result<(), LimitError> {
        self.take_from(&[of_caller(kind, caller)]).await
    }

    /// Gives back a call that `take_by_caller` took.
    pub async fn give_back_by_caller(&self, kind: LimitKind, caller: LimitedCaller) {
        log_uncounted(self.give_back(&[of_caller(kind, caller)], &[]).await);
    }

    /// Call this before the password is checked. Otherwise many concurrent attempts could pass before the first one
    /// fails.
    pub async fn try_password<'a>(
        &'a self,
        source: PasswordAttemptSource<'a>,
    ) -> Result<PasswordAttempt<'a>, LimitError> {
        let (key, shared) = match source {
            PasswordAttemptSource::KnownDevice(nonce) => (BucketKey::KnownDevice(nonce), vec![]),
            PasswordAttemptSource::Session(session_id) => (BucketKey::Session(session_id), vec![]),
            PasswordAttemptSource::UnknownDevice { account, caller } => {
                let kind = LimitKind::SignIn;
                let of_account = kind.second_key_allowance().map(|allowance| Bucket {
                    key: BucketKey::SecondKey(kind, account),
                    allowance,
                });
                let shared = of_account.into_iter().chain([of_caller(kind, caller)]);
                (BucketKey::CallerOnAccount(account, caller), shared.collect())
            }
        };
        let source = Bucket {
            key,
            allowance: PASSWORD_ALLOWANCE,
        };
        let all: Vec<_> = shared.iter().copied().chain([source]).collect();
        self.take_from(&all).await?;
        Ok(PasswordAttempt {
            limiter: self,
            source,
            shared,
        })
    }

    /// Resets the failures of an account, and those of `caller` on it, after `caller` set a new password by an e-mail's
    /// link.
    pub async fn reset_failures(&self, account: &str, caller: LimitedCaller) {
        let full = [
            BucketKey::SecondKey(LimitKind::SignIn, account),
            BucketKey::CallerOnAccount(account, caller),
        ];
        log_uncounted(self.give_back(&[], &full).await);
    }

    /// From all of the buckets or from none.
    async fn take_from(&self, all: &[Bucket<'_>]) -> Result<(), LimitError> {
        let client = self.pool.get().await?;
        let wait = buckets::take(&client, self.key.reveal(), all, self.now).await?;
        if wait.is_zero() {
            return Ok(());
        }
        Err(LimitError::TooMany {
            // One more than the whole seconds, so that the wait is over by then.
            retry_after_seconds: wait.as_secs() + 1,
        })
    }

    /// Gives an attempt back to each bucket, and fills those of `full`.
    async fn give_back(&self, all: &[Bucket<'_>], full: &[BucketKey<'_>]) -> Result<(), LimitError> {
        let client = self.pool.get().await?;
        Ok(buckets::give_back(&client, self.key.reveal(), all, full).await?)
    }
}

const fn of_caller(kind: LimitKind, caller: LimitedCaller) -> Bucket<'static> {
    Bucket {
        key: BucketKey::Caller(kind, caller),
        allowance: kind.caller_allowance(),
    }
}
