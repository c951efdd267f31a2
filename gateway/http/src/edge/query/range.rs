//! `start` and `end`: a range of instants in a list's zone, or a period of business dates.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use gateway_environment::time_zone::TimeZone;
use projections::TimeRange;
use utoipa::openapi::{RefOr, Schema};

use super::values::day;
use super::{QueryReader, QueryValue, query, text};

pub const REVERSED: &str = "A data final deve ser igual ou posterior à inicial.";

/// One end of a list's range.
#[derive(Debug, Clone, Copy)]
enum End {
    Day(NaiveDate),
    Instant(DateTime<Utc>),
}

impl QueryValue for End {
    const INVALID: &'static str =
        "A data deve estar no formato AAAA-MM-DD ou, com a hora, no formato RFC 3339.";

    fn schema() -> RefOr<Schema> {
        text().into()
    }

    fn parse(text: &str) -> Option<Self> {
        if text.len() == "AAAA-MM-DD".len() {
            return day(text).map(Self::Day);
        }
        let at = DateTime::parse_from_rfc3339(text).ok()?;
        Some(Self::Instant(at.with_timezone(&Utc)))
    }
}

query! {
    impl FromQuery for TimeRange with query {
        /// Start of the period, inclusive: a date in the time zone of the list, or an RFC 3339 instant.
        #[example = "2026-11-01"]
        start: Option<End>,
        /// End of the period, inclusive, in the formats of `start`.
        #[example = "2026-11-21T14:03:11Z"]
        end: Option<End>,
    } => {
        let range = range_of(query.zone(), start, end);
        if is_reversed(start, end, range) {
            query.error("end", REVERSED);
        }
        range
    }
}

fn range_of(zone: TimeZone, start: Option<End>, end: Option<End>) -> TimeRange {
    TimeRange {
        from: start.map(|start| match start {
            End::Day(day) => zone.start_of(day),
            End::Instant(at) => at,
        }),
        until: end.map(|end| match end {
            End::Day(day) => zone.end_of(day),
            // `until` is exclusive, and instants are stored in microseconds.
            End::Instant(at) => at + TimeDelta::microseconds(1),
        }),
    }
}

fn is_reversed(start: Option<End>, end: Option<End>, range: TimeRange) -> bool {
    match (start, end) {
        (Some(End::Day(start)), Some(End::Day(end))) => start > end,
        _ => range
            .from
            .zip(range.until)
            .is_some_and(|(from, until)| from >= until),
    }
}

/// The rule of `start` and `end` as business dates, both inclusive.
pub fn check_period(query: &mut QueryReader, start: Option<NaiveDate>, end: Option<NaiveDate>) {
    if start.zip(end).is_some_and(|(start, end)| start > end) {
        query.error("end", REVERSED);
    }
}
