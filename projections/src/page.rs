//! Pages of a list: by number, as people leaf, and by cursor, as programs read on.

use serde::{Deserialize, Serialize};

/// Totals are counted to here and no further, and pages by number end here: beyond, a cursor continues.
pub const TOTAL_MAX: u64 = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    Asc,
    #[default]
    Desc,
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
}

#[derive(Debug, Clone, PartialEq)]
pub struct Page<Row, Cursor = ()> {
    pub rows: Vec<Row>,
    pub total: u64,
    /// There are more than `total`.
    pub total_capped: bool,
    /// Where the next page begins; none after the last row.
    pub next: Option<Cursor>,
}

impl<Row, Cursor> Page<Row, Cursor> {
    pub fn map<Other>(self, wire: impl FnMut(Row) -> Other) -> Page<Other, Cursor> {
        Page {
            rows: self.rows.into_iter().map(wire).collect(),
            total: self.total,
            total_capped: self.total_capped,
            next: self.next,
        }
    }
}

/// A bounded part of all rows of a filter, for whoever reads them through: nothing is counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch<Row, Cursor> {
    pub rows: Vec<Row>,
    /// Where the next batch begins; none after the last row.
    pub next: Option<Cursor>,
}
