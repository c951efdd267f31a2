//! The time zone in which a user reads and types dates. Due dates and settlement use the day in Brasília instead.

use std::fmt;

use chrono::{Days, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone as _, Utc};
use chrono_tz::Tz;
use ledger_domain::calendar::Instant;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A time zone by its IANA name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TimeZone(Tz);

impl TimeZone {
    pub const UTC: Self = Self(Tz::UTC);
    pub const BRASILIA: Self = Self(Tz::America__Sao_Paulo);

    pub fn parse(name: &str) -> Option<Self> {
        name.parse().ok().map(Self)
    }

    pub fn as_str(self) -> &'static str {
        self.0.name()
    }

    /// The local date and time at the instant.
    pub fn local_time(self, at: Instant) -> NaiveDateTime {
        at.with_timezone(&self.0).naive_local()
    }

    /// The first instant of that day, or of the next day that exists.
    pub fn start_of(self, date: NaiveDate) -> Instant {
        let midnight = date.and_time(NaiveTime::MIN);
        // Daylight saving time may begin at midnight, and a zone that crosses the date line skips a whole day. So the
        // quarter hours of the next 26 hours are tried until one exists.
        (0..=26 * 4)
            .filter_map(|quarters| midnight.checked_add_signed(TimeDelta::minutes(15 * quarters)))
            .find_map(|reading| self.0.from_local_datetime(&reading).earliest())
            .map_or_else(|| midnight.and_utc(), |start| start.with_timezone(&Utc))
    }

    /// The first instant after that day.
    pub fn end_of(self, date: NaiveDate) -> Instant {
        self.start_of(date.checked_add_days(Days::new(1)).unwrap_or(NaiveDate::MAX))
    }
}

impl fmt::Debug for TimeZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for TimeZone {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for TimeZone {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::parse(&name).ok_or_else(|| serde::de::Error::custom("not a time zone of the IANA database"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> TimeZone {
        TimeZone::parse(name).expect("a time zone")
    }

    fn date(text: &str) -> NaiveDate {
        text.parse().expect("a date")
    }

    fn at(text: &str) -> Instant {
        text.parse().expect("an instant")
    }

    #[test]
    fn a_day_begins_where_its_zone_is() {
        for (name, start) in [
            ("UTC", "2026-11-21T00:00:00Z"),
            ("America/Sao_Paulo", "2026-11-21T03:00:00Z"),
            ("America/Noronha", "2026-11-21T02:00:00Z"),
            ("Asia/Tokyo", "2026-11-20T15:00:00Z"),
            ("Asia/Kathmandu", "2026-11-20T18:15:00Z"),
            ("Pacific/Kiritimati", "2026-11-20T10:00:00Z"),
        ] {
            assert_eq!(zone(name).start_of(date("2026-11-21")), at(start), "{name}");
            assert_eq!(zone(name).end_of(date("2026-11-20")), at(start), "{name}");
        }
    }

    #[test]
    fn a_day_without_midnight_begins_at_its_first_instant() {
        let brasilia = TimeZone::BRASILIA;
        assert_eq!(brasilia.start_of(date("2018-11-04")), at("2018-11-04T03:00:00Z"));
        // Samoa skipped the 30th.
        let apia = zone("Pacific/Apia");
        assert_eq!(
            apia.start_of(date("2011-12-30")),
            apia.start_of(date("2011-12-31"))
        );
    }

    #[test]
    fn only_names_of_the_database_are_time_zones() {
        for name in ["", "Mars", "america/sao_paulo", "-03:00", "UTC\0"] {
            assert!(TimeZone::parse(name).is_none(), "{name:?}");
        }
        assert_eq!(zone("America/Manaus").as_str(), "America/Manaus");
    }
}
