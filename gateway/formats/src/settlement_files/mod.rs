//! Settlement files, in which acquirers and banks report their payments. Amounts are in cents.
//!
//! Files are read line by line in bounded memory. A bad line is reported with its number and reason, and the next lines
//! are still read. Lines are bytes, because names in them may be Latin-1 or UTF-8 (`encoding`). What is wrong but hides
//! no payment is mended and told (`mends`).

pub mod boletos;
pub mod card_file;
pub mod cnab240;
pub mod cnab400;
mod encoding;
mod fields;
pub mod identify;
mod lines;
mod mends;
mod movements;
mod records;
mod write;

use thiserror::Error;

pub use lines::{Line, Lines};
pub use mends::{Mend, Mended};
pub use movements::{Layout, Meaning, MovementCode, meaning_of};
pub use records::{Format, Found, Records};

/// A fault, at the line where it was found.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {number}: {reason}")]
pub struct BadLine {
    /// The first line is 1.
    pub number: u64,
    pub reason: LineError,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LineError {
    #[error("it has more than {max} characters")]
    TooLong { max: usize },
    #[error("it has {found} characters instead of {expected}")]
    Length { found: usize, expected: usize },
    #[error("it has {found} characters, at least {least} are needed")]
    Short { found: usize, least: usize },
    #[error("{field} is {text:?}, not a number")]
    Number { field: &'static str, text: String },
    #[error("{field} is {text:?}, not an amount")]
    Amount { field: &'static str, text: String },
    #[error("{field} is {text:?}, not a date")]
    Date { field: &'static str, text: String },
    #[error("records of type {0:?} are unknown")]
    RecordType(char),
    #[error("segment T is not followed by its segment U")]
    WithoutU,
    #[error("segment U does not follow its segment T")]
    WithoutT,
    #[error("segments T and U have different movements")]
    OtherMovement,
    #[error("segment {0:?} is not one of boletos")]
    Segment(char),
    #[error("it names the bank {text:?} instead of {expected:?}")]
    OtherBank { text: String, expected: String },
    #[error("the file ends without its trailer")]
    Unfinished,
    #[error("a record follows the trailer")]
    AfterTrailer,
}

#[cfg(test)]
mod tests;
