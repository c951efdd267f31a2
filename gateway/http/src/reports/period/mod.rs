//! The period of a report, its parts, and the period before it.

use chrono::{DateTime, Datelike, Days, Months, NaiveDate, TimeDelta, Timelike, Utc};
use ledger_domain::calendar::{business_date, days_after, start_of};
use projections::daily_sales::Within;
use serde::Serialize;

use super::query::{Group, PeriodBound, PeriodQuery};
use crate::problem::{Problem, Result};

const HOURS_MAX: i64 = 48;
const DAYS_MAX: i64 = 400;
/// Weeks and months: five years.
const LONG_DAYS_MAX: i64 = 5 * 366;

/// The start or the end of a period in an answer: a business date, or an instant if the report is by hour.
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
    /// The period to compare with. It has the same length and ends where this one begins, with two exceptions. Whole
    /// months are compared with the same number of whole months. A report by month that begins on a first day is
    /// compared with the same number of months, up to the same day of the month or its last day.
    pub previous: Span,
    /// Oldest first. They cover the period and do not overlap.
    pub parts: Vec<Part>,
}

impl Period {
    /// Fills what the query leaves open. A missing end is today, or the start if it is later; by hour it is the running
    /// hour. A missing start is a usual length before the end.
    pub fn of(query: PeriodQuery, default: Group, now: DateTime<Utc>) -> Result<Self> {
        let group = query.group.unwrap_or(default);
        if group == Group::Hour {
            return Self::by_hour(query, now);
        }
        let date = |bound: Option<PeriodBound>| bound.map(PeriodBound::date);
        let today = business_date(now);
        let end =
            date(query.end).unwrap_or_else(|| date(query.start).map_or(today, |start| start.max(today)));
        let start = date(query.start).unwrap_or_else(|| usual_start(group, end));
        if start > end {
            return Err(end_before_start());
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
            Some(PeriodBound::Day(day)) => start_of(days_after(day, 1)),
            Some(PeriodBound::Instant(at)) => hour_of(at) + TimeDelta::hours(1),
        };
        let from = match query.start {
            None => until - TimeDelta::hours(24),
            Some(PeriodBound::Day(day)) => start_of(day),
            Some(PeriodBound::Instant(at)) => hour_of(at),
        };
        if from >= until {
            return Err(end_before_start());
        }
        let hours = (until - from).num_hours();
        if hours > HOURS_MAX {
            return Err(too_long("Por hora, o período pode ter até 48 horas."));
        }
        // 96 hours are kept, and the previous period takes half of them.
        if from < hour_of(now) - TimeDelta::hours(HOURS_MAX) {
            let message = "Por hora, o período só pode incluir as últimas 48 horas.";
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

    /// The sums from which the figures of a part are read. A month that begins on its first day is read from the
    /// monthly sums, a partial first month by day.
    pub fn within(&self, span: Span) -> Within {
        match self.group {
            Group::Hour => Within::Hours(span.from, span.until),
            Group::Month if self.span.dates().0.day() == 1 => Within::Months(span.dates()),
            Group::Day | Group::Week | Group::Month => Within::Days(span.dates()),
        }
    }

    /// The pieces whose sums are the figures of the whole period: months in the middle and days at the ends, even if
    /// the report is by day.
    pub fn within_for_total(&self, span: Span) -> Within {
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

/// How far the previous period lies before this one.
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

    /// A day that the earlier month does not have becomes the first day after that month. So March 29 to 31 of
    /// 2026 are compared with nothing, and March 28 with February 28.
    fn start(self, date: NaiveDate) -> NaiveDate {
        match self {
            Self::Days(days) => date.checked_sub_days(Days::new(days)).unwrap_or(date),
            Self::Months(months) => {
                let earlier = date.checked_sub_months(Months::new(months)).unwrap_or(date);
                let has_day = earlier.day() == date.day();
                days_after(earlier, if has_day { 0 } else { 1 })
            }
        }
    }

    /// The day before the next day's start. So the last day of a month becomes the last day of the earlier month.
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

fn end_before_start() -> Problem {
    Problem::field("end", "A data final deve ser igual ou posterior à inicial.")
}

fn too_long(message: &str) -> Problem {
    Problem::field("end", message)
}

#[cfg(test)]
mod tests;
