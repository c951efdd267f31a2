//! The tables that can be exported as a spreadsheet. Their columns are data, with the titles and the order of the
//! screens.

mod journal;
mod people;
mod receivables;
mod sales;
mod statement;
mod transfers;

pub use journal::JOURNAL;
pub use people::{SELLER_USERS, STAFF_USERS, TEAM};
pub use receivables::{DUE_INSTALLMENTS, RECEIVABLE_UNITS, RECEIVABLES};
pub use sales::{SALES, STAFF_SALES, SaleLine, SheetFacts};
pub use statement::{STAFF_STATEMENT, STATEMENT};
pub use transfers::{STAFF_TRANSFERS, TRANSFERS};

use super::export::Table;
use super::sheet::{Cell, Column};
use super::words;

const fn column<Row>(title: &'static str, width: u8, cell: fn(&Row) -> Cell) -> Column<Row> {
    Column { title, width, cell }
}

fn text(text: impl Into<String>) -> Cell {
    Cell::Text(text.into())
}

/// A missing text leaves its cell empty.
fn text_or_empty(words: Option<impl Into<String>>) -> Cell {
    words.map_or(Cell::Empty, text)
}
