//! The business clock: the machine's time, or in development a time that starts at `RAZAO_NOW`.
//!
//! It gives the times of events and of the audit log, and the business date. Sessions use the machine's clock;
//! outboxes and rate limits use that of PostgreSQL.
//!
//! The program compares the machine's clock with the database's. The business clock never runs further ahead of the
//! database's than [`TOLERANCE`], so that no event gets a time that later events would have to repeat, and nothing that
//! depends on the date happens early: with a clock of January, December's installments would settle. A machine's clock
//! that is behind is used as it is: what is due happens late, and `recorded_at` repeats the latest time of its shard. With
//! a difference of more than [`DIFFERENCE_MAX`], one of the two dates may be wrong, and the jobs that go by the date wait.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chrono::{DateTime, NaiveDate, SubsecRound, TimeDelta, Utc};
use ledger_domain::calendar::{business_date, start_of};
use ledger_store::Clock;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BusinessClock(Source);

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Source {
    #[default]
    Machine,
    Compared(&'static MachineClock),
    Started(ClockStart, Instant),
    Stopped(DateTime<Utc>),
}

/// How far the machine's clock may differ from the database's without an alarm. Clocks that are set by NTP differ by
/// milliseconds.
pub const TOLERANCE: TimeDelta = TimeDelta::seconds(2);

/// From this difference on nothing is done by the date: it is not known which of the two clocks is right.
pub const DIFFERENCE_MAX: TimeDelta = TimeDelta::seconds(30);

/// The machine's clock, compared with the database's.
#[derive(Debug)]
pub struct MachineClock {
    /// How wrong the machine's clock is made, for trials.
    error: TimeDelta,
    last: Mutex<Option<Compared>>,
}

/// One reading of the database's clock, and the moment at which it was asked for.
#[derive(Debug, Clone, Copy)]
struct Compared {
    database: DateTime<Utc>,
    asked: Instant,
}

/// Two clocks of one process are equal only if they are the same.
impl PartialEq for MachineClock {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for MachineClock {}

/// The difference of the machine's clock to the database's, if it is more than the tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockFault {
    Ahead(TimeDelta),
    Behind(TimeDelta),
}

impl ClockFault {
    /// The alarm's code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Ahead(_) => "clock_ahead",
            Self::Behind(_) => "clock_behind",
        }
    }

    /// Whether nothing may be done by the date.
    fn stops(self) -> bool {
        let (Self::Ahead(by) | Self::Behind(by)) = self;
        by > DIFFERENCE_MAX
    }

    /// What it does to the work of this process, for operators.
    pub fn consequence(self) -> &'static str {
        match self {
            _ if self.stops() => "nothing settles, and no other job works by the date",
            Self::Ahead(_) => "events get the database's time",
            Self::Behind(_) => "what is due happens late",
        }
    }
}

impl fmt::Display for ClockFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (by, direction) = match self {
            Self::Ahead(by) => (by, "ahead of"),
            Self::Behind(by) => (by, "behind"),
        };
        write!(
            f,
            "the machine's clock is {} s {direction} the database's",
            by.num_seconds()
        )
    }
}

impl MachineClock {
    fn now(&self) -> DateTime<Utc> {
        Utc::now() + self.error
    }

    /// The database's time by the last comparison. The machine's monotonic clock counts from it.
    fn database_now(&self) -> Option<DateTime<Utc>> {
        let compared = (*self.last())?;
        let elapsed = TimeDelta::from_std(compared.asked.elapsed()).unwrap_or(TimeDelta::MAX);
        compared.database.checked_add_signed(elapsed)
    }

    /// A difference that may be the time of the comparison itself does not count: the database answered after `asked`.
    fn difference(&self) -> Option<TimeDelta> {
        Some(self.now() - self.database_now()?)
    }

    fn last(&self) -> MutexGuard<'_, Option<Compared>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The start of the business clock, from the development variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockStart {
    pub at: DateTime<Utc>,
    /// How many of the machine's seconds one second of this clock takes.
    pub slowdown: u32,
}

impl BusinessClock {
    /// Runs from the start, or with the machine's clock if there is none.
    pub fn new(start: Option<ClockStart>) -> Self {
        Self(start.map_or(Source::Machine, |start| Source::Started(start, Instant::now())))
    }

    /// The machine's clock, which [`Self::compare`] compares with the database's. It is compared for as long as the
    /// process runs. `error` makes it wrong, for trials.
    pub fn compared(error: TimeDelta) -> Self {
        let machine = MachineClock {
            error,
            last: Mutex::new(None),
        };
        Self(Source::Compared(Box::leak(Box::new(machine))))
    }

    /// Whether it is compared with the database's clock. A clock of a development variable or of a test is not.
    pub const fn is_compared(&self) -> bool {
        matches!(self.0, Source::Compared(_))
    }

    /// Notes a reading of the database's clock, for which the program asked at `asked`.
    pub fn compare(&self, asked: Instant, database: DateTime<Utc>) {
        if let Source::Compared(machine) = self.0 {
            *machine.last() = Some(Compared { database, asked });
        }
    }

    /// The machine's time less the database's. `None` if they were not compared.
    pub fn difference(&self) -> Option<TimeDelta> {
        match self.0 {
            Source::Compared(machine) => machine.difference(),
            Source::Machine | Source::Started(..) | Source::Stopped(_) => None,
        }
    }

    pub fn fault(&self) -> Option<ClockFault> {
        match self.difference()? {
            ahead if ahead > TOLERANCE => Some(ClockFault::Ahead(ahead)),
            behind if behind < -TOLERANCE => Some(ClockFault::Behind(-behind)),
            _ => None,
        }
    }

    /// The fault, if it is so large that nothing may be done by the date.
    pub fn stopping_fault(&self) -> Option<ClockFault> {
        self.fault().filter(|fault| fault.stops())
    }

    /// For a job that goes by the date. If the machine's clock and the database's differ too much, an alarm names the job,
    /// and it must do nothing.
    pub fn stops(&self, job: &'static str) -> bool {
        let Some(fault) = self.stopping_fault() else {
            return false;
        };
        let difference_ms = self.difference().map(|by| by.num_milliseconds());
        tracing::error!(
            code = fault.code(),
            job,
            difference_ms,
            "the machine's clock differs from the database's: the job does nothing until the wrong one is set right"
        );
        true
    }

    /// A clock that is stopped at the start of a day in Brasília.
    pub fn stopped_on(day: NaiveDate) -> Self {
        Self::stopped_at(start_of(day))
    }

    pub const fn stopped_at(at: DateTime<Utc>) -> Self {
        Self(Source::Stopped(at))
    }

    /// The business date in Brasília.
    pub fn today(&self) -> NaiveDate {
        business_date(self.now())
    }

    /// In whole microseconds, as the database stores it, so that a response and a later read agree.
    pub fn now(&self) -> DateTime<Utc> {
        match self.0 {
            Source::Machine => Utc::now(),
            Source::Compared(machine) => {
                let latest = machine.database_now().map(|database| database + TOLERANCE);
                latest.map_or(machine.now(), |latest| machine.now().min(latest))
            }
            Source::Started(start, started_at) => start.after(started_at.elapsed()),
            Source::Stopped(at) => at,
        }
        .trunc_subsecs(6)
    }
}

impl ClockStart {
    fn after(self, elapsed: Duration) -> DateTime<Utc> {
        let elapsed = elapsed / self.slowdown.max(1);
        self.at + TimeDelta::from_std(elapsed).unwrap_or(TimeDelta::MAX)
    }
}

impl Clock for BusinessClock {
    fn now(&self) -> DateTime<Utc> {
        Self::now(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last_minute(slowdown: u32) -> ClockStart {
        ClockStart {
            at: "2026-12-31T23:59:00-03:00".parse().expect("an instant"),
            slowdown,
        }
    }

    #[test]
    fn time_runs_on_from_the_start_and_over_midnight_in_brasilia() {
        let day = |elapsed| business_date(last_minute(1).after(Duration::from_secs(elapsed))).to_string();
        assert_eq!((day(59).as_str(), day(60).as_str()), ("2026-12-31", "2027-01-01"));
    }

    #[test]
    fn a_slow_clock_stays_longer_in_its_minute() {
        let after = last_minute(60).after(Duration::from_secs(120));
        assert_eq!(after - last_minute(60).at, TimeDelta::seconds(2));
    }

    #[test]
    fn a_started_clock_begins_at_its_start() {
        let clock = BusinessClock::new(Some(last_minute(1_000_000)));
        assert_eq!(clock.today().to_string(), "2026-12-31");
        assert!(clock.now() >= last_minute(1).at);
    }

    /// A clock that is wrong by `error`, and was compared with a database's clock that is right.
    fn machine(error: TimeDelta) -> BusinessClock {
        let clock = BusinessClock::compared(error);
        clock.compare(Instant::now(), Utc::now());
        clock
    }

    #[test]
    fn a_clock_ahead_of_the_databases_is_held_back() {
        let clock = machine(TimeDelta::days(40));
        assert!(matches!(clock.fault(), Some(ClockFault::Ahead(ahead)) if ahead > TimeDelta::days(39)));
        assert!(clock.now() < Utc::now() + TOLERANCE * 2);
        assert!(clock.stops("a test"));
        // Before the first comparison nothing is known.
        let uncompared = BusinessClock::compared(TimeDelta::days(40));
        assert_eq!((uncompared.fault(), uncompared.difference()), (None, None));
    }

    #[test]
    fn a_clock_behind_the_databases_is_used_and_reported() {
        let clock = machine(TimeDelta::days(-40));
        assert!(matches!(clock.fault(), Some(ClockFault::Behind(behind)) if behind > TimeDelta::days(39)));
        assert!(clock.now() < Utc::now() - TimeDelta::days(39));
        assert!(clock.stops("a test"));
    }

    #[test]
    fn a_small_difference_is_reported_and_stops_nothing() {
        for error in [-20, 20].map(TimeDelta::seconds) {
            let clock = machine(error);
            assert!(clock.fault().is_some());
            assert!(!clock.stops("a test"), "{error}");
        }
        assert!(machine(TimeDelta::seconds(-40)).stops("a test"));
    }

    #[test]
    fn jobs_go_on_once_the_difference_is_small_again() {
        let clock = machine(TimeDelta::zero());
        let asked = Instant::now();
        clock.compare(asked, Utc::now() - TimeDelta::days(1));
        assert!(clock.stops("a test"));
        clock.compare(Instant::now(), Utc::now());
        assert!(!clock.stops("a test"));
    }

    #[test]
    fn a_right_clock_and_one_of_a_test_have_no_fault() {
        assert_eq!(machine(TimeDelta::zero()).fault(), None);
        let started = BusinessClock::new(Some(last_minute(1)));
        started.compare(Instant::now(), Utc::now());
        assert_eq!((started.fault(), started.is_compared()), (None, false));
    }

    #[test]
    fn a_stopped_clock_keeps_its_day() {
        let day: NaiveDate = "2028-02-29".parse().expect("a date");
        let clock = BusinessClock::stopped_on(day);
        assert_eq!((clock.today(), clock.now()), (day, start_of(day)));
    }
}
