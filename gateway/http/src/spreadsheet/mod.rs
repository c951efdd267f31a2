//! Lists as spreadsheets: the client's request, and the file that is written row by row. The columns of a list are in
//! the module `spreadsheets` of its subject.
//!
//! A long list is read in pages, and its rows are written to temporary files. Memory therefore does not grow with the
//! list.

mod book;
mod columns;
mod csv;
mod export;
pub mod labels;
mod response_format;
mod sheet;
mod sheets;

pub use book::{BookWriter, Filled};
pub use columns::{column, list_column, text, text_or_empty};
pub use export::{PAGE_ROWS, Table, pages};
pub use response_format::{ResponseFormat, Spreadsheet, attachment, safe_file_name};
pub use sheet::{Cell, Column, SheetError};
pub use sheets::{ListSheet, sheets, titles};

/// The media types that a client sends in `Accept` to get a spreadsheet.
pub const XLSX_MEDIA_TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
pub const CSV_MEDIA_TYPE: &str = "text/csv";
