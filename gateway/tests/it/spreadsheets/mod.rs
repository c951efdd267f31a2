//! Spreadsheets of lists.

mod files;
pub mod lists;
pub mod sheet;
