//! Reads query parameters as a type. One 422 reports every invalid value; none is silently replaced by a default.

use std::collections::{BTreeMap, HashMap};
use std::str::FromStr;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use gateway_environment::time_zone::TimeZone;
use projections::{Next, Order, TimeRange};
use utoipa::IntoParams;
use utoipa::openapi::path::Parameter;

use super::control_characters;
use crate::openapi::{CallDocument, Documented, params_of};
use crate::problem::{Problem, Result};

pub const PER_PAGE_DEFAULT: u32 = 20;
pub const PER_PAGE_MAX: u32 = 100;
/// Larger than any list, and safe to multiply.
pub const PAGE_MAX: u32 = 1_000_000;

/// A type that is read from a query string.
pub trait FromQuery: Sized {
    /// The parameters that `read` reads, for the document.
    fn params() -> Vec<Parameter>;

    /// Records an error in the reader for an invalid value. The returned value is then not used.
    fn read(query: &mut QueryReader) -> Self;
}

#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: FromQuery, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let mut reader = QueryReader::new(parts.uri.query().unwrap_or_default())?;
        let value = T::read(&mut reader);
        reader.finish().map(|()| Self(value))
    }
}

impl<T: FromQuery> Documented for Query<T> {
    fn describe(call: &mut CallDocument) {
        call.parameters(T::params());
    }
}

pub struct QueryReader {
    values: HashMap<String, String>,
    errors: BTreeMap<String, Vec<String>>,
    /// The zone in which days become a range of instants.
    zone: TimeZone,
}

/// One end of a list's range.
#[derive(Debug, Clone, Copy)]
enum End {
    Day(NaiveDate),
    Instant(DateTime<Utc>),
}

impl End {
    fn parse(text: &str) -> Option<Self> {
        if text.len() == "AAAA-MM-DD".len() {
            return day(text).map(Self::Day);
        }
        let at = DateTime::parse_from_rfc3339(text).ok()?;
        Some(Self::Instant(at.with_timezone(&Utc)))
    }
}

/// A day of the years 0000 to 9999. Chrono also accepts signed years, which PostgreSQL doesn't.
fn day(text: &str) -> Option<NaiveDate> {
    let digits_alone = text.bytes().enumerate().all(|(place, byte)| match place {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    (text.len() == "AAAA-MM-DD".len() && digits_alone)
        .then(|| text.parse().ok())
        .flatten()
}

impl QueryReader {
    pub fn new(query: &str) -> Result<Self> {
        let parsed = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(
            &format!("/?{query}").parse().map_err(|_| Problem::unreadable())?,
        );
        let axum::extract::Query(pairs) = parsed.map_err(|_| Problem::unreadable())?;
        let mut reader = Self::empty();
        for (name, value) in pairs {
            if control_characters::is_in(&name) {
                return Err(Problem::field("query", control_characters::MESSAGE));
            }
            if control_characters::is_in(&value) {
                reader.error(&name, control_characters::MESSAGE);
            } else {
                reader.values.insert(name, value);
            }
        }
        Ok(reader)
    }

    /// A reader without parameters, for collecting errors of fields from another source.
    pub fn empty() -> Self {
        Self {
            values: HashMap::new(),
            errors: BTreeMap::new(),
            zone: TimeZone::UTC,
        }
    }

    /// The trimmed value; empty if the parameter has no value.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|text| text.trim())
    }

    /// For free texts. An empty text counts as absent, because a form sends an empty field that way.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.given(name).filter(|text| !text.is_empty())
    }

    /// An empty value is an error, because it would silently mean the default.
    pub fn read<T>(&mut self, name: &str, message: &str, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let text = self.given(name)?;
        let value = parse(text).filter(|_| !text.is_empty());
        if value.is_none() {
            self.error(name, message);
        }
        value
    }

    /// Like `read`, for a free text.
    pub fn read_text<T>(
        &mut self,
        name: &str,
        message: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        self.text(name)?;
        self.read(name, message, parse)
    }

    pub fn parsed<T: FromStr>(&mut self, name: &str, message: &str) -> Option<T> {
        self.read(name, message, |text| text.parse().ok())
    }

    pub fn date(&mut self, name: &str) -> Option<NaiveDate> {
        self.read(name, "A data deve estar no formato AAAA-MM-DD.", day)
    }

    pub fn set_zone(&mut self, zone: TimeZone) {
        self.zone = zone;
    }

    /// Reads `start` and `end` of a list. Both are inclusive: days of the list's zone, or instants.
    pub fn range(&mut self) -> TimeRange {
        let message = "A data deve estar no formato AAAA-MM-DD ou, com a hora, no formato RFC 3339.";
        let start = self.read("start", message, End::parse);
        let end = self.read("end", message, End::parse);
        let zone = self.zone;
        let range = TimeRange {
            from: start.map(|start| match start {
                End::Day(day) => zone.start_of(day),
                End::Instant(at) => at,
            }),
            until: end.map(|end| match end {
                End::Day(day) => zone.end_of(day),
                // Instants are stored in microseconds.
                End::Instant(at) => at + TimeDelta::microseconds(1),
            }),
        };
        let reversed = match (start, end) {
            (Some(End::Day(start)), Some(End::Day(end))) => start > end,
            _ => range
                .from
                .zip(range.until)
                .is_some_and(|(from, until)| from >= until),
        };
        if reversed {
            self.error("end", "A data final deve ser igual ou posterior à inicial.");
        }
        range
    }

    /// Reads `start` and `end` as business dates, both inclusive.
    pub fn period(&mut self) -> (Option<NaiveDate>, Option<NaiveDate>) {
        let (start, end) = (self.date("start"), self.date("end"));
        if let (Some(from), Some(to)) = (start, end)
            && from > to
        {
            self.error("end", "A data final deve ser igual ou posterior à inicial.");
        }
        (start, end)
    }

    /// Reads `next` of an earlier answer of the same list.
    pub fn cursor<Cursor: FromStr>(&mut self) -> Option<Next<Cursor>> {
        self.parsed(
            "next",
            "A continuação desta lista não é válida. Recarregue a página.",
        )
    }

    /// Limits the length of a period, for queries whose cost grows with each day.
    pub fn at_most(
        &mut self,
        name: &str,
        period: (Option<NaiveDate>, Option<NaiveDate>),
        days: i64,
        message: &str,
    ) {
        if let (Some(from), Some(to)) = period
            && (to - from).num_days() > days
        {
            self.error(name, message);
        }
    }

    /// Reads `0` or `1`, as the specification writes switches.
    pub fn switch(&mut self, name: &str) -> bool {
        let value = self.read(name, "Deve ser 0 ou 1.", |text| match text {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        });
        value.unwrap_or(false)
    }

    pub fn order(&mut self, default: Order) -> Order {
        let order = self.read("order", "Deve ser asc ou desc.", |text| match text {
            "asc" => Some(Order::Asc),
            "desc" => Some(Order::Desc),
            _ => None,
        });
        order.unwrap_or(default)
    }

    /// Takes a field that was parsed by the caller and records its error.
    pub fn validated<T>(&mut self, name: &str, read: Result<T, &'static str>) -> Option<T> {
        read.map_err(|message| self.error(name, message)).ok()
    }

    pub fn error(&mut self, name: &str, message: &str) {
        self.errors
            .entry(name.to_owned())
            .or_default()
            .push(message.to_owned());
    }

    pub fn finish(self) -> Result<()> {
        if self.errors.is_empty() {
            Ok(())
        } else {
            Err(Problem::fields(self.errors))
        }
    }
}

/// `page` and `perPage` of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paging {
    pub page: u32,
    pub per_page: u32,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `Paging` reads")]
struct PagingParams {
    /// Page number, from 1.
    #[param(minimum = 1)]
    page: Option<u32>,
    /// Rows per page; the default is 20.
    #[param(rename = "perPage", minimum = 1, maximum = 100)]
    per_page: Option<u32>,
}

impl FromQuery for Paging {
    fn params() -> Vec<Parameter> {
        params_of::<PagingParams>()
    }

    fn read(query: &mut QueryReader) -> Self {
        let within =
            |max: u32| move |text: &str| text.parse().ok().filter(|number| (1..=max).contains(number));
        let page = query.read(
            "page",
            "A página deve ser um número a partir de 1.",
            within(PAGE_MAX),
        );
        let per_page = query.read(
            "perPage",
            "Cada página pode ter de 1 a 100 itens.",
            within(PER_PAGE_MAX),
        );
        Self {
            page: page.unwrap_or(1),
            per_page: per_page.unwrap_or(PER_PAGE_DEFAULT),
        }
    }
}

impl From<Paging> for projections::Paging {
    fn from(paging: Paging) -> Self {
        Self {
            page: paging.page,
            per_page: paging.per_page,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_one_format() {
        for text in ["2026-11-22", "0001-01-01", "9999-12-31"] {
            assert!(day(text).is_some(), "{text}");
        }
        // Chrono accepts the first three as dates.
        for text in [
            "-9999-1-01",
            "+2026-1-01",
            "2026-1-001",
            "2026-02-30",
            "2026/11/22",
            "２０26-1",
        ] {
            assert!(day(text).is_none(), "{text}");
        }
    }
}
