//! A period as whole months and days, so that a query over a long period reads few rows.

use chrono::Months;
use ledger_domain::calendar::{Date, days_after};

use crate::range::month_of;

/// The dates from the first on and before the second. Empty if the second is not after the first.
pub(crate) type DateRange = (Date, Date);

/// The cost of reading a whole month, in days. A company has one row for a month, and often none for a day, because it
/// does not sell every day. So a month costs more than one day.
const MONTH_COST_DAYS: i64 = 4;

/// Whole months, the days that are added to them, and the days of the months that are not in the period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MonthsAndDays {
    pub months: DateRange,
    pub added: [DateRange; 2],
    pub subtracted: [DateRange; 2],
}

impl MonthsAndDays {
    fn none(at: Date) -> Self {
        let none = (at, at);
        Self {
            months: none,
            added: [none; 2],
            subtracted: [none; 2],
        }
    }

    /// Whole months and added days only. So each part lies in the period.
    pub fn adding((from, until): DateRange) -> Self {
        let first = if from == month_of(from) {
            from
        } else {
            next_month(from)
        };
        let end = month_of(until);
        if first >= end {
            return Self {
                added: [(from, until), (until, until)],
                ..Self::none(from)
            };
        }
        Self {
            months: (first, end),
            added: [(from, first), (end, until)],
            ..Self::none(from)
        }
    }

    /// The parts that cost least and give the same sums. At each end, either the days of the period are added, or the
    /// whole month is added and its days outside of the period are subtracted.
    pub fn cheapest((from, until): DateRange) -> Self {
        if from >= until {
            return Self::none(from);
        }
        let (month, last) = (month_of(from), month_of(until));
        let (next, after_last) = (next_month(from), next_month(until));
        if until <= next {
            let (before, after) = ((month, from), (until, next));
            return if days(before) + days(after) + MONTH_COST_DAYS < days((from, until)) {
                Self {
                    months: (month, next),
                    subtracted: [before, after],
                    ..Self::none(from)
                }
            } else {
                Self {
                    added: [(from, until), (until, until)],
                    ..Self::none(from)
                }
            };
        }
        let mut parts = Self::none(from);
        if days((month, from)) + MONTH_COST_DAYS < days((from, next)) {
            parts.months.0 = month;
            parts.subtracted[0] = (month, from);
        } else {
            parts.months.0 = next;
            parts.added[0] = (from, next);
        }
        if days((until, after_last)) + MONTH_COST_DAYS < days((last, until)) {
            parts.months.1 = after_last;
            parts.subtracted[1] = (until, after_last);
        } else {
            parts.months.1 = last;
            parts.added[1] = (last, until);
        }
        parts
    }
}

pub(crate) fn days((from, until): DateRange) -> i64 {
    (until - from).num_days().max(0)
}

/// The first day of the month after the date's.
fn next_month(date: Date) -> Date {
    let month = month_of(date);
    month
        .checked_add_months(Months::new(1))
        .unwrap_or_else(|| days_after(month, 31))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> Date {
        text.parse().expect("a date")
    }

    fn range(from: &str, until: &str) -> DateRange {
        (date(from), date(until))
    }

    fn subtracts(parts: &MonthsAndDays) -> bool {
        parts.subtracted.iter().any(|range| days(*range) > 0)
    }

    /// How often each date counts.
    fn count(parts: &MonthsAndDays, date: Date) -> i32 {
        let within = |(from, until): &DateRange| i32::from(*from <= date && date < *until);
        within(&parts.months) + parts.added.iter().map(within).sum::<i32>()
            - parts.subtracted.iter().map(within).sum::<i32>()
    }

    #[test]
    fn each_date_of_a_period_counts_once_and_no_other_does() {
        let first = date("2026-01-20");
        for start in 0..80 {
            for length in 0..120 {
                let from = days_after(first, start);
                let until = days_after(from, length);
                for parts in [
                    MonthsAndDays::adding((from, until)),
                    MonthsAndDays::cheapest((from, until)),
                ] {
                    for probe in 0..260 {
                        let probed = days_after(date("2026-01-01"), probe);
                        let expected = i32::from(from <= probed && probed < until);
                        assert_eq!(
                            count(&parts, probed),
                            expected,
                            "{from} {until} {probed} {parts:?}"
                        );
                    }
                    // Without subtraction, no day outside of the period is read.
                    let edges = parts.added.iter().chain(&parts.subtracted);
                    let read: i64 = edges.map(|range| days(*range)).sum();
                    assert!(subtracts(&parts) || read <= i64::try_from(length).expect("a length"));
                }
                // At each end, at most (31 + `MONTH_COST_DAYS`) / 2 = 17 days are read.
                let cheapest = MonthsAndDays::cheapest((from, until));
                let edges = cheapest.added.iter().chain(&cheapest.subtracted);
                assert!(edges.map(|range| days(*range)).sum::<i64>() <= 34, "{cheapest:?}");
            }
        }
    }

    #[test]
    fn a_month_that_is_nearly_whole_is_read_whole() {
        let parts = MonthsAndDays::cheapest(range("2026-09-07", "2026-11-25"));
        assert_eq!(parts.months, range("2026-09-01", "2026-12-01"));
        assert_eq!(
            parts.subtracted,
            [
                range("2026-09-01", "2026-09-07"),
                range("2026-11-25", "2026-12-01")
            ]
        );
        assert!(parts.added.iter().all(|range| days(*range) == 0));
        let month = MonthsAndDays::cheapest(range("2026-09-01", "2026-10-01"));
        assert_eq!(month.months, range("2026-09-01", "2026-10-01"));
        assert!(!subtracts(&month));
    }

    #[test]
    fn adding_reads_a_month_that_is_nearly_whole_by_its_days() {
        let parts = MonthsAndDays::adding(range("2026-09-07", "2026-11-25"));
        assert_eq!(parts.months, range("2026-10-01", "2026-11-01"));
        assert_eq!(
            parts.added,
            [
                range("2026-09-07", "2026-10-01"),
                range("2026-11-01", "2026-11-25")
            ]
        );
        assert!(!subtracts(&parts));
    }
}
