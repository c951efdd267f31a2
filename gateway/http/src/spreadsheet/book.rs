//! Writes a book: a workbook that consists of several tables, one after another, without keeping their rows in memory.
//! The workbook of a single list has one sheet, `Sheet1`, and is written by `sheet`.

use std::fs::File;
use std::io::Seek;

use gateway_environment::time_zone::TimeZone;
use rust_xlsxwriter::Workbook;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::export::EXPORT_SLOTS;
use super::sheet::{Column, Formats, ROWS_MAX, SheetError, begin_sheet, begin_workbook};
use crate::problem::{Problem, Result};

/// Steps that wait while earlier ones are written.
const STEPS_AHEAD: usize = 2;

/// Writes one page of a table.
type Step = Box<dyn FnOnce(&mut Book) -> Result<(), SheetError> + Send>;

/// The sheets of one table. When a sheet is full, the table continues in another one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filled {
    /// The name of each sheet and its last row, counted from 1 as formulas do. The first row has the titles.
    sheets: Vec<(String, u32)>,
}

impl Filled {
    /// The cells of a column below the titles, for a formula: one range for each sheet. A table without rows has the
    /// range of the empty row 2.
    pub fn ranges(&self, column: usize) -> Vec<String> {
        let letter = letter(column);
        let range =
            |(name, last): &(String, u32)| format!("'{name}'!${letter}$2:${letter}${}", (*last).max(2));
        self.sheets.iter().map(range).collect()
    }

    /// A formula that adds a column up.
    pub fn sum(&self, column: usize) -> String {
        format!("=SUM({})", self.ranges(column).join(","))
    }

    /// A formula that adds up the cells of a column in the rows whose other column has the text.
    pub fn sum_if(&self, column: usize, (other, text): (usize, &str)) -> String {
        let cells = self.ranges(column).into_iter().zip(self.ranges(other));
        let sums: Vec<String> = cells
            .map(|(cells, others)| format!("SUMIF({others},\"{text}\",{cells})"))
            .collect();
        format!("={}", sums.join("+"))
    }
}

/// The letter of a column. The tables of a book have at most 26 columns.
fn letter(column: usize) -> char {
    u8::try_from(column)
        .ok()
        .filter(|column| *column < 26)
        .map_or('Z', |column| char::from(b'A' + column))
}

struct Book {
    workbook: Workbook,
    formats: Formats,
    zone: TimeZone,
    rows_max: u32,
}

impl Book {
    fn open(zone: TimeZone, rows_max: u32) -> Self {
        Self {
            workbook: begin_workbook(zone),
            formats: Formats::new(),
            zone,
            rows_max,
        }
    }

    fn write<Row>(
        &mut self,
        name: &'static str,
        columns: &'static [Column<Row>],
        filled: &mut Filled,
        rows: &[Row],
    ) -> Result<(), SheetError> {
        if filled.sheets.is_empty() {
            self.begin(name, columns, filled)?;
        }
        for row in rows {
            if filled
                .sheets
                .last()
                .is_some_and(|(_, last)| *last > self.rows_max)
            {
                self.begin(name, columns, filled)?;
            }
            let Some((_, last)) = filled.sheets.last_mut() else {
                continue;
            };
            let index = self.workbook.worksheets().len() - 1;
            let sheet = self.workbook.worksheet_from_index(index)?;
            for (place, column) in (0..).zip(columns) {
                self.formats
                    .write(sheet, (*last, place), (column.cell)(row), self.zone)?;
            }
            *last += 1;
        }
        Ok(())
    }

    /// Adds a sheet with its row of titles.
    fn begin<Row>(
        &mut self,
        name: &'static str,
        columns: &'static [Column<Row>],
        filled: &mut Filled,
    ) -> Result<(), SheetError> {
        let name = match filled.sheets.len() {
            0 => name.to_owned(),
            earlier => format!("{name} ({})", earlier + 1),
        };
        begin_sheet(&mut self.workbook, &name, columns)?;
        self.formats.begin_sheet();
        filled.sheets.push((name, 1));
        Ok(())
    }

    fn finish(mut self) -> Result<File, SheetError> {
        let mut file = tempfile::tempfile()?;
        self.workbook.save_to_writer(&mut file)?;
        file.rewind()?;
        Ok(file)
    }
}

/// Hands the rows to a blocking thread that writes the book.
pub struct BookWriter {
    steps: mpsc::Sender<Step>,
    writing: JoinHandle<Result<File, SheetError>>,
    _slot: tokio::sync::SemaphorePermit<'static>,
}

impl BookWriter {
    pub(crate) async fn open(zone: TimeZone) -> Result<Self> {
        let slot = EXPORT_SLOTS.acquire().await.map_err(Problem::internal)?;
        let (steps, mut receiver) = mpsc::channel::<Step>(STEPS_AHEAD);
        let writing = tokio::task::spawn_blocking(move || {
            let mut book = Book::open(zone, ROWS_MAX);
            while let Some(step) = receiver.blocking_recv() {
                step(&mut book)?;
            }
            book.finish()
        });
        Ok(Self {
            steps,
            writing,
            _slot: slot,
        })
    }

    /// Writes a page of a table. The first page begins its sheet. Tables are written one after another.
    pub(crate) async fn write<Row: Send + 'static>(
        &self,
        name: &'static str,
        columns: &'static [Column<Row>],
        filled: Filled,
        rows: Vec<Row>,
    ) -> Result<Filled> {
        let (written, answer) = tokio::sync::oneshot::channel();
        let step: Step = Box::new(move |book| {
            let mut filled = filled;
            book.write(name, columns, &mut filled, &rows)?;
            // The task that reads the rows may have ended with an error.
            let _reader_is_gone = written.send(filled);
            Ok(())
        });
        // If the writer has stopped, `finish` has its error.
        if self.steps.send(step).await.is_err() {
            return Ok(Filled::default());
        }
        Ok(answer.await.unwrap_or_default())
    }

    /// The complete book, in an unnamed file that is deleted when it is closed.
    pub(crate) async fn finish(self) -> Result<File> {
        drop(self.steps);
        Ok(self.writing.await.map_err(Problem::internal)??)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spreadsheet::{Cell, column};

    const ONE: &[Column<i64>] = &[column("Valor", 10, |cents| Cell::Money(*cents))];

    #[test]
    fn a_full_sheet_continues_in_another_and_formulas_cover_both() {
        let mut book = Book::open(TimeZone::BRASILIA, 2);
        let mut filled = Filled::default();
        book.write("Vendas", ONE, &mut filled, &[1, 2]).expect("two rows");
        book.write("Vendas", ONE, &mut filled, &[3]).expect("a third row");
        assert_eq!(
            filled.sheets,
            [("Vendas".to_owned(), 3), ("Vendas (2)".to_owned(), 2)]
        );
        assert_eq!(filled.sum(0), "=SUM('Vendas'!$A$2:$A$3,'Vendas (2)'!$A$2:$A$2)");
        let other = Filled {
            sheets: vec![("Saques".to_owned(), 4)],
        };
        assert_eq!(
            other.sum_if(2, (1, "Saque")),
            "=SUMIF('Saques'!$B$2:$B$4,\"Saque\",'Saques'!$C$2:$C$4)"
        );
        let mut empty = Filled::default();
        book.write("Estornos", ONE, &mut empty, &[])
            .expect("titles alone");
        assert_eq!(empty.sum(0), "=SUM('Estornos'!$A$2:$A$2)");
        book.finish().expect("a file");
    }
}
