//! Spreadsheets of lists.

pub mod lists;
pub mod sheet;
