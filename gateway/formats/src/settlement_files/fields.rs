//! Reads fields at fixed places of a line. Places are counted from 1, both ends included, as in the formats' documents.

use chrono::{Datelike, NaiveDate as Date};
use ledger_domain::Cents;

use super::LineError;

/// Other years are those of moved fields.
const YEAR_MIN: i32 = 1990;
const YEAR_MAX: i32 = 2100;
/// Cielo's statement has 01/01/1001 for a credit that was not sent yet.
const NO_YEAR: i32 = 1001;

/// A line whose fields are read.
#[derive(Clone, Copy)]
pub struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    /// Fields beyond the end of the line are empty.
    pub const fn any(line: &'a [u8]) -> Self {
        Self(line)
    }

    /// Later versions of a format add fields at the end.
    pub const fn at_least(line: &'a [u8], least: usize) -> Result<Self, LineError> {
        if line.len() >= least {
            Ok(Self(line))
        } else {
            Err(LineError::Short {
                found: line.len(),
                least,
            })
        }
    }

    fn bytes(self, from: usize, to: usize) -> &'a [u8] {
        self.0.get(from - 1..to).unwrap_or_default()
    }

    pub fn character(self, place: usize) -> char {
        self.bytes(place, place)
            .first()
            .map_or(' ', |byte| char::from(*byte))
    }

    /// Without spaces at both ends. Bytes that are not ASCII are read as Latin-1.
    pub fn text(self, from: usize, to: usize) -> String {
        self.raw_text(from, to).trim().to_owned()
    }

    /// Numbers are aligned to the right. Spaces after one are kept, so that shifted digits are an error.
    fn digits(self, from: usize, to: usize) -> String {
        self.raw_text(from, to).trim_start().to_owned()
    }

    fn raw_text(self, from: usize, to: usize) -> String {
        let bytes = self.bytes(from, to).iter();
        bytes.map(|byte| char::from(*byte)).collect()
    }

    pub fn number(self, field: &'static str, from: usize, to: usize) -> Result<u64, LineError> {
        let text = self.digits(from, to);
        if is_digits(&text) {
            text.parse().map_err(|_| LineError::Number { field, text })
        } else {
            Err(LineError::Number { field, text })
        }
    }

    /// Digits, the last two of them cents.
    pub fn amount(self, field: &'static str, from: usize, to: usize) -> Result<Cents, LineError> {
        cents(field, Sign::Plus, self.digits(from, to))
    }

    /// An amount that some banks leave blank if it is zero.
    pub fn optional_amount(self, field: &'static str, from: usize, to: usize) -> Result<Cents, LineError> {
        match self.digits(from, to) {
            text if text.is_empty() => Ok(Cents::ZERO),
            text => cents(field, Sign::Plus, text),
        }
    }

    /// A sign, then digits, the last two of them cents.
    pub fn signed_amount(self, field: &'static str, from: usize, to: usize) -> Result<Cents, LineError> {
        let text = self.digits(from, to);
        match text.split_at_checked(1) {
            Some(("+", digits)) => cents(field, Sign::Plus, digits.to_owned()),
            Some(("-", digits)) => cents(field, Sign::Minus, digits.to_owned()),
            _ => Err(LineError::Amount { field, text }),
        }
    }

    /// `DDMMYYYY`; zeros and blanks are no date.
    pub fn date(self, field: &'static str, from: usize, to: usize) -> Result<Option<Date>, LineError> {
        self.date_of(field, (from, to), "%d%m%Y")
    }

    /// `DDMMYY`; zeros and blanks are no date.
    pub fn short_date(self, field: &'static str, from: usize, to: usize) -> Result<Option<Date>, LineError> {
        self.date_of(field, (from, to), "%d%m%y")
    }

    /// `YYYYMMDD`; zeros and blanks are no date.
    pub fn iso_date(self, field: &'static str, from: usize, to: usize) -> Result<Option<Date>, LineError> {
        self.date_of(field, (from, to), "%Y%m%d")
    }

    fn date_of(
        self,
        field: &'static str,
        (from, to): (usize, usize),
        form: &str,
    ) -> Result<Option<Date>, LineError> {
        let text = self.digits(from, to);
        if text.bytes().all(|byte| byte == b'0') {
            return Ok(None);
        }
        let is_whole = text.len() == to + 1 - from && is_digits(&text);
        let parsed = is_whole.then(|| Date::parse_from_str(&text, form).ok()).flatten();
        match parsed {
            // Some acquirers write the year 1001 instead of no date.
            Some(date) if date.year() == NO_YEAR => Ok(None),
            Some(date) if (YEAR_MIN..=YEAR_MAX).contains(&date.year()) => Ok(Some(date)),
            _ => Err(LineError::Date { field, text }),
        }
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[derive(Clone, Copy)]
enum Sign {
    Plus,
    Minus,
}

fn cents(field: &'static str, sign: Sign, digits: String) -> Result<Cents, LineError> {
    if !is_digits(&digits) {
        return Err(LineError::Amount { field, text: digits });
    }
    match digits.parse::<i64>() {
        Ok(cents) => Ok(Cents::new(match sign {
            Sign::Plus => cents,
            Sign::Minus => -cents,
        })),
        Err(_) => Err(LineError::Amount { field, text: digits }),
    }
}
