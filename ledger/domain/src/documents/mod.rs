//! Brazilian documents and postal codes, parsed at the edge: inside, only valid ones exist.
//!
//! Whether a document is registered is not checked.

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
    /// 11 characters are a CPF, 14 are a CNPJ. A CNPJ may have letters.
    pub fn parse(text: &str) -> Result<Self, DocumentError> {
        match strip_mask(text).chars().count() {
            Cpf::LENGTH => Ok(Self::Cpf(Cpf::parse(text)?)),
            Cnpj::LENGTH => Ok(Self::Cnpj(Cnpj::parse(text)?)),
            length => Err(DocumentError::Length(length)),
        }
    }

    /// Without its mask. A CNPJ may have letters.
    pub fn unmasked(&self) -> &str {
        match self {
            Self::Cpf(cpf) => cpf.unmasked(),
            Self::Cnpj(cnpj) => cnpj.unmasked(),
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

/// Removes mask characters and spaces, and converts letters to upper case. Other characters stay, so that the parser
/// refuses them.
fn strip_mask(text: &str) -> String {
    text.chars()
        .filter(|character| !matches!(character, '.' | '/' | '-' | ' '))
        .map(|character| character.to_ascii_uppercase())
        .collect()
}

/// The check digit modulo 11. The weights start at 2 on the right and start again after `weight_max`.
fn check_digit(values: &[u8], weight_max: u32) -> u8 {
    let sum: u32 = values
        .iter()
        .rev()
        .zip((2..=weight_max).cycle())
        .map(|(value, weight)| u32::from(*value) * weight)
        .sum();
    match sum % 11 {
        0 | 1 => 0,
        // At most 9, because the remainder is at least 2.
        remainder => (11 - remainder) as u8,
    }
}

/// Whether all values are equal. Such a CPF, and the CNPJ of zeros, would pass the check digits, but they are never
/// assigned.
fn all_equal(values: &[u8]) -> bool {
    values.windows(2).all(|pair| pair[0] == pair[1])
}

/// Implements `FromStr` with `parse`, and JSON as the text without its mask.
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
                serializer.serialize_str(self.unmasked())
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
