//! Writes one sheet from top to bottom: its columns, its typed cells, its file. It blocks, so it must run on a blocking
//! thread.

use std::fs::File;
use std::io::{self, Seek};

use chrono::{DateTime, NaiveDate, Utc};
use gateway_environment::time_zone::TimeZone;
use rust_xlsxwriter::{
    DocProperties, Format, FormatAlign, Formula, IntoExcelDateTime, Workbook, Worksheet, XlsxError,
};
use thiserror::Error;

use super::labels;

/// The rows of an Excel sheet, without the row of titles.
pub(super) const ROWS_MAX: u32 = 1_048_575;

/// The zip level of a workbook, below the usual 6: the file is compressed after its last row, while the client waits.
const COMPRESSION: u8 = 2;

const MONEY: &str = "[$R$-416] #,##0.00;-[$R$-416] #,##0.00";
const COUNT: &str = "#,##0";
const DATE: &str = "dd/mm/yyyy";
const INSTANT: &str = "dd/mm/yyyy hh:mm";

#[derive(Debug, Error)]
pub enum SheetError {
    #[error("more rows than a sheet holds")]
    TooManyRows,
    #[error("the sheet cannot be written: {0}")]
    Workbook(#[from] XlsxError),
    #[error("the temporary file failed: {0}")]
    File(#[from] io::Error),
}

/// The content of a cell. Its kind decides the format, and a text is never read as a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    Text(String),
    /// Cents.
    Money(i64),
    Count(u64),
    Date(NaiveDate),
    /// Shown in the list's time zone.
    Instant(DateTime<Utc>),
    /// An amount that the spreadsheet program computes from other cells, and its value in cents.
    Sum {
        formula: String,
        cents: i64,
    },
    Empty,
}

/// A column of a table: its title, its width in characters, and the cell of each row.
pub struct Column<Row> {
    pub title: &'static str,
    /// Its name in the panels, which have the title from there (`sheets`). `None` in a file that is no list of theirs.
    pub key: Option<&'static str>,
    pub width: u8,
    pub cell: fn(&Row) -> Cell,
}

pub struct Sheet<Row: 'static> {
    workbook: Workbook,
    columns: &'static [Column<Row>],
    formats: Formats,
    zone: TimeZone,
    /// The number of rows below the titles.
    rows: u32,
    rows_max: u32,
}

/// A workbook without sheets.
pub(super) fn begin_workbook(zone: TimeZone) -> Workbook {
    let mut workbook = Workbook::new();
    workbook
        .set_properties(&DocProperties::new().set_comment(clock_of(zone)))
        .set_zip_compression_level(COMPRESSION);
    workbook
}

/// Adds a sheet with the row of titles.
pub(super) fn begin_sheet<Row>(
    workbook: &mut Workbook,
    name: &str,
    columns: &[Column<Row>],
) -> Result<(), XlsxError> {
    let sheet = workbook.add_worksheet_with_constant_memory()?;
    sheet.set_name(name)?.set_freeze_panes(1, 0)?;
    let title = Format::new().set_bold().set_align(FormatAlign::Left);
    for (index, column) in (0..).zip(columns) {
        sheet.set_column_width(index, column.width)?;
        sheet.write_string_with_format(0, index, column.title, &title)?;
    }
    Ok(())
}

/// The formats of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Money,
    Count,
    Date,
    Instant,
}

/// A cell without a format has that of its column. So the format of a column's numbers is set once, which is faster
/// than for each cell.
pub(super) struct Formats {
    money: Format,
    count: Format,
    date: Format,
    instant: Format,
    /// Keeps a text a text even when the user edits its cell.
    quoted: Format,
    /// The format of each column of the sheet that is being written: that of its first number.
    columns: Vec<Option<Kind>>,
}

impl<Row> Sheet<Row> {
    pub fn open(columns: &'static [Column<Row>], zone: TimeZone) -> Result<Self, SheetError> {
        Self::with_rows_max(columns, zone, ROWS_MAX)
    }

    fn with_rows_max(
        columns: &'static [Column<Row>],
        zone: TimeZone,
        rows_max: u32,
    ) -> Result<Self, SheetError> {
        let mut workbook = begin_workbook(zone);
        begin_sheet(&mut workbook, "Sheet1", columns)?;
        Ok(Self {
            workbook,
            columns,
            formats: Formats::new(),
            zone,
            rows: 0,
            rows_max,
        })
    }

    pub fn write(&mut self, row: &Row) -> Result<(), SheetError> {
        if self.rows == self.rows_max {
            return Err(SheetError::TooManyRows);
        }
        self.rows += 1;
        let sheet = self.workbook.worksheet_from_index(0)?;
        for (index, column) in (0..).zip(self.columns) {
            self.formats
                .write(sheet, (self.rows, index), (column.cell)(row), self.zone)?;
        }
        Ok(())
    }

    /// The complete workbook, in an unnamed file that is deleted when it is closed.
    pub fn finish(mut self) -> Result<File, SheetError> {
        let mut file = tempfile::tempfile()?;
        self.workbook.save_to_writer(&mut file)?;
        file.rewind()?;
        Ok(file)
    }
}

impl Formats {
    pub(super) fn new() -> Self {
        let number = |format: &str| Format::new().set_num_format(format);
        Self {
            money: number(MONEY),
            count: number(COUNT),
            date: number(DATE),
            instant: number(INSTANT),
            quoted: Format::new().set_quote_prefix(),
            columns: vec![],
        }
    }

    /// Must be called when the next cells belong to another sheet.
    pub(super) fn begin_sheet(&mut self) {
        self.columns.clear();
    }

    const fn of(&self, kind: Kind) -> &Format {
        match kind {
            Kind::Money => &self.money,
            Kind::Count => &self.count,
            Kind::Date => &self.date,
            Kind::Instant => &self.instant,
        }
    }

    /// The format that a cell needs: none if its column has it.
    fn needed(
        &mut self,
        sheet: &mut Worksheet,
        column: u16,
        kind: Kind,
    ) -> Result<Option<&Format>, XlsxError> {
        let place = usize::from(column);
        if self.columns.len() <= place {
            self.columns.resize(place + 1, None);
        }
        let of_column = if let Some(of_column) = self.columns[place] {
            of_column
        } else {
            sheet.set_column_format(column, self.of(kind))?;
            self.columns[place] = Some(kind);
            kind
        };
        Ok((of_column != kind).then(|| self.of(kind)))
    }

    fn number(
        &mut self,
        sheet: &mut Worksheet,
        (row, column): (u32, u16),
        kind: Kind,
        number: impl Into<f64>,
    ) -> Result<(), XlsxError> {
        match self.needed(sheet, column, kind)? {
            None => sheet.write_number(row, column, number),
            Some(format) => sheet.write_number_with_format(row, column, number, format),
        }
        .map(drop)
    }

    fn moment(
        &mut self,
        sheet: &mut Worksheet,
        (row, column): (u32, u16),
        kind: Kind,
        moment: impl IntoExcelDateTime,
    ) -> Result<(), XlsxError> {
        match self.needed(sheet, column, kind)? {
            None => sheet.write_datetime(row, column, moment),
            Some(format) => sheet.write_datetime_with_format(row, column, moment, format),
        }
        .map(drop)
    }

    pub(super) fn write(
        &mut self,
        sheet: &mut Worksheet,
        (row, column): (u32, u16),
        cell: Cell,
        zone: TimeZone,
    ) -> Result<(), XlsxError> {
        let at = (row, column);
        match cell {
            Cell::Text(text) if looks_like_a_formula(&text) => sheet
                .write_string_with_format(row, column, text, &self.quoted)
                .map(drop),
            Cell::Text(text) => sheet.write_string(row, column, text).map(drop),
            Cell::Money(cents) => self.number(sheet, at, Kind::Money, reais(cents)),
            Cell::Count(count) => {
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                self.number(sheet, at, Kind::Count, count)
            }
            Cell::Date(date) => self.moment(sheet, at, Kind::Date, date),
            Cell::Instant(instant) => self.moment(sheet, at, Kind::Instant, zone.local_time(instant)),
            Cell::Sum { formula, cents } => {
                let value = Formula::new(formula).set_result(reais(cents).to_string());
                sheet
                    .write_formula_with_format(row, column, value, &self.money)
                    .map(drop)
            }
            Cell::Empty => Ok(()),
        }
    }
}

pub(super) fn looks_like_a_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@'])
}

/// The number for an amount. It is parsed from the digits, so that no arithmetic is done in floats.
fn reais(cents: i64) -> f64 {
    let sign = if cents < 0 { "-" } else { "" };
    let absolute = cents.unsigned_abs();
    format!("{sign}{}.{:02}", absolute / 100, absolute % 100)
        .parse()
        .expect("digits with a point are a number")
}

/// Dates in a sheet have no time zone, so the file's properties name it.
fn clock_of(zone: TimeZone) -> String {
    match zone {
        TimeZone::UTC => "Datas e horas em UTC.".to_owned(),
        zone => format!("Datas e horas no horário de {}.", labels::zone(zone)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spreadsheet::column;

    const ONE: &[Column<i64>] = &[column("Valor", 10, |cents| Cell::Money(*cents))];

    #[test]
    fn a_row_beyond_the_sheet_is_refused() {
        let mut sheet = Sheet::with_rows_max(ONE, TimeZone::UTC, 2).expect("a sheet");
        assert!(sheet.write(&1).is_ok() && sheet.write(&2).is_ok());
        assert!(matches!(sheet.write(&3), Err(SheetError::TooManyRows)));
    }

    #[test]
    fn an_amount_becomes_the_number_with_its_digits() {
        let amounts = [0, 1, -1, 10, 123_456, -99, 999_999_999_999].map(reais);
        assert_eq!(amounts, [0.0, 0.01, -0.01, 0.1, 1234.56, -0.99, 9_999_999_999.99]);
    }

    #[test]
    fn a_zone_is_named_in_portuguese() {
        let manaus = TimeZone::parse("America/Manaus").expect("a zone");
        assert_eq!(clock_of(manaus), "Datas e horas no horário de Manaus.");
        assert_eq!(
            clock_of(TimeZone::BRASILIA),
            "Datas e horas no horário de Brasília."
        );
    }
}
