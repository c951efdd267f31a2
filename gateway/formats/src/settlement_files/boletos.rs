//! A bank's report about a boleto, in either layout.

use chrono::NaiveDate as Date;
use ledger_domain::Cents;

use super::LineError;
use super::fields::Fields;
use super::movements::{Meaning, MovementCode};
use super::records::Found;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoletoMovement {
    pub title: Title,
    pub payment: Payment,
}

/// The boleto, and what happened to it. The payer's name and document are not read: nothing needs them here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Title {
    pub line: u64,
    pub bank: String,
    pub code: MovementCode,
    pub meaning: Meaning,
    /// The bank's number of the boleto (nosso número), as wide as the file has it.
    pub our_number: String,
    /// The parts of it that the bank or its customers use as the number, such as those without its check digit.
    pub other_numbers: Vec<String>,
    pub document_number: String,
    /// `None`: the file has no date or no readable one.
    pub due: Option<Date>,
    /// The bank's fee for the movement. `None`: it cannot be read.
    pub fee: Option<Cents>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    /// What the payer paid.
    pub paid: Cents,
    /// What the bank credits. `None`: it cannot be read.
    pub net: Option<Cents>,
    pub event_date: Option<Date>,
    pub credited_on: Option<Date>,
}

/// The first and the last place of a field, counted from 1.
pub type Place = (usize, usize);

/// The other numbers at these places: those that are neither empty nor the whole number.
pub fn numbers_at(fields: Fields<'_>, places: &[Place], whole: &str) -> Vec<String> {
    let numbers = places.iter().map(|(from, to)| fields.text(*from, *to));
    numbers
        .filter(|number| !number.is_empty() && number != whole)
        .collect()
}

/// A date that cannot be read is none, with a mend.
pub fn date_or_mend<T>(
    found: &mut Found<T>,
    number: u64,
    name: &'static str,
    read: Result<Option<Date>, LineError>,
) -> Option<Date> {
    found.readable(number, name, read).flatten()
}
