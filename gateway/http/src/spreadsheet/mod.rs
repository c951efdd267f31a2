//! Lists as spreadsheets: what a client asks for, a table's columns, and the file that is written row by row.
//!
//! A list is read in pages and written to a temporary file as it comes, so that memory does not grow with it. Which
//! rows there are is the handler's matter, and what a row says is the wire's.

mod export;
mod sheet;
pub mod tables;
mod wanted;
mod words;

pub use export::{PAGE_ROWS, pages};
pub use sheet::SheetError;
pub use wanted::{FileParams, Spreadsheet, Wanted, Workbook};

/// What a client names in `Accept` to get one.
pub const MEDIA_TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
