//! Brazilian documents and postal codes: parsed once at the edge, so that beyond it only valid ones exist.
//!
//! Offline rules only; whether a document is anyone's is for registries to say.

mod cep;
mod cnpj;
mod cpf;

use std::fmt;

use thiserror::Error;

pub use cep::{Cep, CepError, State};
pub use cnpj::{Cnpj, CnpjError};
pub use cpf::{Cpf, CpfError};

/// The document of a person or of a company.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Document {
    Cpf(Cpf),
    Cnpj(Cnpj),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DocumentError {
    #[error("a document has 11 characters (CPF) or 14 (CNPJ), not {0}")]
    Length(usize),
    #[error(transparent)]
    Cpf(#[from] CpfError),
    #[error(transparent)]
    Cnpj(#[from] CnpjError),
}

impl Document {
    /// 11 characters are a CPF, 14 a CNPJ, whatever they are: a company's may have letters.
    pub fn parse(text: &str) -> Result<Self, DocumentError> {
        match bare(text).chars().count() {
            Cpf::LENGTH => Ok(Self::Cpf(Cpf::parse(text)?)),
            Cnpj::LENGTH => Ok(Self::Cnpj(Cnpj::parse(text)?)),
            length => Err(DocumentError::Length(length)),
        }
    }

    /// Without its mask.
    pub fn digits(&self) -> &str {
        match self {
            Self::Cpf(cpf) => cpf.digits(),
            Self::Cnpj(cnpj) => cnpj.digits(),
        }
    }
}

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpf(cpf) => cpf.fmt(f),
            Self::Cnpj(cnpj) => cnpj.fmt(f),
        }
    }
}

parsed_text!(Document, DocumentError);

/// The characters that identify: masks and blanks taken off, letters in upper case. Nothing else is dropped, so that
/// what is not part of a document is refused rather than overlooked.
fn bare(text: &str) -> String {
    text.chars()
        .filter(|character| !matches!(character, '.' | '/' | '-' | ' '))
        .map(|character| character.to_ascii_uppercase())
        .collect()
}

/// A check digit modulo 11: each value times its weight, the weights rising from 2 at the right, and starting again
/// after `weight_max`.
fn check_digit(values: &[u8], weight_max: u32) -> u8 {
    let sum: u32 = values
        .iter()
        .rev()
        .zip((2..=weight_max).cycle())
        .map(|(value, weight)| u32::from(*value) * weight)
        .sum();
    match sum % 11 {
        0 | 1 => 0,
        // At most 9, as the remainder is 2 at least.
        remainder => (11 - remainder) as u8,
    }
}

/// Whether every value is the same: such documents satisfy the check digits, and are nobody's.
fn all_equal(values: &[u8]) -> bool {
    values.windows(2).all(|pair| pair[0] == pair[1])
}

/// `FromStr` by `parse`, and JSON as the text without its mask.
macro_rules! parsed_text {
    ($name:ident, $error:ident) => {
        impl std::str::FromStr for $name {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, $error> {
                Self::parse(text)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.digits())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                Self::parse(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}
use parsed_text;

#[cfg(test)]
mod tests;
