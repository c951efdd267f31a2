//! Pages of a list, by number and by cursor.

use std::fmt;
use std::str::FromStr;

use chrono::Datelike;
use ledger_domain::calendar::Instant;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, GenericClient};

use crate::each_shard::{Cut, list_of_each_shard};

/// The largest total without a search. Rows are counted up to this number, and pages by number end with this row. Only
/// a cursor leads further.
pub const TOTAL_MAX: u64 = 10_000;
/// The limit of a statement that counts: one more than `TOTAL_MAX`, so that a capped total is recognized.
pub const COUNT_LIMIT: i64 = CountLimit::LIST.counted();
/// `TOTAL_MAX` as a parameter of SQL.
const LAST_ROW: i64 = 10_000;

ledger_domain::words! {
    /// The order of a list. By default a list begins with its newest or greatest row.
    #[derive(Default)]
    pub enum SortOrder {
        Asc = "asc",
        #[default]
        Desc = "desc",
    }
}

impl SortOrder {
    pub const fn sql(self) -> &'static str {
        match self {
            Self::Asc => "ASC",
            Self::Desc => "DESC",
        }
    }

    /// The operator that selects the rows after a cursor.
    pub const fn comparison(self) -> &'static str {
        match self {
            Self::Asc => ">",
            Self::Desc => "<",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paging {
    /// From 1.
    pub page: u32,
    pub per_page: u32,
}

impl Paging {
    pub fn limit(self) -> i64 {
        i64::from(self.per_page)
    }

    pub fn offset(self) -> i64 {
        i64::from(self.page.saturating_sub(1)).saturating_mul(self.limit())
    }

    /// The limit and the offset of a page, cut at `TOTAL_MAX` rows.
    pub fn within_total(self) -> (i64, i64) {
        CountLimit::LIST.range(self)
    }
}

/// Up to which row a list is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountLimit(i64);

impl CountLimit {
    pub const LIST: Self = Self(LAST_ROW);
    /// Lower, because a search may read many more rows than it counts.
    pub const SEARCH: Self = Self(1_000);

    pub const fn when_searching(searching: bool) -> Self {
        if searching { Self::SEARCH } else { Self::LIST }
    }

    /// The limit and the offset of a page, cut at this row.
    pub fn range(self, paging: Paging) -> (i64, i64) {
        let left = (self.0 - paging.offset()).max(0);
        (paging.limit().min(left), paging.offset().min(self.0))
    }

    pub const fn last_row(self) -> i64 {
        self.0
    }

    /// The limit of the statement that counts: one more, so that a capped total is recognized.
    pub const fn counted(self) -> i64 {
        self.0 + 1
    }

    /// Adds the total of the list to a page. `list` is the SQL text after `FROM`, and `parameters` are its parameters.
    /// The statement's limit is the parameter after them.
    pub async fn counted_page<Row>(
        self,
        client: &impl GenericClient,
        rows: Vec<Row>,
        list: &str,
        parameters: Vec<(&(dyn ToSql + Sync), Type)>,
    ) -> Result<Page<Row>, Error> {
        let limit = format!("${}", parameters.len() + 1);
        let found = list_of_each_shard("", Cut::first(&limit), |cut| {
            format!("SELECT 1 AS one FROM {list} {cut}")
        });
        let sql = format!("SELECT count(*) FROM ({found}) AS found");
        let counted = self.counted();
        let mut parameters = parameters;
        parameters.push((&counted, Type::INT8));
        let found = client.query_typed_one(&sql, &parameters).await?;
        Ok(self.page(rows, found.get(0)))
    }

    /// `found` is the result of a count whose limit was `counted()`.
    pub fn page<Row>(self, rows: Vec<Row>, found: i64) -> Page<Row> {
        Page {
            rows,
            total: found.clamp(0, self.0).unsigned_abs(),
            total_capped: found > self.0,
            next: None,
        }
    }
}

/// A page of a list. `Cursor` is `()` for lists that have no cursor.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<Row, Cursor = ()> {
    pub rows: Vec<Row>,
    /// The number of rows of the list, counted up to a limit.
    pub total: u64,
    /// The list has more rows than `total`.
    pub total_capped: bool,
    /// Where the next page begins, if the list has a cursor and this page is full.
    pub next: Option<Next<Cursor>>,
}

/// Where the next page begins, and how many rows the count found. So pages after a cursor need no count. The text of a
/// `Next` is opaque to callers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Next<Cursor> {
    pub after: Cursor,
    pub found: u64,
}

impl<Cursor: fmt::Display> fmt::Display for Next<Cursor> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.after, self.found)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a cursor of this list")]
pub struct NotACursor;

/// The instant of a cursor, from microseconds since 1970. A caller may send any number, and PostgreSQL cannot represent
/// every instant of 64 bits. No event is dated outside of these years.
pub(crate) fn cursor_instant(micros: i64) -> Result<Instant, NotACursor> {
    Instant::from_timestamp_micros(micros)
        .filter(|instant| (1900..2200).contains(&instant.year()))
        .ok_or(NotACursor)
}

impl<Cursor: FromStr> FromStr for Next<Cursor> {
    type Err = NotACursor;

    fn from_str(text: &str) -> Result<Self, NotACursor> {
        let (after, found) = text.rsplit_once('.').ok_or(NotACursor)?;
        Ok(Self {
            after: after.parse().map_err(|_| NotACursor)?,
            found: found.parse().map_err(|_| NotACursor)?,
        })
    }
}

impl<Row, Cursor> Page<Row, Cursor> {
    /// A page with a cursor. `found` is counted to one more than `TOTAL_MAX`, so that a capped total is recognized.
    pub(crate) fn capped(rows: Vec<Row>, found: u64, after: Option<Cursor>) -> Self {
        Self {
            rows,
            total: found.min(TOTAL_MAX),
            total_capped: found > TOTAL_MAX,
            next: after.map(|after| Next { after, found }),
        }
    }
}

impl<Row> Page<Row> {
    /// A page by number only. `found` is counted up to `COUNT_LIMIT`.
    pub fn numbered(rows: Vec<Row>, found: i64) -> Self {
        CountLimit::LIST.page(rows, found)
    }
}

impl<Row, Cursor> Page<Row, Cursor> {
    pub fn map<Other>(self, convert: impl FnMut(Row) -> Other) -> Page<Other, Cursor> {
        Page {
            rows: self.rows.into_iter().map(convert).collect(),
            total: self.total,
            total_capped: self.total_capped,
            next: self.next,
        }
    }
}

/// A page of an export: a bounded part of all rows of a filter. Nothing is counted.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportPage<Row, Cursor> {
    pub rows: Vec<Row>,
    /// Where the next page begins, if this page is full.
    pub next: Option<Cursor>,
}

impl<Row, Cursor> ExportPage<Row, Cursor> {
    /// A full page may have a next one; a shorter one is the last.
    pub fn of(rows: Vec<Row>, limit: i64, cursor: impl FnOnce(&Row) -> Cursor) -> Self {
        let full = i64::try_from(rows.len()).is_ok_and(|count| count == limit);
        let next = rows.last().filter(|_| full).map(cursor);
        Self { rows, next }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_by_number_end_where_the_total_does() {
        let limit = |page| Paging { page, per_page: 30 }.within_total().0;
        assert_eq!((limit(1), limit(333), limit(334), limit(335)), (30, 30, 10, 0));
        assert_eq!(limit(u32::MAX), 0);
        assert_eq!(u64::try_from(LAST_ROW), Ok(TOTAL_MAX));
        let capped = |found| {
            let page = Page::numbered(vec![()], found);
            (page.total, page.total_capped)
        };
        assert_eq!((capped(9_999), capped(10_001)), ((9_999, false), (10_000, true)));
    }

    #[test]
    fn pages_and_totals_of_a_search_end_at_a_thousand() {
        let range = |page| CountLimit::SEARCH.range(Paging { page, per_page: 30 });
        assert_eq!((range(1), range(34), range(35)), ((30, 0), (10, 990), (0, 1_000)));
        let capped = |found| {
            let page = CountLimit::SEARCH.page(vec![()], found);
            (page.total, page.total_capped)
        };
        assert_eq!((capped(1_000), capped(1_001)), ((1_000, false), (1_000, true)));
    }

    #[test]
    fn only_a_full_page_of_an_export_has_a_next_one() {
        let next = |rows: &[u8]| ExportPage::of(rows.to_vec(), 2, |last| *last).next;
        assert_eq!((next(&[]), next(&[1]), next(&[1, 2])), (None, None, Some(2)));
    }

    #[test]
    fn a_cursor_names_an_instant_that_an_event_may_have() {
        assert!(cursor_instant(1_790_000_000_123_456).is_ok());
        // Chrono or PostgreSQL cannot represent any of these instants except the last, which lies in the year 1.
        for micros in [
            i64::MIN,
            -8_000_000_000_000_000_000,
            i64::MAX,
            -62_135_596_800_000_000,
        ] {
            assert_eq!(cursor_instant(micros), Err(NotACursor), "{micros}");
        }
    }
}
