//! Functions that define the columns and cells of a table.

use super::sheet::{Cell, Column};

pub const fn column<Row>(title: &'static str, width: u8, cell: fn(&Row) -> Cell) -> Column<Row> {
    Column {
        title,
        key: None,
        width,
        cell,
    }
}

/// A column of a list of the panels, which have its title by the key.
pub const fn list_column<Row>(
    key: &'static str,
    title: &'static str,
    width: u8,
    cell: fn(&Row) -> Cell,
) -> Column<Row> {
    Column {
        title,
        key: Some(key),
        width,
        cell,
    }
}

pub fn text(text: impl Into<String>) -> Cell {
    Cell::Text(text.into())
}

/// A missing text leaves its cell empty.
pub fn text_or_empty(value: Option<impl Into<String>>) -> Cell {
    value.map_or(Cell::Empty, text)
}
