//! The business clock: the machine's time, or in development a time that starts at `RAZAO_NOW`.
//!
//! It gives the times of events and of the audit log, and the business date. Sessions and rate limits use the machine's
//! clock, and outboxes that of PostgreSQL.

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
    Started(ClockStart, Instant),
    Stopped(DateTime<Utc>),
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

    #[test]
    fn a_stopped_clock_keeps_its_day() {
        let day: NaiveDate = "2028-02-29".parse().expect("a date");
        let clock = BusinessClock::stopped_on(day);
        assert_eq!((clock.today(), clock.now()), (day, start_of(day)));
    }
}
