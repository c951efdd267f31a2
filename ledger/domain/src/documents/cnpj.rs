//! CNPJ, the national register number of a company: 12 characters (with letters since July 2026) and 2 check digits.
//! Instrução Normativa RFB 2.229/2024.

use std::fmt;

use thiserror::Error;

use super::{all_equal, check_digit, parsed_text, strip_mask};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cnpj(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CnpjError {
    #[error("a CNPJ has 14 characters")]
    Length,
    #[error("a CNPJ has letters and digits; its last two characters are digits")]
    Character,
    #[error("a CNPJ of one repeated digit is never assigned")]
    Repeated,
    #[error("the check digits do not match")]
    CheckDigits,
}

impl Cnpj {
    pub(super) const LENGTH: usize = 14;

    pub fn parse(text: &str) -> Result<Self, CnpjError> {
        let bare = strip_mask(text);
        if bare.chars().count() != Self::LENGTH {
            return Err(CnpjError::Length);
        }
        if !bare
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
        {
            return Err(CnpjError::Character);
        }
        // The value of a character is its ASCII code minus 48: a digit is itself, A is 17.
        let values: Vec<u8> = bare.bytes().map(|byte| byte - b'0').collect();
        if values[12..].iter().any(|value| *value > 9) {
            return Err(CnpjError::Character);
        }
        if all_equal(&values) {
            return Err(CnpjError::Repeated);
        }
        let expected = [check_digit(&values[..12], 9), check_digit(&values[..13], 9)];
        if values[12..] != expected {
            return Err(CnpjError::CheckDigits);
        }
        Ok(Self(bare))
    }

    /// Without its mask. May contain letters.
    pub fn unmasked(&self) -> &str {
        &self.0
    }
}

/// `AA.AAA.AAA/AAAA-00`.
impl fmt::Display for Cnpj {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let d = &self.0;
        write!(
            f,
            "{}.{}.{}/{}-{}",
            &d[..2],
            &d[2..5],
            &d[5..8],
            &d[8..12],
            &d[12..]
        )
    }
}

parsed_text!(Cnpj, CnpjError);
