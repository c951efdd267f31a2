//! How often a caller may make the calls that somebody could wear out: guess a password or a code, fill a mailbox, ask
//! without a session. In memory: each process counts for itself, which is enough against guessing, and a restart forgives.
//!
//! Of passwords only failures count, in buckets that one person can't empty for another (OWASP, "Slow Down Online
//! Guessing Attacks with Device Cookies"): a device that signed in as the person has its own, and so has a session.

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

/// What is counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A password that is tried at a sign-in, from a device that never signed in as the person.
    SignIn,
    /// A new password asked for.
    Forgot,
    /// A letter that confirms an address.
    Confirm,
    /// A letter to somebody else that a signed-in person causes: to welcome them, or to an address that they set.
    Email,
    /// A code out of a letter.
    Code,
    /// Whatever else needs no session.
    Public,
}

/// Of one caller against one account, of one known device and of one session.
const GUESSES: Allowance = Allowance::of(8, Duration::from_secs(30));

impl Kind {
    #[cfg(test)]
    const ALL: [Self; 6] = [
        Self::SignIn,
        Self::Forgot,
        Self::Confirm,
        Self::Email,
        Self::Code,
        Self::Public,
    ];

    /// `None` where there is no account to count by.
    const fn by_account(self) -> Option<Allowance> {
        match self {
            // Several times what one caller has, so that one caller alone keeps no other unknown device out.
            Self::SignIn => Some(Allowance::of(40, Duration::from_secs(30))),
            Self::Forgot | Self::Confirm => Some(Allowance::of(3, Duration::from_mins(10))),
            // A team may be brought in at one sitting; a mailbox must not be filled by it.
            Self::Email => Some(Allowance::of(60, Duration::from_secs(30))),
            Self::Code | Self::Public => None,
        }
    }

    /// Wider than an account's, for a whole shop may stand behind one address.
    const fn by_caller(self) -> Allowance {
        match self {
            // An office that signs in at nine takes as many at once, and gets them back as the passwords are right.
            Self::SignIn => Allowance::of(300, Duration::from_secs(2)),
            Self::Forgot | Self::Confirm | Self::Code => Allowance::of(20, Duration::from_secs(30)),
            Self::Email => Allowance::of(200, Duration::from_secs(10)),
            Self::Public => Allowance::of(600, Duration::from_millis(100)),
        }
    }
}

/// Whom a call without a session is counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Caller {
    Address(IpAddr),
    /// A browser that signed in as this person before, wherever it is: its neighbors' calls are not its own.
    Device(UserId),
}

impl Caller {
    /// Who has one IPv6 address has all 2⁶⁴ of its network (RFC 6177), and could take a fresh one for each try.
    pub fn at(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
            v4 => v4,
        })
    }
}

/// Who tries a password.
#[derive(Debug, Clone, Copy)]
pub enum PasswordAttemptKind<'a> {
    /// A device that signed in as the person, by the nonce of its cookie.
    KnownDevice(Uuid),
    /// Any other device. `account` is the audience and the e-mail, whether anybody has it or not.
    UnknownDevice { account: &'a str, caller: Caller },
    /// A signed-in person who is asked again.
    Session(Uuid),
}

/// Of one size, however long the text is that somebody types as their address.
type Account = [u8; 32];

fn digest(account: &str) -> Account {
    Sha256::digest(account).into()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Account(Kind, Account),
    /// One caller's tries of one account's password.
    Guesses(Account, Caller),
    KnownDevice(Uuid),
    Session(Uuid),
}

/// Two maps, so that a flood of accounts makes no room among the callers.
#[derive(Default)]
struct RateLimiters {
    accounts: Buckets<Key>,
    callers: Buckets<(Kind, Caller)>,
}

/// The buckets of one call: it takes from all of them or from none.
#[derive(Debug, Clone, Copy, Default)]
struct BucketUse {
    own: Option<(Key, Allowance)>,
    account: Option<(Key, Allowance)>,
    caller: Option<((Kind, Caller), Allowance)>,
}

#[derive(Default)]
pub struct Limits(Mutex<RateLimiters>);

/// A password that is being tried. It counts as a failure unless one of its methods is called.
#[must_use = "a right password is to be given back"]
pub struct Attempt<'a> {
    limits: &'a Limits,
    draw: BucketUse,
}

impl Attempt<'_> {
    /// The password is right. Whoever gave it is forgiven their own failures; those of other unknown devices stay.
    pub fn succeeded(self) {
        self.limits.write(|books| {
            books.give_back(self.draw);
            if let Some((own, _)) = self.draw.own {
                books.accounts.fill(&own);
            }
        });
    }

    /// We could not tell whether the password is right.
    pub fn undecided(self) {
        self.limits.write(|books| books.give_back(self.draw));
    }
}

impl Limits {
    /// Takes a try from the account's and the caller's bucket, or tells how many seconds until both have one. `account` is
    /// the audience and the address of the mailbox, whether anybody has it or not; of letters whoever causes them.
    pub fn take(&self, kind: Kind, account: &str, caller: Caller) -> Result<(), u64> {
        self.draw_at(BucketUse::of(kind, Some(account), caller), Instant::now())
    }

    /// Where no account is in play.
    pub fn take_by_caller(&self, kind: Kind, caller: Caller) -> Result<(), u64> {
        self.draw_at(BucketUse::of(kind, None, caller), Instant::now())
    }

    /// Before a password is checked: many tries at once must not all pass before the first one has failed.
    pub fn try_password(&self, guesser: PasswordAttemptKind) -> Result<Attempt<'_>, u64> {
        self.try_password_at(guesser, Instant::now())
    }

    fn try_password_at(&self, guesser: PasswordAttemptKind, now: Instant) -> Result<Attempt<'_>, u64> {
        let draw = BucketUse::of_guess(guesser);
        self.draw_at(draw, now)?;
        Ok(Attempt { limits: self, draw })
    }

    /// Whoever has just set a new password by a letter's link may sign in with it, from wherever they set it.
    pub fn forgive(&self, account: &str, caller: Caller) {
        let account = digest(account);
        self.write(|books| {
            books.accounts.fill(&Key::Account(Kind::SignIn, account));
            books.accounts.fill(&Key::Guesses(account, caller));
        });
    }

    fn draw_at(&self, draw: BucketUse, now: Instant) -> Result<(), u64> {
        self.write(|books| {
            let wait = books.wait(draw, now);
            if wait.is_zero() {
                books.take(draw, now);
                return Ok(());
            }
            Err(wait.as_secs() + 1)
        })
    }

    fn write<T>(&self, change: impl FnOnce(&mut RateLimiters) -> T) -> T {
        // A panic elsewhere while counting leaves at worst a wrong count; nobody is locked out for that.
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl BucketUse {
    fn of(kind: Kind, account: Option<&str>, caller: Caller) -> Self {
        let allowance = kind.by_account();
        let account = account.zip(allowance);
        Self {
            own: None,
            account: account.map(|(account, allowance)| (Key::Account(kind, digest(account)), allowance)),
            caller: Some(((kind, caller), kind.by_caller())),
        }
    }

    fn of_guess(guesser: PasswordAttemptKind) -> Self {
        let own = |key| Some((key, GUESSES));
        match guesser {
            PasswordAttemptKind::KnownDevice(nonce) => Self {
                own: own(Key::KnownDevice(nonce)),
                ..Self::default()
            },
            PasswordAttemptKind::Session(family) => Self {
                own: own(Key::Session(family)),
                ..Self::default()
            },
            PasswordAttemptKind::UnknownDevice { account, caller } => Self {
                own: own(Key::Guesses(digest(account), caller)),
                ..Self::of(Kind::SignIn, Some(account), caller)
            },
        }
    }

    fn accounts(self) -> impl Iterator<Item = (Key, Allowance)> {
        self.own.into_iter().chain(self.account)
    }
}

impl RateLimiters {
    /// The longest of the waits.
    fn wait(&self, draw: BucketUse, now: Instant) -> Duration {
        let accounts = draw
            .accounts()
            .map(|(key, allowance)| self.accounts.wait(&key, allowance, now));
        let callers = draw
            .caller
            .iter()
            .map(|(key, allowance)| self.callers.wait(key, *allowance, now));
        accounts.chain(callers).max().unwrap_or_default()
    }

    fn take(&mut self, draw: BucketUse, now: Instant) {
        for (key, allowance) in draw.accounts() {
            self.accounts.take(key, allowance, now);
        }
        if let Some((key, allowance)) = draw.caller {
            self.callers.take(key, allowance, now);
        }
    }

    fn give_back(&mut self, draw: BucketUse) {
        for (key, allowance) in draw.accounts() {
            self.accounts.give_back(&key, allowance);
        }
        if let Some((key, allowance)) = draw.caller {
            self.callers.give_back(&key, allowance);
        }
    }
}
