//! A range of instants, as a filter of lists, and its business dates.
//!
//! Sums by business date cover the dates that lie completely in the range. At its two ends a range may have a part of a
//! date; such a part is read row by row.

use chrono::Datelike;
use ledger_domain::calendar::{Date, Instant, business_date, days_after, start_of};

/// `from` is included, `until` is not. A missing end does not restrict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeRange {
    pub from: Option<Instant>,
    pub until: Option<Instant>,
}

impl TimeRange {
    pub const ALL: Self = Self {
        from: None,
        until: None,
    };

    /// A range of business dates, both included.
    pub fn of_business_dates(start: Option<Date>, end: Option<Date>) -> Self {
        Self {
            from: start.map(start_of),
            until: end.map(|end| start_of(days_after(end, 1))),
        }
    }

    /// The part of the range up to the instant, which is included.
    #[must_use]
    pub fn up_to(self, instant: Instant) -> Self {
        // Instants are stored in microseconds.
        let after = instant
            .checked_add_signed(chrono::TimeDelta::microseconds(1))
            .unwrap_or(instant);
        self.before(after)
    }

    /// The part of the range before the instant.
    #[must_use]
    pub fn before(self, until: Instant) -> Self {
        Self {
            until: Some(self.until.map_or(until, |own| own.min(until))),
            ..self
        }
    }

    /// The part of the range from the instant on.
    #[must_use]
    pub fn since(self, from: Instant) -> Self {
        Self {
            from: Some(self.from.map_or(from, |own| own.max(from))),
            ..self
        }
    }

    /// Splits the range into whole business dates and the parts of dates at its two ends.
    pub(crate) fn split(self) -> Split {
        let first = self.from.map(|from| {
            let date = business_date(from);
            if start_of(date) == from {
                date
            } else {
                days_after(date, 1)
            }
        });
        let end = self.until.map(business_date);
        let head = self.from.zip(first).map(|(from, first)| {
            let until = start_of(first);
            (from, self.until.map_or(until, |own| own.min(until)))
        });
        let tail = self.until.zip(end).map(|(until, end)| {
            let from = start_of(end);
            (self.from.map_or(from, |own| own.max(from)), until)
        });
        // A range in which no date starts consists of its head only.
        let within_one_date = first.zip(end).is_some_and(|(first, end)| first > end);
        let has_instants = |edge: &(Instant, Instant)| edge.0 < edge.1;
        Split {
            first,
            end,
            head: head.filter(has_instants),
            tail: tail.filter(|edge| !within_one_date && has_instants(edge)),
        }
    }
}

/// The three parts cover the range and do not overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Split {
    /// The first date that lies completely in the range.
    pub first: Option<Date>,
    /// The date after the last date that lies completely in the range. No date does if `end` is not after `first`.
    pub end: Option<Date>,
    /// The part before the first whole date: from the first instant on, and before the second.
    pub head: Option<(Instant, Instant)>,
    /// The part after the last whole date, with the same bounds.
    pub tail: Option<(Instant, Instant)>,
}

/// The first day of the date's month.
pub(crate) fn month_of(date: Date) -> Date {
    date.with_day(1).unwrap_or(date)
}

#[cfg(test)]
mod tests {
    use chrono::{NaiveDate, TimeZone, Utc};

    use super::*;

    fn at(day: u32, hour: u32) -> Instant {
        Utc.with_ymd_and_hms(2026, 11, day, hour, 0, 0)
            .single()
            .expect("an instant")
    }

    fn date(day: u32) -> Date {
        NaiveDate::from_ymd_opt(2026, 11, day).expect("a date")
    }

    fn range(from: Instant, until: Instant) -> TimeRange {
        TimeRange {
            from: Some(from),
            until: Some(until),
        }
    }

    #[test]
    fn a_range_of_days_of_brasilia_has_neither_head_nor_tail() {
        let split = TimeRange::of_business_dates(Some(date(3)), Some(date(5))).split();
        assert_eq!((split.first, split.end), (Some(date(3)), Some(date(6))));
        assert_eq!((split.head, split.tail), (None, None));
    }

    #[test]
    fn a_range_of_days_of_utc_has_a_head_of_three_hours_and_a_tail() {
        let split = range(at(3, 0), at(6, 0)).split();
        assert_eq!((split.first, split.end), (Some(date(3)), Some(date(5))));
        assert_eq!(split.head, Some((at(3, 0), at(3, 3))));
        assert_eq!(split.tail, Some((at(5, 3), at(6, 0))));
    }

    #[test]
    fn an_hour_within_one_date_is_the_head_alone() {
        let split = range(at(3, 14), at(3, 15)).split();
        assert_eq!(split.head, Some((at(3, 14), at(3, 15))));
        assert!(split.tail.is_none() && split.first > split.end);
    }

    #[test]
    fn each_instant_of_a_range_lies_in_one_part() {
        let hour = |hours: i64| at(2, 0) + chrono::TimeDelta::hours(hours);
        for (from, hours) in (0..48).flat_map(|from| (0..60).map(move |hours| (from, hours))) {
            let split = range(hour(from), hour(from + hours)).split();
            for probe in 0..120 {
                let instant = hour(probe);
                let day = business_date(instant);
                let whole =
                    split.first.is_some_and(|first| day >= first) && split.end.is_some_and(|end| day < end);
                let edges = [split.head, split.tail];
                let edges = edges.iter().flatten();
                let edges = edges.filter(|edge| edge.0 <= instant && instant < edge.1).count();
                let expected = from <= probe && probe < from + hours;
                assert_eq!(
                    usize::from(whole) + edges,
                    usize::from(expected),
                    "{from} {hours} {probe}"
                );
            }
        }
    }
}
