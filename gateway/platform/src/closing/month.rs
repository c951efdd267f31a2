//! A calendar month in Brasília.

use chrono::{Datelike, Months, NaiveDate};
use ledger_domain::calendar::{Date, Instant, start_of};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Month(NaiveDate);

impl Month {
    pub const fn first(self) -> Date {
        self.0
    }

    pub fn last(self) -> Date {
        let next = self.next();
        next.pred_opt().unwrap_or(next)
    }

    /// The first day of the next month.
    pub fn next(self) -> Date {
        self.0.checked_add_months(Months::new(1)).unwrap_or(self.0)
    }

    pub fn dates(self) -> (Date, Date) {
        (self.first(), self.last())
    }

    /// The end is not included.
    pub fn instants(self) -> (Instant, Instant) {
        (start_of(self.first()), start_of(self.next()))
    }

    /// "10/2026"
    pub fn label(self) -> String {
        self.0.format("%m/%Y").to_string()
    }

    /// "2026-10", as `parse` reads it.
    pub fn text(self) -> String {
        self.0.format("%Y-%m").to_string()
    }

    /// Chrono also accepts signed years.
    pub fn parse(text: &str) -> Option<Self> {
        let (year, month) = text.split_once('-')?;
        let has_digits = |part: &str, count| part.len() == count && part.bytes().all(|b| b.is_ascii_digit());
        if !has_digits(year, 4) || !has_digits(month, 2) {
            return None;
        }
        NaiveDate::from_ymd_opt(year.parse().ok()?, month.parse().ok()?, 1).map(Self)
    }

    /// The month before the one of the date.
    pub fn before(date: Date) -> Self {
        let first = date.with_day(1).unwrap_or(date);
        Self(first.checked_sub_months(Months::new(1)).unwrap_or(first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_has_all_of_its_days() {
        let month = Month::parse("2028-02").expect("a month");
        let date = |text: &str| text.parse::<Date>().expect("a date");
        assert_eq!(month.dates(), (date("2028-02-01"), date("2028-02-29")));
        assert_eq!(
            (month.label().as_str(), month.text().as_str()),
            ("02/2028", "2028-02")
        );
        assert_eq!(month.instants().1, start_of(date("2028-03-01")));
        assert_eq!(
            Month::before(date("2026-01-31")),
            Month::parse("2025-12").expect("a month")
        );
        for text in ["2028-13", "2028-2", "2028-02-01", "+028-02", "fevereiro"] {
            assert_eq!(Month::parse(text), None, "{text}");
        }
    }
}
