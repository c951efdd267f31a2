//! CPF, the federal register number of a natural person: 9 digits and 2 check digits.

use std::fmt;

use thiserror::Error;

use super::{all_equal, check_digit, parsed_text, strip_mask};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cpf(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CpfError {
    #[error("a CPF has 11 digits")]
    Length,
    #[error("a CPF has digits only")]
    Character,
    #[error("a CPF of one repeated digit is never assigned")]
    Repeated,
    #[error("123.456.789-09 is a well-known test number")]
    Sample,
    #[error("the check digits do not match")]
    CheckDigits,
}

impl Cpf {
    pub(super) const LENGTH: usize = 11;
    /// Has valid check digits, but is what users type to try a form.
    const SAMPLE: &str = "12345678909";

    pub fn parse(text: &str) -> Result<Self, CpfError> {
        let bare = strip_mask(text);
        if bare.chars().count() != Self::LENGTH {
            return Err(CpfError::Length);
        }
        if !bare.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(CpfError::Character);
        }
        let values: Vec<u8> = bare.bytes().map(|byte| byte - b'0').collect();
        if all_equal(&values) {
            return Err(CpfError::Repeated);
        }
        let expected = [check_digit(&values[..9], 11), check_digit(&values[..10], 11)];
        if values[9..] != expected {
            return Err(CpfError::CheckDigits);
        }
        if bare == Self::SAMPLE {
            return Err(CpfError::Sample);
        }
        Ok(Self(bare))
    }

    /// Without its mask.
    pub fn unmasked(&self) -> &str {
        &self.0
    }
}

/// `000.000.000-00`.
impl fmt::Display for Cpf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let d = &self.0;
        write!(f, "{}.{}.{}-{}", &d[..3], &d[3..6], &d[6..9], &d[9..])
    }
}

/// Hides the same digits as the government's portals, because debug output goes to logs.
impl fmt::Debug for Cpf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cpf(***.{}.{}-**)", &self.0[3..6], &self.0[6..9])
    }
}

parsed_text!(Cpf, CpfError);
