//! Lists as spreadsheets: the client's request, the columns of each table, and the file that is written row by row.
//!
//! A list is read in pages, and each page is written to a temporary file. Memory therefore does not grow with the list.
//! Handlers select the rows, and the wire types give their contents.

mod export;
mod sheet;
pub mod tables;
mod wanted;
mod words;

pub use export::{PAGE_ROWS, pages};
pub use sheet::SheetError;
pub use wanted::{FileParams, Spreadsheet, Wanted, Workbook};

/// The media type that a client sends in `Accept` to get a spreadsheet.
pub const MEDIA_TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
