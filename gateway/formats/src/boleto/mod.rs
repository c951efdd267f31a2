//! Boletos: the barcode of 44 digits and the digitable line of 47, both ways.
//!
//! The rules are FEBRABAN's. Slips for utilities and taxes (their line has 48 digits and begins with 8) are something
//! else and are refused.

mod check_digits;
mod due_factor;

use std::fmt;
use std::ops::Range;

use chrono::NaiveDate as Date;
use ledger_domain::Cents;
use ledger_domain::money::AmountError;
use thiserror::Error;

use crate::text_types::checked_text;
use check_digits::{mod_10, mod_11};

/// The contents of a boleto's barcode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Boleto {
    pub bank: BankCode,
    /// `None`: the boleto states no due date.
    pub due: Option<Date>,
    /// `None`: the payer states the amount.
    pub amount: Option<Cents>,
    pub free_field: FreeField,
}

/// The bank's code of three digits (COMPE).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankCode(String);

/// 25 digits with a meaning that only the bank knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeField(String);

/// The 44 digits of a valid barcode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Barcode(String);

/// The 47 digits of a valid digitable line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DigitableLine(String);

/// Why digits are not a boleto, or why a boleto cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BoletoError {
    #[error("{what} has {expected} digits, not {found}")]
    Length {
        what: &'static str,
        expected: usize,
        found: usize,
    },
    #[error("character {at} is not a digit")]
    Character { at: usize },
    #[error("slips for utilities and taxes are not boletos")]
    Utility,
    #[error("the currency is {0}, not 9 (real)")]
    Currency(char),
    #[error("field {field} has the check digit {written}, and not {computed}")]
    FieldCheckDigit { field: usize, written: u8, computed: u8 },
    #[error("the code has the general check digit {written}, and not {computed}")]
    GeneralCheckDigit { written: u8, computed: u8 },
    #[error("due factors are 0000 or at least 1000, not {0}")]
    DueFactor(String),
    #[error("due dates begin on 2000-07-03; {0} is before it")]
    DueDate(Date),
    #[error(transparent)]
    Amount(#[from] AmountError),
}

// Where a barcode has its parts.
const BANK: Range<usize> = 0..3;
const CURRENCY: usize = 3;
const GENERAL_DIGIT: usize = 4;
const DUE_FACTOR: Range<usize> = 5..9;
const AMOUNT: Range<usize> = 9..19;
const FREE_FIELD: Range<usize> = 19..44;

const REAL: char = '9';

/// The first digit of slips for utilities and taxes. The codes of some banks begin with it too, so the first digit
/// alone does not decide.
const UTILITY: char = '8';
const UTILITY_LINE_LENGTH: usize = 48;

impl Boleto {
    /// Reads a barcode. The same due factor stands for dates 9,000 days apart; the one nearest to `reference` is taken.
    pub fn from_barcode(barcode: &Barcode, reference: Date) -> Result<Self, BoletoError> {
        let digits = &barcode.0;
        let cents: i64 = digits[AMOUNT].bytes().fold(0, push_digit);
        Ok(Self {
            bank: BankCode(digits[BANK].to_owned()),
            due: due_factor::read(&digits[DUE_FACTOR], reference)?,
            amount: (cents > 0).then(|| Cents::new(cents)),
            free_field: FreeField(digits[FREE_FIELD].to_owned()),
        })
    }

    /// Reads a digitable line, with or without dots and spaces.
    pub fn from_line(line: &str, reference: Date) -> Result<Self, BoletoError> {
        Self::from_barcode(&DigitableLine::parse(line)?.barcode(), reference)
    }

    pub fn barcode(&self) -> Result<Barcode, BoletoError> {
        let factor = due_factor::write(self.due)?;
        let cents = match self.amount {
            None => 0,
            Some(amount) => Cents::checked_amount(amount.get())?.get(),
        };
        let before = format!("{}{REAL}", self.bank.0);
        let after = format!("{factor}{cents:010}{}", self.free_field.0);
        let digit = mod_11(&format!("{before}{after}"));
        Ok(Barcode(format!("{before}{digit}{after}")))
    }

    pub fn line(&self) -> Result<DigitableLine, BoletoError> {
        Ok(self.barcode()?.line())
    }
}

fn push_digit(number: i64, digit: u8) -> i64 {
    number * 10 + i64::from(digit - b'0')
}

impl BankCode {
    pub fn parse(text: &str) -> Result<Self, BoletoError> {
        digits(text, "a bank's code", 3).map(Self)
    }
}

impl FreeField {
    pub fn parse(text: &str) -> Result<Self, BoletoError> {
        digits(text, "the free field", FREE_FIELD.len()).map(Self)
    }
}

checked_text!(BankCode, FreeField, Barcode);

impl Barcode {
    pub const LENGTH: usize = 44;

    pub fn parse(text: &str) -> Result<Self, BoletoError> {
        let barcode = Self(digits(text, "a barcode", Self::LENGTH)?);
        match barcode.check() {
            Ok(()) => Ok(barcode),
            // The barcode of a slip for utilities has 44 digits too.
            Err(_) if barcode.0.starts_with(UTILITY) => Err(BoletoError::Utility),
            Err(error) => Err(error),
        }
    }

    fn check(&self) -> Result<(), BoletoError> {
        let digits = &self.0;
        let currency = char::from(digits.as_bytes()[CURRENCY]);
        if currency != REAL {
            return Err(BoletoError::Currency(currency));
        }
        let written = digits.as_bytes()[GENERAL_DIGIT] - b'0';
        let computed = mod_11(&format!(
            "{}{}",
            &digits[..GENERAL_DIGIT],
            &digits[GENERAL_DIGIT + 1..]
        ));
        if written == computed {
            Ok(())
        } else {
            Err(BoletoError::GeneralCheckDigit { written, computed })
        }
    }

    pub fn line(&self) -> DigitableLine {
        let digits = &self.0;
        let free = &digits[FREE_FIELD];
        let fields = [
            format!("{}{}", &digits[..=CURRENCY], &free[..5]),
            free[5..15].to_owned(),
            free[15..].to_owned(),
        ];
        let mut line = String::with_capacity(DigitableLine::LENGTH);
        for field in &fields {
            line.push_str(&format!("{field}{}", mod_10(field)));
        }
        line.push_str(&digits[GENERAL_DIGIT..=GENERAL_DIGIT]);
        line.push_str(&digits[DUE_FACTOR.start..AMOUNT.end]);
        DigitableLine(line)
    }
}

impl DigitableLine {
    pub const LENGTH: usize = 47;
    /// The fields that have a check digit, without it.
    const FIELDS: [Range<usize>; 3] = [0..9, 10..20, 21..31];
    /// The place after the last field and its check digit.
    const FIELDS_END: usize = 32;

    /// Dots and spaces are ignored.
    pub fn parse(text: &str) -> Result<Self, BoletoError> {
        let bare: String = text
            .chars()
            .filter(|character| !matches!(character, '.' | ' '))
            .collect();
        if bare.starts_with(UTILITY) && bare.len() == UTILITY_LINE_LENGTH {
            return Err(BoletoError::Utility);
        }
        let line = Self(digits(&bare, "a digitable line", Self::LENGTH)?);
        for (index, place) in Self::FIELDS.into_iter().enumerate() {
            let written = line.0.as_bytes()[place.end] - b'0';
            let computed = mod_10(&line.0[place]);
            if written != computed {
                return Err(BoletoError::FieldCheckDigit {
                    field: index + 1,
                    written,
                    computed,
                });
            }
        }
        line.barcode().check()?;
        Ok(line)
    }

    /// Without dots and spaces.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn barcode(&self) -> Barcode {
        let digits = &self.0;
        let [first, second, third] = Self::FIELDS.map(|field| &digits[field]);
        let (bank, free) = first.split_at(CURRENCY + 1);
        let general_digit_factor_and_amount = &digits[Self::FIELDS_END..];
        Barcode(format!(
            "{bank}{general_digit_factor_and_amount}{free}{second}{third}"
        ))
    }
}

/// As it is printed: `00000.00000 00000.000000 00000.000000 0 00000000000000`.
impl fmt::Display for DigitableLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let d = &self.0;
        write!(
            f,
            "{}.{} {}.{} {}.{} {} {}",
            &d[..5],
            &d[5..10],
            &d[10..15],
            &d[15..21],
            &d[21..26],
            &d[26..32],
            &d[32..33],
            &d[33..]
        )
    }
}

fn digits(text: &str, what: &'static str, expected: usize) -> Result<String, BoletoError> {
    if let Some(place) = text.chars().position(|character| !character.is_ascii_digit()) {
        return Err(BoletoError::Character { at: place + 1 });
    }
    if text.len() != expected {
        return Err(BoletoError::Length {
            what,
            expected,
            found: text.len(),
        });
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests;
