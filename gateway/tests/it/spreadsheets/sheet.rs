//! Opens a spreadsheet with an independent reader and checks its cells.

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::support::Client;

pub const XLSX_MEDIA_TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

pub struct Sheet {
    pub headers: HeaderMap,
    pub titles: Vec<String>,
    pub rows: Vec<Vec<Data>>,
}

/// The expected value of a cell.
#[derive(Debug)]
pub enum Cell {
    Text(String),
    Money(i64),
    Count(i64),
    Date(NaiveDate),
    Instant(DateTime<Utc>),
    Empty,
}

pub async fn download(client: &Client, path: &str) -> Sheet {
    let client = client
        .clone()
        .with("accept", XLSX_MEDIA_TYPE)
        .with("accept-encoding", "gzip");
    let (status, headers, bytes) = client.download(path).await;
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&bytes));
    let mut workbook = Xlsx::new(Cursor::new(bytes)).expect("a workbook");
    assert_eq!(workbook.sheet_names(), ["Sheet1"]);
    let range = workbook.worksheet_range("Sheet1").expect("its sheet");
    let formulas = workbook.worksheet_formula("Sheet1").expect("its formulas");
    assert!(formulas.used_cells().next().is_none(), "no cell is a formula");
    let mut rows = range.rows().map(<[Data]>::to_vec);
    let titles = rows.next().expect("a row of titles");
    Sheet {
        headers,
        titles: titles.iter().map(ToString::to_string).collect(),
        rows: rows.collect(),
    }
}

impl Sheet {
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    /// The same sheet without one column.
    pub fn without(mut self, column: usize) -> Self {
        self.titles.remove(column);
        for row in &mut self.rows {
            row.remove(column);
        }
        self
    }

    /// Asserts that the rows have the values of the API.
    pub fn assert_rows(&self, expected: &[Vec<Cell>]) {
        assert_eq!(self.rows.len(), expected.len());
        for (row, cells) in self.rows.iter().zip(expected) {
            assert_eq!(row.len(), cells.len(), "{row:?}");
            for (found, cell) in row.iter().zip(cells) {
                assert!(cell.matches(found), "{found:?} is not {cell:?}");
            }
        }
    }
}

impl Cell {
    pub fn text(value: &Value) -> Self {
        value
            .as_str()
            .map_or(Self::Empty, |text| Self::Text(text.to_owned()))
    }

    pub fn money(value: &Value) -> Self {
        value.as_i64().map_or(Self::Empty, Self::Money)
    }

    pub fn instant(value: &Value) -> Self {
        let instant = |text: &str| Self::Instant(text.parse().expect("an instant"));
        value.as_str().map_or(Self::Empty, instant)
    }

    fn matches(&self, found: &Data) -> bool {
        match (self, found) {
            (Self::Text(text), Data::String(found)) => text == found,
            // Floats of whole cents are compared as text with two decimals, because they are not exact.
            (Self::Money(cents), Data::Float(found)) => {
                let sign = if *cents < 0 { "-" } else { "" };
                let absolute = cents.unsigned_abs();
                format!("{found:.2}") == format!("{sign}{}.{:02}", absolute / 100, absolute % 100)
            }
            (Self::Count(count), Data::Float(found)) => format!("{found}") == count.to_string(),
            (Self::Date(date), Data::DateTime(found)) => found.as_datetime() == date.and_hms_opt(0, 0, 0),
            // Spreadsheet times are fractions of a day, precise to the millisecond.
            (Self::Instant(instant), Data::DateTime(found)) => {
                let found = found.as_datetime().expect("a time").and_utc();
                (found - instant).abs() <= TimeDelta::milliseconds(2)
            }
            (Self::Empty, Data::Empty) => true,
            _ => false,
        }
    }
}
