//! The period of a report, its parts, and the period before it.

use chrono::{DateTime, Datelike, Days, Months, NaiveDate, TimeDelta, Timelike, Utc};
use ledger_domain::calendar::{business_date, days_after, start_of};
use projections::daily_sales::Within;
use serde::Serialize;

use super::query::{Group, PeriodQuery, ReportEnd};
use crate::problem::{Problem, Result};

const HOURS_MAX: i64 = 48;
const DAYS_MAX: i64 = 400;
/// Weeks and months: five years.
const LONG_DAYS_MAX: i64 = 5 * 366;

/// An end of a period in an answer: a business date, or an instant if the report is by hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Moment {
    Date(NaiveDate),
    Instant(DateTime<Utc>),
}

/// `from` is included, `until` is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
}

impl Span {
    fn of_dates(first: NaiveDate, last: NaiveDate) -> Self {
        Self {
            from: start_of(first),
            until: start_of(days_after(last, 1)),
        }
    }

    /// The business dates that it touches, both included.
    pub fn dates(self) -> (NaiveDate, NaiveDate) {
        (
            business_date(self.from),
            business_date(self.until - TimeDelta::microseconds(1)),
        )
    }
}

/// A part of a report's period, and the part of the previous period that it is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    pub span: Span,
    pub previous: Span,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Period {
    pub group: Group,
    pub span: Span,
    /// Of the same length, right before. Of whole months: the same number of months. By month from the first day of one:
    /// the same number of months, up to the same day.
    pub previous: Span,
    /// Oldest first. They cover the period and do not overlap.
    pub parts: Vec<Part>,
}

impl Period {
    /// Fills what the query leaves open. A missing end is now; a missing start is a usual length before the end.
    pub fn of(query: PeriodQuery, default: Group, now: DateTime<Utc>) -> Result<Self> {
        let group = query.group.unwrap_or(default);
        if group == Group::Hour {
            return Self::by_hour(query, now);
        }
        let date = |end: Option<ReportEnd>| end.map(ReportEnd::date);
        let today = business_date(now);
        let end =
            date(query.end).unwrap_or_else(|| date(query.start).map_or(today, |start| start.max(today)));
        let start = date(query.start).unwrap_or_else(|| usual_start(group, end));
        if start > end {
            return Err(reversed());
        }
        let days = (end - start).num_days() + 1;
        match group {
            Group::Day if days > DAYS_MAX => Err(too_long("Por dia, o período pode ter até 400 dias.")),
            _ if days > LONG_DAYS_MAX => Err(too_long("O período pode ter até cinco anos.")),
            _ => Ok(Self::by_date(group, start, end)),
        }
    }

    fn by_hour(query: PeriodQuery, now: DateTime<Utc>) -> Result<Self> {
        let until = match query.end {
            None => hour_of(now) + TimeDelta::hours(1),
            Some(ReportEnd::Day(day)) => start_of(days_after(day, 1)),
            Some(ReportEnd::Instant(at)) => hour_of(at) + TimeDelta::hours(1),
        };
        let from = match query.start {
            None => until - TimeDelta::hours(24),
            Some(ReportEnd::Day(day)) => start_of(day),
            Some(ReportEnd::Instant(at)) => hour_of(at),
        };
        if from >= until {
            return Err(reversed());
        }
        let hours = (until - from).num_hours();
        if hours > HOURS_MAX {
            return Err(too_long("Por hora, o período pode ter até 48 horas."));
        }
        // Older hours are not kept.
        if from < hour_of(now) - TimeDelta::hours(HOURS_MAX) {
            let message = "Por hora, o período começa há no máximo 48 horas.";
            return Err(Problem::field("start", message));
        }
        let length = until - from;
        let part = |hour| {
            let from = from + TimeDelta::hours(hour);
            let until = from + TimeDelta::hours(1);
            Part {
                span: Span { from, until },
                previous: Span {
                    from: from - length,
                    until: until - length,
                },
            }
        };
        Ok(Self {
            group: Group::Hour,
            span: Span { from, until },
            previous: Span {
                from: from - length,
                until: from,
            },
            parts: (0..hours).map(part).collect(),
        })
    }

    fn by_date(group: Group, start: NaiveDate, end: NaiveDate) -> Self {
        let shift = Shift::of(group, start, end);
        let mut parts = vec![];
        let mut first = start;
        while first <= end {
            let last = last_of(group, first).min(end);
            parts.push(Part {
                span: Span::of_dates(first, last),
                previous: Span::of_dates(shift.start(first), shift.end(last)),
            });
            first = days_after(last, 1);
        }
        Self {
            group,
            span: Span::of_dates(start, end),
            previous: Span::of_dates(shift.start(start), shift.end(end)),
            parts,
        }
    }

    /// Where the figures of a span are added up. Months are read as such if their parts are whole months.
    pub fn within(&self, span: Span) -> Within {
        match self.group {
            Group::Hour => Within::Hours(span.from, span.until),
            Group::Month if self.span.dates().0.day() == 1 => Within::Months(span.dates()),
            Group::Day | Group::Week | Group::Month => Within::Days(span.dates()),
        }
    }

    /// Where the figures of the whole period are added up, whatever its parts are.
    pub fn whole(&self, span: Span) -> Within {
        match self.group {
            Group::Hour => Within::Hours(span.from, span.until),
            _ => Within::Months(span.dates()),
        }
    }

    pub fn start(&self) -> Moment {
        self.first(self.span)
    }

    pub fn end(&self) -> Moment {
        self.last(self.span)
    }

    /// The first moment of a span, as the report shows it.
    pub fn first(&self, span: Span) -> Moment {
        match self.group {
            Group::Hour => Moment::Instant(span.from),
            _ => Moment::Date(span.dates().0),
        }
    }

    /// The last moment of a span, which is included, as lists take it.
    pub fn last(&self, span: Span) -> Moment {
        match self.group {
            Group::Hour => Moment::Instant(span.until - TimeDelta::microseconds(1)),
            _ => Moment::Date(span.dates().1),
        }
    }
}

/// The way from a date of the period to the one of the previous period.
#[derive(Clone, Copy)]
enum Shift {
    Days(u64),
    Months(u32),
}

impl Shift {
    fn of(group: Group, start: NaiveDate, end: NaiveDate) -> Self {
        if start.day() == 1 && (group == Group::Month || days_after(end, 1).day() == 1) {
            let number =
                |date: NaiveDate| date.year() * 12 + i32::try_from(date.month0()).unwrap_or_default();
            return Self::Months((number(end) - number(start) + 1).unsigned_abs());
        }
        Self::Days((end - start).num_days().unsigned_abs() + 1)
    }

    fn start(self, date: NaiveDate) -> NaiveDate {
        match self {
            Self::Days(days) => date.checked_sub_days(Days::new(days)).unwrap_or(date),
            Self::Months(months) => date.checked_sub_months(Months::new(months)).unwrap_or(date),
        }
    }

    /// The last day of a month becomes the last day of the other month.
    fn end(self, date: NaiveDate) -> NaiveDate {
        let next = self.start(days_after(date, 1));
        next.pred_opt().unwrap_or(next)
    }
}

/// The last date of the day, week or month. Weeks begin on Mondays.
fn last_of(group: Group, date: NaiveDate) -> NaiveDate {
    match group {
        Group::Hour | Group::Day => date,
        Group::Week => days_after(date, u64::from(6 - date.weekday().num_days_from_monday())),
        Group::Month => {
            let first = date.with_day(1).unwrap_or(date);
            let next = first.checked_add_months(Months::new(1)).unwrap_or(date);
            next.pred_opt().unwrap_or(date)
        }
    }
}

/// 30 days, 12 weeks or 12 months up to the end.
fn usual_start(group: Group, end: NaiveDate) -> NaiveDate {
    let before = |days| end.checked_sub_days(Days::new(days)).unwrap_or(end);
    match group {
        Group::Hour | Group::Day => before(29),
        Group::Week => before(7 * 11 + u64::from(end.weekday().num_days_from_monday())),
        Group::Month => {
            let first = end.with_day(1).unwrap_or(end);
            first.checked_sub_months(Months::new(11)).unwrap_or(first)
        }
    }
}

fn hour_of(at: DateTime<Utc>) -> DateTime<Utc> {
    at.with_minute(0)
        .and_then(|at| at.with_second(0))
        .and_then(|at| at.with_nanosecond(0))
        .unwrap_or(at)
}

fn reversed() -> Problem {
    Problem::field("end", "A data final deve ser igual ou posterior à inicial.")
}

fn too_long(message: &str) -> Problem {
    Problem::field("end", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> NaiveDate {
        text.parse().expect("a date")
    }

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("an instant")
    }

    fn query(group: Group, start: Option<&str>, end: Option<&str>) -> PeriodQuery {
        let end_of = |text: &str| match text.len() {
            10 => ReportEnd::Day(date(text)),
            _ => ReportEnd::Instant(at(text)),
        };
        PeriodQuery {
            group: Some(group),
            start: start.map(end_of),
            end: end.map(end_of),
        }
    }

    fn period(group: Group, start: Option<&str>, end: Option<&str>) -> Period {
        let now = at("2026-11-21T15:04:05Z");
        Period::of(query(group, start, end), Group::Day, now).expect("a period")
    }

    fn error(group: Group, start: &str, end: &str) -> String {
        let now = at("2026-11-21T15:04:05Z");
        let problem =
            Period::of(query(group, Some(start), Some(end)), Group::Day, now).expect_err("an error");
        let errors = serde_json::to_value(&problem.errors).expect("errors");
        errors["end"][0].as_str().expect("a message").to_owned()
    }

    fn texts(span: Span) -> (String, String) {
        let (first, last) = span.dates();
        (first.to_string(), last.to_string())
    }

    fn of(first: &str, last: &str) -> (String, String) {
        (first.to_owned(), last.to_owned())
    }

    #[test]
    fn the_previous_period_has_the_same_length_or_the_same_number_of_months() {
        let some = period(Group::Day, Some("2026-03-10"), Some("2026-03-14"));
        assert_eq!(texts(some.previous), of("2026-03-05", "2026-03-09"));
        assert_eq!(texts(some.parts[4].previous), of("2026-03-09", "2026-03-09"));
        let march = period(Group::Month, Some("2026-03-01"), Some("2026-03-31"));
        assert_eq!(texts(march.previous), of("2026-02-01", "2026-02-28"));
        let so_far = period(Group::Month, Some("2026-02-01"), Some("2026-03-31"));
        assert_eq!(texts(so_far.previous), of("2025-12-01", "2026-01-31"));
        let so_far = period(Group::Month, Some("2026-02-01"), Some("2026-03-30"));
        assert_eq!(texts(so_far.previous), of("2025-12-01", "2026-01-30"));
        assert_eq!(texts(so_far.parts[1].previous), of("2026-01-01", "2026-01-30"));
        let quarter = period(Group::Month, Some("2026-01-01"), Some("2026-03-31"));
        assert_eq!(texts(quarter.previous), of("2025-10-01", "2025-12-31"));
        assert_eq!(texts(quarter.parts[1].span), of("2026-02-01", "2026-02-28"));
        assert_eq!(texts(quarter.parts[1].previous), of("2025-11-01", "2025-11-30"));
    }

    #[test]
    fn parts_cover_the_period_and_their_previous_parts_the_previous_one() {
        for group in [Group::Day, Group::Week, Group::Month] {
            for (start, end) in [
                ("2025-12-31", "2026-03-03"),
                ("2026-03-01", "2026-04-30"),
                ("2026-01-31", "2026-01-31"),
            ] {
                let period = period(group, Some(start), Some(end));
                assert_eq!(texts(period.span), of(start, end));
                let (mut next, mut next_previous) = (period.span.from, period.previous.from);
                for part in &period.parts {
                    assert_eq!(part.span.from, next, "{group:?} {start}");
                    next = part.span.until;
                    assert_eq!(part.previous.from, next_previous, "{group:?} {start}");
                    next_previous = part.previous.until;
                }
                assert_eq!((next, next_previous), (period.span.until, period.previous.until));
            }
        }
    }

    #[test]
    fn weeks_begin_on_mondays() {
        let weeks = period(Group::Week, Some("2026-11-18"), Some("2026-11-24"));
        let spans: Vec<_> = weeks.parts.iter().map(|part| texts(part.span)).collect();
        assert_eq!(
            spans,
            [of("2026-11-18", "2026-11-22"), of("2026-11-23", "2026-11-24")]
        );
    }

    #[test]
    fn what_is_left_out_has_a_usual_value() {
        let (days, weeks) = (period(Group::Day, None, None), period(Group::Week, None, None));
        assert_eq!(texts(days.span), of("2026-10-23", "2026-11-21"));
        assert_eq!(
            (texts(weeks.span), weeks.parts.len()),
            (of("2026-08-31", "2026-11-21"), 12)
        );
        let months = period(Group::Month, None, None);
        assert_eq!(texts(months.span), of("2025-12-01", "2026-11-21"));
        assert_eq!(months.parts.len(), 12);
        let hours = period(Group::Hour, None, None);
        assert_eq!(hours.parts.len(), 24);
        assert_eq!(hours.span.until, at("2026-11-21T16:00:00Z"));
        assert_eq!(hours.previous.until, hours.span.from);
        let end = serde_json::to_value(hours.end()).expect("an instant");
        assert_eq!(end, "2026-11-21T15:59:59.999999Z");
    }

    #[test]
    fn a_period_has_a_greatest_length() {
        assert_eq!(
            period(Group::Hour, Some("2026-11-20"), Some("2026-11-21"))
                .parts
                .len(),
            48
        );
        assert!(error(Group::Hour, "2026-11-19", "2026-11-21").contains("48 horas"));
        assert_eq!(
            period(Group::Day, Some("2025-01-01"), Some("2026-02-04"))
                .parts
                .len(),
            400
        );
        assert!(error(Group::Day, "2025-01-01", "2026-02-05").contains("400 dias"));
        assert!(error(Group::Month, "2015-01-01", "2026-02-05").contains("cinco anos"));
        assert!(error(Group::Week, "2026-02-06", "2026-02-05").contains("posterior"));
        assert!(error(Group::Hour, "2026-02-06T10:00:00Z", "2026-02-06T08:00:00Z").contains("posterior"));
    }
}
