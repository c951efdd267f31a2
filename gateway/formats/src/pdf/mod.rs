//! A page of a PDF with texts, lines and pictures.
//!
//! Equal input gives equal bytes: the file has no time of creation and no random ids. Helvetica is one of the fonts
//! that every reader has, so none is embedded.

mod font;
mod page;

pub use page::{LEFT, Page, RIGHT, Style, THIN};
