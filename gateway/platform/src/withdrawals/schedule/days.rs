//! The days on which a schedule runs.

use chrono::{Datelike, Days};
use ledger_domain::calendar::{Calendar, Date, days_after};

use super::Frequency;

/// A chosen day moves forward at most this far. No series of weekends and holidays is as long.
const MOVED_DAYS_MAX: u64 = 10;
/// A month, and what its day moves forward.
const NEXT_DAYS_MAX: u64 = 31 + MOVED_DAYS_MAX;

pub(super) fn earliest_chosen(day: Date) -> Date {
    day.checked_sub_days(Days::new(MOVED_DAYS_MAX)).unwrap_or(day)
}

pub(super) fn runs_on(frequency: Frequency, on_day: Option<i16>, day: Date, calendar: &Calendar) -> bool {
    if frequency == Frequency::Day {
        return calendar.is_business_day(day);
    }
    let chosen = |date: Date| {
        let number = match frequency {
            Frequency::Week => date.weekday().number_from_monday(),
            Frequency::Month => date.day(),
            Frequency::Day => return false,
        };
        on_day.is_some_and(|on_day| i64::from(on_day) == i64::from(number))
    };
    (0..=MOVED_DAYS_MAX)
        .filter_map(|back| day.checked_sub_days(Days::new(back)))
        .any(|date| chosen(date) && calendar.roll_forward(date) == day)
}

pub(super) fn next_after(
    frequency: Frequency,
    on_day: Option<i16>,
    day: Date,
    calendar: &Calendar,
) -> Option<Date> {
    (1..=NEXT_DAYS_MAX)
        .map(|ahead| days_after(day, ahead))
        .find(|date| runs_on(frequency, on_day, *date, calendar))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> Date {
        text.parse().expect("a date")
    }

    /// The days of November and December 2026 on which it runs. Monday 7 December is a holiday that staff added.
    fn days(frequency: Frequency, on_day: Option<i16>) -> Vec<String> {
        let calendar = Calendar::new([date("2026-12-07")].into());
        (0..=60)
            .map(|ahead| days_after(date("2026-11-01"), ahead))
            .filter(|day| runs_on(frequency, on_day, *day, &calendar))
            .map(|day| day.format("%m-%d").to_string())
            .collect()
    }

    #[test]
    fn a_chosen_day_moves_to_the_next_business_day() {
        // Monday 2 November is a national holiday, and so are Friday 20 November and 25 December.
        assert_eq!(
            days(Frequency::Week, Some(1)),
            [
                "11-03", "11-09", "11-16", "11-23", "11-30", "12-08", "12-14", "12-21", "12-28"
            ]
        );
        assert_eq!(days(Frequency::Month, Some(20)), ["11-23", "12-21"]);
        assert_eq!(days(Frequency::Month, Some(28)), ["11-30", "12-28"]);
    }

    #[test]
    fn every_day_is_every_business_day() {
        let days = days(Frequency::Day, None);
        assert_eq!(days[..5], ["11-03", "11-04", "11-05", "11-06", "11-09"]);
        assert!(!days.contains(&"12-07".to_owned()));
    }

    #[test]
    fn the_next_run_is_after_the_day() {
        let calendar = Calendar::default();
        let next = |frequency, on_day, day: &str| next_after(frequency, on_day, date(day), &calendar);
        assert_eq!(next(Frequency::Day, None, "2026-12-04"), Some(date("2026-12-07")));
        assert_eq!(
            next(Frequency::Week, Some(5), "2026-12-04"),
            Some(date("2026-12-11"))
        );
        assert_eq!(
            next(Frequency::Month, Some(1), "2026-12-01"),
            Some(date("2027-01-04"))
        );
    }
}
